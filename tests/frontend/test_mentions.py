"""Functions that others name have no derivatives where annotations leave types open."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import compiled

HEAD = "import numpy as np\nfrom typing import Annotated\nfrom numpy.typing import NDArray\n"
VAGUE = "def loss(x: np.ndarray):\n    return np.sum(x**2)\n"

OTHERS = {
    "a variable": "def g(x: float) -> float:\n    loss = x * x\n    return loss",
    "a loop": "def g(x: float) -> float:\n    for loss in (x, x):\n        x += loss\n    return x",
    "a parameter": "def g(loss: float) -> float:\n    return loss * 2.0",
    "a variable around": (
        "def g(x: float) -> float:\n    loss = 2.0\n    def h():\n        return loss\n"
        "    return x * h()"
    ),
    "a keyword": (
        "def _k(*, loss):\n    return loss\n\ndef g(x: float) -> float:\n    return _k(loss=x)"
    ),
    "an attribute": (
        "class C:\n    def __init__(self, v: float) -> None:\n        self.loss = v\n"
        "def g(x: float) -> float:\n    return C(x).loss"
    ),
}
CALLS = {
    "a call": "def g(x: NDArray[np.float64]) -> float:\n    return loss(x[:])",
    "a value": "def g(x: NDArray[np.float64]) -> float:\n    f = loss\n    return f(x[:])",
    "a lambda": "def g(x: NDArray[np.float64]) -> float:\n    return (lambda: loss)()(x[:])",
    "a nested function": (
        "def g(x: NDArray[np.float64]) -> float:\n    def h():\n        return loss(x[:])\n"
        "    return h()"
    ),
    "a default": (
        "def _k(x, f=loss):\n    return f(x)\n\n"
        "def g(x: NDArray[np.float64]) -> float:\n    return _k(x[:])"
    ),
    "a method": (
        "class C:\n    def m(self, x):\n        return loss(x)\n\n"
        "def g(x: NDArray[np.float64]) -> float:\n    return C().m(x[:])"
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_names(name: str) -> None:
    body = str(compiled({"m.py": f"{HEAD}{VAGUE}\n{OTHERS[name]}\n"})["m"].body)
    assert "def loss_grad" in body
    assert "def g_grad" in body


@pytest.mark.parametrize("name", CALLS)
def test_references(name: str) -> None:
    body = str(compiled({"m.py": f"{HEAD}{VAGUE}\n{CALLS[name]}\n"})["m"].body)
    assert "def loss_grad" not in body
    assert "def g_grad" in body
