"""While loops that count, induction variables, and what moves out of loops."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.hoist import hoist
from mooncake_transpiler.passes.induction import induction
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.passes.while_to_for import while_to_for

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    ONE,
    TRUE,
    TWO,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    loop,
    plus,
    real,
    repeat,
    text,
    variable,
)

X, A, N, C = (
    variable("x", VECTOR), variable("a", FLOAT), variable("n", INT), variable("c", BOOL)
)  # fmt: skip


def counting(op: str, step: int, flipped: bool = False, start: ir.Atom = ZERO) -> ir.Func:
    """``i = start; while i op n: x[i] = a; i += step; return i``"""
    b = Builder()
    i = variable("i", INT)
    test, body = b.child(), b.child()
    cond = test.block((test.compute(op, (N, i) if flipped else (i, N), BOOL),))
    body.store(X, (i,), A)
    outs = repeat(b, cond, body.block((plus(body, i, ir.int_const(step), "i"),)), [(i, start)])
    return function((X, A, N), b, outs)


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


def test_induction_of_a_counter() -> None:
    func = while_to_for(counting("lt", 1))
    assert (
        text(simplify(induction(func)))
        == """\
func m:f(x: float64[:], a: float64, n: int64) -> int64
  for i in 0..n step 1:
    x[i] = a
  t1: bool = gt n, 0
  i.1: int64 = select t1, n, 0
  return i.1
"""
    )


def test_induction() -> None:
    b = Builder()
    n = b.dim(X, 0, "n")
    i, k, down = variable("i", INT), variable("k", INT), variable("down", INT)
    body = b.child()
    body.store(X, (k,), body.load(X, (down,)))
    last = (plus(body, k, N, "k"), body.compute("sub", (down, TWO), INT))
    outs = loop(b, i, n, body.block(last), [(k, ONE), (down, n)])
    assert (
        text(simplify(induction(function((X, N), b, outs))))
        == """\
func m:f(x: float64[:], n: int64) -> (int64, int64)
  n.1: int64 = dim x, 0
  for i in 0..n.1 step 1:
    t1: int64 = mul i, n
    k: int64 = add 1, t1
    t2: int64 = mul i, -2
    down: int64 = add n.1, t2
    t3: float64 = load x[down]
    x[k] = t3
  t4: int64 = mul n.1, n
  k.1: int64 = add 1, t4
  t5: int64 = mul n.1, -2
  down.1: int64 = add n.1, t5
  return k.1, down.1
"""
    )


def test_no_induction_where_the_step_changes() -> None:
    b = Builder()
    i, k = variable("i", INT), variable("k", INT)
    body = b.child()
    arms = [ir.Block((), (k,)), ir.Block((), (i,))]
    outs = loop(b, i, N, body.block(branch(body, C, *arms)), [(k, ZERO)])
    again = b.child()
    j, m = variable("j", INT), variable("m", INT)
    more = loop(b, j, N, again.block((plus(again, m, j),)), [(m, ZERO)])
    func = function((N, C), b, (*outs, *more))
    assert induction(func) is func


def test_hoist() -> None:
    b = Builder()
    i, j = variable("i", INT), variable("j", INT)
    body, inner = b.child(), b.child()
    size = body.dim(X, 0, "size")
    twice = inner.compute("mul", (size, TWO), INT, "twice")
    work = inner.alloc(VECTOR, (twice,), real(0.0), "work")
    depends = inner.alloc(VECTOR, (i,), None, "depends")
    inner.store(work, (j,), inner.load(depends, (ZERO,)))
    inner.store(X, (j,), inner.load(work, (i,)))
    loop(body, j, N, inner.block())
    loop(b, i, N, body.block())
    assert (
        text(hoist(function((X, N), b)))
        == """\
func m:f(x: float64[:], n: int64) -> None
  size: int64 = dim x, 0
  twice: int64 = mul size, 2
  work: float64[:] = alloc (twice)
  for i in 0..n step 1:
    depends: float64[:] = alloc (i)
    for j in 0..n step 1:
      work[...] = 0.0
      t1: float64 = load depends[0]
      work[j] = t1
      t2: float64 = load work[i]
      x[j] = t2
"""
    )


def test_hoist_choices_inside_choices() -> None:
    """``for i: (x if c else (y if k == 0 else x))[i] = 1.0``; the array is chosen once."""
    y, k, i = variable("y", VECTOR), variable("k", INT), variable("i", INT)
    b = Builder()
    body = b.child()
    arm = body.child()
    is_first = arm.compute("eq", (k, ZERO), BOOL)
    (inner,) = branch(arm, is_first, ir.Block((), (y,)), ir.Block((), (X,)))
    (chosen,) = branch(body, C, ir.Block((), (X,)), arm.block((inner,)))
    body.store(chosen, (i,), real(1.0))
    loop(b, i, N, body.block())
    moved = hoist(function((X, y, C, k, N), b)).body.stmts
    assert [type(stmt) for stmt in moved] == [ir.If, ir.For]


def test_what_does_not_move() -> None:
    """An array that is carried, one whose extent may be negative, and a quotient that may fail."""
    b = Builder()
    size = b.dim(X, 0)
    i, u = variable("i", INT), variable("u", VECTOR)
    body = b.child()
    body.alloc(VECTOR, (N,), None, "negative")
    body.compute("floordiv", (size, N), INT, "quotient")
    carried, view = body.alloc(VECTOR, (size,), None, "carried"), variable("view", VECTOR)
    body.add(ir.View(view, carried, ()))
    loop(b, i, N, body.block((view,)), [(u, X)])
    func = function((X, N), b)
    assert hoist(func) is func


def test_upwards() -> None:
    """Only a loop that does not read its index changes its direction."""
    x, i, j = variable("x", VECTOR), variable("i", INT), variable("j", INT)
    b = Builder()
    n = b.dim(x, 0, "n")
    down = ir.int_const(-1)
    blind, reading = b.child(), b.child()
    blind.accum(x, (ZERO,), real(1.0))
    reading.accum(x, (j,), real(1.0))
    last = b.compute("sub", (n, ONE), INT)
    loop(b, i, down, blind.block(), lo=last, step=down)
    loop(b, j, down, reading.block(), lo=last, step=down)
    assert (
        text(simplify(function((x,), b)))
        == """\
func m:f(x: float64[:]) -> None
  n: int64 = dim x, 0
  t1: int64 = sub n, 1
  for i in 0..n step 1:
    x[0] += 1.0
  for j in t1..-1 step -1:
    x[j] += 1.0
"""
    )
