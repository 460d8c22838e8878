"""All errors of a function: it is lowered again without the statements that were refused.

What such statements bind has *failed*, and statements that read it are left out, too: they say
nothing of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Refused, TooMuch
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.state.context import CalleeRefused, Context, InLine
from mooncake_transpiler.frontend.lower.state.flags import EXIT, RESULT, RETURNED
from mooncake_transpiler.frontend.lower.state.flow import written
from mooncake_transpiler.frontend.lower.state.operands import FAILED
from mooncake_transpiler.frontend.lower.state.syntax import Stmt, walk
from mooncake_transpiler.frontend.lower.state.tabled import CODES
from mooncake_transpiler.ir import Value

MAX_ROUNDS = 12  # in which a function is lowered again


class Surveyed(Protocol):
    """A function that can be lowered again, without some statements."""

    decl: FunctionDecl
    skipped: frozenset[object]

    def run(self) -> object: ...


def others(body: Surveyed, first: Refused | CalleeRefused) -> Iterator[Diagnostic]:
    """The other errors of a function that was refused for ``first``."""
    error = first
    for _ in range(MAX_ROUNDS):
        if error.statement is None or error.statement in body.skipped:
            return  # it is about the function as a whole, of which a part is missing
        if _reaches_out(error.statement, body.decl):
            return
        body.skipped |= {error.statement}
        try:
            body.run()
            return
        except (InLine, TooMuch, RecursionError):
            return
        except CalleeRefused as refused:
            error = refused
        except Refused as refused:
            error = refused
            if refused.statement is not None and _is_own(refused.diagnostic):
                yield refused.diagnostic


def _reaches_out(stmt: object, decl: FunctionDecl) -> bool:
    """True if ``stmt`` is of another function, and changes an object that callers may have."""
    if any(inner is stmt for inner in walk(decl.node)):
        return False
    assert isinstance(stmt, cst.CSTNode)
    return any(_changed(inner) is not None for inner in walk(stmt))


def _is_own(diagnostic: Diagnostic) -> bool:
    """False for what follows from other errors, or may: tables for objects need all statements."""
    return FAILED.reason not in diagnostic.message and diagnostic.code not in CODES


def skips(ctx: Context, stmt: Stmt) -> bool:
    """True if ``stmt`` was refused, or reads what has failed."""
    if stmt in ctx.skipped:
        return True
    values, frame = ctx.frame.values, ctx.frame
    read = (inner for node in _read(stmt) for inner in walk(node) if isinstance(inner, cst.Name))
    return any(values.get(frame.variable(name.value)) is FAILED for name in read)


def skip(ctx: Context, stmt: Stmt) -> None:
    """Leave ``stmt`` out: what it would bind or change has failed."""
    frame = ctx.frame
    changed = [name for name in map(_changed, walk(stmt)) if name is not None]
    held = [n for n in changed if not isinstance(frame.values.get(frame.variable(n)), Value)]
    for name in (*written([stmt]), *_declared(stmt), *held):
        frame.bind(name, FAILED)
    match stmt:
        case cst.Return():
            frame.values[RESULT] = FAILED
            frame.returns.add(frame.bound, ctx.arms, ctx.temporaries)
            frame.leave(EXIT, RETURNED)
        case cst.Raise():
            throwing.fail(ctx, "Exception", None)
        case _:
            pass


def _declared(stmt: Stmt) -> Iterator[str]:
    """The names that are bound by a statement which no function may hold."""
    match stmt:
        case cst.Global(names=items):
            yield from (item.name.value for item in items)
        case cst.Import(names=aliases) | cst.ImportFrom(names=Sequence() as aliases):
            for alias in aliases:
                bound = alias.evaluated_alias or alias.evaluated_name
                yield bound.partition(".")[0]
        case cst.ClassDef(name=cst.Name(value=name)):
            yield name
        case _:
            pass


def _changed(node: cst.CSTNode) -> str | None:
    """The name of what ``name.field = ...``, ``name[...] = ...`` or ``name.method()`` changes."""
    match node:
        case (
            cst.AssignTarget(target=place) | cst.AugAssign(target=place)
            | cst.Expr(value=cst.Call(func=place))
        ):  # fmt: skip
            while isinstance(place, cst.Attribute | cst.Subscript):
                place = place.value
            return place.value if isinstance(place, cst.Name) else None
        case _:
            return None


def _read(stmt: Stmt) -> Iterator[cst.CSTNode]:
    """The expressions that are evaluated before any statement inside ``stmt`` is."""
    match stmt:
        case cst.If(test=test) | cst.While(test=test):
            yield test
        case cst.For(iter=iterated):
            yield iterated
        case cst.Match(subject=subject):
            yield subject
        case cst.With(items=items):
            yield from items
        case cst.Try() | cst.FunctionDef():
            return
        case cst.Assign(targets=targets, value=value):
            yield value
            yield from (one.target for one in targets if not isinstance(one.target, cst.Name))
        case _:
            yield stmt
