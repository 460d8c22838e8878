"""Reductions into single elements: several iterations of a nest add to each of them.

for i in 0..n step 1:                s = sum over i of v, by blocks
  s_bar[] += v                       s_bar[] += s

for i in 0..n step 1:                for i in 0..n step 1:
  for j in 0..m step 1:                for j in 0..m step 1:
    b_bar[j] += v                        terms[i, j] = v
                                     b_bar += sum(terms, axis=0)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import AXIS_SUM, SUM
from mooncake_transpiler.emit.cuda.loop.lifting import is_listed
from mooncake_transpiler.emit.cuda.loop.nests import Nest, Total
from mooncake_transpiler.types import Array, Scalar


@dataclass(frozen=True, slots=True)
class Shared:
    """A reduction into an array: ``base`` gets the sums of ``terms`` over ``axes``."""

    base: ir.Value
    terms: ir.Value
    axes: tuple[int, ...]


def summed_cells(nest: Nest) -> tuple[Nest, dict[ir.Value, Total]]:
    """``nest`` with such sums, and the sum for each array."""
    found: dict[ir.Value, list[ir.Accum]] = {}
    for stmt in nest.stmts:
        if isinstance(stmt, ir.Accum) and isinstance(stmt.base, ir.Value) and not stmt.index:
            found.setdefault(stmt.base, []).append(stmt)
    written = [array for stmt in ir.walk(ir.Block(nest.stmts)) for array in ir.written(stmt)]
    cells: dict[ir.Value, Total] = {}
    for base in in_order(found, nest.shared):
        assert isinstance(base.type, Array)
        type_ = Scalar(base.type.dtype)
        dtypes = {total.out.type for total in (*nest.totals, *cells.values())} | {type_}
        if written.count(base) == len(found[base]) and len(dtypes) == 1:
            terms = tuple((False, stmt.value) for stmt in found[base])
            cells[base] = Total(ir.Value(base.hint, type_), ir.zero(type_), terms)
    gone = {stmt for base in cells for stmt in found[base]}
    stmts = tuple(stmt for stmt in nest.stmts if stmt not in gone)
    totals, shared = (*nest.totals, *cells.values()), nest.shared.difference(cells)
    return replace(nest, stmts=stmts, totals=totals, shared=shared), cells


def in_order(bases: Iterable[ir.Value], shared: Collection[ir.Value]) -> list[ir.Value]:
    """The ``shared`` ones of ``bases``, by their names."""
    return sorted((base for base in bases if base in shared), key=lambda base: base.hint)


def grouped(
    host: Host, indices: Sequence[ir.Value], found: Sequence[ir.Accum], stmts: Sequence[ir.Stmt]
) -> list[tuple[ir.Value, list[ir.Accum]]]:
    """``found`` by the array and the places at which they have ``indices``, those of a nest.

    Within a group two iterations add to one element only if they differ in an index that it lacks.
    Nothing if that is not known: other places must be indices of loops in ``stmts``.
    """
    loops = (s for s in ir.walk(ir.Block(tuple(stmts))) if isinstance(s, ir.For))
    known = {*indices, *(loop.index for loop in loops)}
    groups: dict[tuple[ir.Value, object], list[ir.Accum]] = {}
    for accum in found:
        base = accum.base
        assert isinstance(base, ir.Value)
        has_shape = host.extents.shape(base) is not None
        if not known.issuperset(accum.index) or not (
            has_shape or is_listed(host.defs.stmt.get(base), host.defs)
        ):
            return []
        own = tuple(place if place in indices else None for place in accum.index)
        groups.setdefault((base, own), []).append(accum)
    return [(base, group) for (base, _), group in groups.items()]


def gather(host: Host, one: Shared) -> None:
    """Sum terms over the axes along which ``base`` was broadcast."""
    found = one.terms
    for axis in reversed(one.axes):
        assert isinstance(found.type, Array)
        is_last = axis == one.axes[0]
        type_ = Array(found.type.dtype, found.type.ndim - 1)
        becomes = is_last and host.takes_zeros(one.base)
        out = one.base if becomes else ir.Value("", type_)
        func = SUM if axis == found.type.ndim - 1 else AXIS_SUM
        host.emit(func.call((out,), (found, ir.int_const(axis))))
        found = out
    if one.base in host.cells:
        add(host, one.base, found)
    elif found is not one.base:
        host.emit(ir.AddTo(one.base, found))


def add(host: Host, base: ir.Value, number: ir.Value) -> None:
    """Add ``number`` to ``base``, an array without axes."""
    if base in host.cells:
        host.cells[base] = host.plus(host.cells[base], number)
    else:
        host.emit(ir.AddTo(base, host.content(number)))
