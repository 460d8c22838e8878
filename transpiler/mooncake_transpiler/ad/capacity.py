"""Upper bounds of the room that a loop needs in a growable array, known before the loop.

for i in 0..n (k = 3):              at most 3 + 1 * n items
  if c:
    reserve xs, k + 1; xs[k] = v; k = k + 1

for i in 0..n:                      at most (n - 1) + 2 items: those of the last iteration
  reserve xs, i + 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad import counting
from mooncake_transpiler.ad.facts import Loop
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import INT


@dataclass(frozen=True, slots=True)
class Counted:
    """A bound: the items that the carried value ``k`` counts, and ``per`` more.

    That is in each iteration, and by so much does the count itself go up at most.
    """

    k: int
    per: int
    shape: tuple[ir.Atom, ...]

    def size(self, at: Sequence[ir.Atom], trips: ir.Atom, b: Builder) -> ir.Atom:
        """The size that ``trips`` iterations need if the carried values start as ``at``."""
        more = counting.mul(trips, ir.int_const(self.per), b)
        return counting.add(at[self.k], more, b)


@dataclass(frozen=True, slots=True)
class Indexed:
    """A bound: sizes that are computed from the index of the loop, and do not get smaller."""

    sizes: tuple[ir.Atom, ...]
    shape: tuple[ir.Atom, ...]


Capacity = Counted | Indexed


def capacity(loop: Loop, array: ir.Value) -> Capacity | None:
    """The bound on the size of ``array`` in ``loop``; None if it is not known before the loop."""
    body = _LoopBody(loop)
    reserves = list(body.reserves(array))
    if len(reserves) < sum(_reserves(s, array) for s in ir.walk(loop.body)):
        return None  # some are in inner loops
    shape = reserves[0].shape
    if any(r.shape != shape for r in reserves) or not all(map(body.is_outside, shape)):
        return None
    sizes = tuple(r.size for r in reserves)
    if isinstance(loop, ir.For) and body.counts_up() and all(map(body.is_monotonic, sizes)):
        return Indexed(sizes, shape)
    return body.counted(sizes, shape)


def last_sizes(loop: ir.For, of: Indexed, b: Builder) -> list[ir.Atom]:
    """The sizes that the last iteration needs."""
    assert isinstance(loop.step, ir.Const)
    trips = counting.trips(loop.lo, loop.hi, loop.step, b)
    passed = counting.mul(counting.sub(trips, counting.ONE, b), loop.step, b)
    known: dict[ir.Atom, ir.Atom] = {loop.index: counting.add(loop.lo, passed, b)}
    made = _LoopBody(loop).made

    def again(atom: ir.Atom) -> ir.Atom:
        stmt = made.get(atom) if isinstance(atom, ir.Value) else None
        if atom not in known and isinstance(stmt, ir.Compute):
            known[atom] = b.compute(stmt.op, tuple(map(again, stmt.args)), INT)
        return known.get(atom, atom)

    return [again(size) for size in of.sizes]


def _reserves(stmt: ir.Stmt, array: ir.Value) -> bool:
    return isinstance(stmt, ir.Reserve) and stmt.array is array


class _LoopBody:
    """The body of a loop without the loops in it."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.made: dict[ir.Atom, ir.Stmt] = {}
        self._inside = {v for s in ir.walk(loop.body) for v in (*ir.outs(s), *ir.binders(s))}
        self._inside.update(ir.binders(loop))
        for stmt in self._stmts(loop.body):
            self.made.update((out, stmt) for out in ir.outs(stmt))

    def _stmts(self, block: ir.Block) -> Iterator[ir.Stmt]:
        for stmt in block.stmts:
            yield stmt
            if isinstance(stmt, ir.If):
                yield from self._stmts(stmt.then)
                yield from self._stmts(stmt.orelse)

    def reserves(self, array: ir.Value) -> Iterator[ir.Reserve]:
        for stmt in self._stmts(self._loop.body):
            if isinstance(stmt, ir.Reserve) and stmt.array is array:
                yield stmt

    def is_outside(self, atom: ir.Atom) -> bool:
        return atom not in self._inside

    # ---- by the index ---------------------------------------------------------------------------

    def counts_up(self) -> bool:
        loop = self._loop
        return (
            isinstance(loop, ir.For)
            and isinstance(loop.step, ir.Const)
            and isinstance(loop.step.value, int)
            and loop.step.value > 0
        )

    def is_monotonic(self, atom: ir.Atom) -> bool:
        """True if ``atom`` is computed from the index alone, and never goes down."""
        assert isinstance(self._loop, ir.For)
        if atom is self._loop.index or self.is_outside(atom):
            return True
        match self.made.get(atom):
            case ir.Compute(op="add", args=(a, b)):
                return self.is_monotonic(a) and self.is_monotonic(b)
            case ir.Compute(op="sub", args=(a, b)):
                return self.is_monotonic(a) and self.is_outside(b)
            case ir.Compute(op="mul" | "floordiv", args=(a, ir.Const(value=int(by)))) if by > 0:
                return self.is_monotonic(a)
            case _:
                return False

    # ---- by a carried count ---------------------------------------------------------------------

    def counted(self, sizes: Sequence[ir.Atom], shape: tuple[ir.Atom, ...]) -> Counted | None:
        found = [self._above(size) for size in sizes]
        counts = {k for k, _ in filter(None, found)}
        if None in found or len(counts) != 1:
            return None
        k = counts.pop()
        after = self._above(self._loop.body.yields[k])
        if after is None or after[0] != k:
            return None
        return Counted(k, max(0, after[1], *(by for _, by in filter(None, found))), shape)

    def _above(self, atom: ir.Atom) -> tuple[int, int] | None:
        """A carried value, and the most by which ``atom`` exceeds it."""
        if atom in self._loop.params:
            assert isinstance(atom, ir.Value)
            return self._loop.params.index(atom), 0
        match self.made.get(atom):
            case (
                ir.Compute(op="add", args=(a, ir.Const(value=int(by))))
                | ir.Compute(op="add", args=(ir.Const(value=int(by)), a))
            ):
                return self._moved(a, by)
            case ir.Compute(op="sub", args=(a, ir.Const(value=int(by)))):
                return self._moved(a, -by)
            case ir.Compute(op="select", args=(_, a, b)):
                return self._larger(a, b)
            case ir.If(outs=outs, then=then, orelse=orelse):
                assert isinstance(atom, ir.Value)
                k = outs.index(atom)
                return self._larger(then.yields[k], orelse.yields[k])
            case _:
                return None

    def _moved(self, atom: ir.Atom, by: int) -> tuple[int, int] | None:
        found = self._above(atom)
        return None if found is None else (found[0], found[1] + by)

    def _larger(self, a: ir.Atom, b: ir.Atom) -> tuple[int, int] | None:
        if isinstance(a, ir.Undef) or isinstance(b, ir.Undef):
            return self._above(b if isinstance(a, ir.Undef) else a)
        first, second = self._above(a), self._above(b)
        if first is None or second is None or first[0] != second[0]:
            return None
        return first[0], max(first[1], second[1])
