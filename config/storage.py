"""Static files under names that change with their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc] # untyped
    """Rewrite the imports of JavaScript modules, too, so that browsers can cache them forever."""

    support_js_module_import_aggregation = True
    # The name of a module changes with those it imports: a pass for each link of the longest chain.
    max_post_process_passes = 20
