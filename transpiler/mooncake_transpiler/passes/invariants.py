"""Trivial phis of loops: carried values that never change are not carried.

before                                 after
y.1, s.2 = for i in 0..n step 1        s.2: float64 = for i in 0..n step 1 (s = 0.0):
    (y = x, s = 0.0):                    v: float64 = load x[i]
  v: float64 = load y[i]                 s.1: float64 = add s, v
  s.1: float64 = add s, v                yield s.1
  yield y, s.1
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.rewrite import Rewriter


def invariants(func: ir.Func) -> ir.Func:
    """Replace carried values whose next value is the same one, or the initial one."""
    return _Invariants().run(func)


class _Invariants(Rewriter):
    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        if isinstance(stmt, ir.For | ir.While):
            pairs = list(zip(stmt.params, stmt.inits, stmt.body.yields, strict=True))
            changes = [
                (k == 0 and stmt.exit) or not (last is param or ir.same(self.use(last), init))
                for k, (param, init, last) in enumerate(pairs)
            ]
            for (param, init, _), out, changed in zip(pairs, stmt.outs, changes, strict=True):
                if not changed:
                    self.env[param] = self.env[out] = init
            stmt = ir.only_carried(stmt, changes)
        self.emit(self.inside(stmt))
