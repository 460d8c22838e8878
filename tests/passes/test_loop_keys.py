"""Loops that compute the same are one loop; all others stay."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.cse import cse

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
    plus,
    real,
    variable,
)

X, Y, C = variable("x", VECTOR), variable("y", VECTOR), variable("c", BOOL)


def total(
    b: Builder, of: ir.Value = X, start: float = 0.0, lo: ir.Atom = ZERO, op: str = "add"
) -> ir.Value:
    """``s = start; for i in range(lo, n): s = op(s, x[i])``"""
    n = b.dim(of, 0)
    i, s, body = variable("i", INT), variable("s", FLOAT), b.child()
    summed = body.compute(op, (s, body.load(of, (i,))), FLOAT)
    (out,) = loop(b, i, n, body.block((summed,)), [(s, real(start))], lo=lo)
    return out


def loops(func: ir.Func) -> int:
    return sum(isinstance(s, ir.For) for s in ir.walk(cse(func).body))


@pytest.mark.parametrize(
    "other",
    [{}, {"of": Y}, {"start": 1.0}, {"start": -0.0}, {"lo": ONE}, {"op": "mul"}],
)
def test_loops_that_compute_the_same(other: dict[str, object]) -> None:
    b = Builder()
    result = plus(b, total(b), total(b, **other))  # type: ignore[arg-type]
    assert loops(function((X, Y), b, (result,))) == (2 if other else 1)


@pytest.mark.parametrize("written", [X, Y])
def test_a_write_in_between(written: ir.Value) -> None:
    """Arguments may be one array."""
    b = Builder()
    first = total(b)
    b.store(written, (ONE,), real(2.0))
    assert loops(function((X, Y), b, (plus(b, first, total(b)),))) == 2


def test_a_loop_in_a_branch_is_not_known_behind_it() -> None:
    b = Builder()
    then, orelse = b.child(), b.child()
    arms = then.block((total(then),)), orelse.block((total(orelse),))
    (chosen,) = branch(b, C, *arms)
    assert loops(function((X, C), b, (plus(b, chosen, total(b)),))) == 3


def test_a_loop_that_stores_stays() -> None:
    b = Builder()
    for _ in range(2):
        i, body = variable("i", INT), b.child()
        body.accum(X, (i,), real(1.0))
        loop(b, i, TWO, body.block())
    assert loops(function((X,), b)) == 2


def filled(b: Builder, size: ir.Atom, times: float = 2.0) -> ir.Value:
    """``a = np.empty(size); for i in range(size): a[i] = times * x[i]``"""
    array = b.alloc(VECTOR, (size,), None, "a")
    i, body = variable("i", INT), b.child()
    body.store(array, (i,), body.compute("mul", (real(times), body.load(X, (i,))), FLOAT))
    loop(b, i, size, body.block())
    return array


@pytest.mark.parametrize(
    "what", ["alike", "times", "size", "written later", "written before", "shown before", "result"]
)
def test_arrays_that_are_filled_alike(what: str) -> None:
    b = Builder()
    n = b.dim(X, 0)
    first = filled(b, n)
    if what in ("written before", "shown before"):
        second = b.alloc(VECTOR, (n,), None, "b")
        if what == "written before":
            b.store(second, (ZERO,), real(3.0))
        else:
            b.add(ir.View(variable("part", VECTOR), second, (ir.Slice(ONE, None),)))
        i, body = variable("i", INT), b.child()
        body.store(second, (i,), body.compute("mul", (real(2.0), body.load(X, (i,))), FLOAT))
        loop(b, i, n, body.block())
    else:
        second = filled(b, TWO if what == "size" else n, 3.0 if what == "times" else 2.0)
    if what == "written later":
        b.store(first, (ZERO,), real(1.0))
    total_ = plus(b, b.load(first, (ONE,)), b.load(second, (ONE,)))
    func = function((X,), b, (second if what == "result" else total_,))
    assert loops(func) == (1 if what == "alike" else 2)


def test_a_condition_is_false_behind_what_raises() -> None:
    b = Builder()
    for _ in range(2):
        stop = b.child()
        stop.add(ir.Raise("ValueError", "no"))
        branch(b, C, stop.block(), b.child().block())
    func = cse(function((C,), b, (b.compute("not", (C,), BOOL),)))
    first, second, _ = func.body.stmts
    assert isinstance(first, ir.If)
    assert isinstance(second, ir.If)
    assert first.cond is C
    assert second.cond == ir.Const(False, BOOL)
