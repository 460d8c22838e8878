"""The parts of statements: expressions that they evaluate, names that they bind, blocks."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler.frontend.lower.state.syntax import (
    Stmt,
    else_body,
    flat,
    target_names,
    target_reads,
)


def deleted(target: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The targets of a ``del``, one by one."""
    if isinstance(target, cst.Tuple | cst.List):
        return [t for element in target.elements for t in deleted(element.value)]
    return [target]


def expressions(stmt: Stmt) -> list[cst.CSTNode | None]:
    """The expressions that a simple statement evaluates (of a compound one: its header)."""
    match stmt:
        case cst.Assign(targets=targets, value=value):
            return [value, *(r for t in targets for r in target_reads(t.target))]
        case cst.AugAssign(target=target, value=value):
            return [target, value]
        case cst.Del(target=target):
            return [t for t in deleted(target) if not isinstance(t, cst.Name)]
        case cst.AnnAssign(target=target, value=value):
            return [value, *target_reads(target)]
        case cst.Expr(value=value) | cst.Return(value=value):
            return [value]
        case cst.Raise(exc=exc, cause=cause):
            return [exc, cause.item if cause is not None else None]
        case cst.With(items=items):
            return [item.item for item in items]
        case cst.Assert(test=test, msg=message):
            return [test, message]
        case cst.If(test=test) | cst.While(test=test):
            return [test]
        case cst.For(iter=iterable):
            return [iterable]
        case cst.Match(subject=subject, cases=cases):
            return [subject, *(case.guard for case in cases)]
        case cst.FunctionDef():
            return [stmt]
        case _:
            return []


def handler_names(handler: cst.ExceptHandler) -> frozenset[str]:
    """The name that ``except ... as e`` binds."""
    match handler.name:
        case cst.AsName(name=cst.Name(value=name)):
            return frozenset((name,))
        case _:
            return frozenset()


def with_names(items: Sequence[cst.WithItem]) -> list[str]:
    """The names that ``with ... as target`` binds."""
    targets = [item.asname.name for item in items if item.asname is not None]
    return [name for target in targets for name in target_names(target)]


def header_names(stmt: cst.Try | cst.With) -> list[str]:
    """The names that ``try`` and ``with`` bind themselves."""
    if isinstance(stmt, cst.With):
        return with_names(stmt.items)
    return [name for handler in stmt.handlers for name in handler_names(handler)]


def bodies(stmt: cst.Try | cst.With) -> tuple[Stmt, ...]:
    """The statements in all parts of ``try`` or ``with``."""
    if isinstance(stmt, cst.With):
        return flat(stmt.body)
    handlers = [inner for handler in stmt.handlers for inner in flat(handler.body)]
    final = flat(stmt.finalbody.body) if stmt.finalbody is not None else ()
    return (*flat(stmt.body), *handlers, *else_body(stmt.orelse), *final)
