"""Exceptions that are raised, caught, passed on and cleaned up after; context managers."""

from __future__ import annotations

import contextlib
import math
from contextlib import nullcontext, suppress
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Square = Annotated[NDArray[np.float64], "3 3"]


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


def assertion(x: Vector) -> float:
    total = 0.0
    for v in x:
        try:
            assert v > 0.0, "negative"
            total += v**2
        except AssertionError:
            total -= v
    return total


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


def shapes_that_differ(x: Vector, y: Vector) -> float:
    try:
        z = x[:3] * y[:-1]
    except ValueError:
        z = x * y
    return np.sum(z**2)


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


def final_only(x: Vector) -> float:
    total = 0.0
    try:
        total += np.sum(x)
    finally:
        total *= x[0]
    return total


def jitter(a: Square, x: float) -> float:
    k = a @ a.T - x * np.eye(3)
    extra = 1e-3 * x * x
    for _ in range(12):
        try:
            factor = np.linalg.cholesky(k + extra * np.eye(3))
            break
        except np.linalg.LinAlgError:
            extra *= 10.0
    else:
        factor = k
    return np.sum(factor * factor * extra)


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
