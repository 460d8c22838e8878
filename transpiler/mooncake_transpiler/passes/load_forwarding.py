"""Store-to-load forwarding: an element that has just been stored is not loaded.

    before                          after
    y[i] = a                        t: float64 = add a, b
    y[i] += b                       s.1: float64 = add s, t
    v: float64 = load y[i]
    s.1: float64 = add s, v

Only for arrays of the function's own that are not needed then: each load follows its store, and
nothing else reads them. Compiled code does as well where the array stays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memory, memories_of
from mooncake_transpiler.passes.dce import dce
from mooncake_transpiler.passes.rewrite import Rewriter


def load_forwarding(func: ir.Func) -> ir.Func:
    """Use stored values instead of loading them, where that leaves the array without use."""
    forwarded = _Forward(func, arrays(func)).run(func)
    if forwarded is func:
        return func
    needless = arrays(func) - arrays(dce(forwarded))
    return dce(_Forward(func, needless).run(func)) if needless else func


def arrays(func: ir.Func) -> set[ir.Value]:
    """The arrays that ``func`` makes."""
    return {stmt.out for stmt in ir.walk(func.body) if isinstance(stmt, ir.Alloc)}


class _Forward(Rewriter):
    def __init__(self, func: ir.Func, only: set[ir.Value]) -> None:
        super().__init__()
        self._memories = memories_of(func)
        self._only = only
        self._known: dict[Hashable, tuple[Memory, ir.Atom]] = {}  # by base and index

    def block(self, block: ir.Block) -> ir.Block:
        outer = dict(self._known)
        result = super().block(block)
        self._known = outer
        return result

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        if isinstance(stmt, ir.For | ir.While):
            self._forget(self._memories.all_writes(stmt))
        if isinstance(stmt, ir.Load | ir.Accum):
            stored = self._known.get(_place(stmt.base, stmt.index))
            if stored is not None and isinstance(stmt, ir.Load):
                self.put(stmt.out, stored[1])
                return
            if stored is not None and isinstance(stmt, ir.Accum):
                total = ir.Value("", stmt.value.type)
                args = (stored[1], stmt.value)
                self.emit(ir.Compute(total, "add", args, stmt.origin, stmt.free))
                stmt = ir.Store(stmt.base, stmt.index, total, stmt.origin, stmt.free)
        self.emit(self.inside(stmt))
        self._forget(self._memories.all_writes(stmt))
        if isinstance(stmt, ir.Store):
            memory = self._memories.of(stmt.base)
            if self._only.issuperset(memory.roots):
                self._known[_place(stmt.base, stmt.index)] = (memory, stmt.value)

    def _forget(self, written: Iterable[Memory]) -> None:
        gone = set(written)
        if gone:
            self._known = {k: v for k, v in self._known.items() if v[0] not in gone}


def _place(base: ir.Atom, index: tuple[ir.Atom, ...]) -> Hashable:
    return (base, *map(ir.key, index))
