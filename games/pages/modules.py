"""The modules that the scripts of a page import, for the browser to fetch all at once."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

_STATIC = Path(__file__).parent.parent / "static"
_IMPORTED = re.compile(r'^(?:import|\}).*?"(\.[^"]+)";$', re.MULTILINE)


@cache
def with_imports(name: str) -> tuple[str, ...]:
    """Return the static names of a module and of every module that it needs, itself first."""
    found = [name]
    for module in found:
        relative = _IMPORTED.findall((_STATIC / module).read_text())
        names = (normpath(join(dirname(module), other)) for other in relative)
        found += [name for name in dict.fromkeys(names) if name not in found]
    return tuple(found)
