"""Dead store elimination for zeros: those that nothing reads any more are not stored.

    before                                     after
    t: float64[:] = alloc (n) fill 0.0         t: float64[:] = alloc (n)
    for k in 0..m step 1:                      for k in 0..m step 1:
      for i in 0..n step 1:                      for i in 0..n step 1:
        t[i] += x                                  t[i] = x
      for i in 0..n step 1:                      for i in 0..n step 1:
        v = load t[i]                              v = load t[i]
        t[i] = 0.0

The dual of ``zero_initialisation``, for arrays of the function's own and statements that are
free. Zeros that a loop finds in front of it, and leaves behind in each iteration, nobody sees if
each iteration begins with sums into all of the array: those are stores.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import dataflow_of
from mooncake_transpiler.passes.whole_arrays import Whole

Loop = ir.For | ir.While


def dead_zeros(func: ir.Func) -> ir.Func:
    """Drop the last stores to memory that nothing reads afterwards."""
    body = _Last(func).block(func.body)
    return ir.with_body(func, body)


@dataclass(frozen=True, slots=True)
class _Life:
    """An array from where it is made on; ``zero``: that fills it with zeros."""

    array: ir.Value
    zero: bool


class _Last:
    def __init__(self, func: ir.Func) -> None:
        self._dataflow = dataflow_of(func)
        self._whole = Whole(self._dataflow)

    def block(self, block: ir.Block) -> ir.Block:
        stmts = [ir.mapped(stmt, self.block) for stmt in block.stmts]
        for stmt in block.stmts:
            life = self._life(stmt)
            if life and not any(self._dataflow.shares(a, life.array) for a in block.yields):
                self._end(stmts, life)
        return ir.with_stmts(block, stmts)

    def _life(self, stmt: ir.Stmt) -> _Life | None:
        """The array that ``stmt`` makes, if that is all there is in its memory."""
        if not isinstance(stmt, ir.Alloc | ir.Copy):
            return None
        if self._dataflow.memories.of(stmt.out).roots != [stmt.out]:
            return None
        fill = stmt.fill if isinstance(stmt, ir.Alloc) else None
        return _Life(stmt.out, fill is not None and ir.is_zero(fill))

    def _end(self, stmts: list[ir.Stmt], life: _Life) -> None:
        """Drop from ``stmts`` what is stored last to an array whose life they hold."""
        start = next(k for k, s in enumerate(stmts) if life.array in ir.outs(s)) + 1
        while (at := self._dataflow.last(stmts, life.array)) is not None and at >= start:
            stmt = stmts[at]
            cut = self._whole.without_last(stmt, life.array)
            if cut is stmt:
                alone = self._dataflow.next(stmts, start, life.array) == at
                self._end_in_loop(stmts, at, life if alone else replace(life, zero=False))
                return
            stmts[at : at + 1] = [] if cut is None else [cut]
            if cut is not None and self._dataflow.involves(cut, life.array):
                return

    def _end_in_loop(self, stmts: list[ir.Stmt], at: int, life: _Life) -> None:
        stmt = stmts[at]
        found = self._loop(stmt, life) if isinstance(stmt, ir.For | ir.While) else None
        if found is None:
            return
        stmts[at] = found
        if life.zero:
            k = next(k for k, s in enumerate(stmts) if life.array in ir.outs(s))
            made = stmts[k]
            assert isinstance(made, ir.Alloc)
            stmts[k] = replace(made, fill=None)

    def _loop(self, loop: Loop, life: _Life) -> Loop | None:
        """``loop`` if its iterations store first, leaving anything behind; None if they do not."""
        whole, flow, array = self._whole, self._dataflow, life.array
        test = loop.cond.stmts if isinstance(loop, ir.While) else ()
        carried = (*loop.inits, *loop.body.yields)
        if any(flow.involves(s, array) for s in test) or any(
            flow.shares(atom, array) for atom in carried
        ):
            return None
        stmts = list(loop.body.stmts)
        start, end = flow.next(stmts, 0, array), flow.last(stmts, array)
        if start is None or end is None:
            return None
        inner = stmts[start]
        stored = whole.stored(inner, array, life.zero and whole.clears(stmts[end], array))
        if stored is None and start == end and isinstance(inner, ir.For | ir.While):
            stored = self._loop(inner, life)
        if stored is None:
            return None
        stmts[start] = stored
        final = stmts[end]
        cut = whole.without_last(final, array)
        stmts[end : end + 1] = [] if cut is None else [cut]
        if stored is inner and cut is final:
            return loop
        return replace(loop, body=ir.Block(tuple(stmts), loop.body.yields))
