"""Reassociation: sums whose order is left open are marked so, where loops then run on vectors.

    before                            after
    for i in 0..n step 1 (s, t):      for i in 0..n step 1 (s, t):
      s.1 = radd s, x                   s.1 = radd s, x
      t.1 = add t, x                    t.1 = radd t, x
    for j in 0..m step 1 (s):         for j in 0..m step 1 (s):
      e = np.exp y                      e = np.exp y
      s.1 = radd s, e                   s.1 = add s, e

Here ``t`` is part of a derivative, where the order of summation is ours to choose. A loop
that does not run on vectors either way is better to read with ``+``.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.vectors import open_sums, runs_on_vectors
from mooncake_transpiler.passes.rewrite import Rewriter


def reassociate(func: ir.Func) -> ir.Func:
    """Leave the order of sums open in loops that run on vectors then, and only there."""
    loops = (s for s in ir.walk(func.body) if isinstance(s, ir.For) and runs_on_vectors(s))
    return _Reassociate({addition for loop in loops for addition in open_sums(loop)}).run(func)


class _Reassociate(Rewriter):
    def __init__(self, additions: set[ir.Compute]) -> None:
        super().__init__()
        self._additions = additions

    def statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Compute) and stmt.op in ("add", "radd"):
            op = "radd" if stmt in self._additions else "add"
            stmt = stmt if stmt.op == op else replace(stmt, op=op)
        super().statement(stmt)
