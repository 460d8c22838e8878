"""Roots have the derivatives that the implicit function theorem gives them, in all modes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text

SOURCE = """
import math
from scipy.optimize import brentq, newton

# mooncake: modes=reverse,forward,hvp
def cube_root(a: float) -> float:
    return brentq(lambda x: x * x * x - a, 0.0, 3.0)

# mooncake: modes=reverse,forward,hvp
def square_root(a: float) -> float:
    return newton(lambda x: x * x - a, 1.0)

# mooncake: modes=reverse,forward,hvp
def kepler(m: float, e: float) -> float:
    return newton(lambda x: x - e * math.sin(x) - m, m, lambda x: 1.0 - e * math.cos(x))

def wide(a: float) -> float:
    return brentq(lambda x: math.tanh(x - a), -1e9, 1e12)

def triple(a: float) -> float:
    return brentq(lambda x: (x - a) ** 3, 0.0, 2.0, xtol=1e-9)

def double(a: float) -> float:
    return newton(lambda x: (x - a) ** 2, 1.0, lambda x: 2.0 * (x - a), maxiter=100)

def nowhere(a: float) -> float:
    return brentq(lambda x: x * x + a, 0.0, 2.0)

def never(a: float) -> float:
    return brentq(lambda x: math.exp(x) - a, -50.0, 50.0, maxiter=3)
"""


@pytest.mark.parametrize("a", [0.3, 1.0, 2.0, 20.0])
@pytest.mark.wide("jit", "20.0")
def test_roots(a: float, modules: Modules) -> None:
    primal, generated = modules
    for name, p in (("cube_root", 1.0 / 3.0), ("square_root", 0.5)):
        value, gradient = getattr(generated, f"{name}_value_and_grad")(a)
        assert value == getattr(primal, name)(a)
        assert gradient == pytest.approx(p * a ** (p - 1.0), rel=1e-10)
        _, tangent = getattr(generated, f"{name}_jvp")(a, 1.0)
        assert tangent == pytest.approx(gradient, rel=1e-14)
        _, second = getattr(generated, f"{name}_hvp")(a, 1.0)
        assert second == pytest.approx(p * (p - 1.0) * a ** (p - 2.0), rel=1e-8)


def test_kepler(modules: Modules) -> None:
    _, generated = modules
    m, e = 0.8, 0.3
    x, found = generated.kepler_value_and_grad(m, e)
    slope = 1.0 - e * math.cos(x)
    np.testing.assert_allclose(found, (1.0 / slope, math.sin(x) / slope), rtol=1e-12)
    _, second = generated.kepler_hvp(m, e, 1.0, 0.0)
    assert second[0] == pytest.approx(-e * math.sin(x) / slope**3, rel=1e-9)


def test_a_wide_bracket(modules: Modules) -> None:
    """The slope is looked for at the scale of the function, not of the bracket."""
    assert modules[1].wide_grad(0.7) == pytest.approx(1.0, rel=1e-9)


def test_what_raises(modules: Modules) -> None:
    primal, generated = modules
    for name in ("triple", "double"):
        assert abs(getattr(primal, name)(1.1) - 1.1) < 1e-3
        with pytest.raises(RuntimeError, match="the root has no derivative"):
            getattr(generated, f"{name}_grad")(1.1)
    for function in (primal.nowhere, generated.nowhere_grad):
        with pytest.raises(ValueError, match=r"f\(a\) and f\(b\) must have different signs"):
            function(1.0)
    for function in (primal.never, generated.never_grad):
        with pytest.raises(RuntimeError, match="Failed to converge"):
            function(1.0)


@pytest.mark.parametrize("more", ["full_output=True", "disp=False"])
def test_options_that_change_the_result(more: str) -> None:
    text = (
        "from scipy.optimize import brentq\n"
        "def f(a: float) -> float:\n"
        f"    return brentq(lambda x: x - a, 0.0, 1.0, {more})\n"
    )
    with pytest.raises(Refusal, match="MK303"):
        gradient_text(text)
