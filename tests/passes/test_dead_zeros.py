"""Clearing of arrays that nothing reads any more is removed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.dead_zeros import dead_zeros

from tests.passes.programs import (
    BOOL,
    FLOAT,
    INT,
    ONE,
    TWO,
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

X, Y, C = variable("x", VECTOR), variable("y", VECTOR), variable("c", BOOL)
STEPS = ir.int_const(5)

Draw = Callable[[Builder, ir.Value, ir.Value], None]  # what is done with an array of a size


def zeros(draw: Draw, free: bool = True, fill: float = 0.0) -> ir.Func:
    """``n = x.shape[0]; t = zeros(n); ...``"""
    b = Builder(free=free)
    n = b.dim(X, 0, "n")
    draw(b, b.alloc(VECTOR, (n,), real(fill), "t"), n)
    return function((X, Y, C), b)


def index() -> ir.Value:
    return variable("i", INT)


def sums(b: Builder, t: ir.Value, n: ir.Atom, to: ir.Value = X) -> None:
    """``for i in range(n): t[i] += x[i]``"""
    i, body = index(), b.child()
    body.accum(t, (i,), body.load(to, (i,)))
    loop(b, i, n, body.block())


def used_up(b: Builder, t: ir.Value, n: ir.Atom) -> None:
    """``for i in range(n): y[i] += t[i]; t[i] = 0.0``"""
    i, body = index(), b.child()
    v = body.load(t, (i,))
    body.store(t, (i,), real(0.0))
    body.accum(Y, (i,), v)
    loop(b, i, n, body.block())


def at_the_end(b: Builder, t: ir.Value, n: ir.Value) -> None:
    sums(b, t, n)
    used_up(b, t, n)


def partly_at_the_end(b: Builder, t: ir.Value, n: ir.Value) -> None:
    """Only a part is visited: that need not be cleared, either."""
    sums(b, t, n)
    used_up(b, t, ONE)


def whole_at_the_end(b: Builder, t: ir.Value, n: ir.Value) -> None:
    sums(b, t, n)
    b.add_to(Y, t)
    b.assign(t, real(0.0))


def in_a_branch(b: Builder, t: ir.Value, n: ir.Value) -> None:
    sums(b, t, n)
    i, body = index(), b.child()
    then = body.child()
    then.accum(Y, (i,), then.load(t, (i,)))
    then.store(t, (i,), real(0.0))
    branch(body, C, then.block(), ir.Block(()))
    loop(b, i, n, body.block())


@pytest.mark.parametrize("draw", [at_the_end, partly_at_the_end, whole_at_the_end, in_a_branch])
def test_dropped(draw: Draw) -> None:
    func = zeros(draw)
    before, after = text(func), text(dead_zeros(func))
    assert after.splitlines() == [
        line for line in before.splitlines() if not line.strip().endswith("] = 0.0")
    ]


def in_steps(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    at_the_end(body, t, n)
    loop(b, variable("k", INT), STEPS, body.block())


def test_steps() -> None:
    """Each step finds zeros and leaves zeros."""
    after = dead_zeros(zeros(in_steps))
    assert (
        text(after)
        == """\
func m:f(x: float64[:], y: float64[:], c: bool) -> None
  n: int64 = dim x, 0
  t: float64[:] = alloc (n)
  for k in 0..5 step 1:
    for i in 0..n step 1:
      t1: float64 = load x[i]
      t[i] = t1
    for i.1 in 0..n step 1:
      t2: float64 = load t[i.1]
      y[i.1] += t2
