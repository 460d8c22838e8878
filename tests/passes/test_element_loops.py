"""Loops over elements in place of whole-array updates."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.element_loops import element_loops

from tests.passes.programs import INT, VECTOR, Builder, function, real, text, variable

X, N = variable("x", VECTOR), variable("n", INT)


def updated(source: ir.Value, b: Builder) -> ir.Func:
    """``v = zeros(n); v += source``."""
    v = variable("v", VECTOR)
    b.add(ir.Alloc(v, (N,), real(0.0)))
    b.add_to(v, source)
    return function((X, N), b, (v,))


def test_an_update() -> None:
    func = updated(X, Builder())
    (made, _) = func.body.stmts
    assert text(element_loops(func, set(ir.outs(made)))) == EXPECTED


def test_other_arrays_stay() -> None:
    func = updated(X, Builder())
    assert text(element_loops(func, set())) == text(func)


def test_updates_within_one_memory_stay() -> None:
    b = Builder()
    v = variable("v", VECTOR)
    b.add(ir.Alloc(v, (N,), real(0.0)))
    part = variable("part", VECTOR)
    b.add(ir.View(part, v, (ir.Slice(step=ir.int_const(-1)),)))
    b.add_to(v, part)
    func = function((X, N), b, (v,))
    assert text(element_loops(func, {v})) == text(func)


EXPECTED = """\
func m:f(x: float64[:], n: int64) -> float64[:]
  v: float64[:] = alloc (n) fill 0.0
  t1: int64 = dim v, 0
  for i in 0..t1 step 1:
    t2: float64 = load x[i]
    v[i] += t2
  return v
"""
