"""Keys of loops: equal for loops that compute the same, whatever their values are called.

for i in 0..n (s = 0.0):          for j in 0..n (t = 0.0):
  v = load x[i]                     w = load x[j]
  s.1 = add s, v                    t.1 = add t, w
  yield s.1                         yield t.1
"""

from __future__ import annotations

from collections.abc import Callable

from mooncake_transpiler import ir
from mooncake_transpiler.ir.fields import names_of

_PURE = (ir.Compute, ir.Load, ir.View, ir.If, ir.For)


def loop_key(loop: ir.For, version: Callable[[ir.Atom], int]) -> object:
    """The key of ``loop``; None if it does more than compute and load.

    ``version`` counts the writes to an array: a later one is another array.
    """
    if not all(isinstance(stmt, _PURE) for stmt in ir.walk(loop.body)):
        return None
    return _Key(version).statement(loop)


class _Key:
    """Numbers the values that a loop binds, in order."""

    def __init__(self, version: Callable[[ir.Atom], int]) -> None:
        self._version = version
        self._bound: dict[ir.Value, int] = {}

    def statement(self, stmt: ir.Stmt) -> tuple[object, ...]:
        for value in (*ir.outs(stmt), *ir.binders(stmt)):
            self._bound[value] = len(self._bound)
        names = (name for name in names_of(type(stmt)) if name != "origin")
        version = self._version(stmt.base) if isinstance(stmt, ir.Load) else 0
        return (type(stmt), version, *[self._part(getattr(stmt, name)) for name in names])

    def _part(self, part: object) -> object:
        """``part`` of a statement, without the names of what is bound here."""
        match part:
            case ir.Value():
                return (self._bound[part], part.type) if part in self._bound else part
            case ir.Const() | ir.Undef():
                return ir.key(part)
            case ir.Slice(lo=lo, hi=hi, step=step):
                return (ir.Slice, *map(self._part, (lo, hi, step)))
            case ir.Block(stmts=stmts, yields=yields):
                return (*map(self.statement, stmts), *map(self._part, yields))
            case tuple():
                return tuple(map(self._part, part))
            case _:
                return part
