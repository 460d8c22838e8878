"""Iterations that meet where their places, which are data, are equal, done in order by one thread.

for i in 0..m step 1:                order, ends = where equal idx are
  t = load idx[i]                    for k in 0..m step 1:             a kernel
  z[t] = y[i]                          for at in k..ends[k] step 1:
                                         i = load order[at]
                                         t = load idx[i]
                                         z[t] = y[i]

So what is stored last stays, as in NumPy. Axes that tell parts of places stay axes of the kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.addition.place_runs import (
    flat_place,
    places_array,
    runs_of,
    slice_of,
    told_places,
)
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop.meeting import NestAxis, Places, places_in
from mooncake_transpiler.emit.cuda.loop.nests import Nest, axis_of, chain
from mooncake_transpiler.types import INT


@dataclass(frozen=True, slots=True)
class Meeting:
    """Iterations of ``rows`` meet where ``index`` is equal; ``columns`` are among that.

    ``base`` is an array that has these places, ``needed`` what they are computed by.
    """

    rows: tuple[NestAxis, ...]
    columns: tuple[NestAxis, ...]
    stmts: tuple[ir.Stmt, ...]
    base: ir.Value
    index: tuple[ir.Atom, ...]
    needed: tuple[ir.Stmt, ...]
    is_reversed: bool


def meeting(loop: ir.For, host: Host) -> Meeting | None:
    """The way in which iterations of ``loop`` meet, if that is at equal places alone."""
    loops = list(chain(loop, host.defs))
    if not loops or any(inner.params for inner in loops):
        return None
    stmts = (*(s for outer in loops[:-1] for s in outer.body.stmts[:-1]), *loops[-1].body.stmts)
    inside = list(ir.walk(ir.Block(stmts)))
    places = places_in(ir.Block(stmts), host.defs)
    if places is None or any(isinstance(s, ir.For | ir.While) for s in inside):
        return None
    if len({host.defs.root(root) for root in places}) < len(places):
        return None  # one of them by two shapes
    axes = [inner.index for inner in loops]
    met = _met(places, axes)
    if not met or any(one.index != met[0].index for one in met):
        return None
    base, index = met[0].base, met[0].index
    assert isinstance(base, ir.Value)
    plain = [a for a in index if a in axes and index.count(a) == 1]
    needed = slice_of(stmts, [a for a in index if a not in plain])
    used = {a for s in needed for a in ir.used_by(s)} | {a for a in index if a not in plain}
    columns = [a for a in plain if a not in used]
    rows = [inner for inner in loops if inner.index not in columns]
    is_known = host.defs.written(stmts).isdisjoint(host.defs.loaded(needed)) and used.isdisjoint(
        set(ir.bound_in(ir.Block(stmts))).difference(*map(ir.outs, needed))
    )
    ways = {inner.step for inner in rows}
    if not is_known or used.isdisjoint(axes) or len(ways) != 1:
        return None
    return Meeting(
        tuple(axis_of(inner, host.defs) for inner in rows),
        tuple(axis_of(inner, host.defs) for a in columns for inner in loops if inner.index is a),
        stmts,
        base,
        index,
        needed,
        ways == {ir.int_const(-1)},
    )


def _met(places: Places, axes: list[ir.Value]) -> list[ir.Load | ir.Store | ir.Accum]:
    """The accesses to arrays that are written at places without the index of an axis."""
    found: list[ir.Load | ir.Store | ir.Accum] = []
    for each in places.values():
        ranks = range(min(len(access.index) for _, access in each))
        told = [
            axis for axis in axes
            if any(all(access.index[k] is axis for _, access in each) for k in ranks)
        ]  # fmt: skip
        if len(told) < len(axes) and any(not isinstance(stmt, ir.Load) for stmt, _ in each):
            found += (stmt for stmt, _ in each)
    return found


def run_in_order(host: Host, one: Meeting, loop: ir.For) -> None:
    """A kernel that stores places, the search for equal ones, and a kernel that goes over them."""
    columns = [axis.index for axis in one.columns]
    ahead = [k for k, a in enumerate(one.index) if a not in columns]
    told = told_places(host, one.rows, one.needed, one.base, one.index, ahead)
    if told is None or told not in host.runs:
        found = places_array(host, one.rows)
        before, place = flat_place(host, one.base, one.index, ahead)
        store = ir.Store(found, tuple(axis.index for axis in one.rows), place, loop.origin)
        Launch(host, Nest(one.rows, (*one.needed, *before, store), (), frozenset()), loop).run()
    else:
        found = host.runs[told][0]
    _, order, _, ends = runs_of(host, told, found)
    count, *others = (host.count(axis.trip) for axis in one.rows)
    for other in others:
        count = host.integer("mul", count, other)
    if (size := host.extents.size(count)) is not None:
        host.extents.equate(Extent(ends, 0), size)
    start, end, at = (ir.Value(name, INT) for name in ("start", "end", "at"))
    host.natural |= {start, at}
    stmts = (ir.Load(end, ends, (start,), loop.origin), *_run(one, loop, order, (start, end, at)))
    axes = (NestAxis(start, count), *one.columns)
    Launch(host, Nest(axes, stmts, (), frozenset()), loop).run()


def _run(
    one: Meeting, loop: ir.For, order: ir.Value, bounds: tuple[ir.Value, ir.Value, ir.Value]
) -> list[ir.Stmt]:
    """The loop over the iterations that belong to one place, in their order."""
    start, end, at = bounds
    inner: list[ir.Stmt] = []
    first, *others = one.rows
    flat = ir.Value("", INT) if others else first.index
    load = ir.Load(flat, order, (at,), loop.origin)
    for axis in reversed(others):
        rest = first.index if axis is others[0] else ir.Value("", INT)
        inner.append(ir.Compute(axis.index, "mod", (flat, axis.trip)))
        inner.append(ir.Compute(rest, "floordiv", (flat, axis.trip)))
        flat = rest
    body = ir.Block((load, *inner, *one.stmts))
    if not one.is_reversed:
        return [ir.For((), at, start, end, ir.ONE, (), (), body, False, loop.origin)]
    last, before = ir.Value("", INT), ir.Value("", INT)
    return [
        ir.Compute(last, "sub", (end, ir.ONE)),
        ir.Compute(before, "sub", (start, ir.ONE)),
        ir.For((), at, last, before, ir.int_const(-1), (), (), body, False, loop.origin),
    ]
