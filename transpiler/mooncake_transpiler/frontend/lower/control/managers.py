"""``with``: what a context manager does before and after a block.

Managers that change no number (``np.errstate``, ``warnings.catch_warnings``), ``nullcontext``,
``suppress``, and instances of the program's classes with ``__enter__`` and ``__exit__``, which are
called where they would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.control import attempts, caught
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.operation import targets
from mooncake_transpiler.frontend.lower.rule.meant import OUTSIDE
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Attempt
from mooncake_transpiler.frontend.lower.state.flags import RAISED
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Caught,
    Conflict,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import flat
from mooncake_transpiler.frontend.text.trees import walk

ERRSTATE = "numpy.errstate"
WARNINGS = "warnings.catch_warnings"
NULL = "contextlib.nullcontext"
SUPPRESS = "contextlib.suppress"
HARMLESS = frozenset({"ignore", "warn", "print"})  # what errstate may ask for


def lower_with(ctx: Context, stmt: cst.With, live: Names, follow: bool) -> None:
    if stmt.asynchronous is not None:
        raise ctx.refuse(stmt, "MK101", "`async with` is not supported")
    _enter(ctx, stmt, stmt.items, live, follow)


def _enter(
    ctx: Context, stmt: cst.With, items: Sequence[cst.WithItem], live: Names, follow: bool
) -> None:
    """The block, with the managers ``items`` around it."""
    if not items:
        ctx.lower.block(ctx, flat(stmt.body), live, follow)
        return
    first, *others = items
    body: attempts.Body = partial(_enter, ctx, stmt, others)
    match first.item:
        case cst.Call(func=func, args=args) if (name := _external(ctx, func)) is not None:
            _of_library(ctx, first, name, args, body, attempts.After(live, follow))
        case node:
            manager = delayed.settle(ctx, ctx.lower.expression(ctx, node))
            _of_program(ctx, first, manager, body, attempts.After(live, follow))


def _external(ctx: Context, func: cst.BaseExpression) -> str | None:
    found = ctx.lower.expression(ctx, func)
    is_external = isinstance(found, Static) and isinstance(found.value, External)
    return found.value.qualname if is_external else None  # type: ignore[union-attr]


def _of_library(
    ctx: Context,
    item: cst.WithItem,
    name: str,
    args: Sequence[cst.Arg],
    body: attempts.Body,
    after: attempts.After,
) -> None:
    given = [ctx.lower.expression(ctx, arg.value) for arg in args]
    if name == ERRSTATE:
        _check_state(ctx, item, given)
        _bind(ctx, item, NOTHING)
        body(after.live, after.follow)
    elif name == WARNINGS and not args and item.asname is None:
        body(after.live, after.follow)
    elif name == NULL:
        _bind(ctx, item, given[0] if given else NOTHING)
        body(after.live, after.follow)
    elif name == SUPPRESS:
        classes = tuple(c for arg in args for c in caught.classes(ctx, arg.value))
        handler = attempts.Handler(classes, None, ())
        _bind(ctx, item, NOTHING)
        attempts.protect(ctx, item, body, (), [handler], (), after)
    else:
        shown = name.removeprefix("builtins.").replace("numpy.", "np.")
        message = f"{shown} can't be entered in differentiated code"
        raise ctx.refuse(item, "MK106", message, OUTSIDE)


def _check_state(ctx: Context, item: cst.WithItem, given: Sequence[Operand]) -> None:
    for operand in given:
        if not isinstance(operand, Static) or operand.value not in HARMLESS:
            message = "floating-point errors don't raise in differentiated code"
            raise ctx.refuse(item, "MK106", message, "test the values")


def _bind(ctx: Context, item: cst.WithItem, value: Operand) -> None:
    if item.asname is not None:
        targets.bind(ctx, item.asname.name, value)


# ---- managers of the program --------------------------------------------------------------------


def _of_program(
    ctx: Context, item: cst.WithItem, manager: Operand, body: attempts.Body, after: attempts.After
) -> None:
    cls = objects.declared(ctx, manager)
    if cls is None or not {"__enter__", "__exit__"} <= cls.methods.keys():
        message = "this can't be entered: it is no object with __enter__ and __exit__"
        raise ctx.refuse(item, "MK106", message, "enter it where the function is called")
    swallows = _swallows(ctx, item, cls.methods["__exit__"].function.node)
    entered = instances.special(ctx, item, "__enter__", manager)
    _bind(ctx, item, NOTHING if entered is None else entered)
    frame = ctx.frame
    catches = (errors.known("BaseException"),) if swallows else ()
    attempt = Attempt(catches, True, len(frame.loops), returned=len(frame.returns.bounds))
    with attempts.within(frame, attempt, after.live):
        body(frame.handled, True)
    raised = atom_of(frame.values[RAISED])
    failed = partial(_failed, ctx, item, manager, attempt, swallows)
    passed = partial(_passed, ctx, item, manager, attempt, after)
    live = after.live | frame.latch | frame.handled
    branches.branch(ctx, raised, failed, passed, live, after.follow)


def _failed(
    ctx: Context, item: cst.WithItem, manager: Operand, attempt: Attempt, swallows: bool
) -> None:
    of = attempts.arrive(ctx, attempt)
    instances.special(ctx, item, "__exit__", manager, *_told(ctx, of))
    if not swallows:
        caught.throw_again(ctx, item, of)


def _told(ctx: Context, of: Caught) -> tuple[Operand, Operand, Operand]:
    """The arguments of ``__exit__`` for an exception."""
    classes = {ctx.errors[number].cls for number in of.possible}
    cls: Operand = Conflict("which exception it is is known only when the program runs")
    if len(classes) == 1:
        decl = classes.pop().decl
        is_own = decl.module != errors.MODULE
        cls = Static(decl if is_own else External(f"{errors.MODULE}.{decl.name}"))
    return cls, caught.value(of.error), NOTHING


def _passed(
    ctx: Context, item: cst.WithItem, manager: Operand, attempt: Attempt, after: attempts.After
) -> None:
    attempts.not_raised(ctx)
    ended = Attempt((), True, attempt.depth, left=attempt.left, returned=attempt.returned)
    nothing = (NOTHING, NOTHING, NOTHING)
    leave = partial(instances.special, ctx, item, "__exit__", manager, *nothing)
    attempts.finish(ctx, item, ended, leave, after)


def _swallows(ctx: Context, item: cst.WithItem, node: cst.FunctionDef) -> bool:
    """True if ``__exit__`` swallows exceptions, which it says by its result."""
    found = set()
    for stmt in walk(node.body):
        match stmt:
            case cst.Return(value=None | cst.Name(value="None" | "False")):
                found.add(False)
            case cst.Return(value=cst.Name(value="True")):
                found.add(True)
            case cst.Return():
                found |= {True, False}
            case _:
                pass
    last = flat(node.body)[-1:]
    if not last or not isinstance(last[0], cst.Return):
        found.add(False)
    if len(found) > 1:
        message = "whether this __exit__ swallows exceptions is known only when the program runs"
        raise ctx.refuse(item, "MK354", message, "let it return True, or nothing")
    return found == {True}
