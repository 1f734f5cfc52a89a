"""The variants as the tables know them."""

from games import engine

VARIANT_CHOICES = [(variant.slug, variant.name) for variant in engine.VARIANTS.values()]


VARIANT_SLUGS = list(engine.VARIANTS)
