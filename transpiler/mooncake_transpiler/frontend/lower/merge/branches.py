"""Two arms, of which one runs, and what holds after them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import optional, throwing, unset_names
from mooncake_transpiler.frontend.lower.merge.phis import Merge
from mooncake_transpiler.frontend.lower.row import alike, lengths
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FLAGS, LEFT, TRUE, meet
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Conflict, Operand, State
from mooncake_transpiler.frontend.lower.state.unset import NotReached
from mooncake_transpiler.ir.builder import Builder

Arm = Callable[[], None]


def branch(
    ctx: Context,
    cond: ir.Atom,
    then: Arm,
    orelse: Arm,
    live: Names | None,
    follow: bool,
    *,
    narrows: bool = True,
) -> None:
    """Run one of two arms; afterwards the variables hold what that arm left in them.

    ``narrows``: what ``cond`` says of variables is known in the arms.
    """
    if isinstance(cond, ir.Const):
        (then if cond.value else orelse)()
        return
    frame, entry = ctx.frame, ctx.frame.save()
    blocks: list[Builder] = []
    states: list[State] = []
    ctx.temporaries += 1
    number = ctx.temporaries
    for truth, arm in ((True, then), (False, orelse)):
        frame.restore(entry)
        arm = optional.narrowed(ctx, cond, truth, arm) if narrows else arm
        with ctx.in_arm(number, truth):
            body = partial(unset_names.ended, ctx, arm)
            blocks.append(ctx.in_child(partial(closed, ctx, body)))
        states.append(frame.save())
    rejoin(ctx, cond, (blocks[0], blocks[1]), (states[0], states[1]), entry, live, follow)
    if states[0].raised != states[1].raised:
        optional.narrow(ctx, cond, states[1].raised)


def require_size(
    ctx: Context, node: cst.CSTNode, size: ir.Atom, expected: ir.Atom, message: str
) -> None:
    """Raise ValueError at run time unless ``size`` is the one that is expected."""
    differs = compute(ctx, node, "ne", (size, expected))
    fail = partial(throwing.fail, ctx, "ValueError", message)
    branch(ctx, differs, fail, lambda: None, None, True)
    ctx.sizes.equate(size, expected)


def rejoin(
    ctx: Context,
    cond: ir.Atom,
    blocks: tuple[Builder, Builder],
    states: tuple[State, State],
    entry: State,
    live: Names | None,
    follow: bool,
) -> None:
    """Join two arms, of which the first runs if ``cond``."""
    frame = ctx.frame
    lengths.level(ctx, blocks, states)
    alike.level(ctx, blocks, states, lambda name: frame.is_live(name, live, follow))
    merge = Merge(ctx, cond, blocks, states)
    frame.values = dict(merge.variables(entry, live, follow))
    frame.bound = meet(state.bound for state in states)
    if frame.bound is not None:
        frame.bound |= merge.certain
    frame.raised = all(state.raised for state in states)
    outs = tuple(merge.outs)
    if outs or blocks[0].stmts or blocks[1].stmts:
        arms = [b.block(y) for b, y in zip(blocks, merge.yields, strict=True)]
        ctx.builder.add(ir.If(outs, cond, arms[0], arms[1], ctx.builder.origin))


def choose(
    ctx: Context,
    node: cst.CSTNode,
    cond: ir.Atom,
    then: Callable[[], Operand],
    orelse: Callable[[], Operand],
    hint: str,
) -> Operand:
    """The value of one of two expressions, of which only that one is evaluated."""
    name = ctx.temporary(hint)

    def arm(value: Callable[[], Operand]) -> Arm:
        def run() -> None:
            found = value()
            ctx.frame.values[name] = delayed.settle(ctx, found)

        return run

    branch(ctx, cond, arm(then), arm(orelse), None, True)
    leaving.go_on(ctx)
    value = ctx.frame.values.pop(name, NOTHING)
    if ctx.frame.raised:
        raise NotReached
    if isinstance(value, Conflict):
        raise ctx.refuse(node, "MK212", f"the value has no single type: {value.reason}")
    return value


def guard(ctx: Context, rest: Arm, live: Names, follow: bool) -> None:
    """Run ``rest`` unless control has left before."""
    frame = ctx.frame
    left = atom_of(frame.values[LEFT])

    def skip() -> None:
        known = {flag: TRUE for flag in FLAGS if frame.values[flag] is left}
        frame.values |= known
        frame.bound = None

    def go_on() -> None:
        leaving.stay(ctx)
        rest()

    branch(ctx, left, skip, go_on, live | frame.latch, follow)


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
        rejoin(ctx, guard.cond, blocks, states, guard.entry, None, True)


def closed(ctx: Context, body: Callable[[], None]) -> None:
    """Run ``body``, and end the guards that it opens."""
    depth = len(ctx.guards)
    body()
    close(ctx, depth)


def closed_value(ctx: Context, value: Callable[[], Operand]) -> Operand:
    """The result of ``value``, with the guards that it opens ended."""
    depth = len(ctx.guards)
    try:
        found = value()
    except NotReached:
        close(ctx, depth)
        raise
    if len(ctx.guards) == depth:
        return found
    name = ctx.temporary()
    ctx.frame.values[name] = delayed.settle(ctx, found)
    close(ctx, depth)
    return ctx.frame.values.pop(name)
