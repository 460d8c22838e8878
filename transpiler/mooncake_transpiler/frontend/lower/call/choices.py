"""Functions and instances that are one of two, by a condition: both are lowered where it matters.

f = sin if c else cos; f(x)         becomes         sin(x) if c else cos(x)
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import name_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Choice, Operand
from mooncake_transpiler.frontend.lower.state.syntax import Hint


def call(ctx: Context, node: cst.Call, of: Choice, given: Arguments, hint: Hint) -> Operand:
    """``of(*given)``."""
    for side, there in ((of.then, ctx.builder.not_(of.cond)), (of.orelse, of.cond)):
        if side == NOTHING:
            failing.require(ctx, node, there, "'NoneType' object is not callable", "TypeError")
            other = of.orelse if side is of.then else of.then
            return ctx.lower.call(ctx, node, other, given.args, given.keywords, hint)
    sides = [
        partial(ctx.lower.call, ctx, node, side, given.args, given.keywords, hint)
        for side in (of.then, of.orelse)
    ]
    return branches.choose(ctx, node, of.cond, sides[0], sides[1], name_of(hint))
