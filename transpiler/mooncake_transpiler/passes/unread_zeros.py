"""Unread zeros: an element that nothing reads any more is not cleared.

    before                               after
    for t in n..0 step -1:               for t in n..0 step -1:
      v = load h_bar[t]                    v = load h_bar[t]
      h_bar[t] = 0.0                       h_bar[t - 1] += v
      h_bar[t - 1] += v

For arrays of the function's own, which are known by one name, and statements that are free.
``dead_zeros`` looks at arrays as a whole, in front of loops and behind them; this at elements
and rows, which all reads that may come later must miss.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access
from mooncake_transpiler.analysis.dataflow import dataflow_of
from mooncake_transpiler.analysis.later_accesses import LaterAccesses, Loop
from mooncake_transpiler.analysis.memory import Memory


def unread_zeros(func: ir.Func) -> ir.Func:
    """``func`` without the zeros that are stored and never read."""
    unread = _Unread(func)
    if not unread.zeros:
        return func
    drop = {stmt for stmt in unread.zeros if unread.is_dead(stmt)}
    return ir.with_body(func, ir.rewritten(func.body, lambda s: [] if s in drop else None))


class _Unread:
    """The zeros that are stored to own memory, and everything that reads it."""

    def __init__(self, func: ir.Func) -> None:
        self._dataflow = dataflow_of(func)
        self._later = LaterAccesses(self._dataflow.integers)
        self._at: dict[ir.Stmt, tuple[int, tuple[Loop, ...]]] = {}  # its number, the loops around
        self._reads: dict[Memory, list[tuple[ir.Stmt, Access | None]]] = {}
        self.zeros: dict[ir.Stmt, Memory] = {}
        self._scan(func.body, ())

    def _scan(self, block: ir.Block, loops: tuple[Loop, ...]) -> None:
        for stmt in block.stmts:
            self._at[stmt] = len(self._at), loops
            match stmt:
                case ir.Store(base=array, value=value) | ir.Assign(dst=array, src=value):
                    memory = self._dataflow.memories.own(array)
                    if stmt.free and ir.is_zero(value) and memory is not None:
                        self.zeros[stmt] = memory
                case _:
                    pass
            for read, access in self._dataflow.reads(stmt):
                self._reads.setdefault(read, []).append((stmt, access))
            inner = (*loops, stmt) if isinstance(stmt, ir.For | ir.While) else loops
            for nested in ir.blocks(stmt):
                self._scan(nested, inner)

    def is_dead(self, zero: ir.Stmt) -> bool:
        """True if nothing reads what ``zero`` clears before it is written again."""
        memory = self.zeros[zero]
        number, loops = self._at[zero]
        (cleared,) = self._dataflow.writes(zero, memory)
        assert cleared is not None
        for stmt, access in self._reads.get(memory, ()):
            at, around = self._at[stmt]
            both = [loop for loop in loops if loop in around]
            if not self._later.miss(cleared, access, both, is_below=at > number):
                return False
        return True
