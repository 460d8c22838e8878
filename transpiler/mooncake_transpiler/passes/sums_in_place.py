"""Accumulations: an element that is stored with something added to it is a sum in place.

    before                      after
    v = load x[i]               x[i] += w
    s = add v, w
    x[i] = s

The adjoint of a sum in place leaves the cotangent of the element where it is, and needs no old
value. Nothing may write to the memory between the load and the store.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import memories_of
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Scalar

_At = tuple[object, ...]


def sums_in_place(func: ir.Func) -> ir.Func:
    """Let stores of ``x[i] + w`` to ``x[i]`` be sums in place."""
    return _Sums(func).run(func)


class _Sums(Rewriter):
    def __init__(self, func: ir.Func) -> None:
        super().__init__()
        self._memories = memories_of(func)
        self._loads: dict[_At, ir.Value] = {}  # elements of this block that are as they were loaded
        self._sums: dict[ir.Atom, ir.Compute] = {}

    def block(self, block: ir.Block) -> ir.Block:
        outer, self._loads = self._loads, {}
        result = super().block(block)
        self._loads = outer
        return result

    def statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Load(out=out, base=base, index=index):
                self._loads[base, *map(ir.key, index)] = out
            case ir.Compute(out=out, op="add" | "sub") if not stmt.free:
                self._sums[out] = stmt
            case ir.Store(value=ir.Value() as value) if value in self._sums:
                stmt = self._in_place(stmt, self._sums[value])
            case _:
                pass
        super().statement(stmt)
        written = self._memories.all_writes(stmt) if self._loads else None
        if written:
            loads = self._loads.items()
            self._loads = {at: v for at, v in loads if self._memories.of(_base(at)) not in written}

    def _in_place(self, store: ir.Store, made: ir.Compute) -> ir.Store | ir.Accum:
        """``store`` of the sum ``made``, as a sum in place if it adds to what is stored there."""
        base, index, origin = store.base, store.index, store.origin
        old = self._loads.get((base, *map(ir.key, index)))
        a, b = made.args
        type_ = made.out.type
        if old is None or old.type != type_ or not isinstance(type_, Scalar):
            return store
        if not type_.dtype.is_differentiable:
            return store
        if a is old and b is not old:
            change = b
        elif b is old and a is not old and made.op == "add":
            change = a
        else:
            return store
        if made.op == "sub":
            c = Builder(origin)
            change = c.compute("neg", (change,), type_)
            self.stmts += c.stmts
        return ir.Accum(base, index, change, origin)


def _base(at: _At) -> ir.Value:
    assert isinstance(at[0], ir.Value)
    return at[0]
