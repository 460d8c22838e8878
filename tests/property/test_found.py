"""The smallest programs of what random ones have found, each with what should become of it."""

from __future__ import annotations

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, transpiled
from tests.property.generator import arguments
from tests.property.prelude import complete

# Names of a parameter's object that are rebound: the caller still holds it.
REBOUND = {
    "branch": """
def f(x: Vec, o: State, a: float) -> float:
    if a > 0.0:
        o = State(x, x, a)
    o.t = 3.0 * a
    return o.t
""",
    "loop": """
def f(x: Vec, o: State) -> float:
    for _ in range(len(x)):
        o.x = x
        o = State(x, o.v, 2.0)
    return o.t
""",
    "while": """
def f(x: Vec, o: State) -> float:
    while o.t < 3.0:
        o.t = 0.5 + o.t
        o = State(x, x, o.t)
    return o.t
""",
    "nested function": """
def f(y: Vec, o: State) -> float:
    def turn():
        o.turn()

    for i in range(2, 2):
        o = replace(o, x=y)
    turn()
    return o.x[0]
""",
}


@pytest.mark.parametrize("name", REBOUND)
def test_parameters_that_are_rebound(name: str) -> None:
    with pytest.raises(Refusal, match=r"MK320|MK212"):
        gradient_text(complete(REBOUND[name].lstrip()))


def test_comprehension_in_try() -> None:
    check(
        """
def f(x: Vec) -> float:
    s = x[0] * x[1]
    try:
        if x[0] > 0.7889:
            raise ValueError("large")
        values = [math.sin(x[2]) for _ in range(3)]
        s += values[1]
    except ValueError:
        pass
    return s
"""
    )


def test_field_after_try() -> None:
    check(
        """
def f(x: Vec, a: float) -> float:
    o = State(x, x, 1.0, 2)
    try:
        if a > 3.0:
            raise ValueError("no")
        o = State(x, x, a)
    except ValueError:
        pass
    return (o.n + a) * o.t
"""
    )


def check(source: str) -> None:
    primal, generated = transpiled(complete(source.lstrip()))
    check_gradients(primal.f, generated, arguments(primal, 0))
