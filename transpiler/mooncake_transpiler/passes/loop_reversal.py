"""Reversal of loops that count down without using their index.

before                            after
m: int64 = sub n, 1               m: int64 = sub n, 1
for i in m..-1 step -1:           k: int64 = add m, 1
  u[0] *= 2.0                     for i in 0..k step 1:
                                    u[0] *= 2.0
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import INT

_DOWN = ir.int_const(-1)


def loop_reversal(func: ir.Func) -> ir.Func:
    """Reverse the loops that count down to 0 without using their index."""
    loops = [s for s in ir.walk(func.body) if isinstance(s, ir.For) and _counts_down(s)]
    if not loops:
        return func
    used = set(ir.used_in(func.body))
    blind = {loop.index for loop in loops if loop.index not in used}
    return _Upwards(blind).run(func) if blind else func


def _counts_down(loop: ir.For) -> bool:
    return ir.same(loop.step, _DOWN) and ir.same(loop.hi, _DOWN)


class _Upwards(Rewriter):
    def __init__(self, blind: set[ir.Value]) -> None:
        super().__init__()
        self.blind = blind

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        if isinstance(stmt, ir.For) and stmt.index in self.blind:
            trips = ir.Value("", INT)
            self.emit(ir.Compute(trips, "add", (stmt.lo, ir.ONE), stmt.origin))
            stmt = replace(stmt, lo=ir.ZERO, hi=trips, step=ir.ONE)
        self.emit(self.inside(stmt))
