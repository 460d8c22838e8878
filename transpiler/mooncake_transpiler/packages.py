"""The package that a folder belongs to."""

from __future__ import annotations

from pathlib import Path


def package_name(src: Path) -> str:
    """The dotted name of the package that the modules of SRC stand in; empty for plain modules.

    It has as many parts as there are folders with an ``__init__.py`` above one another.
    """
    folder = (src.parent if src.is_file() else src).resolve()
    parts: list[str] = []
    while folder.name and (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)
