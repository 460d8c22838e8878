"""Final copies: the copy of an array that nobody uses any more is that array.

    before                          after
    a: float64[:] = alloc (n)       a: float64[:] = alloc (n)
    b: float64[:] = copy a          a[i] = 1.0
    b[i] = 1.0

``a`` must be made in the same block, and be known by that name alone.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Array


def final_copies(func: ir.Func) -> ir.Func:
    """Use the arrays that end where they are copied instead of their copies."""
    return _FinalCopies(func).run(func)


class _FinalCopies(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self._memories = memories_of(func)
        self._ending: set[ir.Stmt] = set()  # copies of what is not used behind them

    def block(self, block: ir.Block) -> ir.Block:
        made = {s.out for s in block.stmts if isinstance(s, ir.Alloc | ir.Copy)}
        for k, stmt in enumerate(block.stmts):
            if isinstance(stmt, ir.Copy) and stmt.src in made and self._is_alone(stmt.src):
                later = ir.Block(block.stmts[k + 1 :], block.yields)
                if self._memories.of(stmt.src) not in self._used(later):
                    self._ending.add(stmt)
        return super().block(block)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Copy) and stmt in self._ending:
            self.put(stmt.out, self.use(stmt.src))
        else:
            super().statement(stmt)

    def _is_alone(self, array: ir.Atom) -> bool:
        """True if the memory of ``array`` is that which was made by this name."""
        memory = self._memories.own(array)
        return memory is not None and memory.roots == [array]

    def _used(self, block: ir.Block) -> set[Memory]:
        """The memories that ``block`` uses."""
        values = (a for a in ir.used_in(block) if isinstance(a, ir.Value))
        return {self._memories.of(a) for a in values if isinstance(a.type, Array)}
