"""Comparisons, membership and order of what may be None; lists of that, as people use them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np


class Side(Enum):
    BUY = 1
    SELL = 2
    HOLD = 3


@dataclass
class P:
    a: float
    b: float


@dataclass
class Quote:
    price: float
    side: Side | None = None


def chosen_member(x: float) -> float:
    s = None
    if x > 0.1:
        s = Side.BUY
    elif x > 0.05:
        s = Side.SELL
    t = 0.0
    if s in (Side.BUY, Side.HOLD):
        t += x * x
    if s not in (Side.SELL, None):
        t += x
    return t


def in_displays(xs: list[int | None], x: float) -> float:
    t = 0.0
    for v in xs:
        if v in (1, 2):
            t += x
        if v not in (3, 4):
            t += x * x
        if v in [None, 3]:
            t += 10 * x
    return t


def in_lists(xs: list[int | None], ys: list[int], x: float) -> float:
    t = 0.0
    for v in xs:
        if v in ys:
            t += x
    if 7 in xs:
        t += x * x
    if None in xs:
        t += 100 * x
    return t


def equal_objects(x: float) -> float:
    p = None
    if x > 0.2:
        p = P(x, 1.0)
    q = P(x, 1.0)
    t = 0.0
    if p == q:
        t += x * x
    if p != q:
        t += x
    if p is q:
        t += 100
    return t


def keys_or_none(d: dict[str, float], names: list[str | None], x: float) -> float:
    t = 0.0
    for n in names:
        if n in d:
            t += d[n] * x
        t += d.get(n, 2.0)
    return t


def counted(xs: list[int | None], x: float) -> float:
    return x * xs.count(None) + x * x * xs.count(7) + xs.index(None)


def any_missing(xs: list[float | None], x: float) -> float:
    if any(v is None for v in xs):
        return x
    if all(v is not None and v > 0 for v in xs):
        return x * x
    return min(v for v in xs if v is not None)


def median_of_known(xs: list[float | None]) -> float:
    ys = sorted(v for v in xs if v is not None)
    return ys[len(ys) // 2]


def sorted_last(xs: list[float | None]) -> float:
    ys = sorted(xs, key=lambda v: (v is None, v or 0.0))
    return (ys[0] or 1.0) ** 2


def largest(xs: list[float | None]) -> float:
    return max((v for v in xs if v is not None), default=1.0) ** 2


def copied(xs: list[float | None], x: float) -> float:
    ys = list(xs)
    ys[0] = x
    zs = [v if v is not None else x for v in ys]
    ys.append(None)
    return sum(zs) * len(ys) + sum(v for v in xs if v is not None)


def slopes(xs: list[float | None]) -> float:
    t = 0.0
    prev = None
    for i, v in enumerate(xs):
        if v is None:
            continue
        if prev is not None:
            t += (v - prev) * i
        prev = v
    return t


def as_nan(xs: list[float | None]) -> float:
    a = np.array([np.nan if v is None else v for v in xs])
    return np.nansum(a * a)


def members_in_objects(x: float, n: int) -> float:
    quotes = []
    for i in range(n):
        quote = Quote(x * i)
        if i % 2:
            quote.side = Side.BUY
        if i % 3 == 2:
            quote.side = Side.SELL
        quotes.append(quote)
    total = 0.0
    for quote in quotes:
        if quote.side is Side.BUY:
            total += quote.price**2
        elif quote.side is None:
            total += quote.price
        elif quote.side == Side.SELL:
            total += quote.price * 10
        if quote.side is not Side.SELL:
            total += 100 * quote.price
    return total


def text_or_none(x: float, n: int) -> float:
    last = None
    total = 0.0
    for i in range(n):
        if last is not None and last == "a":
            total += x
        if last == "b":
            total += x * x
        last = "a" if i % 2 else "b"
    return total
