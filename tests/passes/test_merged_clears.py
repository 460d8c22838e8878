"""An element that is cleared and then added to is assigned, unless something looks at it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.merged_clears import merged_clears

from tests.passes.programs import (
    INT,
    ONE,
    VECTOR,
    Builder,
    function,
    loop,
    plus,
    real,
    text,
    variable,
)

U, V, AT = variable("u", VECTOR), variable("v", VECTOR), variable("i", INT)
Draw = Callable[[Builder], None]  # what happens between the clearing and the sum


def swept(draw: Draw, free: bool = True) -> ir.Func:
    """``for i in range(1, n): d = u[i]; u[i] = 0.0; ...; u[i] += d``"""
    b = Builder(free=free)
    body = b.child()
    d = body.load(U, (AT,), "d")
    body.store(U, (AT,), real(0.0))
    draw(body)
    body.accum(U, (AT,), d)
    loop(b, AT, b.dim(U, 0, "n"), body.block(), lo=ONE)
    return function((U, V), b)


def beside(b: Builder) -> None:
    b.accum(U, (plus(b, AT, ONE, "k"),), real(2.0))


def before(b: Builder) -> None:
    b.accum(U, (b.compute("sub", (AT, ONE), INT, "k"),), real(2.0))


def test_merged() -> None:
    assert (
        text(merged_clears(swept(beside)))
        == """\
func m:f(u: float64[:], v: float64[:]) -> None
  n: int64 = dim u, 0
  for i in 1..n step 1:
    d: float64 = load u[i]
    k: int64 = add i, 1
    u[k] += 2.0
    u[i] = d
"""
    )
    assert "u[i] = d" in text(merged_clears(swept(before)))


def read(b: Builder) -> None:
    b.accum(V, (AT,), b.load(U, (AT,)))


def anywhere(b: Builder) -> None:
    b.accum(U, (b.compute("mul", (AT, AT), INT),), real(1.0))


def through_a_view(b: Builder) -> None:
    view = variable("w", VECTOR)
    b.add(ir.View(view, U, (ir.Slice(ONE),)))
    b.accum(view, (AT,), real(1.0))


def other_argument(b: Builder) -> None:
    b.accum(V, (AT,), real(1.0))  # may be the same memory


@pytest.mark.parametrize("draw", [read, anywhere, through_a_view, other_argument])
def test_kept(draw: Draw) -> None:
    func = swept(draw)
    assert merged_clears(func) is func


def test_what_the_user_has_written_stays() -> None:
    """0.0 + -0.0 is 0.0."""
    func = swept(beside, free=False)
    assert merged_clears(func) is func
