"""Loop normalisation for kernels: loops over elements count from 0 in steps of 1.

for i in 1..n step 1:                count = sub n, 1
  y[i] = x[i - 1]                    for k in 0..count step 1:
                                       i = add k, 1
                                       y[i] = x[i - 1]

The reverse sweep of such a loop counts down, to 0. A loop within one is counted so if its first
place is the same each time.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import Integers, LinearSum
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT

_OF_ELEMENTS = (
    ir.Compute, ir.Load, ir.Store, ir.Accum, ir.If, ir.For, ir.While, ir.View, ir.Dim, ir.Alloc,
)  # fmt: skip
_FROM_ZERO = ((0, 1), (-1, -1))  # what such loops have as first or last place, and as step


def with_starts(func: ir.Func) -> ir.Func:
    """``func`` with such loops counted from 0."""
    integers = Integers(Definitions(func))

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        is_found = isinstance(stmt, ir.For) and _is_of_elements(stmt)
        return _within(stmt, integers, set()) if is_found else None

    return ir.with_body(func, ir.rewritten(func.body, change))


def _within(stmt: ir.Stmt, integers: Integers, bound: set[ir.Value]) -> list[ir.Stmt]:
    """``stmt`` with its loops counted from 0; ``bound`` is what loops around it bind."""
    inside = bound | ir.bound_by(stmt)

    def visit(block: ir.Block) -> ir.Block:
        found = (new for inner in block.stmts for new in _within(inner, integers, inside))
        return ir.with_stmts(block, list(found))

    changed = ir.mapped(stmt, visit)
    if isinstance(changed, ir.For) and not changed.exit:
        return _counted(changed, integers, bound)
    return [changed]


def _is_of_elements(loop: ir.For) -> bool:
    return all(isinstance(s, _OF_ELEMENTS) for s in ir.walk(loop.body))


def _counted(loop: ir.For, integers: Integers, bound: set[ir.Value]) -> list[ir.Stmt]:
    """``loop`` counted from 0, behind what tells its length; ``bound`` varies where that is."""
    if not isinstance(loop.step, ir.Const) or not bound.isdisjoint((loop.lo, loop.hi)):
        return [loop]
    step = int(loop.step.value.real)
    end = loop.lo if step > 0 else loop.hi
    if step == 0 or (isinstance(end, ir.Const) and (end.value, step) in _FROM_ZERO):
        return [loop]
    b = Builder(loop.origin)
    found = _upwards(loop, step, b) if step > 0 else _downwards(loop, step, integers, b)
    if found is None:
        return [loop]
    start, count = found
    index = ir.Value(loop.index.hint, INT)
    inside = Builder(loop.origin)
    place = index if step in (1, -1) else inside.compute("mul", (index, _int(abs(step))), INT)
    inside.add(ir.Compute(loop.index, "add", (place, start)))
    is_up = step > 0
    lo = _int(0) if is_up else _integer(b, "sub", count, _int(1))
    hi, one = (count, _int(1)) if is_up else (_int(-1), _int(-1))
    body = ir.with_stmts(loop.body, [*inside.stmts, *loop.body.stmts])
    return [*b.stmts, replace(loop, index=index, lo=lo, hi=hi, step=one, body=body)]


def _upwards(loop: ir.For, step: int, b: Builder) -> tuple[ir.Atom, ir.Atom]:
    """The first place, and the number of places."""
    if step == 1:
        return loop.lo, _integer(b, "sub", loop.hi, loop.lo)
    less = _integer(b, "floordiv", _integer(b, "sub", loop.lo, loop.hi), _int(step))
    return loop.lo, b.compute("neg", (less,), INT)


def _downwards(
    loop: ir.For, step: int, integers: Integers, b: Builder
) -> tuple[ir.Atom, ir.Atom] | None:
    """The last place, and the number of places; of long steps those of reverse sweeps alone."""
    if step == -1:
        return _integer(b, "add", loop.hi, _int(1)), _integer(b, "sub", loop.lo, loop.hi)
    match _made(loop.lo, integers):
        case ir.Compute(op="add", args=(start, way)):
            pass
        case _:
            return None
    match _made(way, integers):
        case ir.Compute(op="mul", args=(less, ir.Const(value=apart))) if apart == -step:
            pass
        case _:
            return None
    match _made(less, integers):
        case ir.Compute(op="sub", args=(count, ir.Const(value=1))):
            ends = integers.of(start).plus(LinearSum(step)) == integers.of(loop.hi)
            return (start, count) if ends else None
        case _:
            return None


def _made(atom: ir.Atom, integers: Integers) -> ir.Stmt | None:
    return integers.defs.stmt.get(atom)


def _integer(b: Builder, op: str, *args: ir.Atom) -> ir.Atom:
    """``op`` of two integers, computed here if both are known."""
    known = [int(a.value.real) for a in args if isinstance(a, ir.Const)]
    if len(known) == 2:
        return _int(getattr(operator, op)(*known))
    return args[0] if known == [0] and args[1] == _int(0) else b.compute(op, args, INT)


_int = ir.int_const
