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
from mooncake_transpiler.ad.ruled_functions import Library
from mooncake_transpiler.ad.stacks import without_growables
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import BOOL, Scalar

_MASKED = {"strong": "mul", "over": "div"}


def plain(func: ir.Func, library: Library) -> ir.Func:
    """``func`` as emission takes it."""
    return without_growables(_without_strong(library.expand(func)))


def _without_strong(func: ir.Func) -> ir.Func:
    if any(map(_is_strong, ir.walk(func.body))):
        return replace(func, body=_block(func.body))
    return func


def _is_strong(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Compute) and stmt.op in _MASKED


def _block(block: ir.Block) -> ir.Block:
    b = Builder(free=True)
    for stmt in block.stmts:
        b.origin = stmt.origin
        if isinstance(stmt, ir.Compute) and stmt.op in _MASKED:
            type_ = stmt.out.type
            assert isinstance(type_, Scalar)
            assert isinstance(stmt.args[0].type, Scalar)
            is_zero = b.compute("eq", (stmt.args[0], ir.zero(stmt.args[0].type)), BOOL)
            product = b.compute(_MASKED[stmt.op], stmt.args, type_)
            b.add(replace(stmt, op="select", args=(is_zero, ir.zero(type_), product)))
        else:
            b.add(ir.mapped(stmt, _block))
    return b.block(block.yields)
