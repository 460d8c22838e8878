"""Stacks move out of loops: each iteration leaves them as it found them, so one serves all.

for i in ...: t = stack(); ... push, pop          t = stack()
                                                  for i in ...: ... push, pop
"""

from __future__ import annotations

from mooncake_transpiler import ir


def hoist_stacks(block: ir.Block) -> ir.Block:
    """``block`` with all stacks created at its beginning."""
    stacks: list[ir.Stmt] = []

    def visit(inner: ir.Block) -> ir.Block:
        kept: list[ir.Stmt] = []
        for stmt in inner.stmts:
            if isinstance(stmt, ir.NewStack):
                stacks.append(stmt)
            else:
                kept.append(ir.with_blocks(stmt, tuple(map(visit, ir.blocks(stmt)))))
        return ir.Block(tuple(kept), inner.yields)

    body = visit(block)
    return ir.Block((*stacks, *body.stmts), body.yields)
