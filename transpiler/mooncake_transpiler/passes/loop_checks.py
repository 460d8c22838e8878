"""Hoisting of checks: those that fail in the first iteration or never stand before the loop.

    before                                 after
    c: bool = ne m, 2                      c: bool = ne m, 2
    for i in 0..n step 1:                  some: bool = gt n, 0
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
from mooncake_transpiler.analysis.steps import constant_step
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes.guards import held, is_check, is_quiet
from mooncake_transpiler.passes.invariant_numbers import runs
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
        some = runs(b, loop)
        for check in checks:
            fails = b.compute("and", (some, check.cond), BOOL)
            b.add(ir.If((), fails, check.then, check.orelse, check.origin))
        self.stmts += b.stmts
        kept = tuple(stmt for stmt in loop.body.stmts if stmt not in checks)
        return replace(loop, body=ir.with_stmts(loop.body, kept))


def _first_checks(loop: ir.For) -> list[ir.If]:
    """The checks of what ``loop`` does not change, behind nothing that can be noticed."""
    checks: list[ir.If] = []
    if not constant_step(loop):
        return checks
    inside: set[ir.Value] = {loop.index, *loop.params}
    for stmt in loop.body.stmts:
        if isinstance(stmt, ir.If) and is_check(stmt):
            if not inside.isdisjoint((stmt.cond, *held(stmt))):
                break
            checks.append(stmt)
        elif is_quiet(stmt, ()):
            inside.update(ir.outs(stmt))
        else:
            break
    return checks
