"""Exceptions in the middle of a statement: what is left of it is skipped.

    y = g(x) + h(x)      becomes, where g may raise      if failed: <nothing>
                                                         else: y = %1 + h(x)

The branch is opened where the exception may be raised, so that everything which is lowered next
goes into its second arm, and is closed where the statement or the arm of an expression ends.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.context import Context, Guard
from mooncake_transpiler.frontend.lower.control import branches
from mooncake_transpiler.frontend.lower.frame import CARGO, FALSE, FLAGS, LEFT, TRUE
from mooncake_transpiler.frontend.lower.operands import Operand


def leave_if(ctx: Context, cond: ir.Atom, leave: Callable[[], None]) -> None:
    """``leave`` the statement if ``cond``: that is what the rest of it is guarded by."""
    if cond == FALSE:
        return
    frame, entry = ctx.frame, ctx.frame.save()
    leave()
    skip = frame.save()
    frame.restore(entry)
    rest = ctx.builder.child()
    ctx.guards.append(Guard(cond, frame, ctx.builder, rest, entry, skip, ctx.sizes.save()))
    ctx.builder = rest


def go_on(ctx: Context) -> None:
    """After a part of a statement that control may have left: the rest of it is skipped then."""
    frame = ctx.frame
    left = frame.values[LEFT]
    if left == FALSE:
        return
    assert isinstance(left, ir.Value | ir.Const)

    def leave() -> None:
        frame.values |= {flag: TRUE for flag in FLAGS if frame.values[flag] is left}
        frame.bound = None

    leave_if(ctx, left, leave)
    stay(ctx)


def stay(ctx: Context) -> None:
    """On this path control has not left."""
    values = ctx.frame.values
    values |= dict.fromkeys(FLAGS, FALSE)
    for name in CARGO:
        values.pop(name, None)


def close(ctx: Context, depth: int) -> None:
    """End the guards that were opened since there were ``depth``."""
    while len(ctx.guards) > depth:
        guard = ctx.guards.pop()
        frame, rest = ctx.frame, ctx.builder
        if guard.frame is not frame:
            message = "an exception that is raised here can't be caught"
            raise ctx.refuse(cst.Pass(), "MK351", message, "compute it before, in a statement")
        ctx.builder = guard.before
        ctx.sizes.restore(guard.sizes)
        if guard.cond == TRUE:
            frame.restore(guard.skip)
            continue
        blocks, states = (guard.before.child(), rest), (guard.skip, frame.save())
        branches.rejoin(ctx, guard.cond, blocks, states, guard.entry, None, True)


def closed(ctx: Context, body: Callable[[], None]) -> None:
    """Run ``body``, and end the guards that it opens."""
    depth = len(ctx.guards)
    body()
    close(ctx, depth)


def closed_value(ctx: Context, value: Callable[[], Operand]) -> Operand:
    """What ``value`` gives, with the guards that it opens ended."""
    depth = len(ctx.guards)
    found = value()
    if len(ctx.guards) == depth:
        return found
    name = ctx.temporary()
    ctx.frame.values[name] = whole.settle(ctx, found)
    close(ctx, depth)
    return ctx.frame.values.pop(name)
