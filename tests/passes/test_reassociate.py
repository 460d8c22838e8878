"""Sums are reassociated where their order is open and the loop runs on vectors then."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.reassociate import reassociate
from mooncake_transpiler.types import DType, Scalar

from tests.passes.programs import (
    BOOL,
    FLOAT,
    INT,
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

X, C = variable("x", VECTOR), variable("c", BOOL)
K = variable("i", INT)

Body = Callable[[Builder, ir.Value], ir.Atom]  # from a carried sum to the next


def summed(body: Body, free: bool) -> ir.Func:
    """``for i in range(n): s = body(s)``"""
    b = Builder(free=free)
    n = b.dim(X, 0, "n")
    inner, s = b.child(), variable("s", FLOAT)
    block = inner.block((body(inner, s),))
    return function((X, C), b, loop(b, K, n, block, [(s, real(0.0))]))


def op(b: Builder, name: str, *args: ir.Atom) -> ir.Value:
    return b.compute(name, args, FLOAT)


def plain(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "add", s, b.load(X, (K,)))


def free(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "radd", s, b.load(X, (K,)))


def test_both_sums_of_a_loop() -> None:
    """One of a library function, one of the reverse sweep."""
    b = Builder(free=True)
    n = b.dim(X, 0, "n")
    body, s, t = b.child(), variable("s", FLOAT), variable("t", FLOAT)
    v = body.load(X, (K,))
    yields = (op(body, "radd", s, v), op(body, "add", t, v))
    results = loop(b, K, n, body.block(yields), [(s, real(0.0)), (t, real(0.0))])
    func = function((X,), b, results)
    after = reassociate(func)
    assert text(after).count("= radd ") == 2
    assert reassociate(after) is after


def twice(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "add", op(b, "add", s, real(1.0)), b.load(X, (K,)))


def root(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "add", s, op(b, "np.sqrt", b.load(X, (K,))))


def square(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "add", s, op(b, "pow", b.load(X, (K,)), real(2.0)))


@pytest.mark.parametrize(("body", "count"), [(plain, 1), (twice, 2), (root, 1), (square, 1)])
def test_reassociated(body: Body, count: int) -> None:
    assert text(reassociate(summed(body, free=True))).count("= radd ") == count


def test_sums_of_users_keep_their_order() -> None:
    func = summed(plain, free=False)
    assert reassociate(func) is func


def called(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "radd", s, op(b, "np.exp", b.load(X, (K,))))


def prefix(b: Builder, s: ir.Value) -> ir.Atom:
    """The sum so far is used: the order is that of the loop."""
    total = op(b, "radd", s, b.load(X, (K,)))
    b.store(X, (K,), total)
    return total


def seen(b: Builder, s: ir.Value) -> ir.Atom:
    b.store(X, (K,), s)
    return op(b, "radd", s, real(1.0))


def added_to_itself(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "radd", s, s)


def product(b: Builder, s: ir.Value) -> ir.Atom:
    return op(b, "radd", op(b, "mul", s, real(2.0)), b.load(X, (K,)))


def conditional(b: Builder, s: ir.Value) -> ir.Atom:
    then = b.child()
    return branch(b, C, then.block((free(then, s),)), ir.Block((), (s,)))[0]


def same_element(b: Builder, s: ir.Value) -> ir.Atom:
    b.accum(X, (ZERO,), b.load(X, (K,)))
    return free(b, s)


def outer(b: Builder, s: ir.Value) -> ir.Atom:
    loop(b, variable("j", INT), ir.int_const(3), ir.Block(()))
    return free(b, s)


@pytest.mark.parametrize(
    "body",
    [called, prefix, seen, added_to_itself, product, conditional, same_element, outer],
)
def test_written_with_plus(body: Body) -> None:
    assert "radd" not in text(reassociate(summed(body, free=True)))


def test_complex_sums_keep_their_order() -> None:
    b = Builder(free=True)
    plane = Scalar(DType.COMPLEX128)
    s = variable("s", plane)
    body = b.child()
    block = body.block((body.compute("add", (s, ir.Const(1j, plane)), plane),))
    func = function((), b, loop(b, K, ir.int_const(3), block, [(s, ir.Const(0j, plane))]))
    assert reassociate(func) is func
