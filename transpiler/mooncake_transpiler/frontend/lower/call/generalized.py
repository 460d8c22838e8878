"""Calls of functions under ``@guvectorize``: what is not given is made, filled and returned.

``"(n),(n)->()"`` names the axes of each argument and of each result. Arrays with more axes than
that, over which the function would be repeated, are refused (MK238).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import libcst as cst
from mooncake_rules.arrays import Num
from mooncake_rules.arrays.sizes import common_size

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External, FunctionDecl
from mooncake_transpiler.frontend.lower.array import arrays, delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.types import Array, Type

_AXES = re.compile(r"\(([^()]*)\)")
_HELP = "call it in a loop over the other axes, or write the loop into the function"


@dataclass(frozen=True, slots=True)
class AxisNames:
    """The names of the axes of the arguments and of the results."""

    given: tuple[tuple[str, ...], ...]
    made: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, text: str) -> AxisNames:
        given, _, made = text.replace(" ", "").partition("->")
        return cls(_groups(given), _groups(made))


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(filter(None, group.split(","))) for group in _AXES.findall(text))


def call(ctx: Context, node: cst.Call, decl: FunctionDecl, text: str, given: Arguments) -> Operand:
    """``decl(*given)``, for arguments of exactly the axes that its layout names."""
    layout, args = AxisNames.of(text), list(given.args)
    types = [None if p.annotation is None else p.annotation.type for p in decl.params]
    if given.keywords or len(args) != len(layout.given) or None in types:
        raise _refused(ctx, node, f"{decl.name} takes {len(layout.given)} arguments of one type")
    args = [delayed.settle(ctx, arg) for arg in args]
    sizes: dict[str, Num | int] = {}
    for arg, axes, type_ in zip(args, layout.given, types, strict=False):
        _measure(ctx, node, decl, arg, axes, type_, sizes)
    results: list[Operand] = []
    for axes, type_ in zip(layout.made, types[len(args) :], strict=True):
        if not isinstance(type_, Array) or any(axis not in sizes for axis in axes):
            raise _refused(ctx, node, f"the shape of a result of {decl.name} is not known")
        shape = Items(whole.sizes([sizes[axis] for axis in axes] or [1]))
        dtype = Static(External(f"numpy.{type_.dtype.value}"))
        empty = Static(External("numpy.empty"))
        results.append(ctx.lower.call(ctx, node, empty, (shape, dtype)))
    ctx.lower.call(ctx, node, Static(decl), (*args, *results))
    shown = [
        result if axes else whole.library_call(ctx, node, "numpy.take", result, ir.ZERO)
        for result, axes in zip(results, layout.made, strict=True)
    ]
    return shown[0] if len(shown) == 1 else Items(tuple(shown))


def _measure(
    ctx: Context, node: cst.Call, decl: FunctionDecl, arg: Operand, axes: tuple[str, ...],
    type_: Type | None, sizes: dict[str, Num | int],
) -> None:  # fmt: skip
    """Enter the sizes of the axes of one argument; those of one name must agree."""
    if not isinstance(type_, Array):
        if axes or not is_scalar(arg):
            raise _refused(ctx, node, f"{decl.name} is not called with an array here")
        return
    if type_of(arg) != type_ or len(axes) != type_.ndim:
        raise _refused(ctx, node, f"{decl.name} is compiled for {type_}, got {type_of(arg)}")
    stage = LoweringStage(ctx, node)
    shape = arrays.attribute(ctx, node, arg, "shape")  # type: ignore[arg-type]
    assert isinstance(shape, Items)
    for axis, size in zip(axes, shape.items, strict=True):
        number = stage.number(size)  # type: ignore[arg-type]
        assert isinstance(number, int | Num)
        sizes[axis] = common_size(stage, sizes.get(axis, number), number, decl.name)


def _refused(ctx: Context, node: cst.Call, message: str) -> Refused:
    return ctx.refuse(node, "MK238", message, _HELP)
