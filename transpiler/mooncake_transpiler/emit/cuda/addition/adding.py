"""Privatised reductions into arrays: each iteration has places for its own terms, summed later.

An element to which iterations of some axis add, like the cotangent of what was broadcast along it,
has a place for each of them in an array of terms, which is summed over that axis afterwards. Where
it is data which iterations meet, terms are stored with their places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.addition.cells import Shared, grouped, in_order
from mooncake_transpiler.emit.cuda.addition.place_runs import places_array, shape_of
from mooncake_transpiler.emit.cuda.addition.row_slots import in_rows
from mooncake_transpiler.emit.cuda.addition.scattered import (
    Scattered,
    kept_place,
    scattered,
    scattered_within,
)
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.kernel_operands import ATOMIC
from mooncake_transpiler.emit.cuda.loop.nests import Nest
from mooncake_transpiler.types import Array, Scalar


def has_sizes(host: Host, base: ir.Value, trips: list[ir.Atom]) -> bool:
    """True if ``base`` is known to be as large as that."""
    shape = host.extents.shape(base)
    return shape is not None and list(shape) == list(map(host.extents.size, trips))


@dataclass(slots=True)
class Adding:
    """Additions of several iterations of a nest, by the way they are made.

    ``atomic``: arrays of integers, to which iterations add in any order; ``later``: what is
    added behind the kernel.
    """

    host: Host
    nest: Nest
    indices: tuple[ir.Value, ...]
    trips: tuple[ir.Atom, ...]
    run: Callable[[Nest], None]  # launches a nest before
    atomic: set[ir.Value] = field(default_factory=set)
    later: list[Scattered] = field(default_factory=list)

    def spread(self, stmts: tuple[ir.Stmt, ...]) -> tuple[tuple[ir.Stmt, ...], list[Shared]]:
        """``stmts`` with a place of its own for each term of what several iterations add to."""
        shared: list[Shared] = []
        changed: dict[ir.Stmt, list[ir.Stmt]] = {}
        adding: dict[ir.Value, list[ir.Accum]] = {}
        for stmt in ir.walk(ir.Block(stmts)):
            if isinstance(stmt, ir.Accum) and isinstance(stmt.base, ir.Value):
                adding.setdefault(stmt.base, []).append(stmt)
        scattering: dict[ir.Value, list[ir.Accum]] = {}  # by the memory that they share
        for base in in_order(adding, self.nest.shared):
            found = adding[base]
            if len(grouped(self.host, self.indices, found, stmts)) != 1:
                scattering.setdefault(self.root(base), []).extend(found)
                continue
            one, new = self.places(base, found, stmts)
            shared.append(one)
            changed |= new
        for root, found in scattering.items():
            changed |= self.apart(root, found, stmts, shared)

        def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
            return changed.get(stmt)

        return ir.rewritten(ir.Block(stmts), change).stmts, shared

    def root(self, array: ir.Atom) -> ir.Value:
        root = self.host.defs.root(array)
        assert isinstance(root, ir.Value)
        return root

    def apart(
        self,
        root: ir.Value,
        found: list[ir.Accum],
        stmts: tuple[ir.Stmt, ...],
        shared: list[Shared],
    ) -> dict[ir.Stmt, list[ir.Stmt]]:
        """The statements in place of each of ``found``, which are made later.

        One may stay where it is if nothing that iterations do with this memory meets then. In
        loops those told by the same axes get an array of terms, one of those that are ``shared``.
        """
        if self.in_any_order(root, found):
            return {}
        ones = [scattered(self.host, self.nest, accum, stmts) for accum in found]
        if None in ones:
            groups = grouped(self.host, self.indices, found, stmts)
            changed: dict[ir.Stmt, list[ir.Stmt]] = {}
            for base, group in groups:
                terms, new = self.places(base, group, stmts)
                shared.append(terms)
                changed |= new
            if groups:
                return changed
            ones = [self.within(accum, stmts) for accum in found]
        later = [one for one in ones if one is not None]
        if len(later) < len(ones):
            what = "an addition in a loop of unknown length, at a place that is data,"
            raise self.host.refuse(found[0], "MK605", what)
        others = (s for s in ir.walk(ir.Block(stmts)) if s not in found)
        if not any(
            isinstance(s, ir.Load | ir.Store | ir.Accum) and self.root(s.base) is root
            for s in others
        ):
            stays = next((one for one in later if not one.rows), None)
            later = [one for one in later if one is not stays]
        return {one.accum: [*one.store(), *self.kept(one)] for one in later}

    def within(self, accum: ir.Accum, stmts: tuple[ir.Stmt, ...]) -> Scattered | None:
        """``accum``, in a loop or branch of the kernel, taken apart."""
        found = scattered_within(self.host, self.nest, accum, stmts)
        return found or in_rows(self.host, self.nest, accum, stmts, self.run)

    def kept(self, one: Scattered) -> list[ir.Stmt]:
        """Make the arrays of terms and places; the statements that store the places."""
        self.host.alloc(one.terms, [self.host.count(axis.trip) for axis in one.axes])
        stmts: list[ir.Stmt] = []
        same = (o.places for o in self.later if one.told is not None and o.told == one.told)
        places, *_ = (*self.host.runs.get(one.told, ())[:1], *filter(None, same), None)
        if one.rows and places is None:
            fill = ir.int_const(-1) if one.is_conditional else None
            places = places_array(self.host, one.axes[: one.rows], fill)
            stmts = kept_place(self.host, one, places)
        self.later.append(replace(one, places=places))
        return stmts

    def in_any_order(self, root: ir.Value, found: list[ir.Accum]) -> bool:
        """True if ``root`` is of integers, to which ``found`` add atomically."""
        assert isinstance(root.type, Array)
        if root.type.dtype.is_differentiable:
            return False
        if root.type.dtype not in ATOMIC:
            what = "an addition of small integers at places that are data"
            raise self.host.refuse(found[0], "MK605", what)
        self.atomic |= {s.base for s in found if isinstance(s.base, ir.Value)}
        return True

    def places(
        self, base: ir.Value, found: list[ir.Accum], stmts: tuple[ir.Stmt, ...]
    ) -> tuple[Shared, dict[ir.Stmt, list[ir.Stmt]]]:
        """An array of terms for ``base``, and what is done in place of each of ``found``."""
        assert isinstance(base.type, Array)
        first = found[0]
        at = [self.indices.index(a) for a in first.index if a in self.indices]
        is_each = len(at) == base.type.ndim and at == sorted(set(at))
        if len(found) == 1 and is_each and first in stmts:
            terms = ir.Value("terms", Array(base.type.dtype, len(self.indices)))
            self.host.alloc(terms, self.trips)
            store = ir.Store(terms, self.indices, first.value, first.origin)
            axes = tuple(k for k in range(len(self.indices)) if k not in at)
            return Shared(self.part(base, at), terms, axes), {first: [store]}
        missing = [k for k, index in enumerate(self.indices) if index not in first.index]
        shape = shape_of(self.host, base)
        sizes = (*(self.trips[k] for k in missing), *map(self.host.size, shape))
        terms = ir.Value("terms", Array(base.type.dtype, len(sizes)))
        self.host.alloc(terms, sizes, ir.zero(Scalar(base.type.dtype)))
        own = tuple(self.indices[k] for k in missing)
        changed: dict[ir.Stmt, list[ir.Stmt]] = {
            s: [ir.Accum(terms, (*own, *s.index), s.value, s.origin)] for s in found
        }
        return Shared(base, terms, tuple(range(len(missing)))), changed

    def part(self, base: ir.Value, at: list[int]) -> ir.Value:
        """``base``, or that part of it which the axes ``at`` go over."""
        if not at or has_sizes(self.host, base, [self.trips[k] for k in at]):
            return base
        out = ir.Value("", base.type)
        self.host.emit(ir.View(out, base, tuple(ir.Slice(hi=self.trips[k]) for k in at)))
        return out
