"""Solutions of initial value problems have the derivatives of the mathematics, in all modes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text, transpiled

SOURCE = """
import numpy as np
from scipy.integrate import odeint, solve_ivp

# mooncake: modes=reverse,forward,hvp
def decayed(k: float, start: float, end: float) -> float:
    sol = solve_ivp(lambda t, y: -k * y, (start, end), [1.0], rtol=1e-10, atol=1e-12)
    return sol.y[0, -1]

# mooncake: modes=reverse,forward,hvp
def logistic(r: float, y0: float) -> float:
    return odeint(lambda y, t: r * y * (1.0 - y), y0, [0.0, 0.7, 1.5])[-1, 0]

def loose(k: float) -> float:
    return solve_ivp(lambda t, y: -k * y, (0.0, 2.0), [1.0]).y[0, -1]

def bursting(y0: float) -> float:
    sol = solve_ivp(lambda t, y: y * y, (0.0, 2.0), [y0])
    if not sol.success:
        raise RuntimeError(sol.message)
    return sol.y[0, -1]

def reached(y0: float) -> float:
    sol = solve_ivp(lambda t, y: y * y, (0, 2), [y0], t_eval=[0.0, 0.5, 1.5, 2.0])
    return sol.y[0, -1] + 10.0 * len(sol.t) + 100.0 * sol.status

def stiff(k: float) -> float:
    return odeint(lambda y, t: -k * (y - np.cos(t)), 0.0, [0.0, 1.0])[-1, 0]

def outside(t: float) -> float:
    return solve_ivp(lambda t, y: -y, (0.0, 1.0), [1.0], t_eval=[t]).y[0, 0]

def unsorted(t: float) -> float:
    return odeint(lambda y, t: -y, 1.0, [0.0, 1.0, t])[-1, 0]
"""


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(SOURCE)


@pytest.mark.parametrize("jit", [False, True])
def test_decay(jit: bool) -> None:
    """Both ends of the interval have derivatives, too."""
    primal, generated = transpiled(SOURCE, jit=jit)
    k, start, end = 1.3, 0.2, 1.1
    length = end - start
    y = math.exp(-k * length)
    expected = (-length * y, k * y, -k * y)
    value, gradient = generated.decayed_value_and_grad(k, start, end)
    assert value == pytest.approx(primal.decayed(k, start, end), rel=1e-12)
    np.testing.assert_allclose(gradient, expected, rtol=1e-8)
    for direction, p in zip(np.eye(3), gradient, strict=True):
        assert generated.decayed_jvp(k, start, end, *direction)[1] == pytest.approx(p, rel=1e-12)
    _, second = generated.decayed_hvp(k, start, end, 1.0, 0.0, 0.0)
    np.testing.assert_allclose(second, (length**2 * y, (1 - k * length) * y, (k * length - 1) * y),
                               rtol=1e-6)  # fmt: skip


def test_growth(modules: Modules) -> None:
    """``odeint`` is closer to the solution than SciPy's, and so are its derivatives."""
    primal, generated = modules
    r, y, t = 0.8, 0.3, 1.5
    grown = math.exp(r * t)
    whole = 1.0 - y + y * grown
    value, gradient = generated.logistic_value_and_grad(r, y)
    assert value == pytest.approx(y * grown / whole, rel=1e-12)
    assert value == pytest.approx(primal.logistic(r, y), rel=1e-6)
    by_r, by_y = t * y * (1.0 - y) * grown / whole**2, grown / whole**2
    np.testing.assert_allclose(gradient, (by_r, by_y), rtol=1e-10)
    assert generated.logistic_jvp(r, y, 1.0, 0.0)[1] == pytest.approx(by_r, rel=1e-10)
    _, (_, second) = generated.logistic_hvp(r, y, 0.0, 1.0)
    assert second == pytest.approx(2.0 * by_y * (1.0 - grown) / whole, rel=1e-9)


def test_loose_tolerance(modules: Modules) -> None:
    """The derivative has about the accuracy of the solution."""
    value, slope = modules[1].loose_value_and_grad(1.1)
    assert value == pytest.approx(modules[0].loose(1.1), rel=1e-12)
    assert slope == pytest.approx(-2.0 * math.exp(-2.2), rel=3e-3)


