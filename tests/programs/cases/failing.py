"""Programs that raise: what comes out of their derivatives is what comes out of them.

All of them fail for the arguments that are all negative, and for no others.
"""

from __future__ import annotations

import statistics
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "n n"]


class Diverged(ArithmeticError):
    pass


class Unstable(Diverged):
    """Raised without a message."""


def in_fused_loop(x: Vector, c: float) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        x[i] = x[i] * 2.0 + c
        if x[i] < -1.5:
            raise ValueError("too low")
        total += x[i] ** 2
    return total


def between_sweeps(x: Vector) -> float:
    x *= 2.0
    if np.sum(x) < 0.0:
        raise RuntimeError("a negative sum")
    x[1] = x[0] * x[1]
    return np.sum(x * x)


def after_library(x: Vector, y: Vector) -> float:
    x += np.sin(y) * 0.1
    y[0] = np.prod(x)
    if x[0] < 0.0:
        raise KeyError("gone")
    y *= x
    return np.sum(y)


def _step(x: Vector, k: int) -> float:
    x[k] *= 1.5
    if x[k] < -0.9:
        raise OverflowError("a large step")
    return x[k] ** 2


def in_called(x: Vector) -> float:
    total = 0.0
    for k in range(x.shape[0]):
        total += _step(x, k) * total + x[0]
    return total


def _walk(x: Vector, k: int) -> float:
    x[k] = x[k] * 0.5
    if k == 0:
        if x[0] < 0.0:
            raise RuntimeError("at the end")
        return x[0]
    return x[k] * _walk(x, k - 1)


def in_recursion(x: Vector) -> float:
    return _walk(x, x.shape[0] - 1)


def own_class(x: Vector) -> float:
    x[0] *= 3.0
    if x[0] < 0.0:
        raise Diverged("it diverged")
    return x[0] ** 2


def own_class_without_message(x: Vector) -> float:
    x[-1] += 1.0
    if x[0] < 0.0:
        raise Unstable
    return np.sum(x**2)


def failed_assertion(x: Vector) -> float:
    x -= 0.25
    assert x[0] > -0.3, "x must not be low"
    return np.sum(x**3)


def bare_assertion(x: float) -> float:
    assert x > -0.3
    return x**2


def through_finally(x: Vector) -> float:
    total = 0.0
    try:
        for i in range(x.shape[0]):
            x[i] *= 2.0
            if x[i] < -1.0:
                raise ValueError("low")
            total += x[i] ** 2
    finally:
        x[0] = 7.0 * x[1]
    return total + x[0]


def not_caught(x: Vector) -> float:
    total = 0.0
    try:
        for i in range(x.shape[0]):
            x[i] *= 2.0
            if x[i] < -1.0:
                raise ValueError("low")
            total += x[i] ** 2
    except KeyError:
        total = 0.0
    return total


def raised_again(x: Vector) -> float:
    total = 0.0
    try:
        total += _step(x, 0) + _step(x, 1) + _step(x, 2) + _step(x, 3)
    except OverflowError:
        x[0] = 5.0
        raise
    return total


def another_instead(x: Vector) -> float:
    total = 0.0
    try:
        total += _step(x, 0) + _step(x, 1) + _step(x, 2) + _step(x, 3)
    except OverflowError as error:
        x[1] *= 5.0
        raise Diverged("it diverged") from error
    return total


def from_manager(x: Vector) -> float:
    with np.errstate(all="ignore"):
        x[0] *= 2.0
        if x[0] < 0.0:
            raise ValueError("low")
    return x[0] * x[1]


def not_definite(a: Matrix, x: float) -> float:
    a *= 2.0
    k = a @ a.T + x * np.eye(a.shape[0]) * 30.0
    return np.sum(np.linalg.cholesky(k))


def without_axis(x: Vector) -> float:
    x *= 2.0
    if x[0] < 0.0 and x.shape[1] > 1:
        x *= 3.0
    return x[0] * x[1]


def too_few_numbers(x: Vector) -> float:
    x *= 2.0
    kept = [v for v in x if v > 0.0]
    return statistics.mean(kept) * x[0]
