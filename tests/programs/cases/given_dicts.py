"""Dicts of any length as parameters and results: their keys are integers, or tuples of these."""

from __future__ import annotations

import numpy as np
from kinds import Vec


def weighted_by_keys(d: dict[int, float]) -> float:
    total = 0.0
    for k, v in d.items():
        total += k * v * v
    return total


def looked_up(d: dict[int, float], i: int) -> float:
    return d.get(i, 1.0) * sum(d.values()) + len(d)


def largest(d: dict[int, float]) -> float:
    return max(d[k] for k in d) * (2.0 if 3 in d else 1.0)


def in_order(d: dict[int, float]) -> float:
    total = 0.0
    for k in sorted(d):
        total = total * 0.5 + d[k]
    return total


def two_of_them(d: dict[int, float], e: dict[int, float]) -> float:
    return sum(v * e[k] for k, v in d.items() if k in e) + len(e)


def missing(d: dict[int, float], x: float) -> float:
    try:
        return d[77] * x
    except KeyError:
        return x * x


def edges(d: dict[tuple[int, int], float], x: Vec) -> float:
    total = 0.0
    for (i, j), w in d.items():
        total += w * (x[i % 5] - x[j % 5]) ** 2
    return total


def lists_in_it(d: dict[int, list[float]]) -> float:
    total = 0.0
    for k, row in d.items():
        for v in row:
            total += k * v * v
    return total


def graph(d: dict[int, list[int]], x: Vec) -> float:
    total = 0.0
    for i, others in d.items():
        for j in others:
            total += x[i % 5] * x[j % 5]
    return total


def arrays_in_it(d: dict[int, Vec], x: Vec) -> float:
    total = 0.0
    for k, row in d.items():
        total += k * (row * x).sum()
    return total


def pairs_in_it(d: dict[int, tuple[float, float]]) -> float:
    return sum(a * b for a, b in d.values())


def may_be_none(d: dict[int, float] | None, x: float) -> float:
    if d is None:
        return x
    return x * sum(d.values())


def copied(d: dict[int, float], x: float) -> float:
    e = dict(d)
    e[77] = x
    return sum(e.values()) * e.pop(77) + len(d)


def written(d: dict[int, float], x: float) -> float:
    d[77] = x
    for k in d:
        d[k] *= x
    return sum(d.values()) * d.pop(77)


# ---- results ------------------------------------------------------------------------------------


def made(x: float, n: int) -> dict[int, float]:
    return {i * i: x * i for i in range(n)}


def counted(x: Vec) -> dict[int, float]:
    found: dict[int, float] = {}
    for i, v in enumerate(x):
        found[i // 2] = found.get(i // 2, 0.0) + v * v
    return found


def known(x: float) -> dict[int, float]:
    return {1: x, 5: x * x}


def rescaled(d: dict[int, float], x: float) -> dict[int, float]:
    return {k: v * x for k, v in d.items()}


def lists_given(x: float, n: int) -> dict[int, list[float]]:
    return {i: [x * j for j in range(i)] for i in range(n)}


def with_a_number(d: dict[tuple[int, int], float]) -> tuple[float, dict[tuple[int, int], float]]:
    return sum(d.values()), {(j, i): np.sin(v) for (i, j), v in d.items()}
