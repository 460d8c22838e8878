"""Induction variables: carried integers that grow by the same amount are computed."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.induction import induction
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.passes.while_to_for import while_to_for

from tests.passes.programs import (
    INT,
    ONE,
    TWO,
    ZERO,
    Builder,
    C,
    N,
    X,
    branch,
    counting,
    function,
    loop,
    plus,
    text,
    variable,
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
