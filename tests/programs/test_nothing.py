"""Values that may be None, where one is needed: TypeErrors as Python raises them."""

from __future__ import annotations

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, transpiled

SOURCE = """
import math
from typing import NamedTuple


class P(NamedTuple):
    x: float


def _some(x: float, y: float) -> float | None:
    if x > 0.0:
        return y
    return None


def times(x: float, y: float) -> float:
    return x * _some(x, y)


def less(x: float, y: float) -> float:
    if _some(x, y) < x:
        return 1.0 * x
    return y


def minus(x: float, y: float) -> float:
    return -_some(x, y)


def attribute(x: float, y: float) -> float:
    p = P(y) if x > 0.0 else None
    return p.x


def item(x: float, y: float) -> float:
    p = (y, x) if x > 0.0 else None
    return p[0] * p[1]


def unpacked(x: float, y: float) -> float:
    p = (y, x) if x > 0.0 else None
    a, b = p
    return a * b


def called(x: float, y: float) -> float:
    f = None
    if x > 0.0:
        f = math.sin
    return f(y) * x


def caught(x: float, y: float) -> float:
    try:
        return x * _some(x, y)
    except TypeError:
        return x * x


def narrowed_too_long(x: float, y: float) -> float:
    z = _some(x, y)
    if z is not None:
        z = _some(x - 1.0, y)
    return z * x
"""


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(SOURCE)


NAMES = ("times", "less", "minus", "attribute", "item", "unpacked", "called", "narrowed_too_long")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("x", [-0.5, 0.5, 1.5])
def test_same_error(modules: Modules, name: str, x: float) -> None:
    program, generated = modules
    primal, gradient = getattr(program, name), getattr(generated, f"{name}_value_and_grad")
    if x == -0.5 or (x == 0.5 and name == "narrowed_too_long"):
        with pytest.raises((TypeError, AttributeError)) as expected:
            primal(x, 2.0)
        with pytest.raises(expected.type) as raised:
            gradient(x, 2.0)
        assert str(raised.value) == str(expected.value)
    else:
        assert gradient(x, 2.0)[0] == primal(x, 2.0)


def test_caught(modules: Modules) -> None:
    assert modules[1].caught_value_and_grad(-0.5, 2.0) == (0.25, (-1.0, 0.0))
    assert modules[1].caught_value_and_grad(0.5, 2.0) == (1.0, (2.0, 0.5))


def test_none_as_result(modules: Modules) -> None:
    text = "def f(x: float) -> float:\n    y = None\n    if x > 0:\n        y = x\n    return y\n"
    _, generated = transpiled(text)
    assert generated.f_grad(1.0) == 1.0
    with pytest.raises(TypeError, match="the result is None"):
        generated.f_grad(-1.0)


OPTIONAL = """
from typing import Annotated, Optional
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], "n"]

def number(x: float) -> float | None:
    if x > 0.0:
        return x * x
    return None

def at_its_end(x: float) -> Optional[float]:
    if x > 0.0:
        return x**3
    elif x < -1.0:
        return 1

def array(x: float) -> Vec | None:
    if x > 0.0:
        return np.array([x, x * x])

def pair(x: float) -> tuple[float, Vec] | None:
    return (x, np.ones(2) * x) if x > 0.0 else None
"""


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "jit"])
@pytest.mark.parametrize("name", ["number", "at_its_end", "array", "pair"])
def test_optional_results(name: str, jit: bool) -> None:
    program, generated = transpiled(OPTIONAL, jit=jit)
    check_gradients(getattr(program, name), generated, [0.7])
    for suffix, more in (("fwd", ()), ("jvp", (1.0,))):
        with pytest.raises(TypeError, match="the result is None"):
            getattr(generated, f"{name}_{suffix}")(-0.5, *more)


def test_none_equals_no_number() -> None:
    text = (
        "def f(x: float) -> float:\n    y = None\n    if x > 0:\n        y = x\n"
        "    return 3.0 if y == x else x * x\n"
    )
    program, generated = transpiled(text)
    for x in (0.5, -0.5):
        check_gradients(program.f, generated, [x])


def test_any_text() -> None:
    text = (
        "def f(x: float, mode: str) -> float:\n"
        "    if mode == 'fast':\n        return x * x\n    return 3.0 * x\n"
    )
    program, generated = transpiled(text)
    for mode in ("fast", "slow", ""):
        assert generated.f_value_and_grad(2.0, mode)[0] == program.f(2.0, mode)
    with pytest.raises(TypeError, match="'mode' must be one of 'fast', any text, got None"):
        generated.f_grad(2.0, None)
