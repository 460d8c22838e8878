"""Programs that assign fields of their arguments and then raise: what the caller finds in them.

All of them fail for negative arguments. They are checked by ``test_exceptions``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass
class Clock:
    t: float
    ticks: int = 0
    status: str = "ok"
    late: bool = False


@dataclass
class Body:
    x: Vector
    clock: Clock
    mass: float


class Pair(NamedTuple):
    first: Clock
    second: Clock


class Raised(ValueError):
    """Called as what carries fields out of compiled code."""


def number(clock: Clock) -> float:
    clock.t = clock.t + 1.5 * clock.t
    if clock.t < 0.0:
        raise ValueError("early")
    return clock.t**2


def all_kinds(clock: Clock) -> float:
    clock.ticks += 2
    clock.late = clock.t < 0.0
    clock.status = "checked"
    clock.t *= 2.0
    if clock.late:
        clock.status = "late"
        raise KeyError("late")
    clock.status = "done"
    return clock.t**2


def never_at_the_end(clock: Clock) -> float:
    before = clock.t
    clock.t = 3.0
    if before < 0.0:
        raise Raised
    clock.t = before
    return before**2


def in_loop(body: Body, c: float) -> float:
    total = 0.0
    for i in range(body.x.shape[0]):
        body.clock.t += c * body.x[i]
        body.x[i] *= 2.0
        if body.x[i] + body.mass * 2.0 < -2.0:
            raise Raised("out of bounds")
        body.mass += body.x[i]
        body.clock.ticks += 1
        total += body.clock.t**2 + body.mass
    return total


def endless(clock: Clock) -> float:
    while True:
        clock.ticks += 1
        if clock.ticks > 5:
            return clock.t**2
        if clock.t < 0.0 and clock.ticks > 3:
            raise RuntimeError("stuck")


def _step(clock: Clock, by: float) -> None:
    clock.t += by
    if clock.t < -1.2:
        clock.ticks = -1
        raise ArithmeticError("a large step")


def in_called(clock: Clock, by: float) -> float:
    for _ in range(4):
        _step(clock, by)
        clock.ticks += 1
    return clock.t


def _checked(t: float) -> float:
    if t < 0.0:
        raise ArithmeticError("negative")
    return t**2


def _twice(t: float) -> float:
    return 2.0 * _checked(t)


def in_function_of_numbers(clock: Clock) -> float:
    clock.ticks += 1
    clock.t *= 1.5
    return clock.t * _twice(clock.t)


def through_finally(clock: Clock) -> float:
    try:
        clock.t *= 3.0
        if clock.t < 0.0:
            raise ValueError("negative")
        clock.t += 1.0
    finally:
        clock.ticks += 1
    return clock.t**2


def raised_again(clock: Clock) -> float:
    try:
        clock.t *= 3.0
        if clock.t < 0.0:
            raise ValueError("negative")
    except ValueError:
        clock.status = "failed"
        raise
    return clock.t**2


def asserted(clock: Clock) -> float:
    clock.t = clock.t * 2.0
    assert clock.t > 0.0
    return clock.t**3


def in_tuples(pair: Pair, clocks: tuple[Clock, Clock]) -> float:
    pair.second.t = pair.first.t * 2.0
    clocks[1].t += pair.second.t
    if clocks[1].t < 0.0:
        raise ValueError("negative")
    return clocks[1].t * pair.first.t


def one_of_two(clock: Clock | None, x: float) -> float:
    if clock is not None:
        clock.t += 1.0 + x
    if x < 0.0:
        raise ValueError("negative")
    return x if clock is None else x * clock.t


def shapes_do_not_fit(body: Body, c: float) -> float:
    body.mass = body.mass + c
    k = 2 if c < 0.0 else 0
    return float(np.sum(body.x[k:] * body.x[: body.x.shape[0]])) * body.mass


def new_array(body: Body, c: float) -> float:
    """If a field got a new array before the exception, the caller finds all fields as they were."""
    body.mass = body.mass + c
    body.x = body.x * c
    if c < 0.0:
        raise ValueError("negative")
    return float(np.sum(body.x)) * body.mass
