"""Clearing and adding merged: an element that is cleared and then added to is assigned.

    before                       after
    d = u_bar[i]                 d = u_bar[i]
    u_bar[i] = 0.0               u_bar[i + 1] += c * d
    u_bar[i + 1] += c * d        u_bar[i] = e * d
    u_bar[i] += e * d

Only what is free (0 + x is x but for the sign of a zero), and only if nothing between the
two may touch the element.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import dataflow_of


def merged_clears(func: ir.Func) -> ir.Func:
    """Merge each clearing store with the sum that follows it."""
    return ir.with_body(func, _Cleared(func).block(func.body))


class _Cleared:
    def __init__(self, func: ir.Func) -> None:
        self._dataflow = dataflow_of(func)

    def block(self, block: ir.Block) -> ir.Block:
        stmts = [ir.mapped(s, self.block) for s in block.stmts]
        waiting: list[ir.Store] = []
        dropped: set[ir.Stmt] = set()
        for k, stmt in enumerate(stmts):
            if isinstance(stmt, ir.Accum):
                store = next((w for w in waiting if _same_element(w, stmt)), None)
                if store is not None:
                    dropped.add(store)
                    stmts[k] = ir.Store(stmt.base, stmt.index, stmt.value, stmt.origin, stmt.free)
            if waiting:
                waiting = [w for w in waiting if not self._may_touch(stmt, w)]
            if isinstance(stmt, ir.Store) and _clears(stmt):
                waiting.append(stmt)
        return ir.with_stmts(block, [s for s in stmts if s not in dropped])

    def _may_touch(self, stmt: ir.Stmt, store: ir.Store) -> bool:
        """True if ``stmt``, blocks included, may read or write the element of ``store``."""
        assert isinstance(store.base, ir.Value)
        return self._dataflow.may_touch(stmt, store.base, store.index)


def _clears(stmt: ir.Store) -> bool:
    return stmt.free and ir.is_zero(stmt.value)


def _same_element(store: ir.Store, stmt: ir.Accum) -> bool:
    return store.base is stmt.base and all(map(ir.same, store.index, stmt.index))
