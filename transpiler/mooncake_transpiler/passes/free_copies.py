"""Copy propagation for arrays: a copy that nobody asked for is its source, if nobody can tell.

    before                               after
    b: float64[:] = copy x (free)        v = load x[i]
    v = load b[i]

    p: float64[:] = view u[1, :]         p: float64[:] = view u[1, :]
    b: float64[:] = copy p (free)        q: float64[:] = view u[0, :]
    q: float64[:] = view u[0, :]         q[...] = p
    q[...] = b

Nothing may write to the copy, nor to what it is of as long as the copy is used. That is right for
parts of one array that certainly have no element in common.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import dataflow_of
from mooncake_transpiler.passes.rewrite import Rewriter


def free_copies(func: ir.Func) -> ir.Func:
    """Use the sources of free copies instead of these."""
    if not any(isinstance(stmt, ir.Copy) and stmt.free for stmt in ir.walk(func.body)):
        return func
    return _FreeCopies(func).run(func)


class _FreeCopies(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self._dataflow = dataflow_of(func)
        self._same: set[ir.Stmt] = set()

    def block(self, block: ir.Block) -> ir.Block:
        for k, stmt in enumerate(block.stmts):
            if isinstance(stmt, ir.Copy) and stmt.free and self._is_same(stmt, block, k):
                self._same.add(stmt)
        return super().block(block)

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Copy) and stmt in self._same:
            self.put(stmt.out, self.use(stmt.src))
        else:
            super().statement(stmt)

    def _is_same(self, copy: ir.Copy, block: ir.Block, k: int) -> bool:
        """True if ``copy``, statement ``k`` of ``block``, is as good as what it is of."""
        flow = self._dataflow
        memory = flow.memories.own(copy.out)
        if memory is None or memory.written or any(flow.shares(a, copy.out) for a in block.yields):
            return False
        last = flow.last(block.stmts, copy.out)
        assert last is not None
        used = ir.walk(ir.Block(block.stmts[k + 1 : last + 1]))
        source, of = flow.defs.whole(copy.src), flow.memories.of(copy.src)
        return all(
            access is not None and flow.are_apart(source, access)
            for stmt in used
            for access in flow.writes(stmt, of)
        )
