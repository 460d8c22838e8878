"""Views and shapes that are the same in all iterations, made before the loop.

for i in 0..n step 1:                t = reshape x_bar (k, m)
  t = reshape x_bar (k, m)           for i in 0..n step 1:
  t[i, 0] += 1.0                       t[i, 0] += 1.0

Nests are to have nothing but numbers and elements in them.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.types import INT


def lifted(loop: ir.For, defs: Definitions) -> tuple[list[ir.Stmt], ir.For]:
    """What is to run before ``loop``, and the rest of it."""
    bound = set(ir.bound_by(loop))
    before: list[ir.Stmt] = []

    def visit(block: ir.Block) -> ir.Block:
        kept = []
        for stmt in block.stmts:
            if bound.isdisjoint(ir.operands(stmt)) and _is_invariant(stmt, defs):
                before.append(stmt)
                bound.difference_update(ir.outs(stmt))
            elif isinstance(stmt, ir.For):
                kept.append(ir.mapped(stmt, visit))
            else:
                kept.append(stmt)
        return ir.with_stmts(block, kept)

    if not any(isinstance(stmt, ir.Reshape) for stmt in ir.walk(loop.body)):
        return [], loop
    changed = ir.mapped(loop, visit)
    assert isinstance(changed, ir.For)
    return before, changed


def _is_invariant(stmt: ir.Stmt, defs: Definitions) -> bool:
    """True if ``stmt`` is the same wherever it runs, given its operands."""
    match stmt:
        case ir.Reshape(base=ir.Value() as base, sharing=sharing):
            return sharing is ir.Sharing.VIEW or isinstance(defs.stmt.get(base), ir.Alloc)
        case ir.View() | ir.Dim():
            return True
        case ir.Compute(out=out, args=args):
            return out.type == INT and all(arg.type == INT for arg in args)
        case _:
            return False
