"""Names for temporaries."""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_transpiler.ir.atoms import Atom, Value
from mooncake_transpiler.ir.nodes import Block, Stmt
from mooncake_transpiler.ir.rebuilding import mapped, substitution, with_operands, with_results
from mooncake_transpiler.ir.walking import binders, outs


def renamed(block: Block, hints: Mapping[Value, str]) -> Block:
    """``block`` with the values in ``hints``, which it binds, under these names."""
    env: dict[Value, Atom] = {}

    def bind(value: Value) -> Value:
        if value not in hints:
            return value
        named = env[value] = Value(hints[value], value.type)
        return named

    use = substitution(env)

    def statement(stmt: Stmt) -> Stmt:
        stmt = with_operands(stmt, use)
        if any(value in hints for value in (*outs(stmt), *binders(stmt))):
            stmt = with_results(stmt, bind)
        return mapped(stmt, inside)

    def inside(block: Block) -> Block:
        stmts = tuple(map(statement, block.stmts))
        return Block(stmts, tuple(map(use, block.yields)))

    return inside(block) if hints else block
