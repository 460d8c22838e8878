"""Removal of the constructs of differentiation that emission does not know.

Calls of functions with a pullback become their bodies, growable arrays become arrays that loops
carry, and products and quotients that are zero where their first operand is become choices:

    y = strong a, p        c = eq a, 0.0
                           t = mul a, p
                           y = select c, 0.0, t
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.ruled_functions import Library
from mooncake_transpiler.ad.tape.stacks import without_growables
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, Scalar

_MASKED = {"strong": "mul", "over": "div"}


def plain(func: ir.Func, library: Library) -> ir.Func:
    """``func`` as emission takes it."""
    return without_growables(_without_strong(library.expand(func)))


def _without_strong(func: ir.Func) -> ir.Func:
    return ir.with_body(func, ir.rewritten(func.body, _masking))


def _masking(stmt: ir.Stmt) -> list[ir.Stmt] | None:
    if not isinstance(stmt, ir.Compute) or stmt.op not in _MASKED:
        return None
    b = Builder(stmt.origin, free=True)
    first, type_ = stmt.args[0], stmt.out.type
    assert isinstance(first.type, Scalar)
    assert isinstance(type_, Scalar)
    is_zero = b.compute("eq", (first, ir.zero(first.type)), BOOL)
    product = b.compute(_MASKED[stmt.op], stmt.args, type_)
    b.add(replace(stmt, op="select", args=(is_zero, ir.zero(type_), product)))
    return b.stmts
