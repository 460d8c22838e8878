"""Constant folding: branches, loops and sizes that are known."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.fold import fold

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    MATRIX,
    ONE,
    TRUE,
    TWO,
    VECTOR,
    ZERO,
    A,
    Builder,
    C,
    N,
    branch,
    function,
    loop,
    plus,
    real,
    text,
    variable,
)


def test_extents() -> None:
    x, m = variable("x", VECTOR), variable("m", MATRIX)
    b = Builder()
    u, v, w = variable("u", MATRIX), variable("v", VECTOR), variable("w", VECTOR)
    b.add(ir.Alloc(u, (N, TWO)))
    b.add(ir.View(v, u, (ZERO,)))
    b.add(ir.Copy(w, v))
    part, column = variable("part", VECTOR), variable("column", VECTOR)
    b.add(ir.View(part, v, (ir.Slice(ONE),)))
    b.add(ir.View(column, u, (ir.Slice(), ONE)))
    sizes = [b.dim(array, 0, "size") for array in (u, w, part, column, x)]
    assert text(fold(function((x, m, N), b, sizes))).splitlines()[-3:] == [
        "  size: int64 = dim part, 0",
        "  size.1: int64 = dim x, 0",
        "  return n, 2, size, n, size.1",
    ]


def test_branches() -> None:
    """A known condition picks its arm; inside an arm its condition is known."""
    b = Builder()
    arm = b.child()
    (inner,) = branch(arm, C, ir.Block((), (A,)), ir.Block((), (real(0.0),)), ["inner"])
    (y,) = branch(b, C, arm.block((inner,)), ir.Block((), (real(1.0),)), ["y"])
    then = b.child()
    (z,) = branch(b, TRUE, then.block((then.compute("neg", (y,), FLOAT),)), ir.Block((), (A,)))
    (same,) = branch(b, C, ir.Block((), (z,)), ir.Block((), (z,)))
    (flag,) = branch(b, C, ir.Block((), (TRUE,)), ir.Block((), (FALSE,)))
    assert (
        text(fold(function((A, C), b, (same, flag))))
        == """\
func m:f(a: float64, c: bool) -> (float64, bool)
  y: float64 = if c:
    yield a
  else:
    yield 1.0
  t1: float64 = neg y
  t2: float64 = if c:
    yield t1
  else:
    yield t1
  t3: bool = if c:
    yield True
  else:
    yield False
  return t1, c
"""
    )


def test_raise_ends_a_block() -> None:
    b = Builder()
    arm = b.child()
    arm.add(ir.Raise("ValueError", "no"))
    branch(b, TRUE, arm.block(), ir.Block(()))
    y = plus(b, A, A)
    assert (
        text(fold(function((A,), b, (y,))))
        == """\
func m:f(a: float64) -> float64
  raise ValueError('no')
  return undef
"""
    )


def test_loops() -> None:
    """A range without a number goes; a flag that never rises is no flag."""
    b = Builder()
    i, s, left = variable("i", INT), variable("s", FLOAT), variable("left", BOOL)
    body = b.child()
    (y,) = loop(b, i, ZERO, body.block((plus(body, s, A),)), [(s, A)])
    again = b.child()
    t, j = variable("t", FLOAT), variable("j", INT)
    outs = loop(
        b, j, N, again.block((FALSE, plus(again, t, y))), [(left, FALSE), (t, y)], leaves=True
    )
    assert (
        text(fold(function((A, N), b, outs[1:])))
        == """\
func m:f(a: float64, n: int64) -> float64
  left.1: bool, t.1: float64 = for j in 0..n step 1 (left = False, t = a):
    t1: float64 = add t, a
    yield False, t1
  return t.1
"""
    )
