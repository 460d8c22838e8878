"""Functions whose parameters are annotated, and whose result is not: the body tells its type."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, compiled, gradient_text, transpiled

HEAD = """
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np

"""
SOURCE = (
    HEAD
    + """
class Fit(NamedTuple):
    loss: float
    residuals: np.ndarray

def product(x: float, y: float):
    return x * y

def early(x: np.ndarray, n: int):
    if n > 2:
        return np.sum(x**2)
    return x[0]

def several(x: np.ndarray, k: float):
    return x * k, (x @ x, 2.0)

def recursive(x: float, n: int):
    return recursive(x, n - 1) * x if n > 0 else np.sin(x)

def by_name(x: np.ndarray):
    return {"least": np.min(x), "all": x * 2.0}

def fitted(x: np.ndarray, y: np.ndarray, k: float):
    r = y[:] - k * x[:]
    return Fit(r @ r, r)

@dataclass
class Point:
    place: float
    speed: float

def moved(x: float, v: float):
    return Point(x + v, v * 2.0)

def doubled(x: np.ndarray):
    return [v * 2.0 for v in x]

def tables(x: np.ndarray, n: int):
    a, b = [], []
    for i in range(n):
        a.append(x[0] * i)
        b.append(x * i)
    return a, b, x[1]

def loss_of(fit: Fit, k: float):
    return fit.loss * k + np.sum(fit.residuals**3)
"""
)
X, Y = np.array([0.4, -1.3, 2.2]), np.array([0.1, 0.5, -0.7])
ARGUMENTS = {
    "product": (1.5, -0.5), "early": (X, 3), "several": (X, 0.3), "recursive": (1.2, 3),
    "by_name": (X,), "fitted": (X, Y, 0.4), "moved": (0.3, 1.5), "doubled": (X,),
    "tables": (X, 3),
}  # fmt: skip


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_right(jit: bool) -> None:
    primal, grad = transpiled(SOURCE, jit=jit)
    for name, args in ARGUMENTS.items():
        check_gradients(getattr(primal, name), grad, args)
    check_gradients(primal.loss_of, grad, (primal.Fit(0.5, X), 1.1))


NOTHING = {
    "nothing is returned": "def f(x: float):\n    print('done')",
    "an integer": "def f(x: np.ndarray):\n    return len(x)",
    "integers": "def f(x: np.ndarray):\n    return [i for i in range(len(x))]",
    "a bool": "def f(x: float):\n    return x > 0.0",
}


@pytest.mark.parametrize("name", NOTHING)
def test_without_floats(name: str) -> None:
    """No error, and no derivatives."""
    source = "def g(x: float) -> float:\n    return x\n"
    made = compiled({"m.py": f"{HEAD}{source}{NOTHING[name]}\n"})["m"]
    assert not made.diagnostics
    assert "def g_grad" in str(made.body)
    assert "def f_" not in str(made.body)


REFUSED = {
    "an array or a number": "def f(x: np.ndarray, k: int):\n    return x * k if k > 0 else x[0]",
    "a parameter without annotation": "def f(x: float, y):\n    return x",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(Refusal, match="has no annotation") as refusal:
        gradient_text(f"{HEAD}{REFUSED[name]}\n")
    assert {one.code for one in refusal.value.diagnostics} == {"MK220"}


def test_helpers_stay_helpers() -> None:
    """A function that others call has no derivatives without an annotation of its result."""
    helper = "def f(x: float):\n    return x * x\n"
    text = gradient_text(f"{HEAD}{helper}def g(x: float) -> float:\n    return f(x)\n")
    assert "def f_grad" not in text
