"""`finally` and `with` on all ways out; jumps out of handlers and loops."""

from __future__ import annotations

import contextlib
import math
import warnings
from contextlib import nullcontext, suppress
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "n n"]


def _checked(x: float) -> float:
    if x < 0.0:
        raise ValueError("negative")
    return x**1.5


def _twice_checked(x: float, limit: float) -> float:
    y = _checked(x)
    if y > limit:
        raise OverflowError("too large")
    return y


def with_finally(x: Vector) -> float:
    total = 0.0
    steps = 0.0
    for i in range(x.shape[0]):
        try:
            if x[i] < 0.0:
                raise ValueError("negative")
            total += x[i] ** 3
        except ValueError:
            total += 2.0 * x[i]
        finally:
            steps += x[i] * total
    return total + steps


def returns_from_body(x: Vector, a: float) -> float:
    for i in range(x.shape[0]):
        try:
            if x[i] < 0.0:
                raise ValueError("negative")
            if x[i] * a > 0.6:
                return x[i] ** 2 * a
        except ValueError:
            a = a * 1.5 + x[i]
    return a


def returns_from_handler(x: Vector, a: float) -> float:
    total = 0.0
    for v in x:
        try:
            total += _checked(v) * a
        except ValueError:
            return total * v
        finally:
            a = a * 0.5
    return total


def returns_through_finally(x: Vector, a: float) -> float:
    y = x.copy()
    return _scaled(y, a) + np.sum(y)


def _scaled(y: Vector, a: float) -> float:
    try:
        if a > 0.0:
            return y[0] * a
        return y[1]
    finally:
        y[0] = a * a
        y[1] *= 2.0


def leaves_loops(x: Vector) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            try:
                if j > 3:
                    break
                if x[j] < 0.0:
                    raise ValueError("negative")
                if x[i] * x[j] > 0.8:
                    continue
                total += x[i] * x[j]
            except ValueError:
                total += x[i]
                if i == 1:
                    break
            finally:
                total *= 1.01
    return total


def around_loop(x: Vector, a: float) -> float:
    last = a
    total = 0.0
    try:
        for v in x:
            last = last * v
            for k in range(3):
                if v * k < -0.6:
                    raise ValueError("too low")
                if k == 2:
                    break
                total += v * k * last
            else:
                total -= 1.0
        total *= 2.0
    except ValueError:
        total += last**2
    return total + last


def around_while(x: float, a: float) -> float:
    total = x
    steps = 0
    try:
        while _twice_checked(total, 3.0) < 100.0:
            total = total * 1.5 + a
            steps += 1
    except OverflowError:
        total -= a * steps
    except ValueError:
        total *= a
    return total**2


def retries(x: float, a: float) -> float:
    step = 4.0 * a
    for _ in range(10):
        try:
            y = math.sqrt(x - step)
            break
        except ValueError:
            step *= 0.5
    else:
        y = 0.0
    return y * step


def loop_else(x: Vector) -> float:
    total = 0.0
    try:
        for v in x:
            if v > 100.0:
                raise ValueError("huge")
            total += v**2
        else:
            total *= x[0]
    except ValueError:
        total = 0.0
    return total


def default_first(x: Vector) -> float:
    best = x[0]
    for v in x:
        with suppress(ValueError):
            best = best * 0.5 + _checked(v)
            best = best * 1.1
    return best**2


def suppressed_library(x: float) -> float:
    y = x
    with contextlib.suppress(ValueError, ZeroDivisionError):
        y = x**2
        y = math.log(-x)
    return y * x


def behind_filters(x: float) -> float:
    warnings.simplefilter(action="ignore", category=FutureWarning)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="divide by zero")
        y = np.log(x * x) / x
    return y * x * x


def ignored_state(x: Vector) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        y = 1.0 / x
    with np.errstate(all="ignore"):
        return np.sum(y * x**2)


def null_manager(x: Vector) -> float:
    with nullcontext(x * 2.0) as y, nullcontext():
        total = np.sum(y * x)
    return total


class Scaled:
    """While it is entered its array is scaled."""

    def __init__(self, x: Vector, by: float) -> None:
        self.x = x
        self.by = by

    def __enter__(self) -> Scaled:
        self.x *= self.by
        return self

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        self.x /= self.by


def own_manager(x: Vector, a: float) -> float:
    with Scaled(x, a) as scaled:
        total = np.sum(scaled.x**2)
    return total + x[0]


def own_manager_and_exception(x: Vector, a: float) -> float:
    total = 0.0
    try:
        with Scaled(x, a):
            total += x[0] ** 2
            if total < 9.0:
                raise ValueError("small")
            total += x[1]
    except ValueError:
        total += x[2] ** 2
    return total


def returns_from_manager(x: Vector, a: float) -> float:
    for i in range(3):
        with Scaled(x, a):
            if i == 1:
                return x[i] ** 2
    return 0.0


def final_only(x: Vector) -> float:
    total = 0.0
    try:
        total += np.sum(x)
    finally:
        total *= x[0]
    return total


def solution_and_count(x: Vector, tol: float) -> tuple[Vector, int]:
    """A tuple from inside of a loop, with an array that the loop makes."""
    y = np.zeros(len(x))
    for k in range(50):
        new = 0.5 * y + x
        if np.linalg.norm(new - y) < tol:
            return new, k + 1
        y = new
    return y, 50


def last_two(x: Vector, tol: float) -> tuple[Vector, float, Vector]:
    y = np.zeros(len(x))
    k = 0
    while True:
        new = 0.5 * y + np.sin(x)
        gap = np.max(np.abs(new - y))
        if gap < tol or k > 40:
            return new, gap, y * 2.0
        y = new
        k += 1


def _filled(found: Matrix, x: Matrix, least: float) -> Matrix:
    for i in range(x.shape[0]):
        for j in range(1, x.shape[1]):
            if x[i, j] < least:
                found[i, j] = 3.0 * x[i, j]
                return found
            found[i, j] = found[i, j - 1] + x[i, j] * x[i, j]
    return found


def array_from_inner_loop(x: Matrix, a: float) -> Matrix:
    """An array of before is returned from a loop in a loop, or at the end."""
    least = float(x[1, 1] + 1e-6) if a > 0.0 else -9.0
    return _filled(np.zeros(x.shape), x, least) + _filled(np.zeros(x.shape), x, -9.0)


def array_from_handler(x: Matrix, a: float) -> Matrix:
    found = np.zeros(x.shape)
    for i in range(x.shape[0]):
        for j in range(1, x.shape[1]):
            try:
                found[i, j] = found[i, j - 1] + math.sqrt(1.4 * a - x[i, j])
            except ValueError:
                found[i, j:] = 3.0 * x[i, j]
                return found
    return found


def one_of_two_from_inner_loop(x: Matrix, a: float) -> Matrix:
    one, other = a * x, x * x
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 5.0:
                return one
            if x[i, j] > a:
                other[i, j] *= 2.0
                return other
    return one