"""
    )
    assert dead_zeros(after) is after


def in_steps_of_steps(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    in_steps(body, t, n)
    loop(b, variable("m", INT), STEPS, body.block())


def in_one_nest(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body, nest, i = b.child(), b.child(), index()
    nest.accum(t, (i,), real(2.0))
    nest.accum(Y, (i,), nest.load(t, (i,)))
    nest.store(t, (i,), real(0.0))
    loop(body, i, n, nest.block())
    loop(b, variable("k", INT), STEPS, body.block())


def whole_in_steps(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    body.add_to(t, X)
    whole_at_the_end(body, t, n)
    loop(b, variable("k", INT), STEPS, body.block())


def while_steps(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body, cond = b.child(), Builder(free=b.free)
    at_the_end(body, t, n)
    b.add(ir.While((), (), (), cond.block((C,)), body.block(), origin=b.origin))


@pytest.mark.parametrize("draw", [in_steps_of_steps, in_one_nest, whole_in_steps, while_steps])
def test_stored_in_steps(draw: Draw) -> None:
    after = text(dead_zeros(zeros(draw)))
    assert "0.0" not in after
    assert after.count("t[") == 2


def partly_cleared(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    sums(body, t, n)
    used_up(body, t, ONE)
    loop(b, variable("k", INT), STEPS, body.block())


def partly_summed(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    sums(body, t, ONE)
    used_up(body, t, n)
    loop(b, variable("k", INT), STEPS, body.block())


def read_after(b: Builder, t: ir.Value, n: ir.Value) -> None:
    in_steps(b, t, n)
    b.accum(Y, (ZERO,), b.load(t, (ZERO,)))


def summed_before(b: Builder, t: ir.Value, n: ir.Value) -> None:
    """The first step finds no zeros."""
    sums(b, t, n)
    in_steps(b, t, n)


def read_first(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    used_up(body, t, n)
    sums(body, t, n)
    used_up(body, t, n)
    loop(b, variable("k", INT), STEPS, body.block())


def cleared_sometimes(b: Builder, t: ir.Value, n: ir.Value) -> None:
    body = b.child()
    sums(body, t, n)
    then = body.child()
    used_up(then, t, n)
    branch(body, C, then.block(), ir.Block(()))
    loop(b, variable("k", INT), STEPS, body.block())


def neighbours(b: Builder, t: ir.Value, n: ir.Value) -> None:
    """A loop in which one iteration clears what the next one reads."""
    sums(b, t, n)
    i, body = index(), b.child()
    following = body.compute("add", (i, ONE), INT)
    v = body.load(t, (i,))
    body.store(t, (following,), real(0.0))
    body.accum(Y, (i,), v)
    loop(b, i, n, body.block())


def same_element(b: Builder, t: ir.Value, n: ir.Value) -> None:
    """Each iteration reads what the one before has cleared."""
    i, body = index(), b.child()
    v = body.load(t, (ZERO,))
    body.store(t, (ZERO,), real(0.0))
    body.accum(Y, (i,), v)
    loop(b, i, n, body.block())


def from_the_end(b: Builder, t: ir.Value, n: ir.Value) -> None:
    """The last element has two indices."""
    sums(b, t, n)
    i, body = index(), b.child()
    v = body.load(t, (i,))
    body.store(t, (i,), real(0.0))
    body.accum(Y, (i,), v)
    loop(b, i, n, body.block(), lo=ir.int_const(-1))


def viewed(b: Builder, t: ir.Value, n: ir.Value) -> None:
    view = variable("v", VECTOR)
    b.add(ir.View(view, t, (ir.Slice(ONE, TWO),), b.origin))
    sums(b, t, n)
    i, body = index(), b.child()
    body.accum(Y, (i,), body.load(view, (i,)))
    body.store(t, (i,), real(0.0))
    loop(b, i, n, body.block())


@pytest.mark.parametrize(
    "draw",
    [
        partly_cleared, partly_summed, summed_before, read_first, cleared_sometimes, neighbours,
        same_element, from_the_end, viewed, read_after,
    ],
)  # fmt: skip
def test_kept(draw: Draw) -> None:
    func = zeros(draw)
    assert dead_zeros(func) is func


def test_only_zeros_and_the_reverse_sweep() -> None:
    for func in (
        zeros(in_steps, free=False),
        zeros(at_the_end, free=False),
        zeros(in_steps, fill=1.0),
    ):
        assert dead_zeros(func) is func


def test_not_what_is_returned() -> None:
    b = Builder(free=True)
    n = b.dim(X, 0, "n")
    t = b.alloc(VECTOR, (n,), real(0.0), "t")
    at_the_end(b, t, n)
    func = function((X, Y), b, (t,))
    assert dead_zeros(func) is func


def test_not_what_another_name_shows() -> None:
    """A branch chooses between two arrays."""
    b = Builder(free=True)
    n = b.dim(X, 0, "n")
    s, t = (b.alloc(VECTOR, (n,), real(0.0), name) for name in "st")
    (either,) = branch(b, C, ir.Block((), (s,)), ir.Block((), (t,)))
    at_the_end(b, t, n)
    total = variable("", FLOAT)
    b.add(ir.Sum(total, either))
    func = function((X, Y, C), b, (total,))
    assert dead_zeros(func) is func
