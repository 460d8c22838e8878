"""While loops that count become for loops."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.induction import induction
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.passes.while_to_for import while_to_for

from tests.passes.programs import (
    BOOL,
    FALSE,
    INT,
    ONE,
    TRUE,
    ZERO,
    A,
    Builder,
    N,
    X,
    branch,
    counting,
    function,
    plus,
    repeat,
    text,
    variable,
)


def test_counted() -> None:
    func = counting("lt", 2)
    assert (
        text(while_to_for(func))
        == """\
func m:f(x: float64[:], a: float64, n: int64) -> int64
  i.3: int64 = for i in 0..n step 2 (i.1 = 0):
    x[i.1] = a
    i.2: int64 = add i.1, 2
    yield i.2
  return i.3
"""
    )


@pytest.mark.parametrize(
    ("op", "step", "flipped", "bounds"),
    [
        ("lt", 1, False, "0..n step 1"),
        ("gt", 1, True, "0..n step 1"),
        ("le", 1, False, "0..t1 step 1"),
        ("gt", -2, False, "0..n step -2"),
        ("ge", -1, False, "0..t1 step -1"),
        ("le", -1, True, "0..t1 step -1"),
    ],
)
def test_counted_comparisons(op: str, step: int, flipped: bool, bounds: str) -> None:
    assert bounds in text(while_to_for(counting(op, step, flipped)))


@pytest.mark.parametrize(("op", "step"), [("ne", 1), ("lt", -1), ("gt", 1), ("le", 0)])
def test_not_counted(op: str, step: int) -> None:
    func = counting(op, step)
    assert while_to_for(func) is func


def test_not_counted_up_to_a_moving_bound() -> None:
    b = Builder()
    i, n = variable("i", INT), variable("top", INT)
    test, body = b.child(), b.child()
    cond = test.block((test.compute("lt", (i, n), BOOL),))
    last = (plus(body, i, ONE), plus(body, n, ir.int_const(-2)))
    repeat(b, cond, body.block(last), [(i, ZERO), (n, N)])
    func = function((N,), b)
    assert while_to_for(func) is func


def test_counted_with_break() -> None:
    """``while i < n - 1: if a < x[i]: break; i += 1`` and then ``i``."""
    b = Builder()
    left, i = variable("left", BOOL), variable("i", INT)
    test, body = b.child(), b.child()
    bound = test.compute("sub", (N, ONE), INT)
    cond = test.block((test.compute("lt", (i, bound), BOOL),))
    leaves = body.compute("lt", (A, body.load(X, (i,))), BOOL)
    rest = body.child()
    more = plus(rest, i, ONE, "i")
    last = branch(body, leaves, ir.Block((), (TRUE, i)), rest.block((FALSE, more)))
    outs = repeat(b, cond, body.block(last), [(left, FALSE), (i, ZERO)], leaves=True)
    func = while_to_for(function((X, A, N), b, outs[1:]))
    assert (
        text(simplify(induction(func)))
        == """\
func m:f(x: float64[:], a: float64, n: int64) -> int64
  t1: int64 = sub n, 1
  left.1: bool, i.3: int64 = for i in 0..t1 step 1 (left = False, i.1 = 0) exit:
    t2: float64 = load x[i]
    t3: bool = lt a, t2
    t4: bool, t5: int64 = if t3:
      yield True, i
    else:
      i.2: int64 = add i, 1
      yield False, i.2
    yield t4, t5
  return i.3
"""
    )
