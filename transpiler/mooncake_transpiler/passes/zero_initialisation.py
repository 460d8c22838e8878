"""Zero-initialisation elimination: the first contribution to a cotangent array is stored.

    before                                     after
    x_bar: float64[:] = alloc (n) fill 0.0     x_bar: float64[:] = alloc (n)
    for i in 0..n step 1:                      for i in 0..n step 1:
      x_bar[i] += 2.0                            x_bar[i] = 2.0

Only what is free (0 + x is x but for the sign of a zero), and only if the next statement
that touches the memory certainly writes all of it: a sum of whole arrays, or a nest of loops over
all axes that touches nothing of it but the element of the iteration. Where that statement stores
as it stands, nobody sees what the array was filled with.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import dataflow_of
from mooncake_transpiler.passes.whole_arrays import Whole


def zero_initialisation(func: ir.Func) -> ir.Func:
    """Leave memory unset that is written next, all of it, before anything reads it."""
    return ir.with_body(func, _First(func).block(func.body))


class _First:
    def __init__(self, func: ir.Func) -> None:
        self._dataflow = dataflow_of(func)
        self._whole = Whole(self._dataflow)

    def block(self, block: ir.Block) -> ir.Block:
        stmts = [ir.mapped(s, self.block) for s in block.stmts]
        kept: list[ir.Stmt] = []
        for k, stmt in enumerate(stmts):
            if self._store_next(stmts, k):
                if not isinstance(stmt, ir.Alloc):
                    continue
                stmt = replace(stmt, fill=None)
            kept.append(stmt)
        return ir.with_stmts(block, kept)

    def _store_next(self, stmts: list[ir.Stmt], k: int) -> bool:
        """Turn sums after the filling ``stmts[k]`` into stores; True if all of it is stored."""
        array = self._filled(stmts[k])
        at = None if array is None else self._dataflow.next(stmts, k + 1, array)
        if array is None or at is None:
            return False
        stored = self._whole.stored(stmts[at], array, _clears(stmts[k]))
        if stored is not None:
            stmts[at] = stored
        return stored is not None

    def _filled(self, stmt: ir.Stmt) -> ir.Value | None:
        """The array of the function's own that ``stmt`` fills with a constant."""
        match stmt:
            case ir.Alloc(out=out, fill=ir.Const()):
                return out
            case ir.Assign(dst=ir.Value() as dst, src=ir.Const()):
                roots = self._dataflow.memories.of(dst).roots
                made = (self._dataflow.defs.stmt.get(root) for root in roots)
                return dst if all(isinstance(m, ir.Alloc) for m in made) else None
            case _:
                return None


def _clears(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` fills an array with zero."""
    match stmt:
        case ir.Alloc(fill=ir.Const() as fill) | ir.Assign(src=ir.Const() as fill):
            return ir.is_zero(fill)
        case _:
            return False
