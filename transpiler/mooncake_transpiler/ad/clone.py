"""Copies of statements without blocks: operands substituted, results bound to fresh values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mooncake_transpiler import ir


def simple(stmt: ir.Simple, use: ir.Use) -> ir.Stmt:
    """A copy of ``stmt`` (which has no blocks), with fresh results."""
    return another(stmt, ir.with_results(ir.with_operands(stmt, use), ir.fresh))


def another(stmt: ir.Stmt, copy: ir.Stmt) -> ir.Stmt:
    """``copy``, which must not be ``stmt`` itself: passes know statements by identity."""
    return replace(stmt) if copy is stmt else copy


def block(
    source: ir.Block,
    renamed: Mapping[ir.Value, ir.Atom],
    results: Mapping[ir.Value, ir.Value] | None = None,
    origin: ir.Origin | None = None,
    *,
    free: bool = False,
) -> ir.Block:
    """A copy of ``source`` that binds fresh values, or those that ``results`` gives for some.

    All of it comes from ``origin``, if that is given, and is ``free`` if it is to be.
    """
    names: dict[ir.Value, ir.Atom] = dict(renamed)

    use = ir.substitution(names)

    def bind(value: ir.Value) -> ir.Value:
        twin = names[value] = (results or {}).get(value) or ir.fresh(value)
        return twin

    def inside(inner: ir.Block) -> ir.Block:
        stmts = []
        for stmt in inner.stmts:
            copy = another(stmt, ir.with_results(ir.with_operands(stmt, use), bind))
            copy = ir.mapped(copy, inside)
            if free and isinstance(copy, ir.Freeable):
                copy = replace(copy, free=True)
            stmts.append(copy if origin is None else replace(copy, origin=origin))
        return ir.Block(tuple(stmts), tuple(map(use, inner.yields)))

    return inside(source)
