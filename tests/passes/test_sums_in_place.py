"""Stores of what is there and something more are sums in place; all others stay stores."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.sums_in_place import sums_in_place

from tests.passes.programs import (
    FLOAT,
    INT,
    ONE,
    VECTOR,
    ZERO,
    Array,
    Builder,
    DType,
    function,
    variable,
)

X, Y, W = variable("x", VECTOR), variable("y", VECTOR), variable("w", FLOAT)


def is_in_place(
    op: str, first: bool, *, between: ir.Value | None = None, at: ir.Atom = ZERO
) -> bool:
    """``v = x[0]; between[1] = w; x[at] = op(v, w)``, or ``op(w, v)``"""
    b = Builder()
    old = b.load(X, (ZERO,))
    if between is not None:
        b.store(between, (ONE,), W)
    b.store(X, (at,), b.compute(op, (old, W) if first else (W, old), FLOAT))
    func = sums_in_place(function((X, Y, W), b))
    return isinstance(func.body.stmts[-1], ir.Accum)


@pytest.mark.parametrize(
    ("op", "first", "expected"),
    [
        ("add", True, True),
        ("add", False, True),
        ("sub", True, True),
        ("sub", False, False),
        ("mul", True, False),
    ],
)
def test_sums_and_differences(op: str, first: bool, expected: bool) -> None:
    assert is_in_place(op, first) is expected


def test_what_may_be_another_element() -> None:
    assert not is_in_place("add", True, at=ONE)
    assert not is_in_place("add", True, between=X)
    assert not is_in_place("add", True, between=Y)  # callers may pass one array for both


def test_integers_stay() -> None:
    """Narrow ones wrap, and nobody differentiates them."""
    ints = variable("k", Array(DType.INT64, 1))
    b = Builder()
    b.store(ints, (ZERO,), b.compute("add", (b.load(ints, (ZERO,)), ONE), INT))
    func = function((ints,), b)
    assert sums_in_place(func) is func


def test_twice_the_element_stays() -> None:
    b = Builder()
    old = b.load(X, (ZERO,))
    b.store(X, (ZERO,), b.compute("add", (old, old), FLOAT))
    func = function((X,), b)
    assert sums_in_place(func) is func
