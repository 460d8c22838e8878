"""Tangents for several unit vectors at a time: columns of a Jacobian.

    _f_jacobian_columns(x, start) -> y0_dot, y1_dot, ...   for unit vectors start, start + 1, ...

The directions share the primal's work. A direction past the last unit vector is zero. Where the
declared sizes are small, one call is for all unit vectors, and there is no ``start``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.compose.numbers_in_a_row import (
    Row,
    Segment,
    declared_sizes,
    plus,
    position,
    sizes_of,
)
from mooncake_transpiler.ad.forward.argument_tangents import Argument
from mooncake_transpiler.ad.forward.call_tangents import Pushforwards
from mooncake_transpiler.ad.forward.jvp import pushed
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.interface import docstrings
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array, Scalar, Tuple, is_differentiable

LANES = 8  # directions at once, where there are many


@dataclass(frozen=True, slots=True)
class Columns:
    """A function of the inputs of a subject, and of the number of the first unit vector.

    It returns the tangents of all float results, ``lanes`` of each; with ``all_at_once`` that is
    for all unit vectors.
    """

    func: ir.Func
    lanes: int
    all_at_once: bool

    @classmethod
    def of(
        cls, subject: Subject, callees: Callees, targets: Sequence[ir.Value], name: str
    ) -> tuple[Columns, Pushforwards]:
        """The function for unit vectors of the inputs ``targets``, in a row."""
        func = subject.func
        declared = [declared_sizes(func, target) for target in targets]
        known = [sizes for sizes in declared if sizes is not None]
        count = LANES + 1 if len(known) < len(declared) else sum(map(math.prod, known))
        all_at_once = count <= LANES
        pushes = Pushforwards(callees, subject, lanes := min(count, LANES))
        b = Builder(subject.func.origin, free=True)
        start = ir.Value("start", INT)
        given = _all(targets, known, count, b) if all_at_once else _from(func, targets, start, b)
        floats = [k for k, a in enumerate(func.body.yields) if is_differentiable(a.type)]
        body = pushed(func, given, floats, pushes, b)
        found = body.yields[len(func.body.yields) :]
        params = [replace(p, default=None, kwonly=False) for p in func.params]
        doc = docstrings.columns(None if all_at_once else lanes)
        if not all_at_once:
            taken = {p.name for p in params}
            label = "start" if "start" not in taken else "start_"
            params.append(ir.Param(label, INT, (start,)))
        result = Tuple(tuple(a.type for a in found))
        body = ir.Block(body.stmts, found)
        made = ir.Func(name, tuple(params), result, body, doc, func.origin)
        return cls(made, lanes, all_at_once), pushes

    def call(
        self, args: Sequence[ir.Atom], start: ir.Atom, b: Builder
    ) -> list[tuple[ir.Value, ...]]:
        """The tangents of each float result, one for each unit vector."""
        types = [a.type for a in self.func.body.yields]
        outs = tuple(ir.Value("", type_) for type_ in types)
        given = tuple(args) if self.all_at_once else (*args, start)
        b.add(ir.Call(outs, self.func.name, given, b.origin))
        return [outs[k : k + self.lanes] for k in range(0, len(outs), self.lanes)]


def _all(
    targets: Sequence[ir.Value], shapes: Sequence[tuple[int, ...]], count: int, b: Builder
) -> list[Argument]:
    """All unit vectors of inputs whose shapes are known."""
    given, before = [], 0
    for target, sizes in zip(targets, shapes, strict=True):
        dots = tuple(_unit(target, sizes, lane, lane - before, b) for lane in range(count))
        given.append(Argument(target, dots, sizes, before))
        before += math.prod(sizes)
    return given


def _unit(target: ir.Value, sizes: Sequence[int], lane: int, number: int, b: Builder) -> ir.Value:
    """Unit vector ``number`` of an input of shape ``sizes``; zeros for other numbers."""
    is_there = 0 <= number < math.prod(sizes)
    if isinstance(target.type, Scalar):
        return b.compute("cast", (ir.Const(float(is_there), target.type),), target.type)
    assert isinstance(target.type, Array)
    dtype = Scalar(target.type.dtype)
    shape = [ir.int_const(size) for size in sizes]
    dot = b.alloc(target.type, shape, ir.zero(dtype), f"{target.hint}_dot{lane}")
    if is_there:
        b.store(dot, position(ir.int_const(number), shape, b), ir.Const(1.0, dtype))
    return dot


def _from(
    func: ir.Func, targets: Sequence[ir.Value], start: ir.Value, b: Builder
) -> list[Argument]:
    """Unit vectors number ``start`` and following."""
    shapes = [sizes_of(func, target, target, b) for target in targets]
    row = Row.of(shapes, b, is_flat=len(targets) > 1)
    return [
        Argument(target, tuple(_units(target, place, start, b)))
        for target, place in zip(targets, row.places, strict=True)
    ]


def _units(target: ir.Value, place: Segment, start: ir.Value, b: Builder) -> list[ir.Value]:
    """The part of unit vectors of all inputs that is for one of them: zeros in most lanes."""
    is_first = place.before == ir.ZERO
    dots = []
    for lane in range(LANES):
        at = plus(start, lane, b)
        if not is_first:
            at = b.compute("sub", (at, place.before), INT)
        if isinstance(target.type, Scalar):
            here = b.compute("eq", (at, ir.ZERO), BOOL)
            dots.append(b.compute("cast", (here,), target.type))
            continue
        assert isinstance(target.type, Array)
        dtype = Scalar(target.type.dtype)
        dot = b.alloc(target.type, place.sizes, ir.zero(dtype), f"{target.hint}_dot{lane}")
        then = b.child()
        then.store(dot, position(at, place.sizes, then), ir.Const(1.0, dtype))
        inside = b.compute("lt", (at, b.product(place.sizes)), BOOL)
        if not is_first:
            after = b.compute("ge", (at, ir.ZERO), BOOL)
            inside = b.compute("and", (after, inside), BOOL)
        b.add(ir.If((), inside, then.block(), ir.Block(()), b.origin))
        dots.append(dot)
    return dots
