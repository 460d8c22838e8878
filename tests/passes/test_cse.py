"""Common subexpression elimination, with loads, loops and known equalities."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.cse import cse
from mooncake_transpiler.passes.dce import dce

from tests.passes.programs import (
    BOOL,
    FLOAT,
    INT,
    MATRIX,
    ONE,
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


def test_an_exact_sum_is_not_replaced_by_a_free_one() -> None:
    free, exact = Builder(free=True), Builder()
    first = free.compute("add", (A, A), FLOAT, "first")
    second = exact.compute("add", (A, A), FLOAT, "second")
    free.stmts += exact.stmts
    third = free.compute("add", (A, A), FLOAT, "third")
    func = cse(function((A,), free, (first, second, third)))
    assert text(func).splitlines()[-1].strip() == "return first, second, second"


def test_cse() -> None:
    x, y = variable("x", VECTOR), variable("y", VECTOR)
    b = Builder()
    own = b.alloc(VECTOR, (N,), real(0.0), "own")
    first = b.load(x, (ZERO,))
    b.store(own, (ZERO,), first)
    second = b.load(x, (ZERO,))  # own memory is not x
    b.store(y, (ZERO,), second)
    third = b.load(x, (ZERO,))  # but y may be
    arm = b.child()
    plus(arm, third, b.load(own, (ZERO,)))
    branch(b, C, arm.block(), ir.Block(()))
    after = plus(b, third, b.load(own, (ZERO,)))
    zero, minus = plus(b, A, real(0.0)), plus(b, A, real(-0.0))
    assert (
        text(cse(function((x, y, A, N, C), b, (after, zero, minus))))
        == """\
func m:f(x: float64[:], y: float64[:], a: float64, n: int64, c: bool) -> (float64, float64, float64)
  own: float64[:] = alloc (n) fill 0.0
  t1: float64 = load x[0]
  own[0] = t1
  y[0] = t1
  t2: float64 = load x[0]
  t3: float64 = load own[0]
  if c:
    t4: float64 = add t2, t3
  t5: float64 = add t2, t3
  t6: float64 = add a, 0.0
  t7: float64 = add a, -0.0
  return t5, t6, t7
"""
    )


def test_cse_of_views() -> None:
    """A view of the same elements is the same view, whatever has been written."""
    x = variable("x", MATRIX)
    b = Builder()
    inner = ir.Slice(ONE, ir.int_const(-1))
    shifted = ir.Slice(TWO, None)

    def view(base: ir.Value, index: tuple[ir.Index, ...], axes: tuple[int, ...] = ()) -> ir.Value:
        out = variable("", MATRIX)
        b.add(ir.View(out, base, index, axes=axes))
        return out

    first = view(x, (inner, inner))
    b.store(first, (ZERO, ZERO), real(1.0))
    for other in (
        view(x, (inner, ir.Slice(ONE, ir.int_const(-1)))),
        view(x, (inner, shifted)),
        view(x, (inner, inner), (1, 0)),
        view(view(x, (inner, inner)), (inner,)),
        view(first, (inner,)),
    ):
        b.store(other, (ZERO, ONE), real(2.0))
    assert (
        text(cse(function((x,), b)))
        == """\
func m:f(x: float64[:, :]) -> None
  t1: float64[:, :] = view x[1:-1, 1:-1]
  t1[0, 0] = 1.0
  t2: float64[:, :] = view x[1:-1, 2:]
  t3: float64[:, :] = view x[1:-1, 1:-1] axes 1, 0
  t4: float64[:, :] = view t1[1:-1]
  t1[0, 1] = 2.0
  t2[0, 1] = 2.0
  t3[0, 1] = 2.0
  t4[0, 1] = 2.0
  t4[0, 1] = 2.0
"""
    )


def test_cse_around_loops() -> None:
    """Before the first iteration is not the same as before the second."""
    x = variable("x", VECTOR)
    b = Builder()
    before = b.load(x, (ZERO,))
    size = b.dim(x, 0)
    i = variable("i", INT)
    body = b.child()
    b_load = body.load(x, (ZERO,))
    body.store(x, (i,), plus(body, before, b_load))
    again = body.dim(x, 0)
    body.store(x, (again,), body.load(x, (ZERO,)))
    loop(b, i, size, body.block())
    assert (
        text(cse(function((x,), b)))
        == """\
func m:f(x: float64[:]) -> None
  t1: float64 = load x[0]
  t2: int64 = dim x, 0
  for i in 0..t2 step 1:
    t3: float64 = load x[0]
    t4: float64 = add t1, t3
    x[i] = t4
    t5: float64 = load x[0]
    x[t2] = t5
"""
    )


def test_cse_keeps_the_name_of_the_user() -> None:
    x = variable("x", VECTOR)
    b = Builder()
    first, named = b.dim(x, 0), b.dim(x, 0, "n")
    b.store(x, (first,), real(1.0))
    b.store(x, (named,), real(2.0))
    assert (
        text(cse(function((x,), b)))
        == """\
func m:f(x: float64[:]) -> None
  n: int64 = dim x, 0
  x[n] = 1.0
  x[n] = 2.0
"""
    )


def test_cse_after_a_check() -> None:
    """A condition that a raise excludes is known from there on, in this block and inside."""
    x = variable("x", MATRIX)
    b = Builder()
    rows, columns, c = b.dim(x, 0, "n"), b.dim(x, 1), b.compute("ne", (ZERO, N), BOOL)
    fails = b.child()
    fails.add(ir.Raise("ValueError", None))
    inner = b.child()
    inner_fails = inner.child()
    inner_fails.add(ir.Raise("ValueError", None))
    inner.add(
        ir.If((), inner.compute("ne", (columns, rows), BOOL), inner_fails.block(), ir.Block(()))
    )
    inner.store(x, (columns, N), real(1.0))
    b.add(ir.If((), c, fails.block(), ir.Block(())))
    branch(b, C, inner.block(), ir.Block(()))
    b.store(x, (columns, N), real(2.0))
    assert (
        text(cse(function((x, N, C), b)))
        == """\
func m:f(x: float64[:, :], n: int64, c: bool) -> None
  n.1: int64 = dim x, 0
  t1: int64 = dim x, 1
  t2: bool = ne 0, n
  if t2:
    raise ValueError
  if c:
    t3: bool = ne t1, n.1
    if t3:
      raise ValueError
    x[n.1, 0] = 1.0
  x[t1, 0] = 2.0
"""
    )


def test_cse_of_choices() -> None:
    """The same choice is made once, also where one arm of it is never looked at."""
    b, x, y = Builder(), variable("x", FLOAT), variable("y", FLOAT)
    alike = ir.Block((), (x, y, x)), ir.Block((), (y, x, ir.Undef(FLOAT)))
    first = branch(b, C, *alike, ["one", "other", "third"])
    second = branch(b, C, ir.Block((), (y, x)), ir.Block((), (x, y)), ["again", "back"])
    func = dce(cse(function((x, y, C), b, (*first, *second))))
    assert (
        text(func)
        == """\
func m:f(x: float64, y: float64, c: bool) -> (float64, float64, float64, float64, float64)
  one: float64, other: float64 = if c:
    yield x, y
  else:
    yield y, x
  return one, other, one, other, one
"""
    )
