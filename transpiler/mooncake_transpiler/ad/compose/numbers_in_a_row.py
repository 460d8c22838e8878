"""The numbers that a dense derivative is with respect to: those of its inputs, in a row.

    f(x, p: Params)        x[0], x[1], ..., p.k, p.m[0, 0], p.m[0, 1], ...

One array or number keeps its axes; several, and those of an object, share one axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT, Array, Scalar


@dataclass(frozen=True, slots=True)
class Segment:
    """The place of the numbers of one input in the row: how many come before, and their shape."""

    before: ir.Atom
    sizes: tuple[ir.Atom, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """The places of all inputs. ``axes``: those of the derivative that are for them."""

    places: tuple[Segment, ...]
    axes: tuple[ir.Atom, ...]
    is_flat: bool

    @classmethod
    def of(cls, shapes: Sequence[Sequence[ir.Atom]], b: Builder, *, is_flat: bool) -> Row:
        """The row of inputs of these shapes; if it is not flat, there is one."""
        places: list[Segment] = []
        end: ir.Atom = ir.ZERO
        for sizes in shapes:
            places.append(Segment(end, tuple(sizes)))
            own = b.product(sizes)
            end = b.compute("add", (end, own), INT) if len(places) > 1 else own
        return cls(tuple(places), (end,) if is_flat else places[0].sizes, is_flat)

    def put(
        self, array: ir.Value, index: Sequence[ir.Atom], parts: Sequence[ir.Value], b: Builder
    ) -> None:
        """Store ``parts``, one for each input, in the last axes of ``array`` at ``index``."""
        for part, place in zip(parts, self.places, strict=True):
            if not isinstance(part.type, Array):
                b.store(array, (*index, place.before) if self.is_flat else index, part)
                continue
            where = [ir.Slice() for _ in place.sizes]
            if self.is_flat:
                size = b.product(place.sizes)
                where = [_following(place.before, size, b)]
                if part.type.ndim > 1:
                    flat = ir.Value("", Array(part.type.dtype, 1))
                    b.add(ir.Reshape(flat, part, (size,), b.origin))
                    part = flat
            view = ir.Value("", part.type)
            b.add(ir.View(view, array, (*index, *where), b.origin))
            b.add(ir.Assign(view, part, b.origin))


def _following(before: ir.Atom, size: ir.Atom, b: Builder) -> ir.Slice:
    """The ``size`` places behind the first ``before`` ones."""
    if before == ir.ZERO:
        return ir.Slice(None, size)
    return ir.Slice(before, b.compute("add", (before, size), INT))


def sizes_of(func: ir.Func, target: ir.Value, arg: ir.Value, b: Builder) -> Sequence[ir.Atom]:
    """The shape of ``arg``, given for the input ``target`` of ``func``."""
    if (declared := declared_sizes(func, target)) is not None:
        return [ir.int_const(size) for size in declared]
    assert isinstance(arg.type, Array)
    return b.shape(arg)


def declared_sizes(func: ir.Func, target: ir.Value) -> tuple[int, ...] | None:
    """The shape of an input of ``func``, () for a number, if its annotation says all of it."""
    if isinstance(target.type, Scalar):
        return ()
    for param in func.params:
        for leaf, dims in zip(param.leaves, param.dims, strict=False):
            sizes = tuple(size for size in dims or () if isinstance(size, int))
            if leaf is target and dims is not None and len(sizes) == len(dims):
                return sizes if math.prod(sizes) else None
    return None


def plus(start: ir.Atom, lane: int, b: Builder) -> ir.Atom:
    return b.compute("add", (start, ir.int_const(lane)), INT) if lane else start


def position(at: ir.Atom, sizes: Sequence[ir.Atom], b: Builder) -> list[ir.Atom]:
    """The index of element number ``at`` of an array of these sizes, in C order."""
    index: list[ir.Atom] = []
    for size in reversed(sizes[1:]):
        index.insert(0, b.compute("mod", (at, size), INT))
        at = b.compute("floordiv", (at, size), INT)
    return [at, *index] if sizes else []
