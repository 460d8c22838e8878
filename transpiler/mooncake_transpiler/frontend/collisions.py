"""Names of the user's that would be generated as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mooncake_transpiler.diagnostics import Diagnostic, Place
from mooncake_transpiler.frontend.entities import FunctionDecl, Module, Source
from mooncake_transpiler.frontend.source import place
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
    """Functions and modules that stand where generated ones would."""
    by_path = {module.path: module for module in source.modules.values()}
    public = [decl for decl in source.functions() if decl.is_public]
    for decl in public:
        yield from _functions(source.modules[decl.module], decl)
    for name in sorted({decl.module for decl in public}):
        path = source.modules[name].path
        taken = path.removesuffix(".py") + "_grad.py"
        if taken in by_path:
            message = f"the derivatives of {path} would be written to {taken}"
            yield Diagnostic("MK241", message, Place(taken, 1, 1, 1), "rename this module")


def _functions(module: Module, decl: FunctionDecl) -> Iterator[Diagnostic]:
    for mode in decl.directive.modes or DEFAULT_MODES:
        for suffix in SUFFIXES.get(mode, ()):
            name = f"{decl.name}_{suffix}"
            other = module.scope.get(name)
            if other is None:
                continue
            own = isinstance(other, FunctionDecl) and other.module == module.name
            node = other.node.name if isinstance(other, FunctionDecl) and own else decl.node.name
            message = f"{name} would be generated as a derivative of {decl.name}"
            yield Diagnostic("MK240", message, place(module, node), f"rename {name}")
