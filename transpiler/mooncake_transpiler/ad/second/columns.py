"""Tangents for several unit vectors at a time: columns of a Jacobian.

    _f_jacobian_columns(x, start) -> y0_dot, y1_dot, ...   for unit vectors start, start + 1, ...

The directions share the primal's work. A direction past the last unit vector is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.forward.arguments import Argument
from mooncake_transpiler.ad.forward.calls import Pushforwards
from mooncake_transpiler.ad.forward.derive import pushed
from mooncake_transpiler.ad.second.subject import LANES, Subject
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array, Scalar, Tuple, is_differentiable


@dataclass(frozen=True, slots=True)
class Columns:
    """A function of the inputs of a subject, and of the number of the first unit vector.

    It returns the tangents of all float results, ``lanes`` of each.
    """

    func: ir.Func
    lanes: int

    @classmethod
    def of(cls, subject: Subject, target: ir.Value, name: str) -> tuple[Columns, Pushforwards]:
        """For unit vectors of the input ``target``."""
        lanes = LANES if isinstance(target.type, Array) else 1
        pushes = subject.pushes(lanes)
        b = Builder(subject.func.origin)
        start = ir.Value("start", INT)
        dots = _units(target, start, lanes, b)
        func = subject.func
        floats = [k for k, a in enumerate(func.body.yields) if is_differentiable(a.type)]
        body = pushed(func, [Argument(target, dots)], floats, pushes, b)
        found = body.yields[len(func.body.yields) :]
        params = [replace(p, default=None, kwonly=False) for p in func.params]
        if lanes > 1:
            taken = {p.name for p in params}
            label = "start" if "start" not in taken else "start_"
            params.append(ir.Param(label, INT, (start,)))
        result = Tuple(tuple(a.type for a in found))
        doc = f"Tangents of the results for {lanes} unit vectors, from `start` on."
        body = ir.Block(body.stmts, found)
        return cls(ir.Func(name, tuple(params), result, body, doc, func.origin), lanes), pushes

    def call(
        self, args: Sequence[ir.Atom], start: ir.Atom, b: Builder
    ) -> list[tuple[ir.Value, ...]]:
        """The tangents of each float result, one for each unit vector."""
        types = [a.type for a in self.func.body.yields]
        outs = tuple(ir.Value("", type_) for type_ in types)
        given = (*args, start) if self.lanes > 1 else tuple(args)
        b.add(ir.Call(outs, self.func.name, given, b.origin))
        return [outs[k : k + self.lanes] for k in range(0, len(outs), self.lanes)]


def _units(target: ir.Value, start: ir.Atom, lanes: int, b: Builder) -> tuple[ir.Value, ...]:
    """The unit vectors from number ``start`` on."""
    if isinstance(target.type, Scalar):
        return (b.compute("cast", (ir.Const(1.0, target.type),), target.type),)
    assert isinstance(target.type, Array)
    dtype = Scalar(target.type.dtype)
    sizes = [b.dim(target, axis) for axis in range(target.type.ndim)]
    total = b.product(sizes)
    dots = []
    for lane in range(lanes):
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
