"""Raising: by a jump to where an exception is caught, or out of the compiled function."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Attempt, Error, ErrorClass, Ways
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Operand

ARGS = "args"

UNKNOWN = Conflict("the text of this exception is known only when the program runs")


def around(ctx: Context) -> Iterable[Attempt]:
    """The attempts that an exception which is raised here passes through."""
    return (attempt for frame in ctx.frames for attempt in frame.attempts)


def ways(ctx: Context) -> Iterable[Ways]:
    """The jumps that objects may be seen behind."""
    yield from (attempt.bounds for attempt in around(ctx))
    for frame in ctx.frames:
        yield from (frame.returns, frame.escapes)


def active(ctx: Context) -> bool:
    return any(True for _ in around(ctx))


def caught(ctx: Context, cls: ErrorClass) -> bool:
    """True if there is a handler for the exception."""
    return any(cls.is_a(other) for attempt in around(ctx) for other in attempt.catches)


def is_jump(ctx: Context, cls: ErrorClass) -> bool:
    """True if there is a handler, or something to do before the exception leaves."""
    return caught(ctx, cls) or any(attempt.cleans for attempt in around(ctx))


def throw(ctx: Context, node: cst.CSTNode, error: Error, value: Operand | None) -> None:
    """Raise ``error`` here; ``value`` is the exception as a handler has it."""
    if is_jump(ctx, error.cls):
        leaving.raise_here(ctx, ir.int_const(_number(ctx, error)), (_number(ctx, error),), value)
    else:
        raise_out(ctx, node, error)


def throw_if(ctx: Context, cond: ir.Atom, error: Error, value: Operand | None) -> None:
    """Raise ``error``, which is caught, in the middle of a statement if ``cond``."""
    number = _number(ctx, error)
    leaving.leave_if(
        ctx, cond, partial(leaving.raise_here, ctx, ir.int_const(number), (number,), value)
    )


def _number(ctx: Context, error: Error) -> int:
    if error not in ctx.errors:
        ctx.errors.append(error)
    return ctx.errors.index(error)


def raise_out(ctx: Context, node: cst.CSTNode, error: Error) -> None:
    """Raise out of the compiled function."""
    if error.problem:
        raise ctx.refuse(
            node,
            "MK352",
            error.problem,
            "give it one text, in which numbers are filled in: an f-string",
        )
    fail(ctx, error.cls.raised, error.text)


def implicit(ctx: Context, cls: ErrorClass, args: Operand = UNKNOWN) -> Ref:
    """An exception that Python raises by itself: its words are its own affair, but for ``args``."""
    ref = objects.new(ctx, cls.decl, cls.decl.name)
    ctx.heap.deeds.changed.add(ref.key)
    ctx.frame.bind(objects.variable(ref, ARGS), args)
    return ref


def fail(
    ctx: Context,
    exc: str | ir.ProgramClass,
    message: str | None,
    numbers: tuple[ir.Atom | str, ...] = (),
) -> None:
    """Raise out of the compiled function: what follows is not reached."""
    ctx.builder.add(ir.Raise(exc, message, ctx.builder.origin, ctx.assigned(), numbers))
    ctx.frame.leave()
    ctx.frame.raised = True
