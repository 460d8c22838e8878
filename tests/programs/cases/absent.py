"""Fields that are assigned if the object is there: it may be None, or of another class."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass
class Clock:
    t: float
    note: str = "new"


@dataclass
class Watch:
    t: float
    x: Vector
    u: float


@dataclass
class State:
    clock: Clock | None
    other: Clock | None
    m: float


def _moved(clock: Clock | None, x: float) -> float:
    if clock is None:
        return x
    clock.t += 1.0 + x
    clock.note = "moved"
    return x * clock.t


def nobody(clock: Clock | None, x: float) -> float:
    return _moved(clock, x * x)


def somebody(clock: Clock | None, x: float) -> float:
    return _moved(clock, x * x)


def two(clock: Clock | None, other: Clock | None, x: float) -> float:
    return _moved(clock, x) * _moved(other, x * x)


def inside(state: State, x: float) -> float:
    state.m *= x
    return _moved(state.clock, x) * _moved(state.other, 2.0 * x) * state.m


def nobody_around(state: State | None, x: float) -> float:
    if state is None:
        return x**3
    state.m *= x
    return _moved(state.clock, x) * state.m


def somebody_around(state: State | None, x: float) -> float:
    if state is None:
        return x**3
    state.m *= x
    return _moved(state.other, x) * state.m


def _wound(one: Clock | Watch, x: float) -> float:
    if isinstance(one, Watch):
        one.u *= x
        one.x = one.x * x
        one.t *= 2.0 * x
        return one.u * one.t * float(np.sum(one.x))
    one.t += x
    return x * one.t


def one_class(one: Watch | Clock, x: float) -> float:
    return _wound(one, x)


def other_class(one: Clock | Watch, x: float) -> float:
    return _wound(one, x)


def one_class_assigned(one: Clock | Watch | None, x: float) -> float:
    """An object of the other class does not get the field."""
    if isinstance(one, Watch):
        one.u *= x
        return one.u * x
    return x * x


def lags(x: Vector) -> float:
    """Bounds of slices that are None in one iteration."""
    total = 0.0
    for k in range(3):
        y = x.copy()
        y[k:] -= 0.5 * x[: -k or None]
        total += np.sum(y * y) * (k + 1)
    return total


def to_the_start(x: Vector) -> float:
    total = 0.0
    for k in range(4):
        stop = None if k == 0 else k - 1
        start = None if k == 1 else k
        step = None if k == 2 else -1
        total += np.sum(x[3:stop:-1] ** 2) + 2.0 * np.sum(x[start::step] * x[0])
        total += len(x[slice(start, stop)])
    return total


def of_list(x: Vector) -> float:
    xs = [v * v for v in x]
    total = 0.0
    for k in range(3):
        kept = xs[: -k or None]
        total += sum(kept) * len(kept)
    return total


def islices(x: Vector) -> float:
    total = 0.0
    for k in range(3):
        total += sum(islice(x, k, k + 2 if k else None)) * (k + 1)
        total += sum(v * v for v in islice(x, k or None))
    return total
