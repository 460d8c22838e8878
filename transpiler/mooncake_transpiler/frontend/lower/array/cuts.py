"""Slices with bounds that may be None: ``x[: -k or None]``."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Cut, Maybe, Operand
from mooncake_transpiler.types import BOOL

_END = 2**62  # beyond the end of anything, which a bound there stands for


def cut(ctx: Context, node: cst.CSTNode, lo: Operand, hi: Operand, step: Operand) -> Cut:
    """``slice(lo, hi, step)``; for a bound that is None on some paths, one that means the same."""
    step = bound_or(ctx, node, step, ir.int_const(1))
    if not isinstance(lo, Maybe) and not isinstance(hi, Maybe):
        return Cut(lo, hi, step)
    back: ir.Atom = ir.Const(False, BOOL)
    if step != NOTHING:
        by = numbers.as_index(ctx, node, step, "a bound")
        back = scalars.compute(ctx, node, "lt", (by, ir.int_const(0)))
    start = scalars.select(ctx, back, ir.int_const(_END), ir.int_const(0))
    end = scalars.select(ctx, back, ir.int_const(-_END), ir.int_const(_END))
    return Cut(bound_or(ctx, node, lo, start), bound_or(ctx, node, hi, end), step)


def bound_or(ctx: Context, node: cst.CSTNode, bound: Operand, otherwise: ir.Atom) -> Operand:
    """``bound``, or ``otherwise`` on paths on which it is None."""
    if not isinstance(bound, Maybe):
        return bound
    value = numbers.as_index(ctx, node, bound.value, "a bound")
    return scalars.select(ctx, bound.there, value, otherwise)
