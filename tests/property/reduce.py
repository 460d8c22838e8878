"""Smaller programs that still do what was found: greedy, over the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy

Holds = Callable[[str], bool]


def reduced(source: str, holds: Holds, attempts: int = 3000) -> str:
    """A program for which ``holds`` and none of whose simplifications does."""
    best = ast.unparse(ast.parse(source))
    start = 0
    while attempts > 0:
        for at, candidate in enumerate(simpler(best)):
            if at < start:
                continue  # did not hold before the last change either, most likely
            attempts -= 1
            if len(candidate) < len(best) and holds(candidate):
                best, start = candidate, at
                break
            if attempts <= 0:
                return best
        else:
            if start == 0:
                return best
            start = 0
    return best


def simpler(source: str) -> Iterator[str]:
    """Programs with one statement, parameter or operation less, the largest cuts first."""
    tree = ast.parse(source)
    count = sum(1 for _ in _bodies(tree))
    for which in range(count):
        body = list(_bodies(tree))[which]
        for at in range(len(body)):
            for replacement in _instead(body[at]):
                copy = deepcopy(tree)
                changed = list(_bodies(copy))[which]
                changed[at : at + 1] = replacement
                if not changed:
                    changed.append(ast.Pass())
                yield ast.unparse(ast.fix_missing_locations(copy))
    yield from _fewer_parameters(tree)
    yield from _simpler_expressions(tree)


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """All lists of statements, outer before inner."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body:
                yield body


def _instead(stmt: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks that may replace ``stmt`` to make the program smaller."""
    yield []
    match stmt:
        case (
            ast.If(body=body, orelse=orelse)
            | ast.For(body=body, orelse=orelse)
            | ast.While(body=body, orelse=orelse)
            | ast.Try(body=body, orelse=orelse)
        ):
            yield body
            if orelse:
                yield orelse
                yield [_without(stmt, "orelse")]
        case ast.Match(cases=cases):
            yield from (case.body for case in cases)
        case _:
            pass
    if isinstance(stmt, ast.Try):
        yield from (handler.body for handler in stmt.handlers)
        if stmt.finalbody:
            yield stmt.finalbody
            yield [_without(stmt, "finalbody")]


def _without(stmt: ast.stmt, block: str) -> ast.stmt:
    lone = deepcopy(stmt)
    setattr(lone, block, [])
    return lone


def _fewer_parameters(tree: ast.Module) -> Iterator[str]:
    """Parameters of ``f`` left out: its arguments are made by name."""
    for which, stmt in enumerate(tree.body):
        if isinstance(stmt, ast.FunctionDef) and stmt.name == "f":
            for at in range(len(stmt.args.args)):
                copy = deepcopy(tree)
                changed = copy.body[which]
                assert isinstance(changed, ast.FunctionDef)
                del changed.args.args[at]
                yield ast.unparse(copy)


def _simpler_expressions(tree: ast.Module) -> Iterator[str]:
    """An operation replaced by one of its operands."""
    count = sum(1 for node in ast.walk(tree) if _operands(node))
    for which in range(count):
        node = [n for n in ast.walk(tree) if _operands(n)][which]
        for k in range(len(_operands(node))):
            copy = deepcopy(tree)
            target = [n for n in ast.walk(copy) if _operands(n)][which]
            replaced = _Replace(target, _operands(target)[k]).visit(copy)
            yield ast.unparse(ast.fix_missing_locations(replaced))


def _operands(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right, ast.Constant(0.5)]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.BoolOp(values=values):
            return values
        case ast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case ast.Call(args=args):
            return [*args, ast.Constant(0.5)]
        case ast.Subscript(ctx=ast.Load()):
            return [ast.Constant(0.5)]
        case _:
            return []


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return self.new
        return self.generic_visit(node)
