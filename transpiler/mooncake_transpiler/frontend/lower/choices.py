"""Functions and instances that are one of two, by a condition: both are lowered where it matters.

    f = sin if c else cos; f(x)         becomes         sin(x) if c else cos(x)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import branches, calls, errors, failing, objects, scalars
from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Choice,
    Operand,
    is_function,
    name_of,
)
from mooncake_transpiler.frontend.lower.scalars import constant
from mooncake_transpiler.frontend.lower.syntax import Hint


def between(ctx: Context, a: Operand, b: Operand) -> bool:
    """Whether a condition may choose between ``a`` and ``b``: functions, instances, no function."""
    kinds = [_is_dispatched(ctx, side) for side in (a, b)]
    optional = NOTHING in (a, b) and any(map(is_function, (a, b)))
    return all(kinds) or optional


def _is_dispatched(ctx: Context, operand: Operand) -> bool:
    """Whether what is done with ``operand`` depends on its class: calls, attributes."""
    cls = objects.declared(ctx, operand)
    return is_function(operand) or (cls is not None and cls.module != "builtins")


def call(ctx: Context, node: cst.Call, of: Choice, given: Arguments, hint: Hint) -> Operand:
    """``of(*given)``."""
    for side, cond in ((of.then, of.cond), (of.orelse, ctx.builder.not_(of.cond))):
        if side == NOTHING:
            kind = errors.known("TypeError")
            failing.test(ctx, node, kind, cond, "'NoneType' object is not callable")
            other = of.orelse if side is of.then else of.then
            return calls.apply(ctx, node, other, given, hint)
    sides = [partial(calls.apply, ctx, node, side, given, hint) for side in (of.then, of.orelse)]
    return branches.choose(ctx, node, of.cond, sides[0], sides[1], name_of(hint))


def is_none(ctx: Context, operand: Operand) -> ir.Atom:
    """Whether ``operand`` is None."""
    if not isinstance(operand, Choice):
        return constant(operand == NOTHING)
    sides = is_none(ctx, operand.then), is_none(ctx, operand.orelse)
    match sides:
        case ir.Const(value=a), ir.Const(value=b):
            if a == b:
                return constant(bool(a))
            return operand.cond if a else ctx.builder.not_(operand.cond)
        case _:
            return scalars.select(ctx, operand.cond, *sides)
