"""Tangents for several unit vectors at a time: columns of a Jacobian.

    _f_jacobian_columns(x, start) -> y0_dot, y1_dot, ...   for unit vectors start, start + 1, ...

The directions share the primal's work. A direction past the last unit vector is zero. Where the
declared size is small, one call is for all unit vectors, and there is no ``start``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.callees import Callees
from mooncake_transpiler.ad.forward.argument_tangents import Argument
from mooncake_transpiler.ad.forward.call_tangents import Pushforwards
from mooncake_transpiler.ad.forward.jvp import pushed
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.interface import docstrings
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
        cls, subject: Subject, callees: Callees, target: ir.Value, name: str
    ) -> tuple[Columns, Pushforwards]:
        """The function for unit vectors of the input ``target``."""
        declared = declared_sizes(subject.func, target)
        count = LANES + 1 if declared is None else math.prod(declared)
        all_at_once = count <= LANES
        lanes = min(count, LANES)
        pushes = Pushforwards(callees, subject, lanes)
        b = Builder(subject.func.origin, free=True)
        start = ir.Value("start", INT)
        if declared is not None and all_at_once:
            dots = tuple(_unit(target, declared, number, b) for number in range(count))
        else:
            dots = _units(target, start, b)
        func = subject.func
        floats = [k for k, a in enumerate(func.body.yields) if is_differentiable(a.type)]
        given = Argument(target, dots, declared if all_at_once else None)
        body = pushed(func, [given], floats, pushes, b)
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


def _unit(target: ir.Value, sizes: Sequence[int], number: int, b: Builder) -> ir.Value:
    """One unit vector; ``sizes`` are those that the function checks."""
    if isinstance(target.type, Scalar):
        return b.compute("cast", (ir.Const(1.0, target.type),), target.type)
    assert isinstance(target.type, Array)
    dtype = Scalar(target.type.dtype)
    shape = [ir.int_const(size) for size in sizes]
    dot = b.alloc(target.type, shape, ir.zero(dtype), f"{target.hint}_dot{number}")
    b.store(dot, position(ir.int_const(number), shape, b), ir.Const(1.0, dtype))
    return dot


def _units(target: ir.Value, start: ir.Value, b: Builder) -> tuple[ir.Value, ...]:
    """The unit vectors from number ``start`` on."""
    assert isinstance(target.type, Array)
    dtype = Scalar(target.type.dtype)
    sizes = [b.dim(target, axis) for axis in range(target.type.ndim)]
    total = b.product(sizes)
    dots = []
    for lane in range(LANES):
        dot = b.alloc(target.type, sizes, ir.zero(dtype), f"{target.hint}_dot{lane}")
        at = plus(start, lane, b)
        then = b.child()
        then.store(dot, position(at, sizes, then), ir.Const(1.0, dtype))
        inside = b.compute("lt", (at, total), BOOL)
        b.add(ir.If((), inside, then.block(), ir.Block(()), b.origin))
        dots.append(dot)
    return tuple(dots)


def plus(start: ir.Atom, lane: int, b: Builder) -> ir.Atom:
    return b.compute("add", (start, ir.int_const(lane)), INT) if lane else start


def position(at: ir.Atom, sizes: Sequence[ir.Atom], b: Builder) -> list[ir.Atom]:
    """The index of element number ``at`` of an array of these sizes, in C order."""
    index: list[ir.Atom] = []
    for size in reversed(sizes[1:]):
        index.insert(0, b.compute("mod", (at, size), INT))
        at = b.compute("floordiv", (at, size), INT)
    return [at, *index] if sizes else []
