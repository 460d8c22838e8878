"""Objects of plain classes at the border: gradients as tangents, what is not told."""

from __future__ import annotations

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import gradient_text, refusals, transpiled

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
    (found,) = refusals(CLASSES + function)
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


TEXTS = """
class Layer:
    def __init__(self, w: float, kind: str):
        self.w = w
        self.kind = kind

def _applied(layer, x):
    if layer.kind == "square":
        return layer.w * x * x
    if layer.kind in ("half", "third"):
        return layer.w * x / (2.0 if layer.kind == "half" else 3.0)
    raise ValueError(f"unknown {layer.kind}")

def f(a: Layer, b: Layer, x: float) -> float:
    return _applied(b, _applied(a, x))
"""


@pytest.mark.parametrize("jit", [False, True])
def test_text_in_attributes_is_compared(jit: bool) -> None:
    primal, generated = transpiled(TEXTS, jit=jit)
    layers = [primal.Layer(2.0 + k, kind) for k, kind in enumerate(("square", "half", "third"))]
    for a in layers:
        for b in layers:
            value, grad = generated.f_value_and_grad(a, b, 1.5)
            assert value == pytest.approx(primal.f(a, b, 1.5), rel=1e-14)
            slope = (primal.f(a, b, 1.5 + 1e-5) - primal.f(a, b, 1.5 - 1e-5)) / 2e-5
            assert grad.x == pytest.approx(slope, rel=1e-8)
    with pytest.raises(ValueError, match="unknown"):
        generated.f_grad(layers[0], primal.Layer(1.0, "other"), 1.5)


ARRAYS = """
import numpy as np


class Body:
    def __init__(self, position, mass) -> None:
        self.position = np.array(position, dtype=np.float64)
        self.velocity = np.zeros(3)
        self.mass = float(mass)

    def energy(self) -> float:
        return self.mass * (np.sum(self.velocity**2) + np.sum(self.position**3))


class Stated:
    position: np.ndarray

    def __init__(self, position, mass) -> None:
        self.position = np.array(position, dtype=np.float64)
        self.mass = float(mass)


def of_told(b: Body, k: float) -> float:
    return b.energy() * k


def of_stated(b: Stated, k: float) -> float:
    return np.sum(b.position**2) * b.mass * k
"""


@pytest.mark.parametrize("jit", [False, True])
def test_arrays_that_are_made(jit: bool) -> None:
    primal, generated = transpiled(ARRAYS, jit=jit)
    for cls, name in ((primal.Body, "of_told"), (primal.Stated, "of_stated")):
        body = cls([1.0, 2.0, 0.5], 3)
        check_gradients(getattr(primal, name), generated, (body, 1.5))


def test_annotations_that_are_proposed_are_enough() -> None:
    text = ARRAYS.replace("float(mass)", "mass")
    refused = refusals(text)
    told, missing = refused
    assert (told.code, missing.code) == ("MK204", "MK305")
    assert all("`self.mass: float = ...`" in str(one.help) for one in (told, missing))
    gradient_text(text.replace("self.mass =", "self.mass: float ="))
