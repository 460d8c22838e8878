"""Exceptions that are raised, caught, passed on, and told apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


class OutOfRange(ValueError):
    """An exception of the program, told apart from others by its class."""


class FarOut(OutOfRange):
    pass


class StepTooLarge(Exception):
    def __init__(self, size: float, limit: float) -> None:
        self.size = size
        self.limit = limit


class Failed(Exception):
    weight = 0.25


def _checked(x: float) -> float:
    if x < 0.0:
        raise ValueError("negative")
    return x**1.5


def _twice_checked(x: float, limit: float) -> float:
    y = _checked(x)
    if y > limit:
        raise OverflowError("too large")
    return y


def raised_in_body(x: Vector) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        try:
            if x[i] < 0.0:
                raise ValueError("negative")
            y = x[i] ** 2
        except ValueError:
            y = -3.0 * x[i]
        total += y * x[0]
    return total


def with_else(x: Vector, a: float) -> float:
    total = a
    for v in x:
        try:
            if v < 0.0:
                raise ValueError
            w = math.sin(v)
        except ValueError:
            total -= v * a
        else:
            total += w * v
    return total


def stores_before_raising(x: Vector, c: float) -> float:
    y = np.zeros(x.shape[0])
    try:
        for i in range(x.shape[0]):
            y[i] = x[i] * c
            x[i] = x[i] * y[i]
            if x[i] < 0.1:
                raise ValueError("too small")
        y[0] = 5.0 * c
    except ValueError:
        y[-1] = c * c
    return np.sum(x * y)


def overwrites_argument(x: Vector) -> float:
    try:
        x *= 2.0
        if x[0] * x[1] > -9.0:
            raise RuntimeError("stop")
        x *= 3.0
    except RuntimeError:
        x[0] = x[1] * x[2]
    return np.sum(x**2)


def from_called(x: Vector, y: float) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        try:
            z = _checked(x[i]) * y + _checked(x[i] + 0.5)
        except ValueError:
            z = x[i] * y
        total += z
    return total


def from_called_twice(x: Vector, limit: float) -> float:
    total = 0.0
    for v in x:
        try:
            total += _twice_checked(v, limit)
        except OverflowError:
            total += limit * v
        except ValueError:
            total -= v**2
    return total


def several_handlers(x: Vector, a: float) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        try:
            if x[i] < -0.4:
                raise KeyError("low")
            if x[i] < 0.0:
                raise IndexError("negative")
            if x[i] > 0.8:
                raise TypeError("high")
            total += x[i] * a
        except LookupError:
            total += x[i] ** 2
        except (TypeError, ValueError):
            total -= a * a * x[i]
    return total


def nested(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            try:
                if v < -0.4:
                    raise ValueError("low")
                if v < 0.3:
                    raise KeyError("middle")
                total += v**2
            except KeyError:
                total += 2.0 * v
            total *= 1.1
        except ValueError:
            total -= 3.0 * v
    return total


def raised_in_handler(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            try:
                total += _checked(v)
            except ValueError as error:
                total += 0.5 * v
                raise RuntimeError("failed") from error
            total += v
        except RuntimeError:
            total *= 1.5 + v
    return total


def raised_again(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            try:
                total += _checked(v)
            except ValueError:
                total += 0.5 * v
                raise
        except ValueError:
            total *= 1.5 + v
    return total


def own_classes(x: Vector, a: float) -> float:
    total = 0.0
    for v in x:
        try:
            if v < -0.5:
                raise FarOut("far")
            if v < 0.0:
                raise OutOfRange("out")
            total += v * a
        except FarOut:
            total += v**3
        except OutOfRange:
            total -= v
    return total


def own_class_by_base(x: Vector, a: float) -> float:
    total = 0.0
    for v in x:
        try:
            if v < 0.0:
                raise FarOut("far")
            total += v * a
        except ValueError:
            total += v**3
    return total


def carries_values(x: Vector, dt: float) -> float:
    total = 0.0
    for v in x:
        try:
            size = v * dt
            if size > 0.2:
                raise StepTooLarge(size, 0.2 * v)
            total += size**2
        except StepTooLarge as error:
            total += 0.5 * error.size - error.limit
    return total


def class_attribute(x: float) -> float:
    try:
        if x > 0.0:
            raise Failed("failed")
        return x
    except Failed as error:
        return error.weight * x**2


def arguments_of_exception(x: float, y: float) -> float:
    try:
        if x > 0.0:
            raise ValueError(x * y, "no")
        return y
    except ValueError as error:
        return error.args[0] * x


def words(x: float) -> float:
    try:
        if x > 0.0:
            raise ValueError("big")
        raise ValueError("small")
    except ValueError as error:
        scale = 2.0 if error.args else 3.0
    return scale * x**2


def assertion(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            assert v > 0.0, "negative"
            total += v**2
        except AssertionError:
            total -= v
    return total


def in_conditional(x: Vector, a: float) -> float:
    total = 0.0
    for v in x:
        try:
            y = _checked(v) if v < 0.5 else v * a
            ok = v > 0.9 or _checked(v - 0.5) > 0.1
            total += y if ok else 2.0 * y
        except ValueError:
            total += v * a**2
    return total


def in_closure(x: Vector, a: float) -> float:
    def f(v: float) -> float:
        if v < 0.0:
            raise ValueError("negative")
        return a * v**2

    g = lambda v: f(v) + f(v + 0.2)  # noqa: E731
    total = 0.0
    for v in x:
        try:
            total += g(v)
        except ValueError:
            total += a * v
    return total


def unbound_after(x: float, a: float) -> float:
    try:
        y = a * x
        z = math.sqrt(x - 5.0)
    except ValueError:
        return y**2
    return y * z


def partly_assigned(x: Vector, a: float) -> float:
    total = 0.0
    y = a
    for v in x:
        try:
            y = v * a
            y, total = y * math.sqrt(v), total + y
        except ValueError:
            total += y**2
    return total + y


def mutated_by_called(x: Vector) -> float:
    try:
        _halve(x)
    except ValueError:
        x[0] += 1.0
    return np.sum(x**3)


def _halve(x: Vector) -> None:
    for i in range(x.shape[0]):
        x[i] *= 0.5
        if i == 2:
            raise ValueError("three are enough")


def comprehension_in_arm(x: Vector) -> float:
    s = x[0]
    try:
        if x[0] > 0.7889:
            s *= 2.0
        else:
            values = [x[2] * x[k] for k in range(3)]
            s += values[1]
    except IndexError:
        s = 0.0
    return s


def update_may_fail(x: Vector) -> float:
    total = 1.0
    for i in range(3):
        try:
            x[i] *= math.log(x[i + 1] - 0.6)
            x[i + 1] += math.sqrt(x[i])
        except ValueError:
            total += x[i] * x[i + 1]
    return total * np.sum(x**2)


@dataclass
class _Clock:
    t: float
    rate: float = 2.0


def object_replaced_in_try(x: float, c: float) -> float:
    clock = _Clock(x)
    try:
        if c > 3.0:
            raise ValueError("no")
        clock = _Clock(c * x)
    except ValueError:
        pass
    return clock.rate * clock.t


def object_replaced_in_loop_in_try(x: float, c: float) -> float:
    clock = _Clock(x)
    try:
        for k in range(3):
            if c * k > 0.5:
                raise ValueError("no")
            clock = _Clock(c * clock.t)
    except ValueError:
        pass
    return clock.rate * clock.t


def object_replaced_before_raise(x: float, c: float) -> float:
    clock = _Clock(x)
    try:
        if x > 0.0:
            clock = _Clock(x * c)
            if c > 0.1:
                raise ValueError("no")
        else:
            clock = _Clock(c)
    except ValueError:
        return clock.t * 3.0 + clock.rate
    return clock.rate * clock.t


def with_one_of_two_texts(x: float, y: float) -> float:
    reason = "low" if x < 0.5 else "high"
    try:
        if x * y > 0.0:
            raise ValueError(reason)
        y = y * y
    except ValueError:
        y = y * x
    if x > 5.0:
        raise RuntimeError(reason)
    return y