def test_what_raises(modules: Modules) -> None:
    primal, generated = modules
    for function in (primal.bursting, generated.bursting_grad):
        with pytest.raises(RuntimeError, match="Required step size is less than spacing"):
            function(1.0)
    for function in (primal.outside, generated.outside_grad):
        with pytest.raises(ValueError, match="`t_eval` are not within `t_span`"):
            function(1.5)
    for function in (primal.unsorted, generated.unsorted_grad):
        with pytest.raises(ValueError, match="must be monotonically increasing"):
            function(0.5)


def test_as_far_as_it_goes(modules: Modules) -> None:
    primal, generated = modules
    value, slope = generated.reached_value_and_grad(1.0)
    assert value == pytest.approx(primal.reached(1.0), rel=1e-12)
    assert slope == pytest.approx(4.0, rel=1e-2)


def test_stiff_problems(modules: Modules) -> None:
    primal, generated = modules
    value, slope = generated.stiff_value_and_grad(50.0)
    assert value == pytest.approx(primal.stiff(50.0), abs=1e-7)
    assert slope == pytest.approx((primal.stiff(50.1) - primal.stiff(49.9)) / 0.2, rel=1e-3)


def test_too_stiff_problems() -> None:
    _, generated = transpiled(SOURCE, jit=True)
    with pytest.raises(RuntimeError, match="too many steps: the problem is stiff"):
        generated.stiff_grad(1e7)


def test_a_function_that_writes_into_the_state() -> None:
    """SciPy goes on with what it has written at the end of a step."""
    _, generated = transpiled("""
from scipy.integrate import odeint, solve_ivp
def rates(t, y, k):
    y[0] = max(y[0], 0.5)
    return [-k * y[0]]
def solved(k: float) -> float:
    return solve_ivp(rates, (0, 2), [1.0], args=(k,)).y[0, -1]
def integrated(k: float) -> float:
    return odeint(rates, [0.4], [0.0, 2.0], args=(k,), tfirst=True)[-1, 0]
""")
    for function in (generated.solved_grad, generated.integrated_grad):
        with pytest.raises(ValueError, match="changes its argument: copy it first"):
            function(1.0)


HEAD = "from scipy.integrate import odeint, solve_ivp\nimport numpy as np\n"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ('solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], "LSODA").y[0, -1]', "MK192"),
        ('solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], method="BDF").y[0, -1]', "MK192"),
        ('solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], "DOP853", [k]).y[0, -1]', "MK192"),
        ("solve_ivp(lambda t, y: -k * y, (0, 1), [1.0]).sol(k)[0]", "MK301"),
        ("solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], events=lambda t, y: t).y[0, -1]", "MK192"),
        ("solve_ivp(lambda t, y: -k * y, (0, 1), [1.0], vectorized=True).y[0, -1]", "MK192"),
        ("odeint(lambda y, t: -k * y, k, [0, 1], full_output=True)[0][0, 0]", "MK192"),
        ("odeint(lambda y, t: -k * y, k, [0, 1], Dfun=lambda y, t: -k)[0, 0]", "MK192"),
        ("odeint(lambda y, t: -k * y, k, [0, 1], steps=7)[0, 0]", "MK303"),
        ("solve_ivp(lambda t, y: -k * y, (0, 1), [1.0 + 2j]).y[0, -1]", "MK213"),
        ("solve_ivp(lambda t, y: -k * y, (0, 1), np.ones((2, 2))).y[0, -1]", "MK216"),
        ("solve_ivp(lambda t, y: -k * y, (0, 1), k).y[0, -1]", "MK213"),
        ("odeint(lambda y, t: -k * y, np.ones((2, 2)), [0, 1])[0, 0]", "MK216"),
    ],
)  # fmt: skip
def test_refused(call: str, code: str) -> None:
    with pytest.raises(Refusal, match=code):
        gradient_text(f"{HEAD}def f(k: float) -> float:\n    return {call}\n")


@pytest.mark.parametrize(
    ("kept", "change", "seen"),
    [("n = 0", "nonlocal n; n += 1", "n"), ("n = []", "n.append(t)", "len(n)")],
)
def test_functions_that_count(kept: str, change: str, seen: str) -> None:
    """They are called more often than by SciPy."""
    text = f"""{HEAD}
def f(k: float) -> float:
    {kept}
    def rates(t, y):
        {change}
        return -k * y
    return solve_ivp(rates, (0, 1), [1.0]).y[0, -1] * {seen}
"""
    with pytest.raises(Refusal, match="MK193"):
        gradient_text(text)
