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
from typing import TypeGuard

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.ad.reverse import counting
from mooncake_transpiler.analysis.steps import Steps
from mooncake_transpiler.ir.builder import Builder
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
    steps = Steps(loop)
    reserves = [s for s in _direct(loop.body) if _reserves(s, array)]
    if len(reserves) < sum(_reserves(s, array) for s in ir.walk(loop.body)):
        return None  # some are in inner loops
    shape = reserves[0].shape
    if any(r.shape != shape for r in reserves) or not all(map(steps.is_invariant, shape)):
        return None
    sizes = tuple(r.size for r in reserves)
    if _counts_up(loop) and all(map(steps.is_monotonic, sizes)):
        return Indexed(sizes, shape)
    return _counted(loop, steps, sizes, shape)


def last_sizes(loop: ir.For, of: Indexed, b: Builder) -> list[ir.Atom]:
    """The sizes that the last iteration needs."""
    assert isinstance(loop.step, ir.Const)
    trips = counting.trips(loop.lo, loop.hi, loop.step, b)
    passed = counting.mul(counting.sub(trips, ir.ONE, b), loop.step, b)
    known: dict[ir.Atom, ir.Atom] = {loop.index: counting.add(loop.lo, passed, b)}
    made = Steps(loop).made

    def again(atom: ir.Atom) -> ir.Atom:
        stmt = made.get(atom)
        if atom not in known and isinstance(stmt, ir.Compute):
            known[atom] = b.compute(stmt.op, tuple(map(again, stmt.args)), INT)
        return known.get(atom, atom)

    return [again(size) for size in of.sizes]


def _reserves(stmt: ir.Stmt, array: ir.Value) -> TypeGuard[ir.Reserve]:
    return isinstance(stmt, ir.Reserve) and stmt.array is array


def _direct(block: ir.Block) -> Iterator[ir.Stmt]:
    """The statements of ``block`` without those of the loops in it."""
    for stmt in block.stmts:
        yield stmt
        if isinstance(stmt, ir.If):
            yield from _direct(stmt.then)
            yield from _direct(stmt.orelse)


def _counts_up(loop: Loop) -> bool:
    if not isinstance(loop, ir.For) or not isinstance(loop.step, ir.Const):
        return False
    return isinstance(loop.step.value, int) and loop.step.value > 0


def _counted(
    loop: Loop, steps: Steps, sizes: Sequence[ir.Atom], shape: tuple[ir.Atom, ...]
) -> Counted | None:
    found = [steps.above(size) for size in sizes]
    counts = {k for k, _ in filter(None, found)}
    if None in found or len(counts) != 1:
        return None
    k = counts.pop()
    after = steps.above(loop.body.yields[k])
    if after is None or after[0] != k:
        return None
    return Counted(k, max(0, after[1], *(by for _, by in filter(None, found))), shape)
