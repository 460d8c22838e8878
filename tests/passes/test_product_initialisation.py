"""A matrix product that is added to zeros is bound instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.product_initialisation import product_initialisation
from mooncake_transpiler.passes.simplify import simplify

from tests.passes.programs import (
    FLOAT,
    INT,
    MATRIX,
    VECTOR,
    ZERO,
    Builder,
    function,
    loop,
    real,
    text,
    variable,
)

A, B, X = variable("a", MATRIX), variable("b", MATRIX), variable("x", VECTOR)
WHOLE = (ir.Slice(), ir.Slice())

Draw = Callable[[Builder, ir.Value], None]  # what follows the zeros


def added(b: Builder, *args: ir.Atom) -> None:
    b.add(ir.Call((), "rt:matmul_add", args, b.origin, b.free))


def transposed(b: Builder, matrix: ir.Value) -> ir.Value:
    out = variable("", MATRIX)
    b.add(ir.View(out, matrix, WHOLE, b.origin, (1, 0)))
    return out


def zeros(draw: Draw, free: bool = True, fill: float = 0.0) -> ir.Func:
    """``c = zeros(...); ...; return c``"""
    b = Builder(free=free)
    c = b.alloc(MATRIX, (b.dim(A, 0, "n"), b.dim(B, 1, "m")), real(fill), "c")
    draw(b, c)
    return function((A, B, X), b, (c,))


def product(b: Builder, c: ir.Value) -> None:
    added(b, A, B, c)


def test_bound() -> None:
    after = product_initialisation(zeros(product))
    assert (
        text(simplify(after))
        == """\
func m:f(a: float64[:, :], b: float64[:, :], x: float64[:]) -> float64[:, :]
  c: float64[:, :] = call rt:strong_matmul(a, b)
  return c
"""
    )
    assert product_initialisation(after) is after


def to_the_transpose(b: Builder, c: ir.Value) -> None:
    """The view is used later, too: it moves behind the product."""
    view = transposed(b, c)
    added(b, transposed(b, B), A, view)
    b.store(view, (ZERO, ZERO), real(1.0))


def test_to_the_transpose() -> None:
    after = text(simplify(product_initialisation(zeros(to_the_transpose))))
    lines = [line.strip() for line in after.splitlines()]
    assert lines[2] == "c: float64[:, :] = call rt:strong_matmul(t1, b)"
    assert lines[1].startswith("t1: float64[:, :] = view a")
    assert lines[3].startswith("t2: float64[:, :] = view c")


def of_a_vector(b: Builder, c: ir.Value) -> None:
    added(b, A, B, c)
    y = b.alloc(VECTOR, (b.dim(A, 0),), real(0.0), "y")
    added(b, A, X, y)
    z = b.alloc(VECTOR, (b.dim(B, 1),), real(0.0), "z")
    added(b, X, B, z)
    b.store(y, (ZERO,), b.load(z, (ZERO,)))
    b.store(c, (ZERO, ZERO), b.load(y, (ZERO,)))


def test_of_a_vector() -> None:
    after = text(product_initialisation(zeros(of_a_vector)))
    assert after.count("rt:strong_matmul(") == 3
    assert "alloc" not in after


def outer(b: Builder, c: ir.Value) -> None:
    added(b, X, X, c)


def read_before(b: Builder, c: ir.Value) -> None:
    b.accum(c, (ZERO, ZERO), b.load(c, (ZERO, ZERO)))
    added(b, A, B, c)


def inside_a_loop(b: Builder, c: ir.Value) -> None:
    body = b.child()
    added(body, A, B, c)
    loop(b, variable("i", INT), ir.int_const(3), body.block())


def read_in_a_loop(b: Builder, c: ir.Value) -> None:
    body, s = b.child(), variable("s", FLOAT)
    block = body.block((body.load(c, (ZERO, ZERO)),))
    loop(b, variable("i", INT), ir.int_const(3), block, [(s, real(0.0))])
    added(b, A, B, c)


def size_needed(b: Builder, c: ir.Value) -> None:
    size = b.dim(c, 0)
    b.add(ir.Print((size,), b.origin))
    added(b, A, B, c)


def to_a_part(b: Builder, c: ir.Value) -> None:
    view = variable("", MATRIX)
    b.add(ir.View(view, c, (ir.Slice(ZERO, ir.int_const(2)), ir.Slice()), b.origin))
    added(b, A, B, view)


def to_a_turned_part(b: Builder, c: ir.Value) -> None:
    view = variable("", MATRIX)
    b.add(ir.View(view, c, (ir.Slice(ZERO, ir.int_const(2)),), b.origin, (1, 0)))
    added(b, A, B, view)


def of_itself(b: Builder, c: ir.Value) -> None:
    added(b, A, c, c)


@pytest.mark.parametrize(
    "draw",
    [
        outer, read_before, inside_a_loop, read_in_a_loop, size_needed, to_a_part,
        to_a_turned_part, of_itself,
    ],
)  # fmt: skip
def test_not_bound(draw: Draw) -> None:
    func = zeros(draw)
    assert product_initialisation(func) is func


def test_only_to_zeros_of_the_reverse_sweep() -> None:
    for func in (zeros(product, free=False), zeros(product, fill=1.0)):
        assert product_initialisation(func) is func
