"""Arrays that are read although the program has changed them in place since.

    p.pos * p.kick()      # the left operand is the array of p.pos, which kick changes

A table of objects holds copies of arrays, and a changed one is a new one in it. What has been
taken out before would still show the old one, so nothing may read that later: variables are looked
at when the array is changed, and here, when all statements are there, what has no name: operands,
iterators, default values, generators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.properties import Replaced


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
    """The spots of a function at which arrays are bound, used and replaced."""

    bound: dict[ir.Value, Spot]
    used: list[tuple[ir.Value, Spot]]
    replaced: list[tuple[Replaced, Spot]]


def check(ctx: Context, block: ir.Block) -> None:
    """Refuse ``block`` if it uses an array that has been replaced by a changed one before."""
    if not ctx.memory.replaced:
        return
    spots = Spots({}, [], [])
    _visit(block, {one.new: one for one in ctx.memory.replaced}, spots)
    for change, spot in spots.replaced:
        for array, use in spots.used:
            bound = spots.bound.get(array)
            if _shows_old(ctx, change, array) and _is_later(spot, use, bound):
                raise change.refusal


def _visit(block: ir.Block, changes: dict[ir.Value, Replaced], spots: Spots) -> None:
    """Add to ``spots`` what stands in ``block``."""
    number = 0

    def visit(block: ir.Block, around: tuple[Around, ...]) -> None:
        nonlocal number
        for stmt in block.stmts:
            number += 1
            spot = Spot(number, around)
            spots.used.extend((array, spot) for array in _used(stmt))
            if isinstance(stmt, ir.Assign) and stmt.src in changes:
                assert isinstance(stmt.src, ir.Value)
                spots.replaced.append((changes[stmt.src], spot))
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


def _used(stmt: ir.Stmt) -> Iterator[ir.Value]:
    """The arrays whose content ``stmt`` uses, or that it gives another name."""
    inits = stmt.inits if isinstance(stmt, ir.For | ir.While) else ()
    base = ir.shown(stmt)
    shown = () if base is None else (base,)
    for one in (*ir.read(stmt), *ir.written(stmt), *inits, *shown):
        if isinstance(one, ir.Value):
            yield one


def _shows_old(ctx: Context, change: Replaced, array: ir.Value) -> bool:
    """True if ``array`` may be, or be a copy for, what was in the place of the changed array."""
    if array is change.memory:  # its items are looked up anew
        return False
    roots = ctx.memory.roots(array)
    others = (one for one in roots if one in ctx.memory.shown and one is not change.memory)
    return not change.seen.isdisjoint(roots | ctx.memory.seen_in(others))


def _is_later(change: Spot, use: Spot, bound: Spot | None) -> bool:
    """True if ``use`` of an array may come after ``change``, and not after it is bound again."""
    if bound is None:
        bound = Spot(0, ())  # a parameter
    inside = {one.owner for one in bound.around}
    repeated = {one.owner for one in change.around if one.is_loop} - inside
    if any(one.owner in repeated for one in use.around):
        return True
    return bound.number < change.number < use.number and not _are_apart(change, use)


def _are_apart(one: Spot, other: Spot) -> bool:
    """True if they are in two arms of a branch."""
    for first, second in zip(one.around, other.around, strict=False):
        if first != second:
            return first.owner == second.owner and not first.is_loop
    return False
