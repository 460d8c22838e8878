"""Members of enums, texts, numbers and flags that may be None, in all that is done with them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal


class Side(Enum):
    BUY = "buy"
    SELL = "sell"
    HOLD = "hold"

    @property
    def sign(self) -> float:
        return {Side.BUY: 1.0, Side.SELL: -1.0, Side.HOLD: 0.0}[self]


class Level(IntEnum):
    LOW = 0
    MID = 1
    HIGH = 2


FEES = {Side.BUY: 0.1, Side.SELL: 0.2}
RATES = {"a": 1.5, "b": 2.5}


def _signal(x):
    if x > 0.5:
        return Side.BUY
    if x < -0.5:
        return Side.SELL
    return None


def _level(x):
    return Level.HIGH if x > 1 else Level.LOW if x > 0 else None


def _tag(x):
    if x > 0.3:
        return "a"
    if x > 0:
        return "b"
    return None


def identity(x: float) -> float:
    s = _signal(x)
    return x * x if s is Side.BUY else 3 * x if s is Side.SELL else -x


def truth(x: float) -> float:
    s = _signal(x)
    if s:
        return x * s.sign
    return x * x


def matched(x: float) -> float:
    s = _signal(x)
    match s:
        case Side.BUY:
            return x * 2
        case None:
            return x * 3
        case _:
            return x * 4


def fee(x: float) -> float:
    return x * FEES.get(_signal(x), 7.0)


def or_other(x: float) -> float:
    s = _signal(x) or Side.HOLD
    return x * {Side.BUY: 1.0, Side.SELL: 2.0, Side.HOLD: 3.0}[s]


def two_of_them(x: float, y: float) -> float:
    a, b = _signal(x), _signal(y)
    if a == b:
        return x * y
    if a is b:
        return 1e6
    if a is not None and b is not None:
        return x - y
    return x + y


def number_or_none(x: float) -> float:
    lvl = _level(x)
    if lvl:
        return x * lvl
    if lvl is None:
        return x * x
    if lvl == 0:
        return 5 * x
    return 6 * x


def ordered_numbers(x: float) -> float:
    lvl = _level(x)
    if lvl is not None and lvl >= Level.MID:
        return x * (lvl + 1)
    if lvl in (Level.LOW, None):
        return x * 10
    return x


def text_as_key(x: float) -> float:
    t = _tag(x)
    if t == "a":
        return x
    if t != "b":
        return 2 * x
    return RATES[t] * x


def text_in_dict(x: float) -> float:
    t = _tag(x)
    return RATES.get(t, 0.25) * x if t in RATES else -x


def carried(xs: list[float]) -> float:
    last = None
    n = 0.0
    for x in xs:
        s = _signal(x)
        if s is not None and s != last:
            n += x
        if s is last:
            n += x * x
        last = s
    return n


def in_a_list(xs: list[float]) -> float:
    found = [_signal(x) for x in xs]
    t = 0.0
    for s, x in zip(found, xs, strict=True):
        if s is Side.BUY:
            t += x * x
        elif s is None:
            t += x
        else:
            t -= 2 * x
    return t + found.count(None) * xs[0] + (Side.BUY in found) * xs[1]


@dataclass
class Order:
    qty: float
    side: Side | None = None
    tag: str | None = None
    lvl: Level | None = None

    def cash(self, p):
        if self.side is None:
            return 0.0
        return self.side.sign * self.qty * p


def in_an_object(x: float) -> float:
    o = Order(x, _signal(x), _tag(x), _level(x))
    t = o.cash(2.0)
    if o.tag == "a":
        t += x * x
    if o.lvl == Level.HIGH:
        t += 5 * x
    return t


def in_objects_of_a_list(xs: list[float]) -> float:
    orders = [Order(x, _signal(x), _tag(x), _level(x)) for x in xs]
    t = 0.0
    for o in orders:
        t += o.cash(3.0)
        if o.tag == "b":
            t += o.qty**2
        if o.lvl is Level.LOW:
            t += o.qty * 7
        if o.lvl is None:
            o.lvl = Level.MID
    return t + sum(o.qty * o.lvl for o in orders)


def given(x: float, s: Side | None) -> float:
    if s is Side.BUY:
        return x * x
    s = s or _signal(x)
    return x * 3 if s == Side.SELL else x if s is None else 9 * x


def given_text(x: float, t: Literal["a", "b"] | None = None) -> float:
    if t is None:
        t = _tag(x)
    if t is None:
        return x
    return RATES[t] * x * x


def _flip(s: Side | None) -> Side | None:
    if s is Side.BUY:
        return Side.SELL
    if s is Side.SELL:
        return Side.BUY
    return s


def turned(x: float, n: int) -> float:
    s = _signal(x)
    t = 0.0
    for i in range(n):
        s = _flip(s)
        t += x * i if s is Side.BUY else x * x if s is None else 0.5 * x
    return t


def none_as_key(xs: list[float]) -> float:
    counts = {Side.BUY: 0.0, Side.SELL: 0.0, None: 0.0}
    for x in xs:
        counts[_signal(x)] += x * x
    return counts[Side.BUY] - 2 * counts[Side.SELL] + 3 * counts[None]


def not_in(x: float) -> float:
    s = _signal(x)
    if s not in (Side.BUY, Side.SELL):
        return x
    if s is not Side.BUY:
        return x**3
    return x**2


def objects(x: float) -> float:
    p = None if x < 0 else Order(x, Side.BUY)
    q = p if x < 1 else Order(x, Side.SELL)
    t = 0.0
    if p is q:
        t += x
    if p is not None and p.side is Side.BUY:
        t += x * x
    if q is not None and q.side is not Side.BUY:
        t += 10 * x
    return t


def largest(xs: list[float]) -> float:
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    if best == xs[0]:
        return best * 2
    return best if best is not None else 0.0


def places(xs: list[float]) -> float:
    prev = None
    t = 0.0
    for i, x in enumerate(xs):
        k = None if x < 0 else i
        if k == prev:
            t += x
        if k in (0, 2):
            t += x * x
        if k is not None and k != 1:
            t += 3 * x
        prev = k
    return t


def flags(x: float) -> float:
    flag = None if x < -0.5 else x > 0.5
    if flag is True:
        return x * x
    if flag is False:
        return x * 3
    if flag is None:
        return x * 5
    return x


def equal_flags(x: float) -> float:
    flag = None if x < -0.5 else x > 0.5
    if flag == True:  # noqa: E712
        return x * x
    if flag == False:  # noqa: E712
        return x * 3
    return x * 5


def states(xs: list[float]) -> float:
    state = None
    total = 0.0
    for x in xs:
        match state:
            case None:
                state = "up" if x > 0 else "down"
                total += x
            case "up" if x < 0:
                state = "down"
                total += x * x
            case "up":
                total += 2 * x
            case "down":
                state = None
                total -= x
    return total
