"""Signatures as people write them: ``x: float = None``, results written into plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients, returning

from tests.helpers.transpile import Modules

SOURCE = """
from dataclasses import dataclass
import numpy as np

@dataclass
class Point:
    x: float

def started(b: np.ndarray, x0: np.ndarray = None) -> float:
    x = np.zeros_like(b) if x0 is None else x0
    return np.sum((x - b[:]) ** 2)

def struck(a: float, strike: float = None, n: int = None) -> float:
    if strike is None:
        strike = 2.0 * a
    return a * strike * (1 if n is None else n)

def near(x: float, p: Point = None, bounds: "tuple[float, float]" = None) -> float:
    low, high = bounds if bounds is not None else (0.0, 1.0)
    return x * (high - low) if p is None else x * p.x

def fill(xs: np.ndarray, out: np.ndarray) -> None:
    out[:] = np.sin(xs)

def squares(xs: np.ndarray, out: np.ndarray):
    for i in range(xs.shape[0]):
        for j in range(xs.shape[1]):
            out[i, j] = xs[i, j] ** 2

def total(xs: np.ndarray, out: np.ndarray) -> None:
    out[0] = np.sum(xs**2)

def product(m: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    out += m[:, :] @ v[:]
"""


@dataclass
class Point:
    x: float


X, M = np.array([0.4, -1.3, 2.2]), np.arange(1.0, 7.0).reshape(2, 3) / 5
SHORT = {"started": (X,), "struck": (1.5,), "near": (1.2,)}  # without what may be None
FULL = [
    ("started", (X, X * 2.0)), ("struck", (1.5, 0.3, None)), ("struck", (1.5, None, 2)),
    ("near", (1.2, Point(0.4), None)), ("near", (1.2, None, (0.5, 3.0))),
]  # fmt: skip
WRITTEN = {
    "fill": (X, X * 0.0),
    "squares": (M, M * 0.0),
    "total": (X, np.ones(2)),
    "product": (M, X, np.ones(2)),
}


@pytest.mark.parametrize("name", SHORT)
def test_left_out(name: str, modules: Modules) -> None:
    primal, grad = modules
    value, _ = getattr(grad, f"{name}_value_and_grad")(*SHORT[name])
    assert value == pytest.approx(getattr(primal, name)(*SHORT[name]), abs=1e-12)


@pytest.mark.parametrize(("name", "args"), FULL)
def test_none_or_not(name: str, args: tuple[object, ...], modules: Modules) -> None:
    primal, grad = modules
    check_gradients(getattr(primal, name), grad, args)


@pytest.mark.parametrize("name", WRITTEN)
def test_written(name: str, modules: Modules) -> None:
    primal, grad = modules
    check_gradients(returning(getattr(primal, name), "out"), grad, WRITTEN[name])
