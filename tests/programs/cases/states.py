"""Text and members of enums that change: chosen by conditions, and states of loops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


class Mode(Enum):
    UP = 1.5
    DOWN = 2.5
    HELD = 0.5

    def scale(self, x: float) -> float:
        return x * self.value


class Level(IntEnum):
    LOW = 1
    HIGH = 3


@dataclass
class Machine:
    state: str
    v: float

    def step(self, dt: float):
        if self.state == "idle":
            if self.v > 1.0:
                self.state = "busy"
            self.v = self.v + dt * dt
        elif self.state == "busy":
            self.v = self.v * dt
            self.state = "idle" if self.v < 0.4 else "busy"


def chosen(x: float) -> float:
    m = Mode.UP
    if x > 1.0:
        m = Mode.DOWN
    if m == Mode.UP:
        return x * x
    return 3.0 * x


def methods(x: float) -> float:
    m = Mode.UP
    if x > 1.0:
        m = Mode.DOWN
    elif x < 0.0:
        m = Mode.HELD
    return m.scale(x * x) + (m.value if m.name == "UP" else x)


def alternating(x: float, n: int) -> float:
    m = Mode.UP
    s = 0.0
    for _ in range(n):
        if m is Mode.UP:
            s = s + x
            if s > 2.0:
                m = Mode.DOWN
        else:
            s = s - x * x / 2.0
            if s < 0.0:
                m = Mode.UP
    return s * s if m is not Mode.DOWN else s


def worked(x: float) -> float:
    state = "start"
    y, k = x, 0
    while state != "done":
        if state == "start":
            y = y * x
            state = "work"
        elif state == "work":
            y = math.sin(y) + x
            k = k + 1
            if k > 3:
                state = "done"
    return y


def matched(x: float, n: int) -> float:
    s = "a"
    y = x
    for _ in range(n):
        match s:
            case "a":
                y += x
                s = "b"
            case "b" | "c":
                y *= x
                s = "c" if s == "b" else "a"
    return y if s in ("a", "c") else y * y


def ended(x: float, n: int) -> float:
    status = "converged"
    for _ in range(n):
        if x > 100.0:
            status = "diverged"
            break
        x = x * x
    if status == "diverged":
        return 2.0 * x
    return x * x


def other_order(x: float, y: float) -> float:
    a = "p" if x > 0.0 else "q"
    b = "r" if y > 0.0 else "p"
    c = a if x > y else b
    found = {"p": x, "q": 2.0, "r": 3.0}
    r = x * y if a == b else x
    if c == "p":
        return r + found["p"] * y
    return r * y if c == "r" else r + y * y


def numbered(x: float) -> float:
    level = Level.LOW if x < 1.0 else Level.HIGH
    return x**2 if level < Level.HIGH else x**3


def maybe(x: float) -> float:
    label = None
    if x > 1.0:
        label = "big"
    elif x < -1.0:
        label = "small"
    if label is None:
        return x * x
    return 3.0 * x if label == "small" else x**3


def empty(x: float) -> float:
    s = ""
    if x > 1.0:
        s = "set"
    return x * x if s else 2.0 * x


def _following(m: Mode, x: float) -> Mode:
    if x > 1.0:
        return Mode.DOWN
    return m


def helped(x: float) -> float:
    m = _following(Mode.UP, x)
    return x * x if m == Mode.UP else x


def machine(x: float, n: int) -> float:
    one = Machine("idle", x)
    for _ in range(n):
        one.step(x)
    return one.v if one.state == "idle" else one.v**2


def nested(x: Vector) -> float:
    state, s = "in", 0.0
    for i in range(len(x)):
        for _ in range(3):
            s += x[i] ** 2 if state == "in" else x[i]
            state = "out" if state == "in" and s > 1.0 else "in"
        if state == "out" and s > 3.0:
            state = "over"
    return s if state == "over" else 2.0 * s


@dataclass
class Position:
    size: float
    kind: str


def positions(x: Vector) -> float:
    held = [Position(x[i], "call" if i % 2 == 0 else "put") for i in range(len(x))]
    for p in held:
        if p.size > 0.5:
            p.kind = "sold"
    s = 0.0
    for p in held:
        if p.kind == "call":
            s += p.size**2
        elif p.kind == "put":
            s -= p.size
        else:
            s += p.size**3
    return s


@dataclass
class Order:
    side: Mode
    text: str
    price: float


@dataclass
class Limited:
    price: float
    limit: float | None
    note: str | None


def left_with_member(o: Order, s: Mode, x: float) -> float:
    o.side = Mode.DOWN if x > 0.5 else s
    o.text = "above" if o.price > x else "below"
    o.price *= x
    return o.price * o.side.value


def left_with_what_may_be_none(o: Limited, x: float) -> float:
    o.limit = x * o.price if x > 0.0 else None
    o.note = None if x > 0.5 else "small"
    if o.limit is not None:
        o.price = o.limit * x
    return o.price


@dataclass
class Cached:
    scale: float
    bound: float | None
    inner: Limited | None
    values: Vector | None


def left_with_none(o: Cached, x: float) -> float:
    y = x * o.scale
    if o.bound is not None and o.inner is not None and o.values is not None:
        y *= o.bound * o.inner.price * np.sum(o.values**2)
    o.bound = o.inner = o.values = None
    return y * y


def left_with_none_deeper(o: Cached, x: float) -> float:
    if o.inner is not None:
        x *= o.inner.price
        o.inner.limit = None
    return x * o.scale


def left_with_none_or_array(o: Cached, x: float) -> float:
    o.scale *= x
    o.values = None if o.scale > 0.3 else np.array([x, o.scale])
    return o.scale


def left_with_other_side(o: Order, x: float) -> float:
    o.side = {Mode.UP: Mode.DOWN, Mode.DOWN: Mode.UP}.get(o.side, o.side)
    return o.price * x * o.side.value


@dataclass(frozen=True)
class Leg:
    mode: Mode
    qty: float

    def flipped(self):
        other = Mode.DOWN if self.mode is Mode.UP else Mode.UP
        return Leg(other, self.qty * 1.1)

    def value(self, s):
        return self.qty * s if self.mode is Mode.UP else -self.qty * s * self.mode.value


def flipped_in_a_loop(qty: float, n: int) -> float:
    leg = Leg(Mode.UP, qty)
    total = 0.0
    for _ in range(n):
        total += leg.value(3.0)
        leg = leg.flipped()
    return total + (5.0 if leg.mode is Mode.DOWN else 7.0)


def text_in_a_tuple(v: float, n: int) -> float:
    state = ("a", v)
    while state[1] < 10.0 and n > 0:
        n -= 1
        name, held = state
        state = ("b" if name == "a" else "a", held * 1.5)
    return state[1] * (1.0 if state[0] == "a" else 2.0)
