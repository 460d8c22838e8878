"""Detached views: reads and writes through them have no derivative."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.detached import detached

from tests.passes.programs import FLOAT, INT, VECTOR, Builder, function, text, variable

X, A, K = variable("x", VECTOR), variable("a", FLOAT), variable("i", INT)


def test_reads_and_writes() -> None:
    b = Builder()
    y = variable("y", VECTOR)
    b.add(ir.View(y, X, (), part=ir.DETACHED))
    v = b.load(y, (K,), "v")
    b.store(y, (K,), A)
    assert text(detached(function((X, A, K), b, (v,)))) == EXPECTED


def test_nothing_to_do() -> None:
    b = Builder()
    func = function((X, K), b, (b.load(X, (K,), "v"),))
    assert detached(func) is func


EXPECTED = """\
func m:f(x: float64[:], a: float64, i: int64) -> float64
  y: float64[:] = view x[:]
  t1: float64 = load y[i]
  v: float64 = stop_gradient t1
  t2: float64 = stop_gradient a
  y[i] = t2
  return v
"""
