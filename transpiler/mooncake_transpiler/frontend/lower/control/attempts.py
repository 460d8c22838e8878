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

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.lower.control import caught
from mooncake_transpiler.frontend.lower.instance.raised import class_of
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state import leaving, unset
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Attempt, Error, ErrorClass
from mooncake_transpiler.frontend.lower.state.flags import (
    CARGO,
    CAUGHT,
    ERROR,
    FALSE,
    FLAGS,
    RAISED,
    BoundNames,
    meet,
)
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import (
    Caught,
    Choice,
    Conflict,
    Frame,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Stmt, else_body, flat, walk

MAX_KINDS = 8  # of exceptions, for each of which the body of a handler is lowered

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
    """The names live after a ``try``, and True if statements follow it."""

    live: Names
    follow: bool


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
    with within(frame, attempt, frame.flow.of(final).gen | after.live):
        _attempt(ctx, node, body, orelse, handlers, After(frame.handled, True))
    finish(ctx, node, attempt, partial(ctx.lower.block, ctx, final, after.live, True), after)


@contextmanager
def within(frame: Frame, attempt: Attempt, live: Names) -> Iterator[None]:
    """Around what ``attempt`` may catch; ``live`` are the names that are read then."""
    outer = frame.handled
    frame.handled |= live
    frame.attempts.append(attempt)
    yield
    frame.attempts.pop()
    frame.handled = outer


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
    lead_to = after.live.union(*(flow.of(handler.body).gen for handler in handlers))
    with within(frame, attempt, lead_to):
        body(frame.handled | flow.of(orelse).gen, True)
    raised = atom_of(frame.values[RAISED])

    def handle() -> None:
        of = arrive(ctx, attempt)
        _dispatch(ctx, node, of, handlers, after)

    def go_on() -> None:
        not_raised(ctx)
        ctx.lower.block(ctx, orelse, after.live, after.follow)

    live = after.live | frame.latch | frame.handled
    branches.branch(ctx, raised, handle, go_on, live, after.follow)


def arrive(ctx: Context, attempt: Attempt) -> Caught:
    """The exception that was raised, at the place where those of the attempt lead."""
    frame = ctx.frame
    of = Caught(frame.values[ERROR], tuple(attempt.raised), frame.values.get(CAUGHT))
    leaving.stay(ctx)
    frame.bound, frame.raised = meet(attempt.bounds.bounds), False
    for ref in () if of.error is None else objects.refs(of.error):  # whose fields are set
        held = [objects.variable(ref, name) for name in objects.fields(frame, ref)]
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
        caught.throw_again(ctx, node, of)
        return
    first, *others = handlers
    taken = tuple(n for n in of.possible if first.takes(ctx.errors[n]))
    rest = tuple(n for n in of.possible if n not in taken)
    then = partial(_handle, ctx, node, first, Caught(of.number, taken, of.error), after)
    orelse = partial(_dispatch, ctx, node, Caught(of.number, rest, of.error), others, after)
    live = after.live | ctx.frame.latch | ctx.frame.handled
    branches.branch(ctx, caught.one_of(ctx, node, of, taken), then, orelse, live, after.follow)


def _handle(
    ctx: Context, node: cst.CSTNode, handler: Handler, of: Caught, after: After
) -> None:  # fmt: skip
    """The body of a handler; for each exception, where they are of several classes.

    The names of a handler's body tell whether it looks at the exception at all.
    """
    of = replace(of, error=_taken(ctx, handler, of.error))
    is_seen = handler.name in {name for stmt in handler.body for name in _names(stmt)}
    if not (is_seen and isinstance(of.error, Conflict) and 1 < len(of.possible) <= MAX_KINDS):
        _handle_one(ctx, handler, of, after)
        return
    first, *others = of.possible
    error = caught.told(ctx, ctx.errors[first])
    this = partial(_handle_one, ctx, handler, Caught(of.number, (first,), error), after)
    rest = partial(_handle, ctx, node, handler, Caught(of.number, tuple(others), of.error), after)
    live = after.live | ctx.frame.latch | ctx.frame.handled
    branches.branch(ctx, caught.one_of(ctx, node, of, [first]), this, rest, live, after.follow)


def _names(stmt: cst.CSTNode) -> Iterator[str]:
    return (one.value for one in walk(stmt) if isinstance(one, cst.Name))


def _handle_one(ctx: Context, handler: Handler, of: Caught, after: After) -> None:
    frame = ctx.frame
    if len(of.possible) == 1 and isinstance(of.error, Conflict):
        of = replace(of, error=caught.told(ctx, ctx.errors[of.possible[0]]))
    if handler.name is not None:
        frame.bind(handler.name, caught.value(of.error))
    frame.handling.append(of)
    ctx.lower.block(ctx, handler.body, after.live, after.follow)
    frame.handling.pop()
    if handler.name is not None:  # Python deletes it
        unset.forget(frame, handler.name)


def _taken(ctx: Context, handler: Handler, error: Operand | None) -> Operand | None:
    """``error``, which ``handler`` takes: of one of several classes those that it may be."""
    if not isinstance(error, Choice):
        return error
    sides = [_taken(ctx, handler, side) for side in (error.then, error.orelse)]
    there = [side for side in sides if side is not None and _may_be(ctx, handler, side)]
    match there:
        case [then, orelse]:
            return Choice(error.cond, then, orelse)
        case [only]:
            return only
        case _:
            return None


def _may_be(ctx: Context, handler: Handler, error: Operand) -> bool:
    cls = class_of(ctx, Static(error.cls)) if isinstance(error, Ref) else None
    return cls is None or any(map(cls.is_a, handler.classes))


def _handler(ctx: Context, node: cst.ExceptHandler) -> Handler:
    name = node.name.name.value if node.name is not None else None  # type: ignore[union-attr]
    return Handler(caught.classes(ctx, node.type), str(name) if name else None, flat(node.body))


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
    leaving.stay(ctx)
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
    """Raise again, after ``finally``, which has bound ``new``, an exception that was raised."""
    frame = ctx.frame
    raised = atom_of(frame.values[RAISED])
    if raised == FALSE:
        return

    def again() -> None:
        of = arrive(ctx, attempt)
        frame.bound = _with(frame.bound, new)
        caught.throw_again(ctx, node, of)

    live = after.live | frame.latch | frame.handled
    branches.branch(ctx, raised, again, partial(not_raised, ctx), live, after.follow)


def _with(bound: BoundNames, new: frozenset[str]) -> BoundNames:
    return bound if bound is None else bound | new
