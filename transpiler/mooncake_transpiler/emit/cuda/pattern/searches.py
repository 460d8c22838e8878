"""Calls of CuPy's argmin and argmax in place of loops that look for an extremum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import SEARCHES
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop.extremum_loops import Extremum
from mooncake_transpiler.emit.cuda.loop.nests import Nest
from mooncake_transpiler.types import BOOL, INT, Array, DType, Scalar


def search(host: Host, found: Extremum, copied: Callable[[ir.Load], None]) -> None:
    """Let CuPy look for it; ``copied`` is what is done with an element that a number stands for."""
    nest = found.nest
    host.check(nest.stmts)
    indices = tuple(axis.index for axis in nest.axes)
    sizes = tuple(axis.trip for axis in nest.axes)
    assert isinstance(found.element.type, Scalar)
    elements = _stored(host, found)
    if elements is None:
        type_ = Array(found.element.type.dtype, len(indices))
        elements = host.alloc(ir.Value("elements", type_), sizes)
        store = ir.Store(elements, indices, found.element, _origin(nest))
        Launch(host, replace(nest, stmts=(*nest.stmts, store)), None).run()
    place: ir.Value = ir.Value("place", Array(DType.INT64, 0))
    host.emit(SEARCHES[found.which].call((place,), (elements,)))
    for axis, out in reversed(list(zip(nest.axes, found.places, strict=True))):
        if axis is nest.axes[0]:
            host.env[out] = place
            if found.first is not None:
                _keep_first(host, out, place, found.first)
            elif found.which.startswith("nan"):
                _keep_inside(host, out, place, axis.trip)
            break
        rest = ir.Value("", INT)
        host.waiting[out] = ir.Compute(out, "mod", (place, axis.trip))
        host.waiting[rest] = ir.Compute(rest, "floordiv", (place, axis.trip))
        place = rest
    if found.value in ir.used_in(host.func.body):
        copied(ir.Load(found.value, elements, found.places))


def _keep_first(host: Host, out: ir.Value, place: ir.Value, first: ir.Atom) -> None:
    """Let ``out`` be ``place``, or 0 where the ``first`` element is not a number."""
    del host.env[out]
    stays = ir.Value("", BOOL)
    host.waiting[stays] = ir.Compute(stays, "np.isnan", (first,))
    host.waiting[out] = ir.Compute(out, "select", (stays, ir.ZERO, place))


def _keep_inside(host: Host, out: ir.Value, place: ir.Value, size: ir.Atom) -> None:
    """Let ``out`` be ``place``, or the last one where that is outside: there is no number then."""
    del host.env[out]
    natural, small, inside = (ir.Value("", BOOL) for _ in range(3))
    last = ir.Value("", INT)
    for made in (
        ir.Compute(natural, "ge", (place, ir.ZERO)),
        ir.Compute(small, "lt", (place, size)),
        ir.Compute(inside, "and", (natural, small)),
        ir.Compute(last, "sub", (size, ir.ONE)),
        ir.Compute(out, "select", (inside, place, last)),
    ):
        host.waiting[made.out] = made


def _stored(host: Host, found: Extremum) -> ir.Value | None:
    """The array of all elements, where there is one."""
    match host.defs.stmt.get(found.element):
        case ir.Load(base=ir.Value() as base, index=index) if index == tuple(
            axis.index for axis in found.nest.axes
        ):
            shape = host.extents.shape(base)
            sizes = [host.extents.size(axis.trip) for axis in found.nest.axes]
            host.touch(base)
            return base if shape is not None and list(shape) == sizes else None
        case _:
            return None


def _origin(nest: Nest) -> ir.Origin | None:
    return next((s.origin for s in nest.stmts if s.origin is not None), None)
