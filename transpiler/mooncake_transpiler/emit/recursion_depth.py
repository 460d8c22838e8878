"""Recursion in compiled code, which has no limit of its own: deep recursion would end the process.

before                                 after
def _f(x, n):                          def _f(x, n, depth):
    ...                                    if depth > 1000:
                                               raise RecursionError("maximum ...")
                                           ...
    return x * _f(x, n - 1)                return x * _f(x, n - 1, depth + 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.naming import free
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import BOOL, INT

LIMIT = 1000  # that of Python, where nobody has set another
MESSAGE = "maximum recursion depth exceeded"


def reaching_recursion(funcs: Iterable[ir.Func]) -> set[str]:
    """The functions that are recursive or call recursive ones: numba's cache breaks them."""
    below = _below(funcs)
    recursive = {name for name, found in below.items() if name in found}
    return {name for name, found in below.items() if name in recursive or found & recursive}


def with_depth(funcs: Sequence[ir.Func]) -> list[ir.Func]:
    """``funcs``, where those that are recursive know how deep they are, and raise.

    Derivatives of generated functions that do count already.
    """
    counting = {func.name for func in funcs if _is_counting(func)}
    recursive = {name for name, found in _below(funcs).items() if name in found} - counting
    if not recursive:
        return list(funcs)
    return [
        _counting(func, recursive)
        if func.name in recursive
        else ir.with_body(func, _passing(func.body, recursive, None))
        for func in funcs
    ]


def _counting(func: ir.Func, recursive: Set[str]) -> ir.Func:
    depth, is_deep = ir.Value("depth", INT), ir.Value("", BOOL)
    raises = ir.Block((ir.Raise("RecursionError", MESSAGE),))
    check = (
        ir.Compute(is_deep, "gt", (depth, ir.int_const(LIMIT))),
        ir.If((), is_deep, raises, ir.Block(())),
    )
    body = _passing(func.body, recursive, depth)
    name = free("depth", {param.name for param in func.params})
    given = (replace(param, default=None) for param in func.params)  # callers here give all
    params = (*given, ir.Param(name, INT, (depth,)))
    return replace(func, params=params, body=ir.with_stmts(body, (*check, *body.stmts)))


def _is_counting(func: ir.Func) -> bool:
    tests = (stmt for stmt in func.body.stmts if isinstance(stmt, ir.If))
    raised = (stmt for test in tests for stmt in test.then.stmts if isinstance(stmt, ir.Raise))
    return any((stmt.exc, stmt.message) == ("RecursionError", MESSAGE) for stmt in raised)


def _passing(block: ir.Block, recursive: Set[str], depth: ir.Value | None) -> ir.Block:
    """``block`` where calls of ``recursive`` functions pass on how deep they are."""
    stmts: list[ir.Stmt] = []
    for outer in block.stmts:
        stmt = ir.mapped(outer, lambda inner: _passing(inner, recursive, depth))
        if isinstance(stmt, ir.Call) and stmt.func in recursive:
            deeper: ir.Atom = ir.ZERO
            if depth is not None:
                deeper = ir.Value("", INT)
                stmts.append(ir.Compute(deeper, "add", (depth, ir.ONE), stmt.origin))
            stmt = replace(stmt, args=(*stmt.args, deeper))
        stmts.append(stmt)
    return ir.with_stmts(block, stmts)


def _below(funcs: Iterable[ir.Func]) -> dict[str, set[str]]:
    """The functions that each function calls, directly or not."""
    calls = {
        func.name: {s.func for s in ir.walk(func.body) if isinstance(s, ir.Call)} for func in funcs
    }
    return {name: set(closure(calls[name], lambda one: calls.get(one, ()))) for name in calls}
