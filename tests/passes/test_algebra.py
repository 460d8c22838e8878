"""Exact simplification of scalar ops: constants, and identities that hold exactly."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.fold import fold
from mooncake_transpiler.types import COMPLEX, FLOAT32, Scalar

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    MATRIX,
    ONE,
    TRUE,
    TWO,
    ZERO,
    A,
    Builder,
    C,
    N,
    Z,
    function,
    less,
    plus,
    real,
    text,
    variable,
)

S = variable("s", FLOAT32)


def one(op: str, args: tuple[ir.Atom, ...], type_: Scalar, free: bool = False) -> str:
    """The text of one op after folding."""
    b = Builder(free=free)
    out = b.compute(op, args, type_, "out")
    func = fold(function((A, N, C, Z, S), b, (out,)))
    return "\n".join(line.strip() for line in text(func).splitlines()[1:])


def computed(op: str, args: str, type_: str) -> str:
    return f"out: {type_} = {op} {args}\nreturn out"


@pytest.mark.parametrize(
    ("op", "args", "type_", "expected"),
    [
        ("add", (ONE, TWO), INT, "return 3"),
        ("mul", (real(1.5), TWO), FLOAT, "return 3.0"),
        ("floordiv", (ir.int_const(-7), TWO), INT, "return -4"),
        ("mod", (ir.int_const(-7), TWO), INT, "return 1"),
        ("mod", (ONE, ZERO), INT, computed("mod", "1, 0", "int64")),
        ("add", (ir.int_const(2**63 - 1), ONE), INT, computed("add", f"{2**63 - 1}, 1", "int64")),
        ("mul", (real(1e300), real(1e300)), FLOAT, computed("mul", "1e+300, 1e+300", "float64")),
        ("lt", (ONE, TWO), BOOL, "return True"),
        ("not", (TRUE,), BOOL, "return False"),
        ("and", (TRUE, C), BOOL, "return c"),
        ("and", (C, FALSE), BOOL, "return False"),
        ("or", (C, TRUE), BOOL, "return True"),
        ("or", (C, C), BOOL, "return c"),
        ("select", (TRUE, A, real(0.0)), FLOAT, "return a"),
        ("select", (C, A, A), FLOAT, "return a"),
        ("select", (TRUE, N, A), FLOAT, computed("select", "True, n, a", "float64")),
        ("np.minimum", (N, N), INT, "return n"),
        ("np.maximum", (N, N), INT, "return n"),
        ("np.maximum", (A, A), FLOAT, computed("np.maximum", "a, a", "float64")),
        ("np.maximum", (N, ZERO), INT, computed("np.maximum", "n, 0", "int64")),
        ("add", (N, ZERO), INT, "return n"),
        ("add", (ZERO, N), INT, "return n"),
        ("sub", (ZERO, N), INT, computed("neg", "n", "int64")),
        ("sub", (N, N), INT, "return 0"),
        ("sub", (A, A), FLOAT, computed("sub", "a, a", "float64")),
        ("le", (N, N), BOOL, "return True"),
        ("le", (A, A), BOOL, computed("le", "a, a", "bool")),
        ("mul", (N, ZERO), INT, "return 0"),
        ("mul", (A, real(0.0)), FLOAT, computed("mul", "a, 0.0", "float64")),
        ("mul", (real(1.0), A), FLOAT, "return a"),
        ("mul", (ONE, A), FLOAT, "return a"),
        ("mul", (N, real(1.0)), FLOAT, computed("cast", "n", "float64")),
        ("mul", (real(-1.0), A), FLOAT, computed("neg", "a", "float64")),
        ("mul", (N, real(-1.0)), FLOAT, computed("mul", "n, -1.0", "float64")),
        ("mul", (Z, ONE), COMPLEX, computed("mul", "z, 1", "complex128")),
        ("mul", (S, real(1.0)), FLOAT, computed("mul", "s, 1.0", "float64")),
        ("div", (A, ONE), FLOAT, "return a"),
        ("div", (N, ONE), FLOAT, computed("div", "n, 1", "float64")),
        ("pow", (A, ONE), FLOAT, "return a"),
        ("pow", (A, TWO), FLOAT, computed("pow", "a, 2", "float64")),
        ("add", (A, real(0.0)), FLOAT, computed("add", "a, 0.0", "float64")),
        ("add", (A, real(-0.0)), FLOAT, "return a"),
        ("sub", (A, real(0.0)), FLOAT, "return a"),
        ("cast", (A,), FLOAT, "return a"),
        ("cast", (real(2.7),), INT, "return 2"),
        ("cast", (real(float("nan")),), INT, computed("cast", "nan", "int64")),
        ("cast", (ONE,), FLOAT, "return 1.0"),
        ("cast", (ir.int_const(2**53 + 1),), FLOAT, computed("cast", f"{2**53 + 1}", "float64")),
        ("cast", (real(0.5),), FLOAT32, "return 0.5:float32"),
        ("cast", (real(0.1),), FLOAT32, computed("cast", "0.1", "float32")),
    ],
)
def test_op(op: str, args: tuple[ir.Atom, ...], type_: Scalar, expected: str) -> None:
    assert one(op, args, type_) == expected


def test_zeros_of_what_is_free_may_lose_their_sign() -> None:
    assert one("add", (A, real(0.0)), FLOAT, free=True) == "return a"
    assert one("add", (real(0.0), A), FLOAT, free=True) == "return a"


def test_chains() -> None:
    b = Builder()
    i = plus(b, plus(b, N, ONE), TWO)
    j = b.compute("sub", (plus(b, N, i), i), INT)
    x = b.compute("neg", (b.compute("neg", (A,), FLOAT),), FLOAT)
    stays = b.compute("not", (less(b, A, x),), BOOL)
    turned = b.compute("not", (less(b, N, i),), BOOL)
    assert (
        text(fold(function((A, N), b, (i, j, x, stays, turned))))
        == """\
func m:f(a: float64, n: int64) -> (int64, int64, float64, bool, bool)
  t1: int64 = add n, 1
  t2: int64 = add n, 3
  t3: int64 = add n, t2
  t4: float64 = neg a
  t5: bool = lt a, a
  t6: bool = not t5
  t7: bool = lt n, t2
  t8: bool = ge n, t2
  return t2, n, a, t6, t8
"""
    )


def test_the_larger_of_a_size_and_zero_is_the_size() -> None:
    b = Builder()
    x = variable("x", MATRIX)
    rows, columns = b.dim(x, 0, "rows"), b.dim(x, 1, "columns")
    both = b.compute("mul", (rows, columns), INT, "both")
    twice = b.compute("mul", (rows, N), INT, "twice")
    larger = [b.compute("np.maximum", (ZERO, size), INT) for size in (rows, both)]
    unknown = b.compute("np.maximum", (twice, ZERO), INT, "unknown")
    smaller = b.compute("np.minimum", (rows, ZERO), INT)
    func = fold(function((x, N), b, (*larger, unknown, smaller)))
    *_, kept, result = text(func).splitlines()
    assert kept.strip() == "unknown: int64 = np.maximum twice, 0"
    assert result.strip() == "return rows, both, unknown, 0"
