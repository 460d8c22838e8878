"""Additions whose iterations may meet, made one after the other in a fixed order.

u_bar[i - 1] += v         terms[i] = v, and in another kernel u_bar[i - 1] += terms[i]
w_bar[rows[i], j] += v    terms[i, j] = v, and add_at(w_bar, rows, terms)

What an iteration adds is stored, and added when all have read what they need. Where the place is
data, equal places are found by sorting them. Additions in a loop or a branch within the kernel are
not taken apart: what they add is not one number for each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.meeting import shared_arrays
from mooncake_transpiler.emit.cuda.nests import Nest
from mooncake_transpiler.emit.cuda.wrapped import wrapped
from mooncake_transpiler.types import BOOL, INT, Array, DType, Scalar


@dataclass(frozen=True, slots=True)
class Scattered:
    """``accum`` adds ``terms``, which have the axes ``order`` of the nest.

    ``stmts`` are those that its places are computed by. If iterations ``meet``, only the first
    ``rows`` axes tell the place, as data does, and the others are axes of the array.
    """

    accum: ir.Accum
    terms: ir.Value
    order: tuple[ir.Value, ...]
    stmts: tuple[ir.Stmt, ...]
    meet: bool
    rows: int

    def store(self) -> ir.Stmt:
        """The statement in place of the addition."""
        return ir.Store(self.terms, self.order, self.accum.value, self.accum.origin)


def scattered(
    host: Host, nest: Nest, accum: ir.Accum, stmts: Sequence[ir.Stmt]
) -> Scattered | None:
    """``accum``, one of the statements of ``nest``, taken apart; None if it can't be."""
    indices = tuple(axis.index for axis in nest.axes)
    needed = _slice(stmts, accum.index)
    changing = {host.defs.root(a) for s in ir.walk(ir.Block(tuple(stmts))) for a in ir.written(s)}
    loads = (s for s in ir.walk(ir.Block(needed)) if isinstance(s, ir.Load))
    if accum not in stmts or any(host.defs.root(load.base) in changing for load in loads):
        return None
    assert isinstance(accum.base.type, Array)
    dtype = accum.base.type.dtype
    terms = ir.Value("terms", Array(dtype, len(indices)))
    alone = ir.Block((*needed, accum))
    if not _meeting(alone, nest, host.integers):
        return Scattered(accum, terms, indices, needed, False, 0)
    plain = [a for a in accum.index if a in indices and accum.index.count(a) == 1]
    data = [a for a in accum.index if a not in plain]
    used = {a for s in _slice(stmts, data) for a in ir.used_by(s)} | {*data}
    columns = tuple(a for a in indices if a in plain and a not in used)
    rows = tuple(a for a in indices if a not in columns)
    if not rows or any(a in columns and a in used for a in indices):
        return None
    return Scattered(accum, terms, (*rows, *columns), needed, True, len(rows))


def _slice(stmts: Sequence[ir.Stmt], atoms: Sequence[ir.Atom]) -> tuple[ir.Stmt, ...]:
    """The statements of ``stmts`` that ``atoms`` are computed by."""
    needed = set(atoms)
    found: list[ir.Stmt] = []
    for stmt in reversed(stmts):
        if not needed.isdisjoint(ir.outs(stmt)):
            found.insert(0, stmt)
            needed.update(ir.used_by(stmt))
    return tuple(found)


def places(host: Host, nest: Nest, one: Scattered) -> tuple[Nest, ir.Value, ir.Value]:
    """A nest that computes the places of rows, the array of these, and that which rows are of."""
    accum, base = one.accum, one.accum.base
    assert isinstance(base, ir.Value)
    assert isinstance(base.type, Array)
    rows, columns = one.order[: one.rows], one.order[one.rows :]
    ahead = [k for k, a in enumerate(accum.index) if a not in columns]
    shape = shape_of(host, base)
    stmts = list(_slice(one.stmts, [accum.index[k] for k in ahead]))
    place: ir.Atom | None = None
    for k in ahead:
        size = host.size(shape[k])
        index = _from_the_end(host, accum.index[k], size, stmts)
        if place is not None:
            start, total = ir.Value("", INT), ir.Value("", INT)
            stmts.append(ir.Compute(start, "mul", (place, size)))
            stmts.append(ir.Compute(total, "add", (start, index)))
            index = total
        place = index
    assert place is not None
    axes = tuple(axis for axis in nest.axes if axis.index in rows)
    found = ir.Value("places", Array(DType.INT64, len(axes)))
    stmts.append(ir.Store(found, rows, place, accum.origin))
    order = (*ahead, *(accum.index.index(a) for a in columns))
    shown = base
    if order != tuple(range(len(order))):
        shown = ir.Value("", base.type)
        host.emit(ir.View(shown, base, (), axes=order))
    return Nest(axes, tuple(stmts), (), frozenset()), found, shown


def shape_of(host: Host, array: ir.Value) -> Sequence[Extent]:
    """The shape of ``array``; where nothing else tells it, as that of the array itself."""
    assert isinstance(array.type, Array)
    return host.extents.shape(array) or [Extent(array, k) for k in range(array.type.ndim)]


def _from_the_end(host: Host, index: ir.Atom, size: ir.Atom, stmts: list[ir.Stmt]) -> ir.Atom:
    if host.integers.nonnegative(index) or wrapped(index, host.defs):
        return index
    negative, end, out = ir.Value("", BOOL), ir.Value("", INT), ir.Value("", INT)
    stmts.append(ir.Compute(negative, "lt", (index, ir.int_const(0))))
    stmts.append(ir.Compute(end, "add", (index, size)))
    stmts.append(ir.Compute(out, "select", (negative, end, index)))
    return out


def later(nest: Nest, one: Scattered) -> Nest:
    """A nest that adds the terms, where no two iterations meet."""
    assert isinstance(one.terms.type, Array)
    term = ir.Value("", Scalar(one.terms.type.dtype))
    load = ir.Load(term, one.terms, one.order, one.accum.origin)
    accum = ir.Accum(one.accum.base, one.accum.index, term, one.accum.origin)
    return Nest(nest.axes, (*one.stmts, load, accum), (), frozenset())


def _meeting(block: ir.Block, nest: Nest, integers: Integers) -> bool:
    """True if iterations of ``nest`` that do ``block`` may write the same elements."""
    bound = {*ir.bound_in(ir.Block(nest.stmts)), *(axis.index for axis in nest.axes)}
    return shared_arrays(block, list(nest.axes), (integers, bound), ()) != frozenset()
