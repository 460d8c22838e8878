"""Dead code elimination: statements and carried values that reach no effect go.

    before                                 after
    u: float64[:] = alloc (n) fill 0.0     s.2: float64 = for i in 0..n step 1 (s = 0.0):
    s.2, k.2 = for i in 0..n step 1          v: float64 = load x[i]
        (s = 0.0, k = 0):                    s.1: float64 = add s, v
      v: float64 = load x[i]                 yield s.1
      u[i] = v                             return s.2
      s.1: float64 = add s, v
      k.1: int64 = add k, 1
      yield s.1, k.1
    return s.2

Everything is taken for dead until an effect needs it, so values that only compute their own next
value go. Writes to memory of the function's own are effects only where it is read. Loops without
effect go, even those of which nobody knows whether they end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of


def dce(func: ir.Func) -> ir.Func:
    """``func`` without what is never used."""
    live = _Live(func)
    body = _sweep(func.body, live)
    return ir.with_body(func, body)


class _Live:
    """The live statements and values, found by following uses from the effects."""

    def __init__(self, func: ir.Func) -> None:
        self.stmts: set[ir.Stmt] = set()
        self.values: set[ir.Value] = set()
        self._memories = memories_of(func)
        self._binder: dict[ir.Value, tuple[ir.Stmt, int]] = {}  # and the position among its kind
        self._around: dict[ir.Stmt, ir.Stmt | None] = {}
        self._writes: dict[Memory, list[ir.Stmt]] = {}  # to each class of own memory
        self._pending: list[ir.Value | ir.Stmt] = []
        self._scan(func.body, None)
        self._need(func.body.yields)
        while self._pending:
            match self._pending.pop():
                case ir.Value() as value:
                    self._value(value)
                case stmt:
                    self._stmt(stmt)

    def _scan(self, block: ir.Block, around: ir.Stmt | None) -> None:
        for stmt in block.stmts:
            self._around[stmt] = around
            for k, out in enumerate(ir.outs(stmt)):
                self._binder[out] = (stmt, k)
            for k, value in enumerate(ir.binders(stmt)):
                self._binder[value] = (stmt, k - isinstance(stmt, ir.For))
            for inner in ir.blocks(stmt):
                self._scan(inner, stmt)
            for array in (*ir.written(stmt), *ir.grown(stmt)):
                own = self._memories.own(array)
                if own is None:
                    self._mark(stmt)
                else:
                    self._writes.setdefault(own, []).append(stmt)
            if ir.acts(stmt):
                self._mark(stmt)

    def _mark(self, stmt: ir.Stmt) -> None:
        if stmt not in self.stmts:
            self.stmts.add(stmt)
            self._pending.append(stmt)

    def _need(self, atoms: Iterable[ir.Atom]) -> None:
        for atom in atoms:
            if isinstance(atom, ir.Value) and atom not in self.values:
                self.values.add(atom)
                self._pending.append(atom)

    def _stmt(self, stmt: ir.Stmt) -> None:
        """Mark a statement as live, with those that enclose it and those that decide about it."""
        if (around := self._around[stmt]) is not None:
            self._mark(around)
        match stmt:
            case ir.If(cond=cond):
                self._need((cond,))
            case ir.For(index=index, lo=lo, hi=hi, step=step):
                self.values.add(index)
                self._need((lo, hi, step, *stmt.params[: stmt.exit]))
            case ir.While(cond=cond_block, params=params):
                self._need((*cond_block.yields, *params[: stmt.exit]))
            case _:
                self._need(ir.operands(stmt))
        if isinstance(stmt, ir.Dim):  # a growable array is as long as what has been reserved
            own = self._memories.own(stmt.array)
            for write in self._writes.get(own, ()) if own is not None else ():
                if isinstance(write, ir.Reserve):
                    self._mark(write)
        for array in (*ir.read(stmt), *ir.copied(stmt)):
            own = self._memories.own(array)
            for write in self._writes.pop(own, ()) if own is not None else ():
                self._mark(write)

    def _value(self, value: ir.Value) -> None:
        """Mark a value as used, with those that it comes from."""
        if value not in self._binder:
            return  # a parameter
        stmt, k = self._binder[value]
        self._mark(stmt)
        match stmt:
            case ir.If(then=then, orelse=orelse):
                self._need((then.yields[k], orelse.yields[k]))
            case ir.For() | ir.While():
                if k >= 0:  # else it is the index
                    self._need((stmt.inits[k], stmt.body.yields[k], stmt.params[k]))
            case _:  # what it is made of is needed as the operands of its statement
                assert not ir.blocks(stmt), "blocks that are not looked into"


def _sweep(block: ir.Block, live: _Live) -> ir.Block:
    """``block`` with its live statements only."""
    kept = []
    for stmt in block.stmts:
        if stmt in live.stmts:
            kept.append(ir.mapped(_slim(stmt, live), lambda inner: _sweep(inner, live)))
    return ir.with_stmts(block, kept)


def _slim(stmt: ir.Stmt, live: _Live) -> ir.Stmt:
    """A branch or loop without the results and carried values that nobody needs."""
    match stmt:
        case ir.If(outs=outs, then=then, orelse=orelse):
            kept = [k for k, out in enumerate(outs) if out in live.values]
            if len(kept) == len(outs):
                return stmt
            arms = [ir.Block(b.stmts, tuple(b.yields[k] for k in kept)) for b in (then, orelse)]
            return replace(stmt, outs=tuple(outs[k] for k in kept), then=arms[0], orelse=arms[1])
        case ir.For() | ir.While():
            return ir.only_carried(stmt, [p in live.values for p in stmt.params])
        case _:
            return stmt
