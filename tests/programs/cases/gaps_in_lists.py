"""Numbers, texts and members of enums that may be None: in lists and objects in lists."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "n n"]


@dataclass
class Job:
    work: float
    due: float | None = None
    weight: float | None = None
    label: str | None = None


class Reading(NamedTuple):
    time: float
    value: float | None
    count: int | None


class Side(Enum):
    BUY = 1
    SELL = 2


@dataclass
class Quote:
    price: float
    side: Side | None = None
    size: int | None = None


@dataclass
class Book:
    quotes: list[Quote]
    floor: float | None = None


@dataclass
class Node:
    x: float
    bonus: float | None = None
    next: Node | None = None


@dataclass
class Layer:
    w: Matrix
    b: Vector | None = None


@dataclass
class Observation:
    t: float
    y: Vector | None
    s: float | None = None


def mean_of_known(xs: list[float | None]) -> float:
    known = [x for x in xs if x is not None]
    return sum(known) / len(known)


def filled_forward(xs: list[float | None]) -> list[float]:
    last = 1.0
    out = []
    for x in xs:
        if x is not None:
            last = x
        out.append(last * last)
    return out


def by_index(xs: list[float | None], ys: list[float]) -> float:
    total = 0.0
    for i in range(len(xs)):
        x = xs[i]
        total += ys[i] if x is None else math.sin(x) * ys[i]
    return total


def none_first(xs: list[float | None]) -> float:
    return sum(x * x if x is not None else 0.5 for x in xs)


def truth(xs: list[float | None]) -> float:
    return sum(x or 2.0 for x in xs)


def put_in(xs: list[float | None], y: float) -> float:
    xs[0] = None
    xs[1] = y * y
    xs.append(y)
    xs.append(None)
    return sum(x for x in xs if x is not None)


def tardiness(jobs: list[Job]) -> float:
    t, cost = 0.0, 0.0
    for job in jobs:
        t += job.work
        if job.due is not None and t > job.due:
            cost += (t - job.due) * (job.weight if job.weight is not None else 1.0)
        if job.label == "rush":
            cost += job.work**2
    return cost


def set_missing(jobs: list[Job], due: float) -> float:
    for job in jobs:
        if job.due is None:
            job.due = due
        if job.weight is None:
            job.weight = 2.0 * job.due
    return sum(job.work * job.due * job.weight for job in jobs)


def readings(rows: list[Reading]) -> float:
    total = 0.0
    for r in rows:
        if r.value is None:
            continue
        total += r.value * r.time * (1 if r.count is None else r.count)
    return total


def in_pairs(rows: list[tuple[float, float | None]]) -> float:
    total = 0.0
    for t, v in rows:
        if v is not None:
            total += math.exp(-t) * v
    return total


def linked_bonus(head: Node) -> float:
    total = 0.0
    node = head
    while node is not None:
        total += node.x * node.x
        if node.bonus is not None:
            total += node.x * node.bonus
        node = node.next
    return total


def counts(ns: list[int | None], x: float) -> float:
    return sum(x**n for n in ns if n is not None)


def names(words: list[str | None], x: float) -> float:
    total = 0.0
    for w in words:
        if w is None:
            total += x
        elif w == "square":
            total += x * x
    return total


def returned(xs: list[float | None]) -> list[float | None]:
    return [None if x is None else x * x for x in xs]


def changed(jobs: list[Job], rate: float) -> list[Job]:
    for job in jobs:
        if job.due is not None:
            job.due = job.due * rate
    return jobs


def made(xs: list[float], limit: float) -> list[float | None]:
    return [math.sqrt(x) if x > limit else None for x in xs]


def looked_up(found: dict[str, float | None], name: str, x: float) -> float:
    value = found.get(name)
    return x if value is None else value * x


def filled_in(found: dict[int, float | None], x: float) -> float:
    for key, value in found.items():
        if value is None:
            found[key] = x * key
    return sum(value for value in found.values() if value is not None)


def any_length(xs: tuple[float | None, ...]) -> float:
    return sum(x**2 for x in xs if x)


def turnover(book: Book) -> float:
    total = 0.0
    for quote in book.quotes:
        if quote.side is Side.BUY:
            total += quote.price * (quote.size or 1)
        elif quote.side is None:
            total += quote.price**2
    return total if book.floor is None or total > book.floor else book.floor


def mended(quotes: list[Quote]) -> list[Quote]:
    for quote in quotes:
        if quote.side is None:
            quote.side = Side.SELL
            quote.price *= 2.0
    return quotes


def network(layers: list[Layer], x: Vector) -> float:
    for layer in layers:
        x = layer.w @ x
        if layer.b is not None:
            x = x + layer.b
        x = np.tanh(x)
    return float(np.sum(x))


def kalman(seen: list[Observation], q: float) -> float:
    m, p, score = np.zeros(5), 1.0, 0.0
    for one in seen:
        p = p + q
        if one.y is None:
            continue
        e = one.y - m
        score -= 0.5 * np.dot(e, e) / p
        m = m + 0.5 * e
        p = 0.5 * p
    return score


def arrays_alone(xs: list[Vector | None], w: Vector) -> float:
    total = 0.0
    for x in xs:
        if x is not None:
            total += np.sum(x * w)
    return total


def scaled(layers: list[Layer], k: float) -> float:
    for layer in layers:
        layer.w = layer.w * k
        if layer.b is not None:
            layer.b = layer.b * k
    return sum(np.sum(one.w) + (np.sum(one.b**2) if one.b is not None else 0.0) for one in layers)


def filled_with(seen: list[Observation], y0: Vector) -> float:
    for one in seen:
        if one.y is None:
            one.y = y0 * 2
    return sum(np.sum(one.y) * one.t for one in seen)


def emptied(seen: list[Observation], limit: float) -> list[Observation]:
    for one in seen:
        if one.t > limit:
            one.y = None
    return seen


@dataclass
class Link:
    v: Vector
    m: float
    w: Vector | None = None
    next: Link | None = None


def chain(head: Link, k: float) -> float:
    total = 0.0
    one = head
    while one is not None:
        if one.w is None:
            one.w = one.v * k
        elif one.m > 0.5:
            one.w = None
        one.v = one.v * k
        one = one.next
    one = head
    while one is not None:
        total += np.sum(one.v) if one.w is None else np.sum(one.w) * one.m
        one = one.next
    return total


def without_gaps(xs: list[float], k: float) -> list[float | None]:
    return [x * k for x in xs]
