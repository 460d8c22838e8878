"""Elements for kernels: in rows of their own, in parts that the host tells, from the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.loop.nests import Nest
from mooncake_transpiler.emit.cuda.loop.wrapped import is_from_the_front, wrap
from mooncake_transpiler.types import Array

_Element = ir.Load | ir.Store | ir.Accum


def own_rows(host: Host, nest: Nest) -> tuple[ir.Stmt, ...]:
    """The statements of ``nest`` with a row of a larger array for each that one iteration makes."""
    rows: dict[ir.Atom, ir.Value] = {}
    indices = tuple(axis.index for axis in nest.axes)
    trips = tuple(axis.trip for axis in nest.axes)
    for alloc in nest.private:
        assert isinstance(alloc.out.type, Array)
        type_ = Array(alloc.out.type.dtype, len(indices) + alloc.out.type.ndim)
        row = ir.Value(alloc.out.hint, type_)
        rows[alloc.out] = host.alloc(row, (*trips, *alloc.shape), alloc.fill)

    def element(stmt: _Element) -> ir.Stmt:
        if stmt.base not in rows:
            return stmt
        return replace(stmt, base=rows[stmt.base], index=(*indices, *stmt.index))

    return _with_elements(ir.Block(nest.stmts), element).stmts if rows else nest.stmts


def parts(host: Host, indices: tuple[ir.Value, ...], block: ir.Block) -> ir.Block:
    """``block`` with ``saved[t, i]`` as element ``i`` of ``saved[t]``, where ``t`` is no axis."""
    found: dict[ir.Atom, list[tuple[ir.Atom, ...]]] = {}
    for stmt in ir.walk(block):
        if isinstance(stmt, _Element):
            found.setdefault(stmt.base, []).append(stmt.index)
    bound = ir.bound_in(block)
    views: dict[ir.Atom, ir.View] = {}
    for base, (first, *others) in found.items():
        rest = [a for a in first if a not in indices]
        is_part = 0 < len(rest) < len(first) and bound.isdisjoint(rest)
        if is_part and all(map(host.has, rest)) and all(index == first for index in others):
            assert isinstance(base, ir.Value)
            assert isinstance(base.type, Array)
            out = ir.Value("", Array(base.type.dtype, len(first) - len(rest)))
            items = tuple(ir.Slice() if a in indices else a for a in first)
            host.delayed[out] = views[base] = ir.View(out, base, items)
            host.defs.stmt[out] = views[base]

    def element(stmt: _Element) -> ir.Stmt:
        if stmt.base not in views:
            return stmt
        index = tuple(a for a in stmt.index if a in indices)
        return replace(stmt, base=views[stmt.base].out, index=index)

    return _with_elements(block, element)


def from_the_end(host: Host, block: ir.Block) -> ir.Block:
    """``block`` with indices that may be negative counted from the end of the axis."""

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not isinstance(stmt, _Element):
            return None
        before: list[ir.Stmt] = []
        index = tuple(place(stmt, k, before) for k in range(len(stmt.index)))
        return [*before, replace(stmt, index=index)] if before else [stmt]

    def place(stmt: _Element, axis: int, before: list[ir.Stmt]) -> ir.Atom:
        atom = stmt.index[axis]
        if is_from_the_front(atom, host.integers):
            return atom
        assert isinstance(stmt.base, ir.Value)
        shape = host.extents.shape(stmt.base)
        size = host.size(Extent(stmt.base, axis) if shape is None else shape[axis])
        return wrap(atom, size, before)

    return ir.rewritten(block, change)


def _with_elements(block: ir.Block, change: Callable[[_Element], ir.Stmt]) -> ir.Block:
    """``block`` with ``change`` applied to the statements that read or write one element."""
    return ir.rewritten(block, lambda stmt: [change(stmt)] if isinstance(stmt, _Element) else None)
