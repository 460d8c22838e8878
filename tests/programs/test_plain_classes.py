"""Objects of plain classes at the border: gradients as tangents, what is not told."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text, transpiled

CLASSES = """
from dataclasses import dataclass


class Spring:
    def __init__(self, stiffness: float, length: float) -> None:
        self.stiffness = stiffness
        self._length = length


class Trace:
    def __init__(self, x: float) -> None:
        self.x = x
        self.seen = []


class Forgetful(Spring):
    def __init__(self, x: float) -> None:
        self.x = x


@dataclass
class Pair:
    _first: float
    first: float
"""


@pytest.mark.parametrize("jit", [False, True])
def test_gradients_are_tangents(jit: bool) -> None:
    """Their fields have no leading underscores, the attributes of the class do."""
    primal, generated = transpiled(
        CLASSES
        + "def f(s: Spring, x: float) -> float:\n    return s.stiffness * (x - s._length) ** 2\n"
        + "def g(p: Pair, x: float) -> Pair:\n    return Pair(p.first * x, p._first)\n",
        jit=jit,
    )
    spring = primal.Spring(2.0, 0.5)
    value, grad = generated.f_value_and_grad(spring, 1.5)
    assert (value, grad.s.stiffness, grad.s.length) == (2.0, 1.0, -4.0)
    _, slope = generated.f_jvp(spring, 1.5, grad.s, 0.0)
    assert slope == 1.0 + 16.0
    pair = primal.Pair(2.0, 3.0)
    _, grad = generated.g_vjp(pair, 5.0, pair)
    assert tuple(grad.p) == (3.0, 10.0)
    _, again = generated.g_vjp(pair, 5.0, grad.p)
    assert tuple(again.p) == (10.0, 15.0)
    moved, _ = generated.g_jvp(pair, 5.0, grad.p, 0.0)
    assert (moved._first, moved.first) == (15.0, 2.0)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("def f(t: Trace) -> float:\n    return t.x\n", "the type of its attribute seen is not"),
        ("def f(s: Forgetful) -> float:\n    return s.x\n", "the type of its attribute stiffness"),
    ],
)
def test_what_is_not_told(function: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        gradient_text(CLASSES + function)
    (found,) = refused.value.diagnostics
    assert found.code == "MK204"
    assert message in found.message


def test_a_dataclass_has_no_fields_of_other_bases() -> None:
    primal, generated = transpiled("""
from dataclasses import dataclass

class Base:
    k: float = 2.0

@dataclass
class Derived(Base):
    x: float

def f(x: float) -> float:
    d = Derived(3.0 * x)
    return d.x * d.k
""")
    assert generated.f_value_and_grad(1.5) == (primal.f(1.5), 6.0)
