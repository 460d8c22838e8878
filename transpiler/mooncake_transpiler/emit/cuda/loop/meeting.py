"""Dependences between iterations: accesses of one element that indices do not tell apart.

x[i + 1, j] = v        tells i and j: no two iterations touch one element
x[places[i]] = v       tells i where ``places`` are those of a mask, each once
b[j] += v              is shared along i
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Definitions
from mooncake_transpiler.analysis.integers import Integers, LinearSum, Term, values_in
from mooncake_transpiler.emit.cuda.loop.wrapped import wrapped


@dataclass(frozen=True, slots=True, eq=False)
class NestAxis:
    """One loop: its index runs over 0 … ``trip`` - 1, in any order."""

    index: ir.Value
    trip: ir.Atom


# Proofs about integers, and the values that the loop in question binds.
Known = tuple[Integers, frozenset[ir.Value]]


_Place = tuple[ir.Load | ir.Store | ir.Accum, Access]
Places = dict[ir.Value, list[_Place]]  # by array


def places_in(block: ir.Block, defs: Definitions, *, parts: bool = False) -> Places | None:
    """The places where ``block`` reads and writes arrays; None if it does more than that.

    ``parts``: those of complex numbers are places of these.
    """
    places: Places = {}
    for stmt in ir.walk(block):
        match stmt:
            case ir.Load() | ir.Store() | ir.Accum():
                access = defs.access(stmt.base, stmt.index, parts=parts)
                places.setdefault(access.root, []).append((stmt, access))
            case ir.Compute() | ir.If() | ir.For() | ir.While():
                pass
            case _:  # also views that are needed as such
                return None
    return places


def _parts_apart(places: Places, defs: Definitions) -> Places:
    """``places`` with those of an array that are all in parts of it as places of these."""
    found: Places = {}
    for root, each in places.items():
        of_parts = [defs.part(stmt.base) for stmt, _ in each]
        for part, place in zip(of_parts, each, strict=True):
            found.setdefault(root if part is None or None in of_parts else part, []).append(place)
    return found


def _shapes_apart(places: Places, defs: Definitions) -> Counter[ir.Atom]:
    """For each array the number of its shapes but one, if each is one of its own part."""
    shapes: dict[ir.Atom, list[ir.Value | None]] = {}
    for root, found in places.items():
        of_parts = {defs.part(stmt.base) for stmt, _ in found}
        shapes.setdefault(defs.root(root), []).extend(of_parts)
    return Counter(
        {
            memory: len(parts) - 1
            for memory, parts in shapes.items()
            if None not in parts and len(set(parts)) == len(parts)
        }
    )


def shared_arrays(
    block: ir.Block,
    axes: list[NestAxis],
    known: Known,
    own: Collection[ir.Value],
    *,
    apart: bool = False,
) -> frozenset[ir.Value] | None:
    """The arrays to which several iterations add; None if some iterations depend on others.

    ``own`` are arrays of which each iteration has one. ``apart``: parts of arrays from one number
    on to another are taken to be disjoint, which has to be tested.
    """
    defs = known[0].defs
    places = places_in(block, defs, parts=True)
    if places is None:
        return None
    shared: set[ir.Value] = set()
    memory = Counter(map(defs.root, places))
    if apart:
        memory.subtract(_shapes_apart(places, defs))
        places = _parts_apart(places, defs)
    for root, found in _by_remainder(places, known):
        if root in own or all(isinstance(stmt, ir.Load) for stmt, _ in found):
            continue
        if memory[defs.root(root)] > 1:  # also by another shape
            return None
        indices: list[Sequence[object]] = [access.index for _, access in found]
        if len({stmt.base for stmt, _ in found}) == 1:  # all by one view, or as it is
            indices = [stmt.index for stmt, _ in found]
        if all(_tells(axis, axes, indices, known) for axis in axes):
            continue
        if not all(isinstance(stmt, ir.Accum) for stmt, _ in found):
            return None
        shared.update(stmt.base for stmt, _ in found if isinstance(stmt.base, ir.Value))
    return frozenset(shared)


def _by_remainder(places: Places, known: Known) -> Iterator[tuple[ir.Value, list[_Place]]]:
    """``places`` by array, and of one those apart that are never one: ``u[2 * i]``,
    ``u[2 * i + 1]``.
    """
    for root, found in places.items():
        parts: dict[int, list[_Place]] = {}
        for column in zip(*(access.index for _, access in found), strict=False):
            if told := _remainders(column, known):
                for remainder, place in zip(told, found, strict=True):
                    parts.setdefault(remainder, []).append(place)
                break
        for part in parts.values() or (found,):
            yield root, part


def _remainders(column: Sequence[object], known: Known) -> list[int]:
    """A number for each of ``column``: no two places with different ones are ever one. Nothing if
    that is unknown.
    """
    integers, bound = known
    sums = [integers.of(place) for place in column if isinstance(place, ir.Value)]
    if len(sums) < len(column) or any(total.terms != sums[0].terms for total in sums):
        return []
    fixed = {t for t in sums[0].terms if bound.isdisjoint(values_in(t))}
    apart = gcd(*(k for term, k in sums[0].terms.items() if term not in fixed))
    is_told = apart > 1 and all(map(integers.is_natural, sums))
    return [total.const % apart for total in sums] if is_told else []


def _tells(
    axis: NestAxis, axes: list[NestAxis], indices: list[Sequence[object]], known: Known
) -> bool:
    """True if in all of ``indices`` one position is the index of ``axis``, or is so far from it."""
    columns = [[index[k] for index in indices] for k in range(min(map(len, indices)))]
    integers, _ = known
    return any(
        all(place is axis.index for place in column) or _is_shifted(column, axis, axes, known)
        for column in columns
    ) or any(
        all(any(_shows(c, array, axis, integers.defs) for c in columns) for array in arrays)
        for arrays in integers.selected
    )


def _shows(places: Sequence[object], array: ir.Atom, axis: NestAxis, defs: Definitions) -> bool:
    """True if ``places`` all are the element of ``array`` that belongs to the iteration."""
    found = [defs.stmt.get(place) if isinstance(place, ir.Value) else None for place in places]
    return all(
        isinstance(load, ir.Load) and load.base is array and load.index == (axis.index,)
        for load in found
    )


def _is_shifted(
    places: Sequence[object], axis: NestAxis, axes: list[NestAxis], known: Known
) -> bool:
    """True if ``places`` all are one sum that tells the index of ``axis``.

    It is not negative, or else counted from the end, of an axis that is as long as the loop.
    """
    integers, bound = known
    turns = [wrapped(place, integers.defs) for place in places]
    counted = [turn.index if turn else place for turn, place in zip(turns, places, strict=True)]
    sums = [integers.of(place) for place in counted if isinstance(place, ir.Value)]
    if len(sums) < len(places) or any(total != sums[0] for total in sums):
        return False
    count = integers.of(axis.trip)
    is_round = all(turn and integers.of(turn.size) == count for turn in turns)
    varying = [t for t in sums[0].terms if not bound.isdisjoint(values_in(t))]
    if is_round:
        return varying == [axis.index] and sums[0].terms[axis.index] in (1, -1)
    if not integers.is_natural(sums[0]):
        return False
    if axis.index in _counted_off(counted[0], axes, integers):
        return True
    return axis.index in varying and (
        len(varying) == 1 or _is_mixed(sums[0], varying, axes, integers)
    )


def _counted_off(
    place: object, axes: Sequence[NestAxis], integers: Integers
) -> frozenset[ir.Value]:
    """The indices that ``place`` tells as ``(i * m + j) * k + l`` does for ``j < m``, ``l < k``."""
    if not isinstance(place, ir.Value):
        return frozenset()
    trips = {axis.index: axis.trip for axis in axes}
    made = integers.defs.stmt.get(place)
    if place in trips or not isinstance(made, ir.Compute) or made.op != "add":
        return frozenset({place}.intersection(trips))
    for last, rest in (made.args, made.args[::-1]):
        product = integers.defs.stmt.get(rest)
        if last not in trips or not isinstance(product, ir.Compute) or product.op != "mul":
            continue
        assert isinstance(last, ir.Value)
        for size, before in (product.args, product.args[::-1]):
            if integers.of(size) == integers.of(trips[last]):
                return _counted_off(before, axes, integers) | {last}
    return frozenset()


def _is_mixed(
    total: LinearSum, varying: Sequence[Term], axes: Sequence[NestAxis], integers: Integers
) -> bool:
    """True if ``total`` is another one for other indices, as ``3 * i + j`` is where ``j < 3``."""
    trips = {axis.index: axis.trip for axis in axes}
    reach = 0  # how far apart the terms so far can be
    counted = True
    for term in sorted(varying, key=lambda term: abs(total.terms[term])):
        apart = abs(total.terms[term])
        if not counted or apart <= reach or not isinstance(term, ir.Value) or term not in trips:
            return False
        count = integers.of(trips[term])
        counted = not count.terms
        reach += apart * max(count.const - 1, 0)
    return True
