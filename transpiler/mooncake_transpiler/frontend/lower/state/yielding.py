"""Generator functions and loops over what they yield, as functions that call one another.

def g(n):                       def g(n, %take):
    for k in range(n):              for k in range(n):
        yield k * k                     if %take(k * k):
                                            return

for x in g(3):                  def %body(%item):
    if x > 2:                       nonlocal x, total
        break                       x = %item
    total += x                      if x > 2:
                                        return True
                                    total += x
                                    return False
                                g(3, %body)

What takes an item says whether the loop ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import TypeVar

import libcst as cst

from mooncake_transpiler.frontend.lower.state.flow import written
from mooncake_transpiler.frontend.lower.state.syntax import (
    Hidden,
    Stmt,
    assign,
    else_body,
    flat,
    target_names,
)

TAKE, ITEM = Hidden("%take:"), Hidden("%item:")
_NUMBERS = count()
Node = TypeVar("Node", bound=cst.CSTNode)
Change = Callable[[Stmt, bool], Sequence[Stmt] | None]  # None: the parts of a statement are changed


@dataclass(frozen=True, slots=True)
class LoopFunction:
    """The body of a loop as a function; the variables that tell how the loop was left."""

    node: cst.FunctionDef
    names: tuple[str, ...]  # that it binds
    broken: str
    returned: str
    result: str


@lru_cache(maxsize=4096)
def giving(node: cst.FunctionDef) -> cst.FunctionDef:
    """The generator function ``node``, which calls ``TAKE`` with each item."""
    body = _changed(flat(node.body), _give)
    return node.with_changes(body=_suite(body))


def _give(stmt: Stmt, in_loop: bool) -> Sequence[Stmt] | None:
    match stmt:
        case cst.Expr(value=cst.Yield(value=cst.From(item=items))):
            return [cst.For(ITEM, items, _suite([_taken(ITEM)]))]
        case cst.Expr(value=cst.Yield(value=cst.BaseExpression() as item)):
            return [_taken(item)]
        case cst.Expr(value=cst.Yield()):
            return [_taken(cst.Name("None"))]
        case cst.Return(value=cst.BaseExpression() as value):  # nobody sees it
            return [cst.Expr(value), cst.Return()]
        case _:
            return None


def _taken(item: cst.BaseExpression) -> cst.If:
    return cst.If(cst.Call(TAKE, [cst.Arg(item)]), _suite([cst.Return()]))


@lru_cache(maxsize=4096)
def body_of(node: cst.For) -> LoopFunction:
    """The body of the loop ``node`` as a function of an item."""
    number = next(_NUMBERS)
    broken, returned, result = (
        Hidden(f"%{what}{number}") for what in ("broken", "returned", "gave")
    )

    def change(stmt: Stmt, in_loop: bool) -> Sequence[Stmt] | None:
        match stmt:
            case cst.Break() if not in_loop:
                return [assign(broken, cst.Name("True")), cst.Return(cst.Name("True"))]
            case cst.Continue() if not in_loop:
                return [cst.Return(cst.Name("False"))]
            case cst.Return(value=value):
                given = assign(result, value or cst.Name("None"))
                return [given, assign(returned, cst.Name("True")), cst.Return(cst.Name("True"))]
            case _:
                return None

    stmts = flat(node.body)
    names = tuple(dict.fromkeys([*target_names(node.target), *written(stmts)]))
    hidden = [name.value for name in (broken, returned, result)]
    outer = cst.Nonlocal([cst.NameItem(Hidden(name)) for name in (*names, *hidden)])
    bound = cst.Assign([cst.AssignTarget(node.target)], ITEM)
    body = [outer, bound, *_changed(stmts, change), cst.Return(cst.Name("False"))]
    params = cst.Parameters([cst.Param(ITEM)])
    function = cst.FunctionDef(Hidden("%body"), params, _suite(body))
    return LoopFunction(function, names, *hidden)


def is_body(node: cst.CSTNode | None) -> bool:
    """True for the function that the body of a loop has become."""
    return isinstance(node, cst.FunctionDef) and isinstance(node.name, Hidden)


def _suite(stmts: Sequence[Stmt]) -> cst.IndentedBlock:
    return cst.IndentedBlock([
        cst.SimpleStatementLine([stmt]) if isinstance(stmt, cst.BaseSmallStatement) else stmt
        for stmt in stmts
    ])  # fmt: skip


def _changed(stmts: Sequence[Stmt], change: Change, in_loop: bool = False) -> list[Stmt]:
    found: list[Stmt] = []
    for stmt in stmts:
        new = change(stmt, in_loop)
        found += [_inside(stmt, change, in_loop)] if new is None else new
    return found


def _inside(stmt: Stmt, change: Change, in_loop: bool) -> Stmt:
    """``stmt`` with the statements in it changed; itself if none is."""

    def block(suite: cst.BaseSuite, inner: bool = in_loop) -> cst.BaseSuite:
        old = flat(suite)
        new = _changed(old, change, inner)
        same = len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))
        return suite if same else _suite(new)

    def orelse(clause: cst.Else | cst.If | None) -> cst.Else | cst.If | None:
        match clause:
            case cst.Else(body=body):
                return clause.with_changes(body=block(body))
            case cst.If():
                (found,) = _changed(else_body(clause), change, in_loop)
                assert isinstance(found, cst.If)
                return found
            case None:
                return None

    match stmt:
        case cst.If(body=body):
            return _with(stmt, body=block(body), orelse=orelse(stmt.orelse))
        case cst.For(body=body) | cst.While(body=body):
            return _with(stmt, body=block(body, True), orelse=orelse(stmt.orelse))
        case cst.With(body=body):
            return _with(stmt, body=block(body))
        case cst.Try(body=body, handlers=handlers, finalbody=final):
            caught = [_with(one, body=block(one.body)) for one in handlers]
            last = None if final is None else _with(final, body=block(final.body))
            return _with(stmt, body=block(body), handlers=caught, orelse=orelse(stmt.orelse),
                         finalbody=last)  # fmt: skip
        case cst.Match(cases=cases):
            return _with(stmt, cases=[_with(one, body=block(one.body)) for one in cases])
        case _:
            return stmt


def _with(node: Node, **parts: object) -> Node:
    """``node`` with these parts; itself, which has a place in the source, if they are the same."""

    def same(old: object, new: object) -> bool:
        if isinstance(old, Sequence) and isinstance(new, Sequence):
            return len(old) == len(new) and all(map(same, old, new))
        return old is new

    if all(same(getattr(node, name), part) for name, part in parts.items()):
        return node
    return node.with_changes(**parts)
