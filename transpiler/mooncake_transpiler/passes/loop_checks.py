"""Checks that fail in the first iteration of a loop or never stand in front of the loop.

    before                                 after
    c: bool = ne m, 2                      c: bool = ne m, 2
    for i in 0..n step 1:                  some: bool = lt 0, n
      v: float64[:] = view x[i]            fails: bool = and some, c
      if c:                                if fails:
        raise ValueError('…')                raise ValueError('…')
      y: float64 = load v[0]               for i in 0..n step 1:
                                             v: float64[:] = view x[i]
                                             y: float64 = load v[0]

Loops are free of exits then, so that they are kernels or vectorised. What stands in front of the
check in the loop is run later or not at all, so it is only what nobody can notice.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.passes.guards import held, is_check
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL


def loop_checks(func: ir.Func) -> ir.Func:
    """Move checks of what a loop does not change out of the start of its body."""
    return _LoopChecks().run(func)


class _LoopChecks(Rewriter):
    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.inside(self.resolved(stmt))
        if isinstance(stmt, ir.For):
            stmt = self.without_checks(stmt)
        self.emit(stmt)

    def without_checks(self, loop: ir.For) -> ir.For:
        """``loop`` without the checks that were put in front of it."""
        checks = _first_checks(loop)
        if not checks:
            return loop
        b = Builder(loop.origin)
        ends = (loop.lo, loop.hi) if _step(loop) > 0 else (loop.hi, loop.lo)
        some = b.compute("lt", ends, BOOL)
        for check in checks:
            fails = b.compute("and", (some, check.cond), BOOL)
            b.add(ir.If((), fails, check.then, check.orelse, check.origin))
        self.stmts += b.stmts
        kept = tuple(stmt for stmt in loop.body.stmts if stmt not in checks)
        return replace(loop, body=ir.with_stmts(loop.body, kept))


def _step(loop: ir.For) -> int:
    """The step of ``loop`` where it is known, else 0."""
    return int(loop.step.value.real) if isinstance(loop.step, ir.Const) else 0


def _first_checks(loop: ir.For) -> list[ir.If]:
    """The checks of what ``loop`` does not change, behind nothing that can be noticed."""
    checks: list[ir.If] = []
    if not _step(loop):
        return checks
    inside: set[ir.Value] = {loop.index, *loop.params}
    for stmt in loop.body.stmts:
        match stmt:
            case ir.Dim() | ir.View() | ir.Load() | ir.Compute() | ir.Alloc():
                inside.update(ir.outs(stmt))
            case ir.If() if is_check(stmt) and inside.isdisjoint((stmt.cond, *held(stmt))):
                checks.append(stmt)
            case _:
                break
    return checks
