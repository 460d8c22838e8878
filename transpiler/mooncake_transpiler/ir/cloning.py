"""Copies of statements and blocks: operands substituted, results bound to fresh values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from mooncake_transpiler.ir.atoms import Atom, Origin, Value
from mooncake_transpiler.ir.nodes import Block, Freeable, Simple, Stmt
from mooncake_transpiler.ir.rebuilding import (
    Use,
    fresh,
    mapped,
    substitution,
    with_operands,
    with_results,
)


def simple(stmt: Simple, use: Use) -> Stmt:
    """A copy of ``stmt`` (which has no blocks), with fresh results."""
    return another(stmt, with_results(with_operands(stmt, use), fresh))


def another(stmt: Stmt, copy: Stmt) -> Stmt:
    """``copy``, which must not be ``stmt`` itself: passes know statements by identity."""
    return replace(stmt) if copy is stmt else copy


def block(
    source: Block,
    renamed: Mapping[Value, Atom] = MappingProxyType({}),
    results: Mapping[Value, Value] | None = None,
    origin: Origin | None = None,
    *,
    free: bool = False,
) -> Block:
    """A copy of ``source`` that binds fresh values, or those that ``results`` gives for some.

    All of it comes from ``origin``, if that is given, and is ``free`` if it is to be.
    """
    names: dict[Value, Atom] = dict(renamed)

    use = substitution(names)

    def bind(value: Value) -> Value:
        twin = names[value] = (results or {}).get(value) or fresh(value)
        return twin

    def inside(inner: Block) -> Block:
        stmts = []
        for stmt in inner.stmts:
            copy = another(stmt, with_results(with_operands(stmt, use), bind))
            copy = mapped(copy, inside)
            if free and isinstance(copy, Freeable):
                copy = replace(copy, free=True)
            stmts.append(copy if origin is None else replace(copy, origin=origin))
        return Block(tuple(stmts), tuple(map(use, inner.yields)))

    return inside(source)
