"""Gradient modules that are sources as well: their own sources, and the order to make them in.

    from potential_grad import energy_grad      # made from potential.py of SRC

Such a module need not be there: what it will hold is what is read, never what an earlier run has
left on disk.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mooncake_transpiler.output.digests import text_digest
from mooncake_transpiler.output.outline import ModuleOutline
from mooncake_transpiler.output.sources import SourceFile, Sources, module_name

SUFFIX = "_grad"


def with_generated(sources: Sources, asked: Iterable[str]) -> Sources:
    """``sources`` and the gradient modules that they import, or that ``asked`` names.

    Those that are asked for, or whose own derivatives are imported, get gradient modules.
    """
    found: dict[str, SourceFile] = {}
    asked = frozenset(asked)
    imported = {name for file in sources.files.values() for name in file.outline.imports or ()}
    for name in sorted(asked | imported):
        for inside in sources.inside(name):
            _add(inside, sources, found)
    targets = {file.origin for file in found.values()} | asked
    return replace(sources, generated=found, targets=frozenset(targets & found.keys()))


def _add(name: str, sources: Sources, found: dict[str, SourceFile]) -> SourceFile | None:
    """The module ``name`` of the program; a gradient module is entered in ``found``."""
    known = sources.files.get(name) or found.get(name)
    if known is not None or not name.endswith(SUFFIX):
        return known
    base = name.removesuffix(SUFFIX)
    package = base.removesuffix("__init__").rstrip(".")
    origin = _add(base, sources, found)
    if origin is None and package != base:
        origin = _add(package, sources, found)
    if origin is None or not origin.outline.may_differentiate:
        return None
    path = f"{origin.path.removesuffix('.py')}{SUFFIX}.py"
    if module_name(path) != name:
        return None
    outline = ModuleOutline(frozenset({origin.name}), None, True)
    found[name] = SourceFile(name, path, b"", outline, text_digest(b""), origin.name)
    return found[name]


def in_order(sources: Sources) -> list[SourceFile]:
    """The gradient modules that are sources, each after those that it is made from."""

    def key(file: SourceFile) -> tuple[int, str]:
        return len(sources.closure(file.name)), file.name

    return sorted(sources.generated.values(), key=key)


def circles(sources: Sources) -> frozenset[tuple[str, str]]:
    """Modules, and the gradient modules that they import and are needed to make."""
    below = {name: {f.name for f in sources.closure(name)} for name in sources.known}
    return frozenset(
        (module, name) for name in sources.generated for module in below[name]
        if module != name and name in below[module]
    )  # fmt: skip
