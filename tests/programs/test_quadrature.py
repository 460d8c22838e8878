"""Integrals have the derivatives that calculus gives them, in all modes."""

from __future__ import annotations

import math
from types import ModuleType

import pytest

from tests.helpers.transpile import Refusal, gradient_text, transpiled

SOURCE = """
import math
from scipy.integrate import quad

# mooncake: modes=reverse,forward,hvp
def powers(a: float, b: float) -> float:
    return quad(lambda x: x**a, 0.5, b)[0]

# mooncake: modes=reverse,forward,hvp
def moment(a: float) -> float:
    return quad(lambda x: x * x * math.exp(-a * x), 0.0, math.inf)[0]
"""


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "jit"])
def generated(request: pytest.FixtureRequest) -> ModuleType:
    return transpiled(SOURCE, jit=request.param)[1]


def test_limits(generated: ModuleType) -> None:
    a, b = 2.0, 3.0
    value, gradient = generated.powers_value_and_grad(a, b)
    assert value == pytest.approx((b**3 - 0.125) / 3.0, rel=1e-13)
    assert gradient.b == pytest.approx(b**a, rel=1e-12)

    def primitive(x: float) -> float:
        return x**3 * (math.log(x) / 3.0 - 1.0 / 9.0)

    assert gradient.a == pytest.approx(primitive(b) - primitive(0.5), rel=1e-12)
    _, second = generated.powers_hvp(a, b, 0.0, 1.0)
    assert second.b == pytest.approx(a * b ** (a - 1.0), rel=1e-11)
    assert second.a == pytest.approx(b**a * math.log(b), rel=1e-11)


@pytest.mark.wide("jit")
def test_infinite_limits(generated: ModuleType) -> None:
    a = 1.5
    value, gradient = generated.moment_value_and_grad(a)
    assert value == pytest.approx(2.0 / a**3, rel=1e-9)
    assert gradient == pytest.approx(-6.0 / a**4, rel=1e-8)
    assert generated.moment_jvp(a, 1.0)[1] == pytest.approx(gradient, rel=1e-12)
    assert generated.moment_hvp(a, 1.0)[1] == pytest.approx(24.0 / a**5, rel=1e-7)


def test_other_options_are_refused() -> None:
    text = (
        "from scipy.integrate import quad\n"
        "def f(a: float) -> float:\n"
        '    return quad(lambda x: x * a, 0.0, 1.0, weight="cos", wvar=2.0)[0]\n'
    )
    with pytest.raises(Refusal, match="MK303"):
        gradient_text(text)
