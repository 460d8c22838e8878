"""The package that a folder belongs to."""

from __future__ import annotations

import os
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


def in_whole_package(src: Path) -> tuple[Path, str]:
    """The outermost package that the file ``src`` stands in, and the name of its module in there.

    Where ``src`` is no module of a package that is ``src`` itself, and no name.
    """
    package = package_name(src) if src.is_file() else ""
    if not package or src.suffix != ".py":
        return src, ""
    folder = src.resolve().parent
    inner = package.split(".")[1:]
    top = folder.parents[len(inner) - 1] if inner else folder
    name = ".".join(inner if src.stem == "__init__" else [*inner, src.stem])
    return Path(os.path.relpath(top)), name or "__init__"
