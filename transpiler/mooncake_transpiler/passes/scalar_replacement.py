"""Scalar replacement: array elements that a loop keeps coming back to live in a variable.

    before                                       after
    for c in 0..m:                               w = a[b]
      y[c] += w_bar * a[b]                       for c in 0..m (t = 0.0):
      x_bar[b] += y[c]                             y[c] += w_bar * w
                                                   yield t + y[c]
                                                 x_bar[b] += t

Loads move if nothing in the loop writes their memory and they are in bounds even if the loop does
not run. Sums move only where they are free, so that their order is ours to choose, and
only if the loop does nothing with their memory but add to it.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import dataflow_of
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, Array, Scalar


def scalar_replacement(func: ir.Func) -> ir.Func:
    """Move invariant loads in front of loops, and sums into invariant elements behind them."""
    return ir.with_body(func, _Registers(func).block(func.body))


class _Registers:
    def __init__(self, func: ir.Func) -> None:
        self._dataflow = dataflow_of(func)
        self._integers = self._dataflow.integers

    def block(self, block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for stmt in block.stmts:
            inner = ir.mapped(stmt, self.block)
            stmts += self._loop(inner) if isinstance(inner, ir.For) else [inner]
        return ir.with_stmts(block, stmts)

    def _loop(self, loop: ir.For) -> list[ir.Stmt]:
        inside = ir.bound_by(loop)
        loads, rest = self._split_loads(loop.body, inside)
        if loads:
            loop = replace(loop, body=ir.with_stmts(loop.body, rest))
        sums = [s for s in self._sums(loop.body) if not _uses(s, inside)]
        if not sums or not _has_unit_step(loop):
            return [*loads, loop]
        return [*loads, *self._carry(loop, sums)]

    def _split_loads(
        self, body: ir.Block, inside: set[ir.Value]
    ) -> tuple[list[ir.Stmt], list[ir.Stmt]]:
        """The loads that move in front of the loop, and what stays."""
        touched = self._dataflow.inside(body)
        moved: list[ir.Stmt] = []
        rest: list[ir.Stmt] = []
        for stmt in body.stmts:
            if isinstance(stmt, ir.Load) and not any(a in inside for a in ir.operands(stmt)):
                read_only = touched[self._dataflow.memories.of(stmt.base)].is_read_only
                access = self._dataflow.defs.access(stmt.base, stmt.index)
                if read_only and self._integers.in_bounds(access):
                    moved.append(stmt)
                    inside.discard(stmt.out)
                    continue
            rest.append(stmt)
        return moved, rest

    def _sums(self, body: ir.Block) -> list[ir.Accum]:
        """The adjoint sums of ``body`` to whose memory nothing happens but such sums."""
        touched, memories = self._dataflow.inside(body), self._dataflow.memories
        return [
            stmt
            for stmt in body.stmts
            if isinstance(stmt, ir.Accum)
            and touched[memory := memories.of(stmt.base)].only_sums
            and not memory.is_param
        ]

    def _carry(self, loop: ir.For, sums: list[ir.Accum]) -> list[ir.Stmt]:
        """Carry each sum in a value; add it to its element after the loop."""
        b = Builder(free=True)
        totals = {s: ir.Value("", _element(s)) for s in sums}
        last: list[ir.Atom] = []
        for stmt in loop.body.stmts:
            b.origin = stmt.origin
            if isinstance(stmt, ir.Accum) and stmt in totals:
                last.append(b.compute("add", (totals[stmt], stmt.value), _element(stmt)))
            else:
                b.add(stmt)
        outs = tuple(ir.Value("", _element(s)) for s in sums)
        inits = (ir.zero(_element(s)) for s in sums)
        body = b.block((*loop.body.yields, *last))
        carried = ir.with_carried(loop, outs, totals.values(), inits, body)
        after = Builder(loop.origin)
        for stmt, out in zip(totals, outs, strict=True):
            self._add_total(replace(stmt, value=out), loop, after)
        return [carried, *after.stmts]

    def _add_total(self, stmt: ir.Accum, loop: ir.For, b: Builder) -> None:
        """Add a total; under a condition where the element may not exist if the loop is empty."""
        if self._integers.in_bounds(self._dataflow.defs.access(stmt.base, stmt.index)):
            b.add(stmt)
            return
        assert isinstance(loop.step, ir.Const)
        op = "lt" if loop.step.value == 1 else "gt"
        runs = b.compute(op, (loop.lo, loop.hi), BOOL)
        b.add(ir.If((), runs, ir.Block((stmt,)), ir.Block(()), stmt.origin))


def _element(stmt: ir.Accum) -> Scalar:
    assert isinstance(stmt.base.type, Array)
    return Scalar(stmt.base.type.dtype)


def _has_unit_step(loop: ir.For) -> bool:
    return isinstance(loop.step, ir.Const) and loop.step.value in (1, -1) and not loop.exit


def _uses(stmt: ir.Accum, inside: set[ir.Value]) -> bool:
    return any(a in inside for a in (stmt.base, *stmt.index))
