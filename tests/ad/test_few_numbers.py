"""Gradients with respect to a few numbers: by forward mode where reverse mode would keep a tape."""

from __future__ import annotations

import re

import pytest
from mooncake_runtime.testing import check_gradients

from tests.ad.deriving import HEADER
from tests.helpers.transpile import gradient_text, module

SAYS = "no iteration is saved"

LOGISTIC = """
def f(a: float, b: float, y0: float, steps: int) -> float:
    y = y0
    for _ in range(steps):
        y = y + 0.1 * a * y * (1.0 - y / b)
    return y
"""
ROOT = """
def f(a: float, b: float) -> float:
    x = 1.0
    while abs(x * x * x - a * x - b) > 1e-13:
        if 3.0 * x * x == a:
            raise ValueError("flat")
        x = x - (x * x * x - a * x - b) / (3.0 * x * x - a)
    return x
"""
DATA = """
# mooncake: wrt=rate
def f(rate: float, data: Vec) -> float:
    state = 0.0
    error = 0.0
    for i in range(data.shape[0]):
        state = state + rate * (data[i] - state) * math.exp(-state)
        error += (data[i] - state) ** 2
    return error
"""
OBJECT = """
from dataclasses import dataclass

@dataclass
class Model:
    rate: float
    order: int
    start: float

def f(model: Model, steps: int) -> float:
    y = model.start
    for _ in range(steps):
        y = y - model.rate * y * y
    return y
"""


LEAVES = LOGISTIC.replace("y = y0", "if a > b:\n        return y0 * b\n    y = y0")

ARRAY = """
def f(x: Vec, n: int) -> float:
    y = 1.0
    for _ in range(n):
        y = y - x[0] * y * y
    return y
"""
NOTHING_SAVED = """
def f(a: float, n: int) -> float:
    y = 1.0
    for i in range(n):
        y = y + a * i
    return y
"""
MASKED = """
def f(a: float, n: int) -> float:
    y = a
    for _ in range(n):
        y = y + 0.0 * math.sqrt(y * y)
    return y
"""
WHERE = """
def f(a: float, n: int) -> float:
    y = a
    for _ in range(n):
        y = float(np.where(y > 0.0, y * y, 1.0 / y))
    return y
"""
FIVE = """
def f(a: float, b: float, c: float, d: float, e: float, n: int) -> float:
    y = a
    for _ in range(n):
        y = y * y * b + c * y + d - e
    return y
"""
WRITES = """
# mooncake: wrt=a
def f(a: float, x: Vec) -> float:
    y = a
    for i in range(9):
        y = y * y * 0.5
        x[0] = y
    return y + x[0]
"""


def made(source: str) -> tuple[str, str]:
    """The text of the gradient module, and of ``f_vjp`` in it."""
    text = gradient_text(HEADER + source)
    found = re.search(r"def f_vjp\(.*?(?=\n@|\Z)", text, re.DOTALL)
    assert found is not None
    return text, found[0]


@pytest.mark.parametrize(
    ("source", "args"),
    [
        (LOGISTIC, (0.7, 1.9, 0.2, 12)),
        (LOGISTIC, (0.7, 1.9, 0.2, 0)),
        (ROOT, (0.6, 1.1)),
        (DATA, (0.3, "data")),
        (OBJECT, ("model", 5)),
        (LEAVES, (2.0, 1.0, 0.2, 3)),
    ],
)
def test_by_forward_mode(source: str, args: tuple[object, ...]) -> None:
    text, gradient = made(source)
    assert SAYS in text
    assert "np.empty" not in gradient
    primal, generated = module(HEADER + source, "program"), module(text, "program_grad")
    special = {
        "data": lambda: primal.np.linspace(-1.0, 2.0, 9),
        "model": lambda: primal.Model(0.3, 2, 1.4),
    }
    given = [special[arg]() if isinstance(arg, str) else arg for arg in args]
    check_gradients(primal.f, generated, given)  # with f_pullback, which is reverse mode


def test_raises_what_the_primal_raises() -> None:
    generated = module(made(ROOT)[0], "program_grad")
    with pytest.raises(ValueError, match="flat"):
        generated.f_value_and_grad(3.0, 5.0)


@pytest.mark.parametrize("source", [ARRAY, NOTHING_SAVED, MASKED, WHERE, FIVE, WRITES])
def test_by_reverse_mode(source: str) -> None:
    assert SAYS not in made(source)[0]


def test_zero_cotangents_mask_as_ever() -> None:
    """In forward mode this would be 0 times the infinite tangent of the root."""
    source = """
def f(a: float, n: int) -> float:
    y = a
    for _ in range(n):
        y = y * y + 0.0 * math.sqrt(a)
    return y
"""
    generated = module(made(source)[0], "program_grad")
    assert generated.f_value_and_grad(0.0, 3) == (0.0, 0.0)
