"""Checks of sizes move to the top of a function, and what they establish is used behind them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.guards import guards

from tests.passes.programs import (
    BOOL,
    FLOAT,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    real,
    text,
    variable,
)

X, Y = variable("x", VECTOR), variable("y", VECTOR)


def checked(before: Callable[[Builder, ir.Value], object]) -> ir.Func:
    """``n, m = x.size, y.size; ...; if m != n: raise; z = zeros(m)``."""
    b = Builder()
    n, m = b.dim(X, 0, "n"), b.dim(Y, 0, "m")
    before(b, n)
    raises = ir.Block((ir.Raise("ValueError", "sizes differ"),))
    branch(b, b.compute("ne", (m, n), BOOL, "c"), raises, ir.Block(()))
    b.alloc(VECTOR, (m,), real(0.0), "z")
    return function((X, Y), b)


def lines(func: ir.Func) -> list[str]:
    return [line.strip() for line in text(func).splitlines()[1:]]


def position(func: ir.Func, words: str) -> int:
    """The number of the first line with ``words``."""
    return next(k for k, line in enumerate(lines(func)) if words in line)


def test_a_check_comes_before_what_is_made() -> None:
    func = checked(lambda b, n: b.alloc(VECTOR, (n,), real(0.0), "t"))
    assert position(func, "raise") > position(func, "t: ")
    after = guards(func)
    assert position(after, "raise") < position(after, "t: ")
    assert len(lines(after)) == len(lines(func))


def test_sizes_are_one_behind_the_check() -> None:
    assert "z: float64[:] = alloc (n) fill 0.0" in lines(guards(checked(lambda b, n: None)))


def print_(b: Builder, n: ir.Value) -> None:
    b.add(ir.Print((n,)))


def write(b: Builder, n: ir.Value) -> None:
    b.store(X, (ZERO,), real(1.0))


def raise_if(b: Builder, n: ir.Value) -> None:
    cond = b.compute("lt", (b.load(X, (ZERO,)), real(0.0)), BOOL)
    branch(b, cond, ir.Block((ir.Raise("RuntimeError", "negative"),)), ir.Block(()))


@pytest.mark.parametrize("noticed", [print_, write, raise_if])
def test_a_check_stays_behind_what_others_notice(
    noticed: Callable[[Builder, ir.Value], None],
) -> None:
    func = checked(noticed)
    assert position(guards(func), "sizes differ") == position(func, "sizes differ")


def test_floats_that_are_equal_are_not_one() -> None:
    b = Builder()
    v, w = b.load(X, (ZERO,), "v"), b.load(Y, (ZERO,), "w")
    raises = ir.Block((ir.Raise("ValueError", "numbers differ"),))
    branch(b, b.compute("ne", (v, w), BOOL), raises, ir.Block(()))
    func = function((X, Y), b, [b.compute("div", (real(1.0), w), FLOAT, "q")])
    assert "q: float64 = div 1.0, w" in lines(guards(func))
