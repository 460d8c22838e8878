"""Iterations as numbers: trip counts, the number of an iteration, loops run backwards."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts, Loop
from mooncake_transpiler.ad.reverse.primal import Primal
from mooncake_transpiler.ad.reverse.scope import Scope
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT

MINUS_ONE = ir.int_const(-1)


def count_iterations(func: ir.Func) -> ir.Func:
    """Give each while loop and each loop with an exit a carried iteration count, as its last.

    while c: s = g(s)        n = 0
                             while c: s = g(s); n = n + 1
    """

    def counted(stmt: ir.Stmt) -> list[ir.Stmt]:
        if not (isinstance(stmt, ir.While) or (isinstance(stmt, ir.For) and stmt.exit)):
            return [stmt]
        count, out = ir.Value("trips", INT), ir.Value("trips", INT)
        b = Builder(stmt.origin)
        up = add(count, ir.ONE, b)
        body = ir.Block((*stmt.body.stmts, *b.stmts), (*stmt.body.yields, up))
        return [ir.with_carried(stmt, (out,), (count,), (ir.ZERO,), body)]

    return replace(func, body=ir.rebuilt(func.body, counted))


def reversed_loop(stmt: Loop, facts: Facts, primal: Primal, s: Scope, c: Scope) -> ir.For:
    """A loop, its body still open, over the iterations of ``stmt`` in reverse; binds the index."""
    index = ir.Value("", INT)
    count = facts.count(stmt)
    body = c.b.block()
    if isinstance(stmt, ir.For):
        lo, step = primal.use(stmt.lo, s), primal.use(stmt.step, s)
        if count is None:
            index = ir.fresh(stmt.index)
            c.atoms[stmt.index] = index
            first, stop, down = _backwards(lo, primal.use(stmt.hi, s), step, s.b)
            return ir.For((), index, first, stop, down, (), (), body, origin=s.b.origin)
    assert count is not None
    last = sub(primal.use(count, s), ir.ONE, s.b)
    c.iterations[stmt] = index
    if isinstance(stmt, ir.For):
        c.atoms[stmt.index] = add(lo, mul(index, step, c.b), c.b)
    return ir.For((), index, last, MINUS_ONE, MINUS_ONE, (), (), body, origin=s.b.origin)


def _backwards(
    lo: ir.Atom, hi: ir.Atom, step: ir.Atom, b: Builder
) -> tuple[ir.Atom, ir.Atom, ir.Atom]:
    """The range that visits ``range(lo, hi, step)`` from its end."""
    if _is(step, 1):
        return sub(hi, ir.ONE, b), sub(lo, ir.ONE, b), MINUS_ONE
    if _is(step, -1):
        return add(hi, ir.ONE, b), add(lo, ir.ONE, b), ir.ONE
    last = add(lo, mul(sub(_ceil_trips(lo, hi, step, b), ir.ONE, b), step, b), b)
    return last, sub(lo, step, b), negative(step, b)


def trips(lo: ir.Atom, hi: ir.Atom, step: ir.Atom, b: Builder) -> ir.Atom:
    """``len(range(lo, hi, step))``."""
    count = _ceil_trips(lo, hi, step, b)
    if isinstance(count, ir.Const):
        return ir.int_const(max(0, int(_real(count))))
    return b.compute("np.maximum", (count, ir.ZERO), INT)


def _ceil_trips(lo: ir.Atom, hi: ir.Atom, step: ir.Atom, b: Builder) -> ir.Atom:
    """``ceil((hi - lo) / step)``; not positive for an empty range."""
    if _is(step, 1):
        return sub(hi, lo, b)
    if _is(step, -1):
        return sub(lo, hi, b)
    return negative(_binary("floordiv", sub(lo, hi, b), step, b), b)


def iteration(loop: ir.For, primal: Primal, s: Scope) -> ir.Atom:
    """The number of the iteration of ``loop`` that ``s`` is in, from 0."""
    found = s.find_iteration(loop)
    if found is None:
        index, lo, step = (primal.use(a, s) for a in (loop.index, loop.lo, loop.step))
        found = sub(index, lo, s.b)
        if _is(step, -1):
            found = sub(lo, index, s.b)
        elif not _is(step, 1):
            found = _binary("floordiv", found, step, s.b)
        s.iterations[loop] = found
    return found


# ---- integer arithmetic, folded ------------------------------------------------------------------


def add(a: ir.Atom, b: ir.Atom, builder: Builder) -> ir.Atom:
    if _is(a, 0):
        return b
    return a if _is(b, 0) else _binary("add", a, b, builder)


def sub(a: ir.Atom, b: ir.Atom, builder: Builder) -> ir.Atom:
    return a if _is(b, 0) else _binary("sub", a, b, builder)


def mul(a: ir.Atom, b: ir.Atom, builder: Builder) -> ir.Atom:
    return a if _is(b, 1) else _binary("mul", a, b, builder)


def negative(a: ir.Atom, builder: Builder) -> ir.Atom:
    if isinstance(a, ir.Const):
        return ir.int_const(-int(_real(a)))
    return builder.compute("neg", (a,), INT)


def _binary(op: str, a: ir.Atom, b: ir.Atom, builder: Builder) -> ir.Atom:
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        x, y = int(_real(a)), int(_real(b))
        match op:
            case "add":
                return ir.int_const(x + y)
            case "sub":
                return ir.int_const(x - y)
            case "mul":
                return ir.int_const(x * y)
            case _:
                return ir.int_const(x // y)
    return builder.compute(op, (a, b), INT)


def _is(atom: ir.Atom, value: int) -> bool:
    return isinstance(atom, ir.Const) and atom.value == value


def _real(const: ir.Const) -> float:
    assert not isinstance(const.value, complex)
    return const.value
