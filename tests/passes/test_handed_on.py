"""Scalar replacement across iterations: an element is stored by one and loaded by the next."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.handed_on import handed_on

from tests.passes.programs import (
    INT,
    ONE,
    VECTOR,
    Builder,
    function,
    loop,
    plus,
    real,
    text,
    variable,
)

X, N = variable("x", VECTOR), variable("n", INT)


def summed(back: int) -> ir.Func:
    """``for i in 1..n: y[i] = y[i - back] + x[i]`` in memory of the function's own."""
    b, body, i = Builder(), Builder(), variable("i", INT)
    y = variable("y", VECTOR)
    b.add(ir.Alloc(y, (N,), real(0.0)))
    before = plus(body, i, ir.int_const(-back), "j")
    t, v = body.load(y, (before,), "t"), body.load(X, (i,), "v")
    body.store(y, (i,), plus(body, t, v, "u"))
    loop(b, i, N, body.block(), lo=ONE)
    return function((X, N), b, (y,))


def test_the_element_before() -> None:
    assert text(handed_on(summed(1))) == EXPECTED


def test_an_earlier_element_is_not_handed_on() -> None:
    func = summed(2)
    assert handed_on(func) is func


EXPECTED = """\
func m:f(x: float64[:], n: int64) -> float64[:]
  y: float64[:] = alloc (n) fill 0.0
  t1: bool = lt 1, n
  t: float64 = if t1:
    t2: int64 = add 1, -1
    t3: float64 = load y[t2]
    yield t3
  else:
    yield 0.0
  t.2: float64 = for i in 1..n step 1 (t.1 = t):
    j: int64 = add i, -1
    v: float64 = load x[i]
    u: float64 = add t.1, v
    y[i] = u
    yield u
  return y
"""
