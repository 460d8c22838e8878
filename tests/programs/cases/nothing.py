"""Variables that are None on some paths, and a value on others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


class Point(NamedTuple):
    x: float
    y: float


@dataclass
class Track:
    best: float | None
    weight: float

    def see(self, value: float) -> None:
        if self.best is None or value > self.best:
            self.best = value * self.weight


@dataclass
class Body:
    pos: float
    mass: float


def largest(x: Vector, a: float) -> float:
    best = None
    for i in range(x.shape[0]):
        if best is None or x[i] * a > best:
            best = x[i] * a
    return best * 2.0


def last_negative(x: Vector, a: float) -> float:
    found = None
    for i in range(x.shape[0]):
        if x[i] < 0.0:
            found = x[i]
    if found is None:
        return a
    return found * a


def never_found(x: Vector, a: float) -> float:
    found = None
    for i in range(x.shape[0]):
        if x[i] > 100.0:
            found = x[i]
            break
    return a * a if found is None else found


def previous(x: Vector) -> float:
    total = 0.0
    before = None
    for i in range(x.shape[0]):
        if before is not None:
            total += (x[i] - before) ** 2
        before = x[i]
    return total


def by_condition(x: float, y: float) -> float:
    z = None
    if x > y:
        z = x * y
    if z is not None:
        return math.sin(z)
    return y


def set_where_none(x: float, y: float) -> float:
    z = x * x if y > 10.0 else None
    if z is None:
        z = y * y
    return z * x


def and_chain(x: Vector, a: float) -> float:
    low = None
    total = 0.0
    for i in range(x.shape[0]):
        if low is not None and x[i] > low and not low > 100.0:
            total += low * x[i] * a
        if x[i] > 0.0:
            low = x[i]
    return total


def not_none(x: Vector, a: float) -> float:
    low = None
    for i in range(x.shape[0]):
        if not (low is not None):
            low = x[i] * a
        else:
            low = low * 0.5 + x[i]
    assert low is not None
    return low * low


def two_at_once(x: Vector) -> float:
    low, high = None, None
    for i in range(x.shape[0]):
        if low is None or x[i] < low:
            low = x[i]
        if high is None or x[i] > high:
            high = x[i]
    if low is None or high is None:
        return 0.0
    return high * low + high


def becomes_none(x: Vector, a: float) -> float:
    kept = a
    total = 0.0
    for i in range(x.shape[0]):
        if kept is None:
            kept = x[i]
            continue
        total += kept * x[i]
        kept = None if x[i] > 0.5 else kept
    return total


def raises_else(x: float, y: float) -> float:
    z = None
    if x > 0.0:
        z = x * y
    if z is None:
        raise ValueError("x must be positive")
    return z * z


def truth_value(x: float, y: float) -> float:
    z = None
    if x > 0.5:
        z = x - 0.1
    if z:
        return z * y
    return y


def or_default(x: float, y: float) -> float:
    z = None
    if x > 100.0:
        z = x
    return (z or y * y) * x


def _find(x: Vector, bound: float) -> float | None:
    for i in range(x.shape[0]):
        if x[i] > bound:
            return x[i]
    return None


def helper_finds(x: Vector, a: float) -> float:
    one, other = _find(x, 0.1), _find(x, 50.0)
    total = a
    if one is not None:
        total *= one
    if other is not None:
        total *= other
    return total


def _at_most(x, bound):
    if x > bound:
        return None
    return x * x


def untyped_helper(x: float, y: float) -> float:
    z = _at_most(x, 10.0)
    w = _at_most(y, -10.0)
    total = 1.0
    if z is not None:
        total += z * y
    if w is not None:
        total += w
    return total


def passed_on(x: float, y: float) -> float:
    z = x if y > 100.0 else None
    return _with_default(z, y) + _with_default(x, y)


def _with_default(x: float | None, default: float) -> float:
    return default * default if x is None else x


def of_tuple(x: Vector) -> float:
    best = None
    for i in range(x.shape[0]):
        if best is None or x[i] > best[0]:
            best = (x[i], x[i] * i)
    value, weighted = best
    return value * weighted


def of_struct(x: Vector, y: Vector) -> float:
    nearest = None
    for i in range(x.shape[0]):
        if nearest is None or abs(x[i]) < abs(nearest.x):
            nearest = Point(x[i], y[i])
    return nearest.x * nearest.y


def of_array(x: Vector, a: float) -> float:
    held = None
    if a > 0.0:
        held = a * x
    total = 0.0
    for i in range(x.shape[0]):
        if held is not None:
            total += held[i] * x[i]
    return total if held is None else total + float(np.sum(held))


def in_field(x: Vector, w: float) -> float:
    track = Track(None, w)
    for i in range(x.shape[0]):
        track.see(x[i])
    return track.best * w if track.best is not None else 0.0


def of_list_items(bodies: list[Body], a: float) -> float:
    heaviest = None
    for body in bodies:
        if heaviest is None or body.mass > heaviest.mass:
            heaviest = body
    return heaviest.pos * heaviest.mass * a


def in_while(x: float, y: float) -> float:
    before = None
    value = x
    steps = 0
    while before is None or abs(value - before) > 0.2:
        before = value
        value = 0.5 * (value + y / value)
        steps += 1
    return value * steps


def in_closure(x: Vector, a: float) -> float:
    best = None

    def look(v: float) -> None:
        nonlocal best
        if best is None or v < best:
            best = v * a

    for i in range(x.shape[0]):
        look(x[i])
    return best


def numpy_of_it(x: Vector, a: float) -> float:
    top = None
    for i in range(x.shape[0]):
        top = x[i] if top is None else np.maximum(top, x[i] * a)
    return float(np.exp(top))


def integer_or_none(x: Vector, a: float) -> float:
    at = None
    for i in range(x.shape[0]):
        if x[i] < 0.0 and at is None:
            at = i
    if at is None:
        return a
    return x[at] * a


def _by_kind(x, kind):
    if kind > 2:
        return x * x
    elif kind > 1:
        return x


def end_without_a_result(x: float, n: int) -> float:
    return _by_kind(x, n) * 2.0 + x


def _first_above(v, limit):
    for a in v:
        if a > limit:
            return a * a


def search_without_a_result(v: Vector, x: float) -> float:
    found = _first_above(v, 0.3)
    missing = _first_above(v, 100.0)
    return x * (v[0] if found is None else found) + (v[1] if missing is None else missing)


def nested_without_a_result(v: Vector, n: int) -> float:
    def scaled(k):
        if n > k:
            return v * k

    one, other = scaled(2), scaled(7)
    total = 0.0 if one is None else np.sum(one * v)
    return total + (v[0] if other is None else other[0])
