"""Loops over tuples: one copy of the body per item."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import assignments, branches, loops, statements
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import (
    EXIT,
    FALSE,
    LEFT,
    RETURNED,
    TRUE,
    Bound,
    LoopExits,
    meet,
)
from mooncake_transpiler.frontend.lower.operands import Items, Operand

if TYPE_CHECKING:
    from mooncake_transpiler.frontend.lower.loops import Shape


def lower(ctx: Context, target: cst.BaseExpression, shape: Shape, over: Items) -> None:
    """``for target in (a, b, c)``."""
    frame = ctx.frame
    exits = LoopExits(loops.latch_names(ctx, shape), True)
    frame.loops.append(exits)
    natural: list[Bound] = []
    try:
        _copies(ctx, target, shape, list(over.items), exits, natural)
    finally:
        frame.loops.pop()
    flags = frame.values[EXIT], frame.values[RETURNED]
    loops.finish(ctx, shape, flags, meet(natural), meet(exits.breaks))


def _copies(
    ctx: Context,
    target: cst.BaseExpression,
    shape: Shape,
    items: list[Operand],
    exits: LoopExits,
    natural: list[Bound],
) -> None:
    """The copies for ``items``, one after the other until control leaves the loop."""
    frame = ctx.frame
    for k, item in enumerate(items):
        exits.continues.clear()
        frame.values |= {LEFT: FALSE, EXIT: FALSE, RETURNED: FALSE}
        assignments.bind(ctx, target, item)
        statements.lower_list(ctx, shape.body, exits.latch, False)
        frame.bound = meet((frame.bound, *exits.continues))
        exited = frame.values[EXIT]
        if exited == FALSE and frame.bound is not None:
            continue
        if isinstance(exited, ir.Value):
            more = partial(_copies, ctx, target, shape, items[k + 1 :], exits, natural)
            branches.branch(ctx, exited, partial(_stay, ctx), more, exits.latch, False)
        return
    natural.append(frame.bound)


def _stay(ctx: Context) -> None:
    ctx.frame.values[EXIT] = TRUE
    ctx.frame.bound = None
