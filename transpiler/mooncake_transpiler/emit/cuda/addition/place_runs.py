"""Places that are data: how they are computed, and where equal ones are.

They are counted in C order along some axes of an array, and sorted; equal ones are a run, and keep
their order in it. What the same places are for is sorted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import RUNS
from mooncake_transpiler.emit.cuda.loop.meeting import NestAxis
from mooncake_transpiler.emit.cuda.loop.wrapped import is_from_the_front, wrap
from mooncake_transpiler.types import INT, Array, DType


def slice_of(stmts: Sequence[ir.Stmt], atoms: Sequence[ir.Atom]) -> tuple[ir.Stmt, ...]:
    """The statements of ``stmts`` that ``atoms`` are computed by."""
    needed = set(atoms)
    found: list[ir.Stmt] = []
    for stmt in reversed(stmts):
        if not needed.isdisjoint(ir.outs(stmt)):
            found.insert(0, stmt)
            needed.update(ir.used_by(stmt))
    return tuple(found)


def is_changed(host: Host, stmts: Sequence[ir.Stmt], needed: Sequence[ir.Stmt]) -> bool:
    """True if ``stmts`` write to memory that those of them that are ``needed`` load from."""
    return not host.defs.written(stmts).isdisjoint(host.defs.loaded(needed))


def flat_place(
    host: Host, base: ir.Value, index: Sequence[ir.Atom], ahead: Sequence[int]
) -> tuple[list[ir.Stmt], ir.Atom]:
    """The place along the axes ``ahead`` of ``base``, in C order, and the statements for it."""
    shape = shape_of(host, base)
    stmts: list[ir.Stmt] = []
    place: ir.Atom | None = None
    for k in ahead:
        size = host.size(shape[k])
        is_plain = is_from_the_front(index[k], host.integers)
        at = index[k] if is_plain else wrap(index[k], size, stmts)
        if place is not None:
            start, total = ir.Value("", INT), ir.Value("", INT)
            stmts.append(ir.Compute(start, "mul", (place, size)))
            stmts.append(ir.Compute(total, "add", (start, at)))
            at = total
        place = at
    assert place is not None
    return stmts, place


def told_places(
    host: Host,
    rows: Sequence[NestAxis],
    stmts: Sequence[ir.Stmt],
    base: ir.Value,
    index: Sequence[ir.Atom],
    ahead: Sequence[int],
) -> object:
    """An equal value for equal places of ``base`` in iterations of ``rows``; None if unknown."""
    made = ir.binding(stmts)
    numbers = {axis.index: k for k, axis in enumerate(rows)}
    shape = shape_of(host, base)
    trips = tuple(host.extents.size(axis.trip) or axis.trip for axis in rows)
    try:
        told = [_told(host, index[k], made, numbers) for k in ahead]
    except _Unknown:
        return None
    return (trips, tuple(shape[k] for k in ahead), *told)


class _Unknown(Exception):
    """Raised where a place is not computed of numbers and elements that stay what they are."""


def _told(
    host: Host, atom: ir.Atom, made: Mapping[ir.Atom, ir.Stmt], numbers: Mapping[ir.Value, int]
) -> object:
    """An equal value for integers that are computed alike."""
    if isinstance(atom, ir.Value) and atom in numbers:
        return numbers[atom]
    match made.get(atom):
        case ir.Compute(op=op, args=args):
            return (op, *(_told(host, a, made, numbers) for a in args))
        case ir.Load(base=array, index=places) if host.defs.root(array) not in host.changing:
            return (array, *(_told(host, a, made, numbers) for a in places))
        case None if host.has(atom):
            return ("number", atom)
        case _:
            raise _Unknown


def places_array(host: Host, rows: Sequence[NestAxis], fill: ir.Const | None = None) -> ir.Value:
    """An array for the places in iterations of ``rows``."""
    found = ir.Value("places", Array(DType.INT64, len(rows)))
    return host.alloc(found, [host.count(axis.trip) for axis in rows], fill)


def runs_of(host: Host, told: object, places: ir.Value) -> tuple[ir.Value, ...]:
    """``places``, their order, and for each in it the first of its run, and the end of that."""
    if told is not None and told in host.runs:
        return host.runs[told]
    found = tuple(ir.Value(name, Array(DType.INT64, 1)) for name in ("order", "starts", "ends"))
    host.emit(RUNS.call(found, (places,)))
    if told is not None:
        host.runs[told] = (places, *found)
    return (places, *found)


def shape_of(host: Host, array: ir.Value) -> Sequence[Extent]:
    """The shape of ``array``; where nothing else tells it, as that of the array itself."""
    assert isinstance(array.type, Array)
    return host.extents.shape(array) or [Extent(array, k) for k in range(array.type.ndim)]
