"""Keys of loops: equal for loops that compute the same, whatever their values are called.

    for i in 0..n (s = 0.0):          for j in 0..n (t = 0.0):
      v = load x[i]                     w = load x[j]
      a[i] = v                          b[j] = w
      s.1 = add s, v                    t.1 = add t, w
      yield s.1                         yield t.1

Such loops may fill arrays that are new, here ``a`` and ``b``, which are made alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.ir.fields import names_of

Made = dict[ir.Value, ir.Alloc]
_PURE = (ir.Compute, ir.Load, ir.View, ir.If, ir.For)


def loop_key(
    loop: ir.For, version: Callable[[ir.Atom], int], new: Mapping[ir.Value, ir.Alloc]
) -> object:
    """The key of ``loop``; None if it does more than compute, load, and store to ``new`` arrays.

    ``version`` counts the writes to an array: a later one is another array.
    """
    for stmt in ir.walk(loop.body):
        stores = isinstance(stmt, ir.Store) and stmt.base in new
        if not stores and not isinstance(stmt, _PURE):
            return None
    return _Key(version, new).statement(loop)


class NewArrays:
    """The arrays of a function that are made and not used yet, while a pass walks through it."""

    def __init__(self, func: ir.Func, memories: Memories) -> None:
        self._func = func
        self._memories = memories
        self._made: Made = {}  # in the block under construction

    @cached_property
    def _writes(self) -> Counter[ir.Value]:
        """The number of writes to the memory of each array, by all names; few functions need it."""
        written = (a for s in ir.walk(self._func.body) for a in (*ir.written(s), *ir.grown(s)))
        return Counter(root for root in map(self._root, written) if root is not None)

    def _root(self, array: ir.Atom) -> ir.Value | None:
        """The only array in the memory of ``array``, if that is the function's own."""
        own = self._memories.own(array)
        return own.roots[0] if own is not None and len(own.roots) == 1 else None

    def enter(self) -> Made:
        """Begin a block; returns what is to be given back at its end."""
        outer, self._made = self._made, {}
        return outer

    def leave(self, outer: Made) -> None:
        self._made = outer

    def note(self, stmt: ir.Stmt) -> None:
        """Take in that ``stmt`` has been emitted."""
        if isinstance(stmt, ir.Alloc):
            if not stmt.growable and self._root(stmt.out) is stmt.out:
                self._made[stmt.out] = stmt
        elif self._made:
            for atom in ir.used_by(stmt):
                self._made.pop(atom, None)  # type: ignore[arg-type]

    def filled_by(self, loop: ir.For) -> Made:
        """The new arrays to which ``loop`` alone writes, ever, in the order in which it does."""
        stores = (s.base for s in ir.walk(loop.body) if isinstance(s, ir.Store))
        counts = Counter(base for base in stores if base in self._made)
        return {a: self._made[a] for a, n in counts.items() if n == self._writes[a]}


class _Key:
    """Numbers the values that a loop binds, and the arrays that it fills, in order."""

    def __init__(self, version: Callable[[ir.Atom], int], new: Mapping[ir.Value, ir.Alloc]) -> None:
        self._version = version
        self._bound: dict[ir.Value, int] = {}
        self._new = {array: _made_as(alloc) for array, alloc in new.items()}

    def statement(self, stmt: ir.Stmt) -> tuple[object, ...]:
        for value in (*ir.outs(stmt), *ir.binders(stmt)):
            self._bound[value] = len(self._bound)
        names = (name for name in names_of(type(stmt)) if name != "origin")
        version = 0
        if isinstance(stmt, ir.Load) and stmt.base not in self._new:
            version = self._version(stmt.base)
        return (type(stmt), version, *[self._part(getattr(stmt, name)) for name in names])

    def _part(self, part: object) -> object:
        """``part`` of a statement, without the names of what is bound here."""
        match part:
            case ir.Value() if part in self._new:
                number = self._bound.setdefault(part, len(self._bound))
                return number, part.type, self._new[part]
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


def _made_as(alloc: ir.Alloc) -> object:
    """The extents and the content that ``alloc`` gives to an array."""
    return tuple(map(ir.key, alloc.shape)), None if alloc.fill is None else ir.key(alloc.fill)
