"""Calls of functions that do nothing but compute: where nobody uses a result, they can go.

The reverse sweep of a recursive function runs it again. Of what it calls, those values are computed
that the derivative needs: none, where their sum is returned.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Mutated


def quiet_functions(funcs: Iterable[ir.Func], changes: Mutated) -> frozenset[str]:
    """The names of those among ``funcs`` that write, print and raise nothing, calls included."""
    found = {func.name: func for func in funcs if not changes[func.name]}
    while True:
        others = [name for name, func in found.items() if not _is_quiet(func, found)]
        if not others:
            return frozenset(found)
        for name in others:
            del found[name]


def _is_quiet(func: ir.Func, found: Iterable[str]) -> bool:
    for stmt in ir.walk(func.body):
        if isinstance(stmt, ir.Call):
            if stmt.func not in found:  # a primitive may raise
                return False
        elif ir.acts(stmt):
            return False
    return True


def with_quiet_calls(func: ir.Func, quiet: frozenset[str]) -> ir.Func:
    """``func`` with its calls of such functions marked.

    g(x) = call g, x          g(x) = quiet call g, x
    """

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if isinstance(stmt, ir.Call) and stmt.func in quiet:
            return [replace(stmt, quiet=True)]
        return None

    return replace(func, body=ir.rewritten(func.body, change)) if quiet else func
