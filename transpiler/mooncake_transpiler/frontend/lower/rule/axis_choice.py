"""Calls whose axis only the run knows: one call for each axis that the array has.

    np.sum(x, axis=axis)    becomes    np.sum(x, axis=0) if axis % 2 == 0 else np.sum(x, axis=1)

Rules need the axis as a constant. An axis that the array has not got is a ValueError.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.failure import failing, numbers, throwing
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand

AXIS = "axis"
Call = Callable[[Arguments], Operand]


def called(ctx: Context, node: cst.Call, given: Arguments, call: Call, hint: str) -> Operand:
    """The result of ``call``, also for an axis that only the run knows.

    Not inside a ``try``: NumPy's exception for others is a ValueError, and an IndexError, too.
    """
    if ctx.unrollable or throwing.active(ctx) or not _is_open(given):
        return call(given)
    before = ctx.mark()
    try:
        return call(given)
    except Refused as refused:
        if refused.diagnostic.code != "MK310":
            raise
    ctx.reset(before)
    return _chosen(ctx, node, given, call, hint)


def _is_open(given: Arguments) -> bool:
    """True if the axis of the one array is a number of the run.

    With ``keepdims`` the result is there to be stretched, along an axis that must be known.
    """
    axis = given.keywords.get(AXIS)
    is_number = isinstance(axis, ir.Value) and is_scalar(axis) and "keepdims" not in given.keywords
    return is_number and len(given.args) == 1 and delayed.is_array(given.args[0])


def _chosen(ctx: Context, node: cst.CSTNode, given: Arguments, call: Call, hint: str) -> Operand:
    """The result of ``call`` for the axis that the run gives."""
    array = delayed.settle(ctx, given.args[0])
    ndim = whole.as_arr(ctx, node, array).ndim
    axis = numbers.as_index(ctx, node, given.keywords[AXIS], "an axis")
    low = compute(ctx, node, "le", (ir.int_const(-ndim), axis))
    there = compute(ctx, node, "and", (low, compute(ctx, node, "lt", (axis, ir.int_const(ndim)))))
    message = f"axis {{}} is out of bounds for array of dimension {ndim}"
    failing.require(ctx, node, there, message, "ValueError", (axis,))
    axis = compute(ctx, node, "mod", (axis, ir.int_const(ndim)))

    def of(k: int) -> Operand:
        this = partial(call, Arguments([array], {**given.keywords, AXIS: ir.int_const(k)}))
        if k == ndim - 1:
            return this()
        is_this = compute(ctx, node, "eq", (axis, ir.int_const(k)))
        return branches.choose(ctx, node, is_this, this, partial(of, k + 1), hint)

    return of(0)
