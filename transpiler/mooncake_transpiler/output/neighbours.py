"""How the module beside a source module imports the other modules of the program."""

from __future__ import annotations

from keyword import iskeyword

from mooncake_transpiler.output.sources import Sources


def import_names(module: str, sources: Sources) -> dict[str, str]:
    """What stands after ``from`` in a neighbour of ``module``, by dotted name.

    Modules that no import statement can name, such as ``my-model.py``, are left out.
    """
    importable = [name for name, file in sources.files.items() if _is_importable(file.path)]
    return {other: _import_name(module, other, sources) for other in importable}


def _is_importable(path: str) -> bool:
    parts = path.removesuffix(".py").split("/")
    return all(part.isidentifier() and not iskeyword(part) for part in parts)


def _import_name(module: str, other: str, sources: Sources) -> str:
    """Relative inside a package, as a package may be renamed or moved; absolute elsewhere."""
    package = _package(module, sources)
    root = "" if _is_package(sources) else package.partition(".")[0]
    if not (_is_package(sources) or (root and root in sources.files)):
        return other
    if root and other != root and not other.startswith(f"{root}."):
        return other
    here = package.split(".") if package else []
    there = [] if other == "__init__" else other.split(".")
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return "." * (len(here) - shared + 1) + ".".join(there[shared:])


def _is_package(sources: Sources) -> bool:
    """Whether SRC itself is a package."""
    return (sources.root / "__init__.py").is_file()


def _package(module: str, sources: Sources) -> str:
    file = sources.files[module]
    return module if file.path.endswith("/__init__.py") else module.rpartition(".")[0]
