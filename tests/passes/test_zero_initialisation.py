"""The first contribution to new memory is stored where it certainly writes all of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.zero_initialisation import zero_initialisation

from tests.passes.programs import (
    BOOL,
    FLOAT,
    INT,
    MATRIX,
    ONE,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    loop,
    real,
    text,
    variable,
)

X, Y, A, C = (
    variable("x", VECTOR), variable("y", VECTOR), variable("a", FLOAT), variable("c", BOOL)
)  # fmt: skip
K, L = variable("i", INT), variable("j", INT)
DOWN = ir.int_const(-1)

Draw = Callable[[Builder, ir.Value, ir.Value], None]  # what follows the zeros of a size


def zeros(draw: Draw, free: bool = True) -> ir.Func:
    """``n = x.shape[0]; x_bar = zeros(n); ...; return x_bar``"""
    b = Builder(free=free)
    n = b.dim(X, 0, "n")
    x_bar = b.alloc(VECTOR, (n,), real(0.0), "x_bar")
    draw(b, x_bar, n)
    return function((X, Y, A, C), b, (x_bar,))


def nest(b: Builder, body: Builder, hi: ir.Atom, lo: ir.Atom = ZERO, step: ir.Atom = ONE) -> None:
    loop(b, K, hi, body.block(), lo=lo, step=step)


def upwards(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, n)


def test_first() -> None:
    assert (
        text(zero_initialisation(zeros(upwards)))
        == """\
func m:f(x: float64[:], y: float64[:], a: float64, c: bool) -> float64[:]
  n: int64 = dim x, 0
  x_bar: float64[:] = alloc (n)
  for i in 0..n step 1:
    x_bar[i] = a
  return x_bar
"""
    )


def downwards(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, DOWN, lo=b.compute("sub", (n, ONE), INT), step=DOWN)


def twice(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    """Two sums and a load in one iteration: the first sum comes first."""
    body = b.child()
    body.accum(x_bar, (K,), A)
    body.accum(x_bar, (K,), body.load(x_bar, (K,)))
    nest(b, body, n)


def both_arms(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body, then, orelse = b.child(), b.child(), b.child()
    then.accum(x_bar, (K,), A)
    orelse.accum(x_bar, (K,), real(2.0))
    branch(body, C, then.block(), orelse.block())
    nest(b, body, n)


def own_length(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, b.dim(x_bar, 0))


def whole(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    b.add_to(x_bar, Y)


def cleared_again(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    """``x_bar[...] = 0`` in front of the nest goes, and so does the fill in front of a store."""
    body = b.child()
    body.store(x_bar, (L,), A)
    loop(b, L, n, body.block())
    b.assign(x_bar, real(0.0))
    upwards(b, x_bar, n)


@pytest.mark.parametrize(
    "draw", [upwards, downwards, twice, both_arms, own_length, whole, cleared_again]
)
def test_stored(draw: Draw) -> None:
    after = text(zero_initialisation(zeros(draw)))
    assert "fill" not in after
    assert "x_bar[...] = 0.0" not in after
    assert after.count("x_bar[i] += ") == (1 if draw is twice else 0)
    assert "x_bar[...] += y" not in after


def too_few(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, b.compute("sub", (n, ONE), INT))


def from_one(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, n, lo=ONE)


def every_other(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, n, step=ir.int_const(2))


def other_length(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    nest(b, body, b.dim(Y, 0))


def neighbour(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    body.accum(x_bar, (ZERO,), A)
    nest(b, body, n)


def again_and_again(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body, inner = b.child(), b.child()
    inner.accum(x_bar, (K,), A)
    loop(body, L, n, inner.block())
    nest(b, body, n)


def one_arm(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body, then = b.child(), b.child()
    then.accum(x_bar, (K,), A)
    branch(body, C, then.block(), ir.Block(()))
    nest(b, body, n)


def read_before(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), body.load(x_bar, (K,)))
    nest(b, body, n)


def read_in_front(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    out = variable("", FLOAT)
    b.add(ir.Sum(out, x_bar))
    upwards(b, x_bar, n)


def through_a_view(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    view = variable("v", VECTOR)
    b.add(ir.View(view, x_bar, (ir.Slice(ONE, None),)))
    body = b.child()
    body.accum(x_bar, (K,), A)
    body.accum(view, (K,), A)
    nest(b, body, n)


def leaves(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.accum(x_bar, (K,), A)
    left = variable("left", BOOL)
    loop(b, K, n, body.block((C,)), [(left, ir.Const(False, BOOL))], leaves=True)


def added_to_itself(b: Builder, x_bar: ir.Value, n: ir.Value) -> None:
    b.add_to(x_bar, x_bar)


@pytest.mark.parametrize(
    "draw",
    [
        too_few, from_one, every_other, other_length, neighbour, again_and_again, one_arm,
        read_before, read_in_front, through_a_view, leaves, added_to_itself,
    ],
)  # fmt: skip
def test_not_stored(draw: Draw) -> None:
    func = zeros(draw)
    assert zero_initialisation(func) is func


def test_only_what_is_free() -> None:
    """Elsewhere 0.0 + -0.0 is 0.0."""
    func = zeros(upwards, free=False)
    assert zero_initialisation(func) is func


def test_not_if_filled_with_something_else() -> None:
    b = Builder(free=True)
    n = b.dim(X, 0, "n")
    upwards(b, b.alloc(VECTOR, (n,), real(1.0), "x_bar"), n)
    func = function((X, A), b)
    assert zero_initialisation(func) is func


@pytest.mark.parametrize(("index", "stored"), [((K, L), True), ((L, K), False), ((K, K), False)])
def test_all_axes(index: tuple[ir.Value, ir.Value], stored: bool) -> None:
    """A matrix of n by m; one axis of length one stands for itself."""
    b = Builder(free=True)
    n, m = b.dim(X, 0, "n"), b.dim(Y, 0, "m")
    w_bar = b.alloc(MATRIX, (n, m), real(0.0), "w_bar")
    row = b.alloc(MATRIX, (ONE, m), real(0.0), "row")
    body, inner = b.child(), b.child()
    inner.accum(w_bar, index, A)
    loop(body, L, m, inner.block())
    nest(b, body, n)
    k = variable("k", INT)
    inner = b.child()
    inner.accum(row, (ZERO, k), A)
    loop(b, k, m, inner.block())
    after = text(zero_initialisation(function((X, Y, A), b, (w_bar, row))))
    assert ("w_bar: float64[:, :] = alloc (n, m)\n" in after) is stored
    assert "row: float64[:, :] = alloc (1, m)\n" in after
