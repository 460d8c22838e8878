"""Dead store elimination for elements: one that nothing reads any more is not cleared.

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
    zeros = [stmt for stmt in ir.walk(func.body) if _cleared(stmt) is not None]
    if not zeros:
        return func
    reads = _Reads(func)
    drop = {stmt for stmt in zeros if reads.miss(stmt)}
    return ir.with_body(func, ir.rewritten(func.body, lambda s: [] if s in drop else None))


def _cleared(stmt: ir.Stmt) -> ir.Atom | None:
    """The array in which ``stmt`` stores zeros that need not be stored."""
    match stmt:
        case ir.Store(base=array, value=value) | ir.Assign(dst=array, src=value):
            return array if stmt.free and ir.is_zero(value) else None
        case _:
            return None


class _Reads:
    """Everything that reads memory, by its place in the function."""

    def __init__(self, func: ir.Func) -> None:
        self._dataflow = dataflow_of(func)
        self._later = LaterAccesses(self._dataflow.integers)
        self._at: dict[ir.Stmt, tuple[int, tuple[Loop, ...]]] = {}  # its number, the loops around
        self._reads: dict[Memory, list[tuple[ir.Stmt, Access | None]]] = {}
        self._scan(func.body, ())

    def _scan(self, block: ir.Block, loops: tuple[Loop, ...]) -> None:
        for stmt in block.stmts:
            self._at[stmt] = len(self._at), loops
            for read, access in self._dataflow.reads(stmt):
                self._reads.setdefault(read, []).append((stmt, access))
            inner = (*loops, stmt) if isinstance(stmt, ir.For | ir.While) else loops
            for nested in ir.blocks(stmt):
                self._scan(nested, inner)

    def miss(self, zero: ir.Stmt) -> bool:
        """True if nothing reads what ``zero`` clears before it is written again."""
        array = _cleared(zero)
        memory = None if array is None else self._dataflow.memories.own(array)
        if memory is None:
            return False
        number, loops = self._at[zero]
        (cleared,) = self._dataflow.writes(zero, memory)
        assert cleared is not None
        for stmt, access in self._reads.get(memory, ()):
            at, around = self._at[stmt]
            both = [loop for loop in loops if loop in around]
            if not self._later.miss(cleared, access, both, is_below=at > number):
                return False
        return True
