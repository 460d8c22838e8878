"""Roots of systems have the derivatives that the implicit function theorem gives them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.helpers.transpile import Refusal, gradient_text, transpiled

SOURCE = """
import numpy as np
from scipy.optimize import fsolve

# mooncake: modes=reverse,forward,hvp
def powers(a: float, b: float) -> float:
    return fsolve(lambda v: [v[0] * v[1] - a, v[0] / v[1] - b], [1.0, 1.0])[0]

def double(a: float) -> float:
    return fsolve(lambda x: [(x[0] - a) ** 2, x[1] - a], [0.3, 0.0])[0]

def changed(a: float) -> float:
    def equations(x):
        x[0] = max(x[0], 0.0)
        return [x[0] ** 2 - a, x[1] - x[0]]
    return fsolve(equations, [-1.0, 1.0])[1]

def nowhere(a: float) -> float:
    return fsolve(lambda x: [x[0] ** 2 + a, x[1]], [1.0, 1.0])[0]
"""


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.wide("True")
def test_closed_form(jit: bool) -> None:
    """The root is the square root of the product."""
    primal, generated = transpiled(SOURCE, jit=jit)
    a, b = 1.7, 0.6
    x = math.sqrt(a * b)
    value, gradient = generated.powers_value_and_grad(a, b)
    assert value == pytest.approx(primal.powers(a, b), rel=1e-9)
    np.testing.assert_allclose(gradient, (b / (2 * x), a / (2 * x)), rtol=1e-9)
    assert generated.powers_jvp(a, b, 1.0, 0.0)[1] == pytest.approx(b / (2 * x), rel=1e-9)
    _, second = generated.powers_hvp(a, b, 1.0, 0.0)
    np.testing.assert_allclose(second, (-(b**2) / (4 * x**3), 1 / (4 * x)), rtol=1e-7)


def test_what_raises() -> None:
    _, generated = transpiled(SOURCE)
    with pytest.raises(RuntimeError, match="the root has no derivative"):
        generated.double_grad(1.1)
    with pytest.raises(RuntimeError, match="The iteration is not making good progress"):
        generated.nowhere_grad(1.0)
    with pytest.raises(ValueError, match="changes its argument: copy it first"):
        generated.changed_grad(1.0)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("fsolve(lambda x: x - a, 1.0, full_output=True)[0][0]", "MK192"),
        ("root(lambda x: x - a, 1.0, method='lm').x[0]", "MK192"),
        ("root(lambda x: x - a, 1.0, options={'maxfev': 3}).x[0]", "MK192"),
        ("root(lambda x: x - a, 1.0, jac=True).x[0]", "MK301"),
        ("root(lambda x: x - a, 1.0).fjac[0, 0]", "MK305"),
    ],
)
def test_refused(call: str, code: str) -> None:
    text = (
        f"from scipy.optimize import fsolve, root\ndef f(a: float) -> float:\n    return {call}\n"
    )
    with pytest.raises(Refusal, match=code):
        gradient_text(text)
