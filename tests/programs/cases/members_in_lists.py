"""Members of enums, and literals, in objects and tuples that lists hold, and on their own."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal


class Side(Enum):
    BUY = "buy"
    SELL = "sell"


@dataclass
class Trade:
    side: Side
    quantity: float
    price: float


@dataclass(frozen=True)
class Leg:
    kind: Literal["call", "put"]
    strike: float
    side: Side


@dataclass
class Node:
    side: Side
    x: float
    next: Node | None = None


def cash(trades: list[Trade]) -> float:
    return sum(
        t.quantity * t.price if t.side is Side.BUY else -t.quantity * t.price for t in trades
    )


def payoff(legs: list[Leg], spot: float) -> float:
    total = 0.0
    for leg in legs:
        value = (spot - leg.strike) ** 2 if leg.kind == "call" else math.exp(leg.strike - spot)
        total += value if leg.side == Side.BUY else -value
    return total


def turned(trades: list[Trade]) -> float:
    for t in trades:
        if t.side is Side.BUY:
            t.side = Side.SELL
            t.quantity = -t.quantity
    return sum(t.quantity * t.price for t in trades if t.side is Side.SELL)


def members_alone(sides: list[Side], x: list[float]) -> float:
    return sum(v if s == Side.BUY else v * v for s, v in zip(sides, x, strict=True))


def in_tuples(rows: list[tuple[Side, float]]) -> float:
    total = 0.0
    for side, v in rows:
        match side:
            case Side.BUY:
                total += v
            case Side.SELL:
                total -= v * v
    return total


def sums_by_side(trades: list[Trade]) -> float:
    found = {Side.BUY: 0.0, Side.SELL: 0.0}
    for t in trades:
        found[t.side] += t.quantity * t.price
    return found[Side.BUY] / (1.0 + found[Side.SELL] ** 2)


def chosen(trades: list[Trade]) -> float:
    best = trades[0]
    for t in trades:
        if t.price > best.price:
            best = t
    return best.price * (1.0 if best.side is Side.BUY else 2.0)


def by_value(trades: list[Trade]) -> float:
    return sum(t.price for t in trades if t.side.value == "buy" and isinstance(t.side, Side))


def some_sorted(trades: list[Trade]) -> float:
    buys = [t for t in trades if t.side is Side.BUY]
    return sum(t.price for t in sorted(buys, key=lambda t: t.price)[:2])


def linked(first: Node | None) -> float:
    total, n = 0.0, first
    while n is not None:
        total += n.x if n.side is Side.BUY else -n.x
        n = n.next
    return total


def doubled(trades: list[Trade]) -> list[Trade]:
    return [Trade(t.side, 2.0 * t.quantity, t.price) for t in trades]


def beside_an_option(trades: list[Trade], fee: float | None, names: list[Side] | None) -> float:
    for t in trades:
        if fee is not None:
            t.price -= fee
        if t.side is Side.BUY and (names is None or t.side in names):
            t.quantity *= 1.5
    best = trades[0]
    for t in trades:
        if t.price > best.price:
            best = t
    best.price *= 2.0
    return sum(t.quantity * t.price for t in trades)


class Phase(Enum):
    REST = 0
    RISE = 1
    FALL = 2


@dataclass
class Machine:
    phase: Phase = Phase.REST
    seen: list[Phase] = field(default_factory=list)

    def step(self, v: float) -> float:
        self.seen.append(self.phase)
        if self.phase is Phase.REST and v > 1.0:
            self.phase = Phase.RISE
            return v * v
        if self.phase is Phase.RISE:
            self.phase = Phase.FALL
            return v + 1.0
        return -v

    def count(self, phase: Phase) -> int:
        return sum(1 for one in self.seen if one is phase)


def logged_by_a_machine(x: float, n: int) -> float:
    machine = Machine()
    total = 0.0
    for k in range(n + 2):
        total += machine.step(x + k)
    return total * (1 + machine.count(Phase.RISE)) + len(machine.seen)
