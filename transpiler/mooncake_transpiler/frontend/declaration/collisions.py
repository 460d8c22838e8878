"""Names that would be generated twice, and modules that stand where generated ones would.

A function of the user's that is called ``f_grad`` is not in the way: it stands in another module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place
from mooncake_transpiler.frontend.entities import FunctionDecl, Module, Source
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.modes import DEFAULT_MODES

# What each mode adds to a function's name.
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "reverse": ("fwd", "pullback", "value_and_grad", "grad", "vjp"),
    "forward": ("jvp",),
    "hvp": ("hvp",),
    "hessian": ("hessian",),
    "jacobian": ("jacobian",),
}


def collisions(source: Source) -> Iterator[Diagnostic]:
    """Names of derivatives that two functions would have, and modules in the way."""
    by_path = {m.path: m for m in source.modules.values() if not m.is_generated}
    public = [decl for decl in source.functions() if decl.is_public]
    made: dict[tuple[str, str], FunctionDecl] = {}  # by module and name
    for decl in public:
        yield from _functions(source.modules[decl.module], decl, made)
    for name in sorted({decl.module for decl in public}):
        path = source.modules[name].path
        taken = path.removesuffix(".py") + "_grad.py"
        if taken in by_path:
            message = f"the derivatives of {path} would be written to {taken}"
            yield Diagnostic("MK241", message, Place(taken, 1, 1, 1), "rename this module")


# What a mode makes that the next mode of a composition is applied to.
NEXT: Mapping[str, tuple[str, ...]] = {"reverse": ("grad", "vjp"), "forward": ("jvp",)}


def _generated(name: str, mode: str) -> Iterator[str]:
    """The derivatives of ``name`` of this mode, which may be a composition; at least these."""
    first, *inner = mode.split("-over-")
    names = [name]
    for one in reversed(inner):
        names = [f"{name}_{suffix}" for name in names for suffix in NEXT[one]]
    for name in names:
        yield from (f"{name}_{suffix}" for suffix in SUFFIXES[first])


def _functions(
    module: Module, decl: FunctionDecl, made: dict[tuple[str, str], FunctionDecl]
) -> Iterator[Diagnostic]:
    """The names of derivatives of ``decl`` that are ``made`` already, of another function."""
    for mode in decl.directive.modes or DEFAULT_MODES:
        for name in _generated(decl.name, mode):
            first = made.setdefault((decl.module, name), decl)
            if first is not decl:
                message = f"{name} would be generated as a derivative of {first.name}, too"
                help_ = f"rename {decl.name}"
                yield Diagnostic("MK240", message, place(module, decl.node.name), help_)
