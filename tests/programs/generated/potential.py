"""The functions that are differentiated first."""

from typing import Annotated

import numpy as np
from mooncake_runtime import nondiff, rule_for, stop_gradient
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n n"]


def pairs(x: Vec) -> float:
    e = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            r = x[i] - x[j]
            e += np.exp(-r * r)
    return e


def newton(a: float) -> float:
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def walk(x: Vec, a: float) -> float:
    y = x.copy()
    while np.sum(y * y) > a:
        for i in range(1, y.shape[0]):
            y[i] = 0.5 * np.sin(y[i - 1]) * y[i]
        y[0] = y[0] * 0.9
    return float(np.sum(y))


def _shift(x: Vec, y: Vec, a: float) -> None:
    for i in range(x.shape[0]):
        y[i] += a * x[i]


def in_place(x: Vec, y: Vec) -> float:
    y[0] = x[1] * x[0]
    _shift(x, y, 3.0)
    return float(np.sum(x * y * y))


def deeper(n: int, x: float) -> float:
    if n <= 0:
        return x
    return deeper(n - 1, np.sin(x)) * x


def smooth(x: Vec) -> float:
    return float(np.sum(np.tanh(x) ** 3) + np.sum(np.log1p(x * x)))


def product(a: Mat, b: Vec) -> float:
    return float(np.sum(np.sin(a @ b)))


def solved(a: Mat, b: Vec) -> float:
    return float(np.sum(np.linalg.solve(a, b) * b))


def factored(a: Mat) -> float:
    low = np.linalg.cholesky(a @ a.T + np.eye(a.shape[0]))
    return float(np.sum(low**3) + np.linalg.det(a))


@nondiff
def _scale(x: Vec) -> float:
    return np.max(np.abs(x))


def scaled(x: Vec) -> float:
    return float(np.sum(x**3)) / _scale(x)


def stopped(x: Vec) -> float:
    return float(np.sum(stop_gradient(x) * x * x))


def _whole(x: float) -> float:
    return np.round(x)


@rule_for(_whole)
def _whole_rule(x):  # type: ignore[no-untyped-def]
    y = np.round(x)

    def pullback(y_bar):  # type: ignore[no-untyped-def]
        return y_bar

    return y, pullback


def straight_through(x: float) -> float:
    return _whole(x) * x


def saddle(x: float, y: float) -> float:
    return x * x * y + np.sin(y) * x
