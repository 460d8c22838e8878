"""Loop-invariant code motion of integers, extents and the memory of arrays."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.hoist import hoist
from mooncake_transpiler.passes.simplify import simplify

from tests.passes.programs import (
    BOOL,
    INT,
    ONE,
    TWO,
    VECTOR,
    ZERO,
    Builder,
    C,
    N,
    X,
    branch,
    function,
    loop,
    real,
    text,
    variable,
)


def test_hoist() -> None:
    b = Builder()
    i, j = variable("i", INT), variable("j", INT)
    body, inner = b.child(), b.child()
    size = body.dim(X, 0, "size")
    twice = inner.compute("mul", (size, TWO), INT, "twice")
    work = inner.alloc(VECTOR, (twice,), real(0.0), "work")
    depends = inner.alloc(VECTOR, (i,), None, "depends")
    inner.store(work, (j,), inner.load(depends, (ZERO,)))
    inner.store(X, (j,), inner.load(work, (i,)))
    loop(body, j, N, inner.block())
    loop(b, i, N, body.block())
    assert (
        text(hoist(function((X, N), b)))
        == """\
func m:f(x: float64[:], n: int64) -> None
  size: int64 = dim x, 0
  twice: int64 = mul size, 2
  work: float64[:] = alloc (twice)
  for i in 0..n step 1:
    depends: float64[:] = alloc (i)
    for j in 0..n step 1:
      work[...] = 0.0
      t1: float64 = load depends[0]
      work[j] = t1
      t2: float64 = load work[i]
      x[j] = t2
"""
    )


def test_hoist_choices_inside_choices() -> None:
    """``for i: (x if c else (y if k == 0 else x))[i] = 1.0``; the array is chosen once."""
    y, k, i = variable("y", VECTOR), variable("k", INT), variable("i", INT)
    b = Builder()
    body = b.child()
    arm = body.child()
    is_first = arm.compute("eq", (k, ZERO), BOOL)
    (inner,) = branch(arm, is_first, ir.Block((), (y,)), ir.Block((), (X,)))
    (chosen,) = branch(body, C, ir.Block((), (X,)), arm.block((inner,)))
    body.store(chosen, (i,), real(1.0))
    loop(b, i, N, body.block())
    moved = hoist(function((X, y, C, k, N), b)).body.stmts
    assert [type(stmt) for stmt in moved] == [ir.If, ir.For]


def test_what_does_not_move() -> None:
    """An array that is carried, one whose extent may be negative, and a quotient that may fail."""
    b = Builder()
    size = b.dim(X, 0)
    i, u = variable("i", INT), variable("u", VECTOR)
    body = b.child()
    body.alloc(VECTOR, (N,), None, "negative")
    body.compute("floordiv", (size, N), INT, "quotient")
    carried, view = body.alloc(VECTOR, (size,), None, "carried"), variable("view", VECTOR)
    body.add(ir.View(view, carried, ()))
    loop(b, i, N, body.block((view,)), [(u, X)])
    func = function((X, N), b)
    assert hoist(func) is func


def test_upwards() -> None:
    """Only a loop that does not read its index changes its direction."""
    x, i, j = variable("x", VECTOR), variable("i", INT), variable("j", INT)
    b = Builder()
    n = b.dim(x, 0, "n")
    down = ir.int_const(-1)
    blind, reading = b.child(), b.child()
    blind.accum(x, (ZERO,), real(1.0))
    reading.accum(x, (j,), real(1.0))
    last = b.compute("sub", (n, ONE), INT)
    loop(b, i, down, blind.block(), lo=last, step=down)
    loop(b, j, down, reading.block(), lo=last, step=down)
    assert (
        text(simplify(function((x,), b)))
        == """\
func m:f(x: float64[:]) -> None
  n: int64 = dim x, 0
  t1: int64 = sub n, 1
  for i in 0..n step 1:
    x[0] += 1.0
  for j in t1..-1 step -1:
    x[j] += 1.0
"""
    )
