"""Annotations of fields that generated modules can read, when they check their arguments.

    class P(NamedTuple):          ->    def f_grad(p: Annotated[P, tuple[Vector]]): ...
        b: np.ndarray

Annotations of the functions say what those of the class do not say at run time: here, a rank.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.annotation.annotation_parts import arguments_of
from mooncake_transpiler.frontend.class_text.classes import ClassOutline, outline
from mooncake_transpiler.frontend.entities import ClassKind, External
from mooncake_transpiler.frontend.name import typenames
from mooncake_transpiler.frontend.name.bindings import ClassBinding, ValueBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver

MAX_STEPS = 100  # from name to name


def are_readable(resolver: Resolver, of: ClassOutline, steps: int = 0) -> bool:
    """True if the annotations of all fields say types, dtypes and ranks at run time."""
    return of.kind is not ClassKind.NAMED or all(
        _is_readable(resolver, spec.module, spec.annotation, steps) for spec in of.fields
    )


def _is_readable(resolver: Resolver, module: str, node: cst.BaseExpression, steps: int) -> bool:
    if steps == MAX_STEPS:
        return False
    match node:
        case cst.Name(value="None"):
            return True
        case cst.Name() | cst.Attribute():
            return _is_named(resolver, module, node, steps + 1)
        case cst.Subscript(value=value):
            head, args = resolver.lookup(module, value), arguments_of(node)
            if head == External("typing.Annotated") and isinstance(args[0], cst.Subscript):
                array = resolver.lookup(module, args[0].value)
                return array == External("numpy.typing.NDArray")
            if head in (External("builtins.tuple"), External("typing.Tuple")):
                return all(_is_readable(resolver, module, arg, steps + 1) for arg in args)
            return False
        case _:
            return False


def _is_named(resolver: Resolver, module: str, node: cst.BaseExpression, steps: int) -> bool:
    match resolver.lookup(module, node):
        case External(qualname=name):
            return name in typenames.SCALARS and not name.startswith("numba.")
        case BoundName(binding=ValueBinding(expr=expr)) as found:
            return _is_readable(resolver, found.module, expr, steps)
        case BoundName(binding=ClassBinding(node=cls)) as found:
            return are_readable(resolver, outline(resolver, found, cls), steps)
        case _:
            return False
