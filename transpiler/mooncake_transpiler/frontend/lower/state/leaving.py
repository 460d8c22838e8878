"""Exceptions in the middle of a statement: what is left of it is skipped.

    y = g(x) + h(x)      becomes, where g may raise      if failed: <nothing>
                                                         else: y = %1 + h(x)

The branch is opened where the exception may be raised, so that everything which is lowered next
goes into its second arm, and is closed (``merge/branches.py``) where the statement or the arm of an
expression ends. A function that is lowered in line raises where it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.state.context import Context, Guard
from mooncake_transpiler.frontend.lower.state.flags import (
    CARGO,
    CAUGHT,
    ERROR,
    EXIT,
    FALSE,
    FLAGS,
    LEFT,
    RAISED,
    RETURNED,
    TRUE,
    is_cell,
    meet,
)
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import Frame, Operand


@contextmanager
def inside(ctx: Context, frame: Frame) -> Iterator[None]:
    """Lower what ``frame`` is for; what objects hold moves there and back.

    What is raised in it, and is caught here or further out, is raised here.
    """
    outer, callers = ctx.frame, ctx.callers
    frame.take_objects(outer)
    ctx.frame, ctx.callers = frame, (*callers, outer)
    try:
        yield
    finally:
        ctx.frame, ctx.callers = outer, callers
        outer.take_objects(frame, ended=True)
    _pass_on(ctx, frame)


def _pass_on(ctx: Context, inner: Frame) -> None:
    """Raise here what ``inner``, which was lowered in line, raises."""
    raised = atom_of(inner.values[RAISED])
    if raised == FALSE:
        return
    known = meet(inner.escapes.bounds)

    def jump() -> None:
        frame = ctx.frame
        if frame.bound is not None and known is not None:
            unknown = (name for name in frame.bound if is_cell(name))
            frame.bound -= frozenset(name for name in unknown if name not in known)
        raise_here(ctx, inner.values[ERROR], tuple(inner.escaped), inner.values.get(CAUGHT))

    leave_if(ctx, raised, jump)


def raise_here(
    ctx: Context, number: Operand, possible: Sequence[int], value: Operand | None
) -> None:
    frame = ctx.frame
    if frame.attempts:
        frame.attempts[-1].raised |= dict.fromkeys(possible)
        frame.attempts[-1].bounds.add(frame.bound, ctx.arms, ctx.temporaries)
    else:
        frame.escaped |= dict.fromkeys(possible)
        frame.escapes.add(frame.bound, ctx.arms, ctx.temporaries)
    frame.values[ERROR] = number
    if value is not None:
        frame.values[CAUGHT] = value
    frame.leave(EXIT, RETURNED, RAISED)


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
    left = atom_of(frame.values[LEFT])
    if left == FALSE:
        return

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
