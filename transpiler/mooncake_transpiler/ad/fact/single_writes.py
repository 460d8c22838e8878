"""Stores that write each element once: their adjoint need not clear the shadow.

y = np.empty(n)
for i in range(n): y[i] = f(x[i])        f_bar = y_bar[i]  (and nobody looks at y_bar[i] again)
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.memory import Memories, Memory


def written_once(func: ir.Func, memories: Memories, integers: Integers) -> set[ir.Stmt]:
    """The only stores to local arrays whose every enclosing loop is one of their indices."""
    writes: dict[Memory, list[ir.Stmt]] = {}
    loops_of: dict[ir.Stmt, tuple[ir.Stmt, ...]] = {}

    def visit(block: ir.Block, loops: tuple[ir.Stmt, ...]) -> None:
        for stmt in block.stmts:
            loops_of[stmt] = loops
            for memory in memories.writes(stmt):
                writes.setdefault(memory, []).append(stmt)
            inner = (*loops, stmt) if isinstance(stmt, ir.For | ir.While) else loops
            for nested in ir.blocks(stmt):
                visit(nested, inner)

    visit(func.body, ())
    found: set[ir.Stmt] = set()
    for memory, stmts in writes.items():
        made = integers.defs.stmt.get(memory.roots[0]) if len(memory.roots) == 1 else None
        if len(stmts) == 1 and isinstance(made, ir.Alloc) and isinstance(stmts[0], ir.Store):
            around = loops_of[stmts[0]][len(loops_of[made]) :]
            if _each_is_an_index(stmts[0], around, memory, integers):
                found.add(stmts[0])
    return found


def _each_is_an_index(
    store: ir.Store, loops: tuple[ir.Stmt, ...], memory: Memory, integers: Integers
) -> bool:
    access = integers.defs.access(store.base, store.index)
    return access.root is memory.roots[0] and all(
        isinstance(loop, ir.For)
        and integers.nonnegative(loop.index)
        and any(position is loop.index for position in access.index)
        for loop in loops
    )
