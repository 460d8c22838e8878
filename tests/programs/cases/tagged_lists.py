"""Lists that grow, of texts and members of enums, and of tuples with those."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Side(Enum):
    BUY = 1
    SELL = -1


class Trade(NamedTuple):
    price: float
    side: Side
    note: str = "none"


@dataclass(frozen=True)
class Order:
    qty: float
    side: Side = Side.BUY
    limit: float | None = None


class Tagged(NamedTuple):
    x: float
    tag: str


def trades(c: float, n: int) -> float:
    out = []
    for k in range(n):
        side = Side.BUY if c * k > 0.5 else Side.SELL
        out.append(Trade(c * k, side, "big" if k > 2 else "small"))
    s = 0.0
    for t in out:
        s += t.price * t.side.value
        if t.side is Side.BUY and t.note == "small":
            s += 1.0
    last = out[-1]
    return s + (last.price if last.side == Side.SELL else 2 * last.price)


def frozen_orders(c: float, n: int) -> float:
    orders = []
    for k in range(n):
        orders.append(Order(c * k, Side.SELL if k == 1 else Side.BUY, c if k > 1 else None))
    s = 0.0
    for o in orders:
        q = o.qty * o.side.value
        if o.limit is not None:
            q = min(q, o.limit)
        s += q
    return s


def changed_and_sorted(c: float, n: int) -> float:
    out = []
    for k in range(n):
        out.append((c * (k - 1) ** 2, "a" if k < 2 else "b"))
    out.sort(key=lambda t: -t[0])
    top = out.pop(0)
    out.insert(1 if len(out) > 1 else 0, (c, "b"))
    rest = [t for t in out if t[1] == "b"]
    s = sum(v * (i + 1) for i, (v, _) in enumerate(rest))
    return s + (top[0] if top[1] == "a" else 3 * top[0]) + len(rest)


def states(c: float, n: int) -> float:
    log = []
    state = "idle"
    level = c + 0.01
    for _k in range(n):
        if state == "idle" and level > 0.5:
            state = "run"
        elif state == "run" and level < 0.3:
            state = "idle"
        level = level * 0.7 if state == "run" else level + 0.2
        log.append((state, level))
    runs = [v for s, v in log if s == "run"]
    return sum(runs) + sum(v * v for s, v in log if s != "run")


class Book:
    def __init__(self) -> None:
        self.trades: list[tuple[str, float, float]] = []
        self.cash = 0.0

    def buy(self, p: float, q: float) -> None:
        self.trades.append(("buy", p, q))
        self.cash -= p * q

    def sell(self, p: float, q: float) -> None:
        self.trades.append(("sell", p, q))
        self.cash += p * q

    def volume(self, side: str) -> float:
        return sum(p * q for s, p, q in self.trades if s == side)


def booked(c: float, n: int) -> float:
    b = Book()
    for k in range(n):
        if k % 3 == 0:
            b.buy(c * (k + 1), 2.0)
        else:
            b.sell(c + k, 1.0)
    return b.cash + b.volume("buy") * 2 + b.volume("sell") + len(b.trades)


def none_or_text(c: float, n: int) -> float:
    out = []
    for k in range(n):
        out.append((c * k, None if k == 0 else "t"))
    return sum(v for v, t in out if t is not None) + sum(1.0 for _, t in out if t is None)


def beside_texts_of_the_caller(names: list[str], c: float) -> float:
    out = []
    for n in names:
        out.append((n, c))
    out.append(("own", c * c))
    return sum(v for n, v in out if n == "a") + sum(v for n, v in out if n == "own")


def members(c: float, n: int) -> float:
    out = []
    for k in range(n):
        out.append(Side.BUY if k > 1 else Side.SELL)
    return sum(c * m.value for m in out)


def one_member(c: float, n: int) -> float:
    out = []
    for _k in range(n):
        out.append(Side.BUY)
    return sum(c * m.value for m in out)


def named(c: float, n: int) -> float:
    out = []
    for k in range(n):
        out.append(Tagged(c * k, "buy"))
    return sum(t.x for t in out if t.tag == "buy")


def named2(c: float, n: int) -> float:
    out = []
    for k in range(n):
        out.append(Tagged(c * k, "buy" if k > 1 else "sell"))
    return sum(t.x for t in out if t.tag == "buy")


def tuples(c: float, n: int) -> float:
    out = []
    for k in range(n):
        out.append((c * k, "x"))
        if k > 1:
            out.append((c, "y"))
    return sum(a for a, b in out if b == "x")


class Rate(Enum):
    YEARLY = 1
    HALF_YEARLY = 2
    QUARTERLY = 4


@dataclass
class Bond:
    coupon: float
    rate: Rate = Rate.HALF_YEARLY


def built_of_one(n: int, c: float) -> list[Bond]:
    out = []
    for k in range(n):
        out.append(Bond(c * k))
    return out


def built_of_several(n: int, c: float) -> list[Bond]:
    out = []
    for k in range(n):
        out.append(Bond(c * k, Rate.QUARTERLY if k % 2 else Rate.YEARLY))
    return out
