"""Scatter-add in a fixed order: the additions of iterations that may meet, one after the other.

u_bar[i - 1] += v         terms[i] = v, and in another kernel u_bar[i - 1] += terms[i]
w_bar[rows[i], j] += v    terms[i, j] = v and places[i] = rows[i], then add_at(w_bar, ..., terms)

What an iteration adds is stored, and added when all have read what they need. Where the place is
data it is stored too, and equal places are found by sorting them. Loops within the kernel, of as
many iterations as the host knows, are axes of the terms. Where a branch adds, the place of what it
leaves out is -1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.emit.cuda.addition.place_runs import (
    flat_place,
    is_changed,
    slice_of,
    told_places,
)
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.loop.meeting import NestAxis, shared_arrays
from mooncake_transpiler.emit.cuda.loop.nests import Nest, trip
from mooncake_transpiler.types import BOOL, Array, Scalar


@dataclass(frozen=True, slots=True)
class Scattered:
    """A scatter-add: ``accum`` adds ``terms``, which have the ``axes`` in this order.

    ``stmts`` are those that its places are computed by. Where these are data, ``places`` are those
    of the first ``rows`` axes, and the others are axes of the array; ``told`` is equal for equal
    ones.
    """

    accum: ir.Accum
    terms: ir.Value
    axes: tuple[NestAxis, ...]
    stmts: tuple[ir.Stmt, ...]
    rows: int = 0
    is_conditional: bool = False
    told: object = None
    places: ir.Value | None = None
    before: tuple[ir.Stmt, ...] = ()  # what computes the place of a term

    @property
    def order(self) -> tuple[ir.Value, ...]:
        return tuple(axis.index for axis in self.axes)

    def store(self) -> list[ir.Stmt]:
        """The statements that keep a term, in place of the addition."""
        store = ir.Store(self.terms, self.order, self.accum.value, self.accum.origin)
        return [*self.before, store]


def scattered(
    host: Host, nest: Nest, accum: ir.Accum, stmts: Sequence[ir.Stmt]
) -> Scattered | None:
    """``accum``, one of the statements of ``nest``, taken apart; None if it can't be."""
    if accum not in stmts:
        return None
    needed = slice_of(stmts, accum.index)
    if shared_by(ir.Block((*needed, accum)), nest, host.integers):
        return _at_data(host, accum, nest.axes, stmts, is_conditional=False)
    if is_changed(host, stmts, needed):
        return None
    return Scattered(accum, _terms(accum, nest.axes), nest.axes, needed)


def scattered_within(
    host: Host, nest: Nest, accum: ir.Accum, stmts: Sequence[ir.Stmt]
) -> Scattered | None:
    """``accum``, in loops and branches of ``nest``, taken apart; None if it can't be."""
    nesting = list(around(stmts, accum))
    loops = [stmt for stmt in nesting if isinstance(stmt, ir.For)]
    axes = list(nest.axes)
    for loop in loops:
        count = trip(loop, host.defs)
        if loop.exit or count is None or not host.has(count):
            return None
        axes.append(NestAxis(loop.index, count))
    if any(isinstance(stmt, ir.While) for stmt in nesting):
        return None
    visible = [*stmts, *(s for loop in loops for s in loop.body.stmts)]
    return _at_data(host, accum, axes, visible, is_conditional=len(loops) < len(nesting))


def around(stmts: Sequence[ir.Stmt], inner: ir.Stmt) -> Iterator[ir.Stmt]:
    """The loops and branches of ``stmts`` around ``inner``."""
    for stmt in stmts:
        for block in ir.blocks(stmt):
            if inner in ir.walk(block):
                yield stmt
                yield from around(block.stmts, inner)


def _at_data(
    host: Host,
    accum: ir.Accum,
    axes: Sequence[NestAxis],
    stmts: Sequence[ir.Stmt],
    *,
    is_conditional: bool,
) -> Scattered:
    """``accum``, at places that are data, with the axes of the array behind the others."""
    assert isinstance(accum.base, ir.Value)
    indices = [axis.index for axis in axes]
    plain = [a for a in accum.index if a in indices and accum.index.count(a) == 1]
    data = [a for a in accum.index if a not in plain]
    needed = slice_of(stmts, data)
    used = {a for s in needed for a in ir.used_by(s)} | {*data}
    is_plain = not is_conditional and not any(ir.blocks(s) for s in needed)
    columns = [a for a in plain if a not in used] if is_plain and data else []
    rows = tuple(axis for axis in axes if axis.index not in columns)
    order = (*rows, *(axis for a in columns for axis in axes if axis.index is a))
    ahead = [k for k, a in enumerate(accum.index) if a not in columns]
    told = None
    if is_plain:
        told = told_places(host, rows, needed, accum.base, accum.index, ahead)
    terms = _terms(accum, order)
    return Scattered(accum, terms, order, needed, len(rows), is_conditional, told)


def _terms(accum: ir.Accum, axes: Sequence[NestAxis]) -> ir.Value:
    assert isinstance(accum.base.type, Array)
    return ir.Value("terms", Array(accum.base.type.dtype, len(axes)))


def kept_place(host: Host, one: Scattered, places: ir.Value) -> list[ir.Stmt]:
    """The statements that store the place of a term: once, by the first of its columns."""
    assert isinstance(one.accum.base, ir.Value)
    columns = one.order[one.rows :]
    ahead = [k for k, a in enumerate(one.accum.index) if a not in columns]
    stmts, place = flat_place(host, one.accum.base, one.accum.index, ahead)
    stmts.append(ir.Store(places, one.order[: one.rows], place, one.accum.origin))
    for column in columns:
        is_first = ir.Value("", BOOL)
        branch = ir.If((), is_first, ir.Block(tuple(stmts)), ir.Block(()), one.accum.origin)
        stmts = [ir.Compute(is_first, "eq", (column, ir.ZERO)), branch]
    return stmts


def shown_rows(host: Host, one: Scattered) -> ir.Value:
    """The array to which terms are added, with its columns behind its other axes."""
    base, index = one.accum.base, one.accum.index
    assert isinstance(base, ir.Value)
    columns = one.order[one.rows :]
    order = (*(k for k, a in enumerate(index) if a not in columns), *map(index.index, columns))
    if order == tuple(range(len(order))):
        return base
    shown = ir.Value("", base.type)
    host.emit(ir.View(shown, base, (), axes=order))
    return shown


def later(nest: Nest, one: Scattered) -> Nest:
    """A nest that adds the terms, where no two iterations meet."""
    assert isinstance(one.terms.type, Array)
    term = ir.Value("", Scalar(one.terms.type.dtype))
    load = ir.Load(term, one.terms, one.order, one.accum.origin)
    accum = ir.Accum(one.accum.base, one.accum.index, term, one.accum.origin)
    return Nest(nest.axes, (*one.stmts, load, accum), (), frozenset())


def shared_by(block: ir.Block, nest: Nest, integers: Integers) -> bool:
    """True if iterations of ``nest`` that do ``block`` may write the same elements."""
    bound = frozenset(ir.bound_in(ir.Block(nest.stmts)))
    bound |= {axis.index for axis in nest.axes}
    return shared_arrays(block, list(nest.axes), (integers, bound), ()) != frozenset()
