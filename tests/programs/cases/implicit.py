"""Exceptions of Python itself: domains, division, indices, matrices that have no factors."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Square = Annotated[NDArray[np.float64], "3 3"]


def math_domain(x: Vector) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        try:
            total += math.sqrt(x[i]) * 2.0
        except ValueError:
            total -= x[i] ** 3
    return total


def math_domains(x: Vector, a: float) -> float:
    total = 0.0
    for v in x:
        try:
            total += math.log(v) + math.acos(v + 0.3)
        except ValueError:
            total += a * v
    return total


def math_range(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            w = 2000.0 if v > 0.5 else v
            total += math.exp(w) * v
        except OverflowError:
            total += 7.0 * v
    return total


def division(x: float, n: int) -> float:
    total = 0.0
    for k in range(-n, n + 1):
        try:
            total += x**2 / (k * 1.0)
        except ZeroDivisionError:
            total += 10.0 * x
    return total


def division_by_difference(x: float, y: float) -> float:
    try:
        slope = (x**2 - y**2) / (x - x)
    except ZeroDivisionError:
        slope = 2.0 * x * y
    return slope * x


def remainders(x: float, n: int) -> float:
    total = x
    for k in range(n):
        try:
            total *= x + n // k + n % k
        except ZeroDivisionError:
            total -= x**2
    return total


def pole(x: float, n: int) -> float:
    total = 0.0
    for k in range(n):
        try:
            total += (float(k) ** -1.0) * x
        except ArithmeticError:
            total += x**3
    return total


def index_out_of_bounds(x: Vector, n: int) -> float:
    total = 0.0
    for k in range(-7, 2 * n):
        try:
            total += x[k] ** 2 * k
        except IndexError:
            total += x[0]
    return total


def store_out_of_bounds(x: Vector) -> float:
    y = np.ones(3)
    for i in range(x.shape[0]):
        try:
            y[i] = x[i] ** 2
        except IndexError:
            y[0] *= x[i]
    return np.prod(y)


def anything(x: Vector, a: float) -> float:
    total = 0.0
    for i in range(7):
        try:
            total += math.log(x[i]) / a
        except Exception:
            total += a**2
    return total


def bare(x: float) -> float:
    try:
        y = math.sqrt(x - 10.0)
    except:  # noqa: E722
        y = x**2
    return y * x


def shapes_that_differ(x: Vector, y: Vector) -> float:
    try:
        z = x[:3] * y[:-1]
    except ValueError:
        z = x * y
    return np.sum(z**2)


def jitter(a: Square, x: float) -> float:
    k = a @ a.T - x * np.eye(3)
    extra = 1e-3 * x * x
    factor = np.zeros((3, 3))
    for _ in range(12):
        try:
            factor[:] = np.linalg.cholesky(k + extra * np.eye(3))
            break
        except np.linalg.LinAlgError:
            extra *= 10.0
    return np.sum(factor * factor * extra)


def complex_jitter(a: Square, x: float) -> float:
    extra = 1e-3 * x * x
    for _ in range(12):
        try:
            k = a @ a.T - 1j * (a - a.T) + (extra - x) * np.eye(3)
            return np.sum(np.abs(np.linalg.cholesky(k)) ** 2 * extra)
        except np.linalg.LinAlgError:
            extra *= 10.0
    raise RuntimeError("not positive definite")


def log_determinant(a: Square, x: float) -> float:
    extra = 1e-3 * x * x
    for _ in range(12):
        try:
            factor = np.linalg.cholesky(a @ a.T + (extra - x) * np.eye(3))
            return 2.0 * np.sum(np.log(np.diag(factor)))
        except np.linalg.LinAlgError:
            extra *= 10.0
    raise RuntimeError("not positive definite")


def singular_system(a: Square, x: float) -> float:
    b = np.array([x, 2.0, x * x])
    total = 0.0
    for k in range(3):
        m = a * 1.0
        if k == 1:
            m[1] = 2.0 * m[0]
            m[1] *= 0.0
        try:
            total += np.sum(np.linalg.solve(m, b))
        except np.linalg.LinAlgError:
            total += x * m[0, 0]
    return total
