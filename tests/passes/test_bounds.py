"""``--check-bounds``: a test in front of each index that may be out of bounds."""

from __future__ import annotations

from mooncake_transpiler.passes.bounds import bounds

from tests.passes.programs import FLOAT, INT, VECTOR, Builder, function, loop, text, variable

X, A, K = variable("x", VECTOR), variable("a", FLOAT), variable("i", INT)


def test_a_given_index_is_tested() -> None:
    b = Builder()
    v = b.load(X, (K,), "v")
    found = text(bounds(function((X, K), b, (v,))))
    assert found == EXPECTED


def test_an_index_of_a_loop_over_the_array_is_not() -> None:
    b, body, k = Builder(), Builder(), variable("k", INT)
    body.store(X, (k,), A)
    loop(b, k, b.dim(X, 0, "n"), body.block())
    func = function((X, A), b)
    assert text(bounds(func)) == text(func)


EXPECTED = """\
func m:f(x: float64[:], i: int64) -> float64
  t1: int64 = dim x, 0
  t2: int64 = neg t1
  t3: bool = lt i, t2
  t4: bool = ge i, t1
  t5: bool = or t3, t4
  if t5:
    raise IndexError('index {} is out of bounds for axis 0 of x with size {}') with i, t1
  v: float64 = load x[i]
  return v
"""
