"""Induction variables: carried integers that grow by the same amount are computed instead.

    before                                 after
    k.2 = for i in 0..n step 1 (k = 3):    for i in 0..n step 1:
      x[k] = 0.0                             t1: int64 = mul i, 2
      k.1: int64 = add k, 2                  k: int64 = add 3, t1
      yield k.1                              x[k] = 0.0

In a loop that can be left early the value after it stays carried.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.integers import Integers, integers_of
from mooncake_transpiler.analysis.steps import Steps
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes import algebra
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import BOOL, INT, Scalar


def induction(func: ir.Func) -> ir.Func:
    """Compute carried integers that change by an invariant from the loop's index."""
    return _Induction(integers_of(func)).run(func)


class _Induction(Rewriter):
    def __init__(self, integers: Integers) -> None:
        super().__init__()
        self.integers = integers

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        after = Arithmetic(self.integers, stmt.origin)
        if isinstance(stmt, ir.For) and stmt.index.type == INT:
            stmt = self.loop(stmt, after)
        self.emit(self.inside(stmt))
        for inner in after.stmts:
            self.emit(inner)

    def loop(self, stmt: ir.For, after: Arithmetic) -> ir.Stmt:
        """``stmt`` with its induction variables computed at the top of its body."""
        steps = Steps(stmt)
        body = Arithmetic(self.integers, stmt.origin)
        keep = [True] * len(stmt.params)
        for k, (param, init, out) in enumerate(
            zip(stmt.params, stmt.inits, stmt.outs, strict=True)
        ):
            step = steps.of(k)
            if step is None:
                continue
            step = self.use(step)
            self.env[param] = _in_iteration(body, stmt, init, step, ir.fresh(param))
            if not stmt.exit:
                keep[k] = False
                self.env[out] = _after(after, stmt, init, step, out)
        inner = ir.Block((*body.stmts, *stmt.body.stmts), stmt.body.yields)
        return ir.only_carried(replace(stmt, body=inner) if body.stmts else stmt, keep)


def _in_iteration(
    b: Arithmetic, loop: ir.For, init: ir.Atom, step: ir.Atom, name: ir.Value
) -> ir.Atom:
    """``init + (number of the iteration) * step``."""
    if ir.same(step, loop.step) and ir.same(init, loop.lo):
        return loop.index
    passed = b.op("sub", (loop.index, loop.lo))
    if not ir.same(step, loop.step):
        number = b.op("floordiv", (passed, loop.step))
        passed = b.op("mul", (number, step))
    return b.op("add", (init, passed), name)


def _after(b: Arithmetic, loop: ir.For, init: ir.Atom, step: ir.Atom, name: ir.Value) -> ir.Atom:
    """``init + (number of iterations) * step``."""
    if ir.same(init, loop.lo) and ir.same(step, loop.step) and ir.same(step, ir.ONE):
        return b.larger(loop.lo, loop.hi, name)
    span = b.op("sub", (loop.lo, loop.hi))
    trips = b.op("neg", (b.op("floordiv", (span, loop.step)),))  # rounds up
    grown = b.op("mul", (b.larger(ir.ZERO, trips), step))
    return b.op("add", (init, grown), name)


class Arithmetic(Builder):
    """Integer arithmetic that leaves out what does nothing."""

    __slots__ = ("_defs", "_integers")

    def __init__(self, integers: Integers, origin: ir.Origin | None) -> None:
        super().__init__(origin)
        self._integers = integers
        self._defs: dict[ir.Atom, ir.Stmt] = {}

    def op(
        self, op: str, args: algebra.Args, out: ir.Value | None = None, type_: Scalar = INT
    ) -> ir.Atom:
        """The result of ``op``, bound to ``out`` if it must be computed."""
        out = ir.Value("", type_) if out is None else out
        stmt = ir.Compute(out, op, args, self.origin)
        op, args = algebra.regrouped(stmt, self._defs)
        stmt = ir.Compute(out, op, args, self.origin)
        if (known := algebra.equal(stmt, self._defs)) is not None:
            return known
        self._defs[out] = stmt
        self.add(stmt)
        return out

    def larger(self, a: ir.Atom, b: ir.Atom, out: ir.Value | None = None) -> ir.Atom:
        """``max(a, b)``."""
        if ir.same(a, ir.ZERO) and self._integers.nonnegative(b):
            return b
        return self.op("select", (self.op("gt", (b, a), type_=BOOL), b, a), out)
