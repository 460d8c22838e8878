"""Methods of arrays."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import NOTHING, Operand
from mooncake_transpiler.frontend.lower.scalars import cast
from mooncake_transpiler.types import INT, Array, Scalar

WHOLE_ARRAY_METHODS = frozenset({
    "all", "any", "argmax", "argmin", "clip", "cumprod", "cumsum", "dot", "max", "mean", "min",
    "prod", "ptp", "round", "std", "trace", "var",
})  # fmt: skip


def call(
    ctx: Context, node: cst.Call, array: ir.Atom, method: str, given: Arguments, hint: str
) -> Operand:
    match method:
        case "copy":
            given.take(ctx, node, method)
            return copy(ctx, array, hint)
        case "sum":
            given.take(ctx, node, method)
            return full_sum(ctx, array, hint)
        case "fill":
            (value,) = given.take(ctx, node, method, "value")
            assert value is not None
            assert isinstance(array.type, Array)
            filler = cast(ctx, expressions.as_scalar(ctx, node, value), Scalar(array.type.dtype))
            ctx.builder.add(ir.Assign(array, filler, ctx.builder.origin))
            return NOTHING
        case _ if method in WHOLE_ARRAY_METHODS:
            message = "whole-array expressions are not supported yet"
            raise ctx.refuse(node, "MK302", message, expressions.WHOLE_ARRAY_HELP)
        case _:
            raise ctx.refuse(node, "MK305", f"method {method!r} of arrays is not supported yet")


def copy(ctx: Context, array: ir.Atom, hint: str = "") -> ir.Value:
    out = ir.Value(hint, array.type)
    ctx.builder.add(ir.Copy(out, array, ctx.builder.origin))
    return out


def full_sum(ctx: Context, array: ir.Atom, hint: str = "") -> ir.Value:
    """The sum of all elements; small integers and bools are summed as int64."""
    assert isinstance(array.type, Array)
    dtype = array.type.dtype
    out = ir.Value(hint, Scalar(dtype) if dtype.is_differentiable else INT)
    ctx.builder.add(ir.Sum(out, array, ctx.builder.origin))
    return out
