"""Numbers that show in the result need no test of zero cotangents; what something hides does."""

from __future__ import annotations

from math import inf
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tests.helpers.transpile import function_text, gradient_text, module

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

ROOT = Path(__file__).parents[2]
SOURCE = """
import numpy as np
from typing import Annotated
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


def _quotient(a: float, b: float) -> float:
    return a / b


def _both(a: float, b: float) -> tuple[float, float]:
    return a / b, a * b


def quotients(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        e += x[0] / x[i] + np.log(x[i]) + x[i] ** 4 + x[i] ** -2 + np.cosh(x[i])
    return e


def by_helper(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        e += _quotient(x[0], x[i])
    return e


def in_both_arms(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        r = x[0] / x[i]
        if x[i] > 1.0:
            e += r * 2.0
        else:
            e -= r
    return e


def raised(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        r = x[0] / x[i]
        if x[i] == 5.0:
            raise ValueError("five")
        e += r
    return e


def in_one_arm(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        r = x[0] / x[i]
        e += r * r if r < 100.0 else x[0]
    return e


def chosen(x: Vec) -> float:
    return float(np.sum(np.where(x > 0.0, x[0] / x, x)))


def least(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        e += min(x[0] / x[i], 2.0 * x[0]) + np.clip(np.exp(x[i]), 0.0, 3.0)
    return e


def divided(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        e += x[0] / (1.0 + np.exp(x[i]))
    return e


def decaying(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        e += np.exp(-1.0 / (x[i] * x[i])) * x[0]
    return e


def replaced(x: Vec) -> float:
    r = x[0]
    for i in range(1, x.shape[0]):
        r = x[0] / x[i]
    return r


def carried(x: Vec) -> float:
    last = 0.0
    e = 0.0
    for i in range(1, x.shape[0]):
        e = e + last
        last = x[0] / x[i]
    return e


def after_no_iteration(x: Vec) -> float:
    r = x[0] / x[1]
    e = x[0]
    for i in range(2, x.shape[0]):
        e += r * x[i]
    return e


def one_of_two(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        a, b = _both(x[0], x[i])
        e += b
    return e


def overwritten(x: Vec) -> float:
    r = x[0] / x
    r[1] = x[0]
    return float(np.sum(r))


def left_early(x: Vec) -> float:
    e = 0.0
    for i in range(1, x.shape[0]):
        r = x[0] / x[i]
        if r > 100.0:
            break
        e += r
    return e


def all_of_them(x: Vec) -> Vec:
    return x[0] / x
"""
SHOWING = ("quotients", "by_helper", "in_both_arms", "raised")

# Values that are finite, of functions that hide what is not.
POINTS = (
    ("in_one_arm", (2.0, 0.0, 1.0), (5.0, 0.0, -8.0)),
    ("chosen", (2.0, 0.0, 1.0), (1.0 + 1.0 - 1.0, 1.0, -2.0)),
    ("least", (2.0, 0.0, 800.0), (2.0 + 1.0 / 800.0, 1.0, -2.0 / 800.0**2)),
    ("divided", (2.0, 800.0), (0.0, 0.0)),
    ("decaying", (2.0, 0.0), (0.0, 0.0)),
    ("replaced", (2.0, 0.0, 1.0), (1.0, 0.0, -2.0)),
    ("carried", (2.0, 1.0, 0.0), (1.0, -2.0, 0.0)),
    ("after_no_iteration", (2.0, 0.0), (1.0, 0.0)),
    ("one_of_two", (2.0, 0.0), (0.0, 2.0)),
    ("overwritten", (2.0, 0.0, 1.0), (2.0, 0.0, -2.0)),
    ("left_early", (2.0, 1.0, 0.0), (1.0, -2.0, 0.0)),
)


@pytest.fixture(scope="module")
def text() -> str:
    return gradient_text(SOURCE)


@pytest.fixture(scope="module")
def generated(text: str) -> ModuleType:
    return module(text, "showing_grad")


@pytest.fixture(scope="module")
def jitted(text: str) -> ModuleType:
    return module(text, "showing_grad_jit", jit=True)


@pytest.mark.parametrize("name", SHOWING)
@pytest.mark.parametrize("made", ["vjp", "pullback", "jvp"])
def test_loops_ask_nothing(name: str, made: str, text: str) -> None:
    found = function_text(text, f"{name}_{made}")
    assert found.count("= 0.0 if") == 0, found
    assert found.count("== 0.0") == (made != "jvp"), found


def test_turing_broadcast_asks_nothing_per_item() -> None:
    text = gradient_text((ROOT / "bench/programs/whole_arrays.py").read_text())
    found = function_text(text, "turing_broadcast_vjp")
    _, _, loop = found.partition("for i in range(n):")
    loop, _, _ = loop.partition("\n    t")
    assert "data_bar[i]" in loop
    assert "== 0.0" not in loop, loop


@pytest.mark.parametrize(("name", "point", "expected"), POINTS)
def test_what_is_hidden(
    name: str,
    point: tuple[float, ...],
    expected: tuple[float, ...],
    generated: ModuleType,
    jitted: ModuleType,
) -> None:
    x = np.array(point)
    with np.errstate(all="ignore"):
        value, gradient = getattr(generated, f"{name}_value_and_grad")(x)
        tangents = [getattr(generated, f"{name}_jvp")(x, e)[1] for e in np.eye(len(x))]
    assert np.isfinite(value)
    np.testing.assert_allclose(gradient, expected, rtol=1e-12)
    np.testing.assert_allclose(tangents, expected, rtol=1e-12)
    if name in ("in_one_arm", "replaced", "overwritten"):
        np.testing.assert_allclose(getattr(jitted, f"{name}_grad")(x), expected, rtol=1e-12)


@pytest.mark.parametrize("name", SHOWING)
@pytest.mark.parametrize("seed", [0.0, -0.0, 1e-310])
def test_zero_cotangents(name: str, seed: float, generated: ModuleType, jitted: ModuleType) -> None:
    for point in ((2.0, 0.0, 1.0), (2.0, 1e200, 1.0)):
        x = np.array(point)
        with np.errstate(all="ignore"):
            _, gradient = getattr(generated, f"{name}_vjp")(x, seed)
        if seed == 0.0:
            np.testing.assert_array_equal(gradient, np.zeros(3))
    finite = np.array([2.0, 0.5, 1.0])
    _, gradient = getattr(generated, f"{name}_vjp")(finite, seed)
    assert np.abs(gradient).max() <= 1e3 * abs(seed)


def test_items_of_results_hide(generated: ModuleType) -> None:
    x, y_bar = np.array([2.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    with np.errstate(all="ignore"):
        value, gradient = generated.all_of_them_vjp(x, y_bar)
    assert value[1] == inf
    np.testing.assert_array_equal(gradient, [1.0, 0.0, -2.0])
