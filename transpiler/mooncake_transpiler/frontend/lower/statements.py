"""Statements in a row, and the simple ones among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import TOO_LARGE, TOO_LARGE_HELP, Refused, TooMuch
from mooncake_transpiler.frontend.lower import assignments, expressions, names, survey
from mooncake_transpiler.frontend.lower.call import closures
from mooncake_transpiler.frontend.lower.call.results import NOT_THERE, convert_result
from mooncake_transpiler.frontend.lower.container import rebinding
from mooncake_transpiler.frontend.lower.control import (
    attempts,
    conditionals,
    exceptions,
    loops,
    managers,
)
from mooncake_transpiler.frontend.lower.failure import throwing, unset_names
from mooncake_transpiler.frontend.lower.merge import branches, eithers
from mooncake_transpiler.frontend.lower.operation import logic, places
from mooncake_transpiler.frontend.lower.state.context import CalleeRefused, Context
from mooncake_transpiler.frontend.lower.state.flags import EXIT, FALSE, LEFT, RESULT, RETURNED
from mooncake_transpiler.frontend.lower.state.flow import Names
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Operand
from mooncake_transpiler.frontend.lower.state.statement_parts import deleted
from mooncake_transpiler.frontend.lower.state.statement_parts import expressions as expressions_of
from mooncake_transpiler.frontend.lower.state.syntax import Stmt
from mooncake_transpiler.frontend.name.bindings import imported_in
from mooncake_transpiler.frontend.name.scopes import resolve_name
from mooncake_transpiler.frontend.text.source import place_in


def lower_list(ctx: Context, stmts: Sequence[Stmt], live: Names, follow: bool) -> None:
    """Lower statements in a row. ``live``: the names that are live after them; ``follow``: more
    statements of enclosing lists come after them."""
    frame = ctx.frame
    live_after = frame.flow.live_after(stmts, live, frame.latch, frame.handled)
    depth = len(ctx.guards)
    for k, stmt in enumerate(stmts):
        if not frame.reachable:
            return
        rest = stmts[k:]
        if frame.values[LEFT] != FALSE:
            branches.guard(ctx, partial(lower_list, ctx, rest, live, follow), live, follow)
            return
        ctx.begin(stmt)
        frame.rest = rest, live
        if ctx.skipped and survey.skips(ctx, stmt):
            survey.skip(ctx, stmt)
            continue
        takes = isinstance(stmt, cst.If | cst.Match) and conditionals.takes_rest(ctx, stmt)
        live_then = live_after[k]
        if isinstance(stmt, cst.If | cst.Match) and takes:
            lower = partial(_lower_choice, ctx, stmt, rest[1:], live, follow)
        elif live_then is None:
            lower = partial(_lower_simple, ctx, stmt, rest[1:], live, follow or len(rest) > 1)
        else:
            lower = partial(_lower_compound, ctx, stmt, live_then, follow or len(rest) > 1)
        try:
            unset_names.ended(ctx, lower)
        except (Refused, CalleeRefused) as error:
            if error.statement is None and place_in(frame.module, stmt) is not None:  # the user's
                error.statement = stmt
            raise
        branches.close(ctx, depth)
        if takes:
            return


def _lower_choice(
    ctx: Context, stmt: cst.If | cst.Match, rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    jumps_on = live | ctx.frame.latch if ctx.frame.flow.effect(stmt).jumps else live
    if isinstance(stmt, cst.If):
        conditionals.lower_if(ctx, stmt, rest, jumps_on, follow)
    else:
        conditionals.lower_match(ctx, stmt, rest, jumps_on, follow)


def _lower_compound(ctx: Context, stmt: Stmt, live: Names, follow: bool) -> None:
    match stmt:
        case cst.If() | cst.Match():
            _lower_choice(ctx, stmt, (), live, follow)
        case cst.For():
            loops.lower_for(ctx, stmt, live, follow)
        case cst.While():
            loops.lower_while(ctx, stmt, live, follow)
        case cst.Try():
            attempts.lower_try(ctx, stmt, live, follow)
        case cst.With():
            managers.lower_with(ctx, stmt, live, follow)
        case cst.FunctionDef(name=cst.Name(value=name)):
            ctx.frame.bind(name, closures.from_def(ctx, stmt))
        case _:
            kind = type(stmt).__name__.lower()
            raise ctx.refuse(stmt, "MK110", f"`{kind}` statements are not supported")


def _lower_simple(
    ctx: Context, stmt: Stmt, rest: Sequence[Stmt], live: Names, follow: bool
) -> None:
    try:
        read = () if isinstance(stmt, cst.Return) else expressions_of(stmt)
        if eithers.reads(ctx, *read):
            frame = ctx.frame
            after = frame.flow.live_before(rest, live, frame.latch, frame.handled)
            eithers.apart(ctx, read, partial(_dispatch, ctx, stmt), after, follow)
        else:
            _dispatch(ctx, stmt)
    except TooMuch as excess:
        raise ctx.refuse(stmt, TOO_LARGE, str(excess), TOO_LARGE_HELP) from None


def _dispatch(ctx: Context, stmt: Stmt) -> None:
    match stmt:
        case cst.Assign(targets=targets, value=value):
            assignments.assign(ctx, [target.target for target in targets], value)
        case cst.AugAssign():
            assignments.augmented(ctx, stmt)
        case cst.AnnAssign():
            assignments.annotated(ctx, stmt)
        case cst.Return(value=value):
            _return(ctx, stmt, value)
        case cst.Break():
            ctx.frame.loops[-1].breaks.append(ctx.frame.bound)
            ctx.frame.leave(EXIT)
        case cst.Continue():
            ctx.frame.loops[-1].continues.append(ctx.frame.bound)
            ctx.frame.leave()
        case cst.Raise():
            exceptions.lower_raise(ctx, stmt)
        case cst.Assert():
            _assert(ctx, stmt)
        case cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString() | cst.Ellipsis()):
            pass
        case cst.Expr(value=value):
            if not exceptions.lower_exit(ctx, stmt):
                expressions.lower(ctx, value)
        case cst.Del(target=target):
            for one in deleted(target):
                places.delete(ctx, one)
        case cst.Import() | cst.ImportFrom():
            _import(ctx, stmt)
        case cst.Pass() | cst.Nonlocal():
            pass
        case _:
            kind = type(stmt).__name__.lower()
            raise ctx.refuse(stmt, "MK110", f"`{kind}` statements are not supported")


def _import(ctx: Context, stmt: cst.Import | cst.ImportFrom) -> None:
    """The names of the module that stand for what is imported (``bindings.py``), in the frame."""
    for name, key in imported_in(stmt):
        entity = resolve_name(ctx.frame.module, key)
        if entity is None:
            raise ctx.refuse(stmt, "MK210", f"there is nothing to import as {name!r}")
        ctx.frame.bind(name, names.from_entity(ctx, stmt, entity))


def _return(ctx: Context, stmt: cst.Return, value: cst.BaseExpression | None) -> None:
    result: Operand = NOTHING
    if value is not None:
        made = partial(expressions.lower, ctx, value)
        result = eithers.held(ctx, value) or eithers.value(ctx, value, made)
    if result == NOTHING and ctx.frame.is_there and not throwing.active(ctx):
        throwing.fail(ctx, "TypeError", NOT_THERE)
        return
    found = convert_result(ctx, stmt, result)
    ctx.frame.values[RESULT] = rebinding.held(ctx, stmt, RESULT, found)
    ctx.frame.returns.add(ctx.frame.bound, ctx.arms, ctx.temporaries)
    ctx.frame.leave(EXIT, RETURNED)


def _assert(ctx: Context, stmt: cst.Assert) -> None:
    holds = logic.condition(ctx, stmt.test)
    branches.branch(
        ctx,
        ctx.builder.not_(holds),
        lambda: exceptions.lower_assertion(ctx, stmt),
        lambda: None,
        None,
        True,
    )
