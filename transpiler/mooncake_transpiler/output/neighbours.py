"""Import names: modules of the program as the module beside a source module imports them."""

from __future__ import annotations

from keyword import iskeyword

from mooncake_transpiler.output.sources import Sources


def import_names(module: str, sources: Sources) -> dict[str, str]:
    """The names behind ``from`` in imports by a neighbour of ``module``, by dotted name.

    Modules that no import statement can name, such as ``my-model.py``, are left out.
    """
    importable = [name for name, file in sources.known.items() if _is_importable(file.path)]
    return {other: import_name(module, other, sources) for other in importable}


def import_name(module: str, other: str, sources: Sources) -> str:
    """The name behind ``from`` by which a neighbour of ``module`` imports ``other``.

    Relative inside a package, as a package may be renamed or moved; absolute elsewhere.
    """
    package = _package(module, sources)
    root = outermost(module, sources)
    if not (sources.makes_package or root):
        return other
    if root and other != root and not other.startswith(f"{root}."):
        return other
    here = package.split(".") if package else []
    there = [] if other == "__init__" else other.split(".")
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return "." * (len(here) - shared + 1) + ".".join(there[shared:])


def outermost(module: str, sources: Sources) -> str:
    """The outermost package in OUT that ``module`` stands in; empty for OUT itself or none."""
    root = _package(module, sources).partition(".")[0]
    top = sources.files.get(root)
    is_package = top is not None and top.path == f"{root}/__init__.py"
    return root if is_package and not sources.makes_package else ""


def _is_importable(path: str) -> bool:
    parts = path.removesuffix(".py").split("/")
    return all(part.isidentifier() and not iskeyword(part) for part in parts)


def _package(module: str, sources: Sources) -> str:
    file = sources.file(module)
    return module if file.path.endswith("/__init__.py") else module.rpartition(".")[0]
