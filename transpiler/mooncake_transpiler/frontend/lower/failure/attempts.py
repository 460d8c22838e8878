"""Exceptions that are caught: control is data, and so is an exception on its way to a handler.

    try:                             if x < 0.0: raised = True
        if x < 0.0:                  else: y = sqrt(x)
            raise ValueError    ->   if raised: y = 0.0
        y = sqrt(x)
    except ValueError:
        y = 0.0

``raise`` is a jump like ``break`` where something around it catches the exception or has a
``finally``, here or in a function that this one is lowered in line in; else it leaves the compiled
function. ``Context.errors`` numbers the ways to fail, so that a handler can tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import branches
from mooncake_transpiler.frontend.lower.control.flow import Names
from mooncake_transpiler.frontend.lower.failure import exceptions, guards, messages
from mooncake_transpiler.frontend.lower.failure.errors import Attempt, Error, ErrorClass, Ways
from mooncake_transpiler.frontend.lower.frame import (
    CARGO,
    CAUGHT,
    ERROR,
    EXIT,
    FALSE,
    FLAGS,
    OBJECT,
    RAISED,
    RETURNED,
    TRUE,
    Bound,
    Caught,
    Frame,
    meet,
)
from mooncake_transpiler.frontend.lower.instance import objects
from mooncake_transpiler.frontend.lower.operands import Operand, Ref
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.syntax import Stmt, else_body, flat
from mooncake_transpiler.types import BOOL

Body = Callable[[Names, bool], None]  # what is live after it, and whether statements follow


@dataclass(frozen=True, slots=True)
class Handler:
    """``except classes as name: body``."""

    classes: tuple[ErrorClass, ...]
    name: str | None
    body: tuple[Stmt, ...]

    def takes(self, error: Error) -> bool:
        return any(error.cls.is_a(cls) for cls in self.classes)


@dataclass(frozen=True, slots=True)
class After:
    """What is live after a ``try``, and whether statements follow it."""

    live: Names
    follow: bool


# ---- who catches what ---------------------------------------------------------------------------


def around(ctx: Context) -> Iterable[Attempt]:
    """The attempts that an exception which is raised here passes through."""
    return (attempt for frame in (ctx.frame, *ctx.callers) for attempt in frame.attempts)


def ways(ctx: Context) -> Iterable[Ways]:
    """The jumps that objects may be seen behind."""
    yield from (attempt.bounds for attempt in around(ctx))
    for frame in (ctx.frame, *ctx.callers):
        yield from (frame.returns, frame.escapes)


def active(ctx: Context) -> bool:
    return any(True for _ in around(ctx))


def caught(ctx: Context, cls: ErrorClass) -> bool:
    """Whether there is a handler for the exception."""
    return any(cls.is_a(other) for attempt in around(ctx) for other in attempt.catches)


def is_jump(ctx: Context, cls: ErrorClass) -> bool:
    """Whether there is a handler, or something to do before the exception leaves."""
    return caught(ctx, cls) or any(attempt.cleans for attempt in around(ctx))


# ---- raising ------------------------------------------------------------------------------------


def throw(ctx: Context, node: cst.CSTNode, error: Error, value: Operand | None) -> None:
    """Raise ``error`` here; ``value`` is the exception as a handler has it."""
    if is_jump(ctx, error.cls):
        _jump(ctx, ir.int_const(_number(ctx, error)), (_number(ctx, error),), value)
    else:
        _leave(ctx, node, error)


def throw_if(ctx: Context, cond: ir.Atom, error: Error, value: Operand | None = None) -> None:
    """Raise ``error``, which is caught, in the middle of a statement if ``cond``."""
    number = _number(ctx, error)
    guards.leave_if(ctx, cond, partial(_jump, ctx, ir.int_const(number), (number,), value))


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
    """What ``inner``, which was lowered in line, raises is raised here."""
    raised = inner.values[RAISED]
    if raised == FALSE:
        return
    assert isinstance(raised, ir.Value | ir.Const)
    known = meet(inner.escapes.bounds)

    def jump() -> None:
        frame = ctx.frame
        if frame.bound is not None and known is not None:
            unknown = (name for name in frame.bound if name.startswith(OBJECT))
            frame.bound -= frozenset(name for name in unknown if name not in known)
        _jump(ctx, inner.values[ERROR], tuple(inner.escaped), inner.values.get(CAUGHT))

    guards.leave_if(ctx, raised, jump)


def _number(ctx: Context, error: Error) -> int:
    if error not in ctx.errors:
        ctx.errors.append(error)
    return ctx.errors.index(error)


def _jump(ctx: Context, number: Operand, possible: Sequence[int], value: Operand | None) -> None:
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


def _leave(ctx: Context, node: cst.CSTNode, error: Error) -> None:
    """Raise out of the compiled function."""
    if error.problem:
        raise ctx.refuse(node, "MK352", error.problem, "give it one string that is known here")
    messages.fail(ctx, error.cls.name, error.text)


def throw_again(ctx: Context, node: cst.CSTNode, of: Caught) -> None:
    """Raise an exception that was caught: what has no further handler leaves the function."""
    gone = [n for n in of.possible if not is_jump(ctx, ctx.errors[n].cls)]
    if not gone:
        _jump(ctx, of.number, of.possible, of.error)
        return
    first, others = gone[0], tuple(n for n in of.possible if n != gone[0])
    rest = partial(throw_again, ctx, node, Caught(of.number, others, of.error))
    cond = _one_of(ctx, node, of, [first])
    branches.branch(ctx, cond, partial(_leave, ctx, node, ctx.errors[first]), rest, None, True)


def _one_of(ctx: Context, node: cst.CSTNode, of: Caught, wanted: Sequence[int]) -> ir.Atom:
    """Whether the exception is one of ``wanted``."""
    if len(wanted) in (0, len(of.possible)):
        return TRUE if wanted else FALSE
    assert isinstance(of.number, ir.Value | ir.Const)
    found: ir.Atom = FALSE
    for number in wanted:
        one = scalars.compute(ctx, node, "eq", (of.number, ir.int_const(number)))
        found = one if found == FALSE else ctx.builder.compute("or", (found, one), BOOL)
    return found


# ---- try ----------------------------------------------------------------------------------------


def lower_try(ctx: Context, stmt: cst.Try, live: Names, follow: bool) -> None:
    final = flat(stmt.finalbody.body) if stmt.finalbody is not None else ()
    handlers = [_handler(ctx, handler) for handler in stmt.handlers]
    body = partial(ctx.lower.block, ctx, flat(stmt.body))
    protect(ctx, stmt, body, else_body(stmt.orelse), handlers, final, After(live, follow))


def protect(
    ctx: Context,
    node: cst.CSTNode,
    body: Body,
    orelse: Sequence[Stmt],
    handlers: Sequence[Handler],
    final: Sequence[Stmt],
    after: After,
) -> None:
    """Lower ``body`` and ``else``, with handlers and what is done at the end."""
    frame = ctx.frame
    if not final:
        _attempt(ctx, node, body, orelse, handlers, after)
        return
    attempt = Attempt((), True, len(frame.loops), returned=len(frame.returns.bounds))
    outer = frame.handled
    frame.handled |= frame.flow.of(final).gen | after.live
    frame.attempts.append(attempt)
    _attempt(ctx, node, body, orelse, handlers, After(frame.handled, True))
    frame.attempts.pop()
    frame.handled = outer
    finish(ctx, node, attempt, partial(ctx.lower.block, ctx, final, after.live, True), after)


def _attempt(
    ctx: Context,
    node: cst.CSTNode,
    body: Body,
    orelse: Sequence[Stmt],
    handlers: Sequence[Handler],
    after: After,
) -> None:
    """``try`` with ``except`` and ``else``."""
    frame, flow = ctx.frame, ctx.frame.flow
    if not handlers:
        body(after.live, after.follow)
        return
    attempt = Attempt(tuple(c for h in handlers for c in h.classes), False, len(frame.loops))
    outer = frame.handled
    frame.handled |= after.live.union(*(flow.of(handler.body).gen for handler in handlers))
    frame.attempts.append(attempt)
    body(frame.handled | flow.of(orelse).gen, True)
    frame.attempts.pop()
    frame.handled = outer
    raised = frame.values[RAISED]
    assert isinstance(raised, ir.Value | ir.Const)

    def handle() -> None:
        of = arrive(ctx, attempt)
        _dispatch(ctx, node, of, handlers, after)

    def go_on() -> None:
        not_raised(ctx)
        ctx.lower.block(ctx, orelse, after.live, after.follow)

    live = after.live | frame.latch | frame.handled
    branches.branch(ctx, raised, handle, go_on, live, after.follow)


def arrive(ctx: Context, attempt: Attempt) -> Caught:
    """Where exceptions of the attempt lead: the one that was raised."""
    frame = ctx.frame
    of = Caught(frame.values[ERROR], tuple(attempt.raised), frame.values.get(CAUGHT))
    guards.stay(ctx)
    frame.bound, frame.raised = meet(attempt.bounds.bounds), False
    if isinstance(of.error, Ref):  # what it holds was set when it was made
        held = [objects.variable(of.error, name) for name in objects.fields(frame, of.error)]
        frame.bound = _with(frame.bound, frozenset(held))
    return of


def not_raised(ctx: Context) -> None:
    """On this path nothing was raised; ``return`` and the like may have left."""
    values = ctx.frame.values
    raised = values[RAISED]
    values |= {flag: FALSE for flag in FLAGS if values[flag] is raised}
    values[RAISED] = FALSE
    values.pop(ERROR, None)
    values.pop(CAUGHT, None)


def _dispatch(
    ctx: Context, node: cst.CSTNode, of: Caught, handlers: Sequence[Handler], after: After
) -> None:
    """The first of ``handlers`` that takes the exception."""
    if not handlers:
        throw_again(ctx, node, of)
        return
    first, *others = handlers
    taken = tuple(n for n in of.possible if first.takes(ctx.errors[n]))
    rest = tuple(n for n in of.possible if n not in taken)
    then = partial(_handle, ctx, first, Caught(of.number, taken, of.error), after)
    orelse = partial(_dispatch, ctx, node, Caught(of.number, rest, of.error), others, after)
    live = after.live | ctx.frame.latch | ctx.frame.handled
    branches.branch(ctx, _one_of(ctx, node, of, taken), then, orelse, live, after.follow)


def _handle(ctx: Context, handler: Handler, of: Caught, after: After) -> None:
    frame = ctx.frame
    if handler.name is not None:
        frame.bind(handler.name, exceptions.value(of.error))
    frame.handling.append(of)
    ctx.lower.block(ctx, handler.body, after.live, after.follow)
    frame.handling.pop()
    if handler.name is not None:  # Python deletes it
        name = frame.variable(handler.name)
        frame.values.pop(name, None)
        frame.bound = None if frame.bound is None else frame.bound - {name}


def _handler(ctx: Context, node: cst.ExceptHandler) -> Handler:
    name = node.name.name.value if node.name is not None else None  # type: ignore[union-attr]
    return Handler(exceptions.classes(ctx, node.type), str(name) if name else None, flat(node.body))


# ---- finally ------------------------------------------------------------------------------------


def finish(
    ctx: Context, node: cst.CSTNode, attempt: Attempt, final: Callable[[], object], after: After
) -> None:
    """Run ``final`` however the attempt ended, and let control go on to where it was heading."""
    frame = ctx.frame
    normal = frame.bound
    start = meet([normal, *attempt.bounds.bounds, *attempt.left])
    if start is None:
        return
    kept = {name: frame.values[name] for name in FLAGS}
    cargo = {name: ctx.temporary() for name in CARGO if name in frame.values}
    frame.values |= {alias: frame.values.pop(name) for name, alias in cargo.items()}
    guards.stay(ctx)
    frame.bound = start
    final()
    if any(frame.values[flag] != FALSE for flag in FLAGS) and not frame.raised:
        message = "a `finally` that control leaves by a jump is not supported"
        raise ctx.refuse(node, "MK353", message, "let it run to its end")
    if frame.bound is None:
        return
    new = frame.bound - start
    frame.returns.also(new, attempt.returned)
    frame.values |= {name: frame.values.pop(alias) for name, alias in cargo.items()}
    frame.values |= kept
    frame.bound = None if normal is None else normal | new
    _pass_through(ctx, node, attempt, new, after)


def _pass_through(
    ctx: Context, node: cst.CSTNode, attempt: Attempt, new: frozenset[str], after: After
) -> None:
    """What was raised, after ``finally``, which has bound ``new``: raise it again."""
    frame = ctx.frame
    raised = frame.values[RAISED]
    if raised == FALSE:
        return
    assert isinstance(raised, ir.Value | ir.Const)

    def again() -> None:
        of = arrive(ctx, attempt)
        frame.bound = _with(frame.bound, new)
        throw_again(ctx, node, of)

    live = after.live | frame.latch | frame.handled
    branches.branch(ctx, raised, again, partial(not_raised, ctx), live, after.follow)


def _with(bound: Bound, new: frozenset[str]) -> Bound:
    return bound if bound is None else bound | new


def raise_again(ctx: Context, stmt: cst.Raise) -> None:
    """``raise`` without an exception."""
    if not ctx.frame.handling:
        message = "`raise` alone needs an `except` clause of the same function around it"
        raise ctx.refuse(stmt, "MK350", message, "name the exception: raise ValueError('...')")
    throw_again(ctx, stmt, ctx.frame.handling[-1])
