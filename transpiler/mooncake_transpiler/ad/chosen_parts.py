"""Parts of arrays that an arm of a branch makes are copied where the branch yields them.

    y = if c:                            y = if c:
      w = alloc (n)                        w = alloc (n)
      ...                                  ...
      yield w[1:]                          yield copy w[1:]
    else:                                else:
      yield x                              yield x

So the shadow of ``y`` is that of what the arm has made: from that of a part, the shadow of ``w``
can't be found. Where a copy can be told from the part, the reverse sweep refuses it (MK401).
"""

from __future__ import annotations

from collections.abc import Callable

from mooncake_transpiler import ir
from mooncake_transpiler.ad.copies import Copies
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.types import Array


def copy_chosen_parts(
    func: ir.Func, memories: Memories, is_active: Callable[[ir.Value], bool]
) -> ir.Func:
    """``func`` with copies in place of the active parts that branches yield of what they make."""
    branches = [
        stmt
        for stmt in ir.walk(func.body)
        if isinstance(stmt, ir.If)
        and any(isinstance(out.type, Array) and is_active(out) for out in stmt.outs)
    ]
    if not branches:
        return func
    defs, copies = Definitions(func), Copies(func, memories)

    def is_copied(stmt: ir.If, atom: ir.Atom) -> bool:
        made = defs.stmt.get(atom) if isinstance(atom, ir.Value) else None
        is_part = made is not None and ir.shown(made) is not None
        return is_part and copies.makes(stmt, atom) and copies.allow(stmt, [atom])

    def visit(block: ir.Block) -> ir.Block:
        return ir.with_stmts(block, [ir.mapped(changed(stmt), visit) for stmt in block.stmts])

    def changed(stmt: ir.Stmt) -> ir.Stmt:
        if not isinstance(stmt, ir.If) or stmt not in branches:
            return stmt
        arms = []
        for arm in (stmt.then, stmt.orelse):
            parts = dict.fromkeys(a for a in arm.yields if is_copied(stmt, a))
            whole = {part: ir.Value("", part.type) for part in parts}
            made = [ir.Copy(copy, part, stmt.origin) for part, copy in whole.items()]
            yields = tuple(whole.get(atom, atom) for atom in arm.yields)
            arms.append(ir.Block((*arm.stmts, *made), yields))
        return ir.with_blocks(stmt, tuple(arms))

    return ir.with_body(func, visit(func.body))
