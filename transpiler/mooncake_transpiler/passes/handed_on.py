"""Scalar replacement across iterations: an element is stored by one and loaded by the next.

    before                                       after
    for i in 1..n:                               t0 = y[0] if 1 < n else 0.0
      t = y[i - 1]                               for i in 1..n (t = t0):
      y[i] = a * t + x[i]                          u = a * t + x[i]
                                                   y[i] = u
                                                   yield u

Where that is linear, kernels find all of them in parallel (`emit/cuda/pattern/recurrences.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import Dataflow, dataflow_of
from mooncake_transpiler.analysis.integers import LinearSum
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array, Scalar


def handed_on(func: ir.Func) -> ir.Func:
    """``func`` with such elements as numbers that loops carry."""
    dataflow = dataflow_of(func)

    def change(stmt: ir.Stmt) -> list[ir.Stmt]:
        found = _found(stmt, dataflow) if isinstance(stmt, ir.For) else None
        return [stmt] if found is None else found.carried()

    return ir.with_body(func, ir.rebuilt(func.body, change))


@dataclass(frozen=True, slots=True)
class _Handed:
    """All of ``loop`` that touches an array: ``loads`` are ``apart`` from its index."""

    loop: ir.For
    loads: tuple[ir.Load, ...]
    store: ir.Store
    apart: int

    def carried(self) -> list[ir.Stmt]:
        first = self.loads[0]
        assert isinstance(first.out.type, Scalar)
        b, before = Builder(self.loop.origin), Builder(first.origin)
        assert isinstance(self.loop.step, ir.Const)
        op = "lt" if self.loop.step.value == 1 else "gt"
        runs = b.compute(op, (self.loop.lo, self.loop.hi), BOOL)
        at = before.compute("add", (self.loop.lo, ir.int_const(self.apart)), INT)
        start = before.load(first.base, (at,))
        init, param, out = (ir.Value(first.out.hint, first.out.type) for _ in range(3))
        empty = ir.Block((), (ir.zero(first.out.type),))
        b.add(ir.If((init,), runs, before.block((start,)), empty, first.origin))
        loads = set(self.loads)
        outs = {load.out for load in loads}
        body = ir.rewritten(
            self.loop.body,
            lambda stmt: [] if stmt in loads else None,
            lambda atom: param if atom in outs else atom,
        )
        stored = param if self.store.value in outs else self.store.value
        body = ir.Block(body.stmts, (*body.yields, stored))
        return [*b.stmts, ir.with_carried(self.loop, (out,), (param,), (init,), body)]


def _found(loop: ir.For, dataflow: Dataflow) -> _Handed | None:
    """The elements that iterations of ``loop`` hand on; None if there are none."""
    if loop.exit or loop.step not in (ir.ONE, ir.int_const(-1)):
        return None
    for store in loop.body.stmts:
        if isinstance(store, ir.Store) and (found := _loads(loop, store, dataflow)):
            return found
    return None


def _loads(loop: ir.For, store: ir.Store, dataflow: Dataflow) -> _Handed | None:
    memories, integers = dataflow.memories, dataflow.integers
    memory = memories.of(store.base)
    touching = [
        s for s in ir.walk(loop.body) if memory in (*memories.reads(s), *memories.writes(s))
    ]
    loads = tuple(s for s in touching if isinstance(s, ir.Load) and s.base is store.base)
    stmts = loop.body.stmts
    if memory.is_param or not loads or len(loads) + 1 < len(touching) or len(store.index) != 1:
        return None
    if not all(s in stmts and stmts.index(s) < stmts.index(store) for s in loads):
        return None
    if not isinstance(store.base.type, Array) or not store.base.type.dtype.is_differentiable:
        return None
    assert isinstance(loop.step, ir.Const)
    index = LinearSum(0, {loop.index: 1})
    own, *others = (
        integers.of(place).plus(index, -1)
        for place in (store.index[0], *(load.index[0] for load in loads))
    )
    apart = own.const - int(loop.step.value.real)
    if own.terms or any(other != LinearSum(apart) for other in others):
        return None
    return _Handed(loop, loads, store, apart)
