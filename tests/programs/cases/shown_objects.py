"""Results that are objects which only the run tells apart, or None on some paths."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Unranked = NDArray[np.float64]


@dataclass
class Crossing:
    time: float
    index: int
    label: str


@dataclass
class Point:
    x: float
    y: float


@dataclass
class Segment:
    start: Point
    end: Point


@dataclass
class Run:
    values: list[float]
    total: float


@dataclass(frozen=True)
class Hit:
    time: float
    where: Unranked


def first_crossing(x: Vec, level: float) -> Crossing | None:
    for i in range(1, len(x)):
        if (x[i - 1] < level) != (x[i] < level):
            return Crossing(i - 1 + (level - x[i - 1]) / (x[i] - x[i - 1]), i, "found")
    return None


def furthest(x: Vec, y: Vec) -> Point:
    points = [Point(a, b) for a, b in zip(x, y, strict=True)]
    best = points[0]
    for p in points:
        if p.x**2 + p.y**2 > best.x**2 + best.y**2:
            best = p
    best.y *= 2.0
    return best


def longest(x: Vec) -> tuple[Segment, float]:
    points = [Point(v, v * v) for v in x]
    best = Segment(points[0], points[1])
    for a, b in pairwise(points):
        one = Segment(a, b)
        if abs(a.x - b.x) > abs(best.start.x - best.end.x):
            best = one
    return best, best.end.y


def last_run(x: Vec, level: float) -> Run | None:
    found = None
    for i in range(len(x)):
        if x[i] > level:
            found = Run([v * x[i] for v in x[:i]], x[i] ** 2)
    return found


def hit(x: Unranked, level: float) -> Hit | None:
    for v in x:
        if v > level - 1.0:
            return Hit(v * level, x * v)
    return None


def scaled(x: Unranked) -> Unranked | None:
    try:
        if x[0] < -5.0:
            raise ValueError("too small")
    except ValueError:
        return None
    return x * x[0]


def with_a_hit(x: Unranked, level: float) -> float:
    found = hit(x, level)
    return found.time + np.sum(found.where) if found is not None else level


def without_a_hit(x: Unranked, level: float) -> float:
    found = hit(x, level + 10.0)
    return level * x[0] if found is None else found.time


def scaled_or_not(x: Unranked) -> float:
    small, other = scaled(x - 10.0), scaled(x)
    total = 0.0 if other is None else np.sum(other)
    return total + (x[1] if small is None else np.sum(small))
