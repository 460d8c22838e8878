"""Exceptions from within expressions: comprehensions, methods, conditions, unrolled loops."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from functools import reduce
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


def comp(x: Vector) -> float:
    try:
        y = [math.sqrt(v) for v in x]
        z = y[0] + y[1] * y[2]
    except ValueError:
        z = x[0] ** 2
    return z


def gen(x: Vector) -> float:
    try:
        return sum(math.log(v) * v for v in x)
    except ValueError:
        return x[0] ** 2


def short(x: Vector) -> float:
    total = 0.0
    try:
        total = sum([math.sqrt(x[k]) for k in range(3)])
    except ValueError:
        total += x[0] ** 2
    return total


@dataclass
class Tank:
    level: float
    limit: float

    def add(self, amount: float) -> None:
        self.level += amount
        if self.level > self.limit:
            raise OverflowError("full")
        self.level *= 1.01

    @property
    def room(self) -> float:
        if self.level > self.limit:
            raise ValueError("no room")
        return self.limit - self.level


def methods(x: Vector, a: float) -> float:
    tank = Tank(0.0, 1.5 * a)
    spilt = 0.0
    for v in x:
        try:
            tank.add(v)
        except OverflowError:
            spilt += tank.level * v
            tank.level = 0.2 * tank.limit
    try:
        tank.level += 0.3
        spilt += tank.room * a
    except ValueError:
        spilt *= 2.0
    return spilt + tank.level


def operand_order(x: Vector) -> float:
    total = 0.0
    try:
        total = np.sum(x * 2.0 * _touch(x) + x)
    except ValueError:
        total = np.sum(x**3)
    return total


def _touch(x: Vector) -> float:
    x[0] *= 3.0
    if x[1] < 0.0:
        raise ValueError("negative")
    x[1] *= 3.0
    return x[0]


def unrolled(x: Vector) -> float:
    total = 0.0
    for k in (0, 1, 2):
        try:
            if x[k] < 0.0:
                raise ValueError("negative")
            if x[k] > 1.0:
                break
            total += x[k] * k
        except ValueError:
            total += x[k] ** 2
            continue
        finally:
            total *= 1.5
    return total


def around_unrolled(x: Vector) -> float:
    total = 0.0
    try:
        for name in ("a", "b", "c"):
            if name == "b" and x[1] < 0.0:
                raise ValueError("negative")
            total += x[2] ** 2
            x[2] *= 2.0
    except ValueError:
        total += x[0]
    return total + x[2]


def division_zero_literal(x: float, n: int) -> float:
    try:
        y = x * 2.0
        y = y / (n - n)
    except ZeroDivisionError:
        y = y * 3.0
    return y


def always(x: float) -> float:
    try:
        y = x**2
        raise KeyError("k")
    except KeyError:
        y = y * x
    return y


def handler_breaks(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            total += math.sqrt(v)
        except ValueError:
            total += v**2
            break
    else:
        total *= 2.0
    return total


def closure_state(x: Vector) -> float:
    count = 0.0

    def bump(v: float) -> float:
        nonlocal count
        count += v
        if count > 1.0:
            raise ValueError("much")
        count *= 1.1
        return count

    total = 0.0
    for v in x:
        try:
            total += bump(v) * bump(v)
        except ValueError:
            total += count
            count = 0.1 * v
    return total + count


def map_reduce(x: Vector) -> float:
    try:
        return reduce(lambda a, b: a * 0.5 + b, x)
    except ValueError:
        return 0.0


def inplace_rows(x: Vector) -> float:
    a = np.outer(x, x)
    try:
        for i in range(7):
            a[i] *= x[i]
            a[i, 0] /= 2.0
    except IndexError:
        a[0] += 1.0
    return np.sum(a)


def cond_expr(x: float, a: float) -> float:
    try:
        y = 1.0 if a > 5.0 else math.sqrt(x - 10.0) * a
    except ValueError:
        y = x * a
    return y


def chained(x: float, a: float) -> float:
    try:
        ok = 0.0 < a <= math.sqrt(x - 5.0) < 3.0
        y = a if ok else x
    except ValueError:
        y = x * a
    return y


def while_test(x: float, a: float) -> float:
    n = 0
    try:
        while math.sqrt(x) > 0.1 and n < 5:
            x = x - 0.2 * a
            n += 1
    except ValueError:
        x = x * a + n
    return x * a


def complaints(xs: list[float]) -> float:
    problems = []
    for k, x in enumerate(xs):
        if not -9.0 <= x <= 9.0:
            message = f"xs[{k}] = {x} is far off"
            problems.append(message)
    if len(problems) > 0:
        raise ValueError("Some are out of bounds:\n" + "\n".join(problems))
    names = ("one", "two")
    if xs[0] > 99.0:
        raise ValueError("None of " + ", ".join(names))
    return xs[0] ** 2 * xs[1]


def too_few_numbers(xs: list[float], x: float) -> float:
    kept = [v for v in xs if v > x + 0.05]
    try:
        spread = statistics.stdev(kept)
    except statistics.StatisticsError:
        spread = x * x
    try:
        middle = statistics.mean(kept[:1])
    except ValueError:
        middle = -x
    return spread * xs[0] + middle * x


class _Coded(ValueError):
    def __init__(self, code: int, value: float) -> None:
        super().__init__(f"{code}: {value}")
        self.code = code
        self.value = value


def _failure(what: str, v: float) -> Exception:
    return ArithmeticError(f"{what}: {v}")


def _require(holds: bool, error: Exception) -> None:
    if not holds:
        raise error


def made_before(x: Vector, a: float) -> float:
    error = _Coded(3, a * x[0])
    try:
        if a > -100.0:
            raise error
        return a
    except _Coded as e:
        return e.value * e.code * x[1] + error.code


def made_elsewhere(x: Vector, a: float) -> float:
    total = a
    for v in x:
        try:
            if v > 0.4:
                raise _failure("large", v)
            _require(v > -0.4, ValueError(f"small: {v}"))
            total *= v
        except ValueError:
            total += a * v
        except ArithmeticError:
            total -= v**3
    return total
