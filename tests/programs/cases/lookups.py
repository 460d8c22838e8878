"""Dicts whose keys are known, looked up by keys that are known when the program runs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Literal, NamedTuple

import numpy as np
from kinds import Vec
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Mode(Enum):
    UP = 1
    DOWN = 2
    FLAT = 3


@dataclass(frozen=True)
class Gas:
    mass: float
    size: float

    def density(self, x: float) -> float:
        return self.mass * x * x + self.size


def _square(x):
    return x * x


def _cube(x, scale=2.0):
    return x**3 * scale


OPERATIONS = {"sin": math.sin, "square": _square, "shifted": lambda v: v * v + 1.0}
PRICES = {"a": 1.5, "b": 2.5, "c": 4.0}
BY_NUMBER = {1: 2.0, 3: 4.0, 7: 0.5}
STEPS = {0: _square, 1: _cube, 3: math.exp}
GRID = {(0, 0): 1.0, (0, 1): 2.0, (3, 0): 3.0}
RATES = {Mode.UP: 2.0, Mode.DOWN: 0.5}
NESTED = {"low": {"a": 1.0, "b": 2.0}, "high": {"a": 3.0, "b": 4.0}}
GASES = {"helium": Gas(4.0, 1.0), "argon": Gas(40.0, 2.0)}
WEIGHTS = {0: np.array([1.0, 2.0]), 3: np.array([3.0, 4.0])}


class Table:
    signs = {"plus": 1.0, "minus": -1.0}  # noqa: RUF012


def dispatched(x: float, name: str) -> float:
    return OPERATIONS[name](x) * OPERATIONS["square"](x)


def priced(x: float, name: str) -> float:
    return PRICES[name] * x


def priced_or(x: float, name: str) -> float:
    return PRICES.get(name, 0.25) * x


def is_priced(x: float, name: str) -> float:
    if name not in PRICES:
        return x
    return x * x * PRICES[name]


def named_twice(x: float, kind: str, name: str) -> float:
    return NESTED[kind][name] * x


def of_objects(x: float, name: str) -> float:
    gas = GASES[name]
    return gas.density(x) * gas.mass


def of_class(x: float, name: str) -> float:
    return Table.signs[name] * x


def literal(x: float, name: Literal["sin", "shifted"]) -> float:
    return OPERATIONS[name](x)


def _price(x: float, kind: str) -> float:
    table = {"first": x, "second": 3.0}
    return table[kind] * x


def by_helper(x: float, kind: str) -> float:
    return _price(x, kind) + x


class Law:
    def __init__(self, kind, scale=2.0):
        self.kind = kind
        self.scale = scale

    def value(self, x):
        if self.kind == "linear":
            found = self.scale * x
        elif self.kind in ("square", "power"):
            found = x * x
        else:
            raise KeyError("law")
        return found


def by_method(x: float, kind: str) -> float:
    law = Law(kind)
    return 3.0 * law.value(x) + 1.0


def by_method_in_arms(x: float, kind: str) -> float:
    law = Law(kind)
    y = x if x > 3.0 else law.value(x) * 2.0
    z = [law.value(v) * x for v in (1.0, y)]
    return z[1] if y > 0.1 and law.value(x) > 0.0 else z[0]


def caught_text(x: float, name: str) -> float:
    try:
        return PRICES[name] * x
    except KeyError:
        return x * x


def by_number(x: float, k: int) -> float:
    return BY_NUMBER[k] * x


def stepped(x: float, k: int) -> float:
    return STEPS[k](x)


def caught(x: float, k: int) -> float:
    try:
        return BY_NUMBER[k] * x
    except KeyError:
        return x * x


def by_pair(x: float, i: int, j: int) -> float:
    return GRID[i, j - 3] * x + GRID[(0, i - 3)] * x * x


def of_arrays(x: float, k: int) -> float:
    return WEIGHTS[k][0] * x + np.sum(WEIGHTS[k]) * x * x


def mixed_keys(x: float, k: int) -> float:
    d = {"s": 1.0, 3: x, 2.5: 3.0, (1, 2): 4.0, True: x * x}
    return d[k] * d.get(k + 1, x) * (7.0 if k in d else 2.0) * d[k - 2]


def by_truth(x: float, b: bool) -> float:
    d = {True: x, False: x * x}
    return d[b] + d[x > 0.2] + {0: 1.0, 1: x}[b]


def changed_by_truth(x: float, n: int, b: bool) -> float:
    d = {True: x, False: x * x}
    d[b] *= 3.0
    d[n > 2] += 1.0
    return d[True] * d[False]


def by_numbers_of_array(x: Vec, where: Ints) -> float:
    total = 0.0
    for i in range(len(where)):
        total += BY_NUMBER[where[i]] * x[i]
    return total


def by_state(x: float) -> float:
    mode = Mode.UP
    if x > 1.0:
        mode = Mode.DOWN
    elif x < -5.0:
        mode = Mode.FLAT
    return RATES[mode] * x + RATES.get(mode, 3.0)


def changed_by_state(x: float, n: int) -> float:
    counts = {"start": 1.0, "end": 2.0}
    state = "start"
    for i in range(n):
        counts[state] = counts[state] * x + i
        state = "end" if state == "start" else "start"
    return counts["start"] * counts["end"]


def in_loop(x: float, n: int) -> float:
    d = {0: 1.0, 1: x, 2: 3.0}
    total = 0.0
    for i in range(n):
        total += d[i % 2] * d.get(i, x)
        if i in d:
            total *= d[2 - i] + x
    return total


CHART = {(Mode.UP, Mode.DOWN): 2.0, (Mode.DOWN, Mode.UP): 0.5, (Mode.FLAT, Mode.FLAT): 1.5}


def pairs_of_members(x: Vec, first: Mode, second: Mode) -> float:
    total = CHART.get((first, second), 1.0) * x[0]
    for (a, b), factor in CHART.items():
        total += factor * x[1] if a is b else x[2] ** 2
    modes = (Mode.DOWN, Mode.UP)
    for k in range(len(x)):
        total += CHART[modes[k % 2], modes[(k + 1) % 2]] * x[k]
    return total


class Side(Enum):
    BUY = "one"
    SELL = "two"
    SHORT = "two"  # noqa: PIE796

    @property
    def sign(self) -> float:
        return 1.0 if self is Side.BUY else -1.5


def member_by_text(x: float, side: str) -> float:
    try:
        return Side(side).sign * x * x
    except ValueError:
        return x


def members_by_texts(x: Vec, sides: list[str]) -> float:
    total = 0.0
    for v, side in zip(x, sides, strict=False):
        if side in ("one", "two"):
            total += Side(side).sign * v * v
    return total


def member_by_number(x: float, n: int) -> float:
    return x * x if Mode(n % 3 + 1) is Mode.UP else 3.0 * x


def member_by_name(x: float, names: list[str]) -> float:
    total = x
    for name in names:
        try:
            total = total * x + Side[name].sign
        except KeyError:
            total *= 0.5
    return total


@dataclass(frozen=True)
class Bet:
    mode: Mode
    stake: float
    limit: float | None = None

    def value(self, x: float) -> float:
        if self.mode is Mode.UP:
            return x * self.stake
        return -self.stake * (x if self.limit is None else x * self.limit)


class Order(NamedTuple):
    side: Side
    book: str

    def price(self, x: float) -> float:
        if self.side is Side.BUY and self.book == "a":
            return x * x
        return 2.0 * x if self.book == "b" else 3.0 * x


def frozen_with_members(x: Vec) -> float:
    """Fields that a method reads hold one of several members, or None."""
    total = 0.0
    for k, v in enumerate(x):
        bet = Bet(Mode.UP if k % 2 == 0 else Mode.DOWN, v, None if k % 3 == 0 else 0.1)
        order = Order(Side.BUY if k % 2 == 1 else Side.SELL, "a" if k > 0 else "b")
        total += bet.value(v + k) * (k + 1) + order.price(v)
    return total
