"""Stale arrays in tables: read or written although they have been replaced.

    p.pos * p.kick()      # fine: the left operand is the array of p.pos, which kick changes
    p.vel += p.born()     # born appends to the table, so the copies in it have moved

A table of objects holds copies of arrays, which are changed in place. Others that stand for the
same array of NumPy, and parts of the table from before it grew, don't see a change: nothing may
read them later. Variables are looked at when the array is changed (``in_place``), and here, when
all statements are there, what has no name: operands, iterators, default values, generators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.properties import ArrayChange
from mooncake_transpiler.types import Array


@dataclass(frozen=True, slots=True)
class Around:
    """A block that a statement, number ``owner`` of all, holds as its ``part``-th."""

    owner: int
    part: int
    is_loop: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """A place among all statements: how many are before it, and what is around it."""

    number: int
    around: tuple[Around, ...]


@dataclass(frozen=True, slots=True)
class Spots:
    """The spots of a function at which arrays are bound, used, changed and moved."""

    bound: dict[ir.Value, Spot] = field(default_factory=dict)
    used: list[tuple[ir.Value, Spot]] = field(default_factory=list)
    changed: list[tuple[ArrayChange, Spot]] = field(default_factory=list)
    moved: list[tuple[ir.Atom, Spot]] = field(default_factory=list)
    filled: list[tuple[ir.Assign, Spot]] = field(default_factory=list)

    def of(self, array: ir.Value) -> Spot:
        """The spot at which ``array`` is bound: that of a parameter is in front of all others."""
        return self.bound.get(array, Spot(0, ()))

    def has_moved(self, memory: ir.Atom, array: ir.Value, until: Spot) -> bool:
        """True if ``memory`` may grow between where ``array`` is bound and ``until``."""
        start = self.of(array)
        grown = (spot for one, spot in self.moved if one is memory)
        return any(_is_between(start, spot, until) for spot in grown)


def check(ctx: Context, block: ir.Block) -> None:
    """Refuse ``block`` if it uses an array that has been changed elsewhere before."""
    if not ctx.memory.changes:
        return
    spots = Spots()
    _visit(ctx, block, spots)
    shared = {*ctx.memory.shared, *_shared(ctx, spots)}
    for change, spot in spots.changed:
        if change.memory in shared:
            raise change.shared
        if spots.has_moved(change.memory, change.array, spot):
            raise change.refusal
        for array, use in spots.used:
            is_later = _is_later(spot, use, spots.of(array))
            if is_later and _shows_old(ctx, spots, change, spot, array):
                raise change.refusal


def _visit(ctx: Context, block: ir.Block, spots: Spots) -> None:
    """Add to ``spots`` what stands in ``block``."""
    changes = {one.array: one for one in ctx.memory.changes}
    number = 0

    def visit(block: ir.Block, around: tuple[Around, ...]) -> None:
        nonlocal number
        for stmt in block.stmts:
            number += 1
            spot = Spot(number, around)
            spots.used.extend((array, spot) for array in _used(stmt))
            for array in _written(ctx, stmt):
                if array in changes:
                    spots.changed.append((changes[array], spot))
            spots.moved.extend((array, spot) for array in ir.grown(stmt))
            if isinstance(stmt, ir.Assign):
                spots.filled.append((stmt, spot))
            is_loop = isinstance(stmt, ir.For | ir.While)
            for part, inner in enumerate(ir.blocks(stmt)):
                within = (*around, Around(spot.number, part, is_loop))
                spots.bound.update((one, Spot(spot.number, within)) for one in ir.binders(stmt))
                visit(inner, within)
            spots.bound.update((one, spot) for one in ir.outs(stmt))
        number += 1
        end = Spot(number, around)
        spots.used.extend((one, end) for one in block.yields if isinstance(one, ir.Value))

    visit(block, ())


def _shared(ctx: Context, spots: Spots) -> Iterator[ir.Atom]:
    """The memory of lists that a loop puts an array into that is made in front of the loop."""
    for stmt, spot in spots.filled:
        memory = ctx.memory.base(stmt.dst)
        if not isinstance(memory, ir.Value) or memory not in ctx.memory.shown:
            continue
        made = {one.owner for one in spots.of(memory).around}
        loops = {one.owner for one in spot.around if one.is_loop} - made
        for root in ctx.memory.roots(stmt.src) if memory is not stmt.dst else ():
            if not isinstance(root, ir.Value) or not isinstance(root.type, Array):
                continue
            if loops - {one.owner for one in spots.of(root).around}:
                yield memory


def _used(stmt: ir.Stmt) -> Iterator[ir.Value]:
    """The arrays whose content ``stmt`` uses, or that it gives another name."""
    inits = stmt.inits if isinstance(stmt, ir.For | ir.While) else ()
    base = ir.shown(stmt)
    shown = () if base is None else (base,)
    for one in (*ir.read(stmt), *ir.written(stmt), *inits, *shown):
        if isinstance(one, ir.Value):
            yield one


def _written(ctx: Context, stmt: ir.Stmt) -> Iterator[ir.Value]:
    """The arrays that ``stmt`` may write to, and those of which they are parts."""
    for array in ir.written(stmt, partial(aliasing.written_by, ctx)):
        part: ir.Atom | None = array
        while isinstance(part, ir.Value):
            yield part
            part = ctx.memory.bases.get(part)


def _shows_old(
    ctx: Context, spots: Spots, change: ArrayChange, spot: Spot, array: ir.Value
) -> bool:
    """True if ``array`` may be, or be a copy for, what has changed at ``spot``, and not show it."""
    if array is change.memory:  # its items are looked up anew
        return False
    if ctx.memory.base(array) is change.memory:
        return spots.has_moved(change.memory, array, spot)
    roots = ctx.memory.roots(array)
    others = (one for one in roots if one in ctx.memory.shown and one is not change.memory)
    seen = change.seen | {change.memory}
    return not seen.isdisjoint(roots | ctx.memory.seen_in(others))


def _is_later(change: Spot, use: Spot, bound: Spot) -> bool:
    """True if ``use`` of an array may come after ``change``, and not after it is bound again."""
    inside = {one.owner for one in bound.around}
    repeated = {one.owner for one in change.around if one.is_loop} - inside
    if any(one.owner in repeated for one in use.around):
        return True
    return bound.number < change.number < use.number and not _are_apart(change, use)


def _is_between(start: Spot, spot: Spot, end: Spot) -> bool:
    """True if ``spot`` may come after ``start`` and before ``end``, and not before the former."""
    return _is_later(spot, end, start)


def _are_apart(one: Spot, other: Spot) -> bool:
    """True if they are in two arms of a branch."""
    for first, second in zip(one.around, other.around, strict=False):
        if first != second:
            return first.owner == second.owner and not first.is_loop
    return False
