"""Iterators that keep their place: instances of a class that is written out.

    it = iter(xs)                            it = iterator(xs)
    for k in range(3):
        total += k * next(it)                total += k * it.__next__()

What an iterator gives is found by its number else, which needs no state, as long as it is run
through once. Which are of this kind is learnt: where one is read again, or may be, the function is
lowered again (``TablePlan.stepped``).
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Once
from mooncake_transpiler.frontend.lower.state.operands import Elements, IntRange, Items, Operand
from mooncake_transpiler.frontend.name import library_classes


def iterator(ctx: Context, node: cst.Call, over: Items | Elements | IntRange) -> Operand:
    """The iterator over ``over`` that ``node`` makes."""
    if node not in ctx.heap.plan.stepped:
        return replace(over, once=Once(node, ctx.frame, len(ctx.frame.loops)))
    cls = ctx.source.modules[library_classes.NAME].scope["iterator"]
    assert isinstance(cls, ClassDecl)
    return instances.make(ctx, node, cls, Arguments([delayed.settle(ctx, over)], {}))
