"""Elements that a loop keeps coming back to are loaded before it, and added to behind it."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.scalar_replacement import scalar_replacement

from tests.passes.programs import (
    FLOAT,
    INT,
    MATRIX,
    TWO,
    VECTOR,
    ZERO,
    Builder,
    function,
    loop,
    real,
    text,
    variable,
)

M, X, N = variable("m", MATRIX), variable("x", VECTOR), variable("n", INT)
AT, J = variable("i", INT), variable("j", INT)


def lines(func: ir.Func) -> list[str]:
    return text(func).splitlines()[1:]


def summed(free: bool = True, reads: bool = False) -> ir.Func:
    """``for i in range(n): for j in range(k): t[i] += x[i]``; perhaps t[j] is read, too."""
    b = Builder(free=free)
    n, k = b.dim(X, 0, "n"), variable("k", INT)
    t = b.alloc(VECTOR, (n,), real(0.0), "t")
    outer = b.child()
    body = outer.child()
    value = body.load(X, (AT,), "v")
    if reads:
        value = body.compute("add", (value, body.load(t, (J,))), FLOAT)
    body.accum(t, (AT,), value)
    loop(outer, J, k, body.block())
    loop(b, AT, n, outer.block())
    return function((X, k), b, (t,))


def test_loads_and_sums_leave_the_loop() -> None:
    assert (
        text(scalar_replacement(summed()))
        == """\
func m:f(x: float64[:], k: int64) -> float64[:]
  n: int64 = dim x, 0
  t: float64[:] = alloc (n) fill 0.0
  for i in 0..n step 1:
    v: float64 = load x[i]
    t3: float64 = for j in 0..k step 1 (t1 = 0.0):
      t2: float64 = add t1, v
      yield t2
    t[i] += t3
  return t
"""
    )


def test_sums_of_the_user_keep_their_order() -> None:
    after = text(scalar_replacement(summed(free=False)))
    assert "      t[i] += v" in after
    assert "    v: float64 = load" in after


def test_sums_that_are_read_stay() -> None:
    assert "      t[i] += " in text(scalar_replacement(summed(reads=True)))


def test_elements_of_views_move_out_of_loops() -> None:
    """Loads in bounds are hoisted: of the transposed array, and of one that has been reshaped."""
    i, j, total = variable("i", INT), variable("j", INT), variable("s", FLOAT)
    turned, shaped = variable("t", MATRIX), variable("r", MATRIX)
    b = Builder()
    rows = b.dim(M, 0, "rows")
    b.add(ir.View(turned, M, (), None, (1, 0)))
    b.add(ir.Reshape(shaped, X, (rows, TWO)))
    outer, inner = b.child(), b.child()
    columns = outer.dim(M, 1, "columns")
    body = inner.child()
    first = body.load(turned, (j, i), "u")
    second = body.load(shaped, (i, ZERO), "v")
    product = body.compute("mul", (first, second), FLOAT)
    last = body.compute("add", (total, product), FLOAT)
    k, again = variable("k", INT), variable("s", FLOAT)
    (out,) = loop(inner, k, N, body.block((last,)), [(total, again)])
    middle = variable("s", FLOAT)
    (end,) = loop(outer, j, columns, inner.block((out,)), [(again, middle)])
    (result,) = loop(b, i, rows, outer.block((end,)), [(middle, real(0.0))])
    after = lines(scalar_replacement(function((M, X, N), b, (result,))))
    depth = {line.strip()[0]: len(line) - len(line.lstrip()) for line in after if "load" in line}
    assert depth == {"u": 6, "v": 4}
