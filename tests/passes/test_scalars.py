"""Folding and common subexpressions."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.cse import cse
from mooncake_transpiler.passes.dce import dce
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
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    less,
    loop,
    plus,
    real,
    text,
    variable,
)

A, N, C, Z = (
    variable("a", FLOAT), variable("n", INT), variable("c", BOOL), variable("z", COMPLEX)
)  # fmt: skip
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


def test_an_exact_sum_is_not_replaced_by_a_free_one() -> None:
    free, exact = Builder(free=True), Builder()
    first = free.compute("add", (A, A), FLOAT, "first")
    second = exact.compute("add", (A, A), FLOAT, "second")
    free.stmts += exact.stmts
    third = free.compute("add", (A, A), FLOAT, "third")
    func = cse(function((A,), free, (first, second, third)))
    assert text(func).splitlines()[-1].strip() == "return first, second, second"


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
