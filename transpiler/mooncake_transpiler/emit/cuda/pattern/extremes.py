"""Reductions by maximum and minimum: loops that keep one of two numbers; CuPy finds that of all.

for i in 0..n step 1 (m = m0):       elements[i] = x[i], for all i
  t = load x[i]                      m = the largest of m0 and elements
  u = np.maximum m, t
  yield u
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import EXTREME
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop.meeting import NestAxis
from mooncake_transpiler.emit.cuda.loop.nests import Nest, trip
from mooncake_transpiler.types import Array, Scalar

# Of the two that compare, NaN is neither.
OPS = {
    "np.maximum": "largest",
    "np.minimum": "smallest",
    "gt": "largest_number",
    "lt": "smallest_number",
}


@dataclass(frozen=True, slots=True)
class Extreme:
    """A reduction: ``out`` is the ``which`` of ``init`` and of the ``term`` of each iteration."""

    out: ir.Value
    which: str
    init: ir.Atom
    term: ir.Atom


def extremes(loop: ir.For, host: Host) -> tuple[Nest, list[Extreme]] | None:
    """Such numbers, and a nest that computes the terms, if ``loop`` does nothing else."""
    count = trip(loop, host.defs)
    if count is None or not host.has(count) or loop.exit or not loop.outs:
        return None
    stmts = loop.body.stmts
    if not all(isinstance(s, ir.Compute | ir.Load) for s in stmts):
        return None
    made = ir.binding(stmts)
    inside = [atom for stmt in stmts for atom in ir.used_by(stmt)]
    found = []
    gone: set[ir.Value] = set()
    for k, (param, total) in enumerate(zip(loop.params, loop.body.yields, strict=True)):
        one = _kept(made, param, total)
        if one is None or total in inside:
            return None
        which, term, own = one
        if inside.count(param) != len(own):
            return None
        found.append(Extreme(loop.outs[k], which, loop.inits[k], term))
        gone |= own
    left = tuple(s for s in stmts if gone.isdisjoint(ir.outs(s)))
    return Nest((NestAxis(loop.index, count),), left, (), frozenset()), found


def _kept(
    made: Mapping[ir.Atom, ir.Stmt], param: ir.Value, total: ir.Atom
) -> tuple[str, ir.Atom, set[ir.Value]] | None:
    """The test by which ``total`` is ``param`` or a term, that term, and the values for it."""
    match made.get(total):
        case ir.Compute(op="np.maximum" | "np.minimum" as op, args=args, out=out) if param in args:
            (term,) = (a for a in args if a is not param)
            return OPS[op], term, {out}
        case ir.Compute(op="select", args=(ir.Value() as cond, term, last), out=out) if (
            last is param
        ):
            match made.get(cond):
                case ir.Compute(op="gt" | "lt" as order, args=(one, other)) if (
                    ir.same(one, term) and other is param
                ):
                    return OPS[order], term, {out, cond}
    return None


def find_extremes(host: Host, nest: Nest, found: list[Extreme], inits: tuple[ir.Atom, ...]) -> None:
    """A kernel that stores the terms, and a search for each number."""
    host.check(nest.stmts)
    (axis,) = nest.axes
    stores: list[ir.Stmt] = []
    arrays = []
    for one in found:
        assert isinstance(one.out.type, Scalar)
        array = ir.Value("elements", Array(one.out.type.dtype, 1))
        host.alloc(array, [host.count(axis.trip)])
        stores.append(ir.Store(array, (axis.index,), one.term))
        arrays.append(array)
    Launch(host, Nest(nest.axes, (*nest.stmts, *stores), (), frozenset()), None).run()
    for one, array, init in zip(found, arrays, inits, strict=True):
        assert isinstance(one.out.type, Scalar)
        out = ir.Value(one.which, Array(one.out.type.dtype, 0))
        host.emit(EXTREME[one.which].call((out,), (array, init)))
        host.env[one.out] = out
