"""Trivial phis of loops: carried values that never change are not carried."""

from __future__ import annotations

from mooncake_transpiler.passes.invariants import invariants
from mooncake_transpiler.passes.simplify import simplify

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    VECTOR,
    A,
    Builder,
    N,
    X,
    function,
    loop,
    plus,
    real,
    text,
    variable,
)


def test_invariants() -> None:
    b = Builder()
    i, y, s, z = variable("i", INT), variable("y", VECTOR), variable("s", FLOAT), variable("z", INT)
    body = b.child()
    total = plus(body, s, body.load(y, (z,)), "s")
    outs = loop(b, i, N, body.block((y, total, N)), [(y, X), (s, real(0.0)), (z, N)], leaves=False)
    assert (
        text(invariants(function((X, N), b, outs)))
        == """\
func m:f(x: float64[:], n: int64) -> (float64[:], float64, int64)
  s.2: float64 = for i in 0..n step 1 (s = 0.0):
    t1: float64 = load x[n]
    s.1: float64 = add s, t1
    yield s.1
  return x, s.2, n
"""
    )


def test_exit_flag_is_no_invariant() -> None:
    b = Builder()
    left, i = variable("left", BOOL), variable("i", INT)
    body = b.child()
    body.store(X, (i,), A)
    loop(b, i, N, body.block((FALSE,)), [(left, FALSE)], leaves=True)
    func = function((X, A, N), b)
    assert invariants(func) is func
    assert (
        text(simplify(func))
        == """\
func m:f(x: float64[:], a: float64, n: int64) -> None
  for i in 0..n step 1:
    x[i] = a
"""
    )
