"""Copies of statements without blocks: operands substituted, results bound to fresh values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mooncake_transpiler import ir


def fresh(value: ir.Value) -> ir.Value:
    """A new value with the name and type of ``value``."""
    return ir.Value(value.hint, value.type)


def simple(stmt: ir.Stmt, use: ir.Use) -> ir.Stmt:
    """A copy of ``stmt`` (which has no blocks), with fresh results."""
    return ir.with_results(ir.with_operands(stmt, use), fresh)


def block(source: ir.Block, renamed: Mapping[ir.Value, ir.Atom]) -> ir.Block:
    """A copy of ``source``, a block of simple statements and branches, with fresh results."""
    names: dict[ir.Value, ir.Atom] = dict(renamed)

    def use(atom: ir.Atom) -> ir.Atom:
        return names.get(atom, atom) if isinstance(atom, ir.Value) else atom

    stmts: list[ir.Stmt] = []
    for stmt in source.stmts:
        if isinstance(stmt, ir.If):
            copy: ir.Stmt = replace(
                stmt,
                outs=tuple(map(fresh, stmt.outs)),
                cond=use(stmt.cond),
                then=block(stmt.then, names),
                orelse=block(stmt.orelse, names),
            )
        else:
            copy = simple(stmt, use)
        stmts.append(copy)
        names.update(zip(ir.outs(stmt), ir.outs(copy), strict=True))
    return ir.Block(tuple(stmts), tuple(map(use, source.yields)))
