"""Sets of numbers, of texts and of tuples, whose order is nothing to anybody."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "q"]
FREE = {1, 2, 5}
KINDS = frozenset({"call", "long"})


def set_of_free_places(x: Vec, n: int) -> float:
    fixed = {0}
    fixed.add(2 * n - 2)
    free = [d for d in range(2 * n) if d not in fixed]
    total = 0.0
    for k, d in enumerate(free):
        total += (k + 1) * d * x[k % len(x)] ** 2
    return total * len(fixed)


def set_of_numbers(x: Vec) -> float:
    levels = sorted(set(x))
    best = 0.0
    for t in levels[1:]:
        best += t * np.sum(x[x < t])
    return best + max(set(x)) * min({*x})


def set_in_each_iteration(x: Vec) -> float:
    total = 0.0
    for k in range(len(x)):
        near = {k, k + 1, k % 2}
        if k + 1 in near and len(near) > 2:
            total += len(near) * x[k] ** 2
        else:
            total += x[k]
    return total


def set_of_pairs(x: Vec) -> float:
    seen = set()
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            if (j, i) in seen or i == j:
                continue
            seen.add((i, j))
            total += x[i] * x[j]
    return total / len(seen)


def set_algebra(x: Vec) -> float:
    even = {2 * k for k in range(3)}
    low = frozenset([0, 1, 2, 3])
    both, either, rest = even & low, even | low, even - low
    assert both <= low
    assert not rest.isdisjoint(even)
    assert both == {2, 0}
    total = 0.0
    for k in sorted(either):
        total += x[k % len(x)] * (2.0 if k in both else 1.0)
    either.discard(0)
    either.update([7, 8], (9,))
    either.remove(1)
    return total * len(either) * (3 if rest else 1)


def set_of_texts(x: float, kind: str) -> float:
    if kind in {"call", "long"}:
        return x**2
    return 3.0 * x if kind not in {"put", "short"} else -x


def set_of_module(x: Vec, kind: str) -> float:
    total = 0.0
    for k in range(len(x)):
        total += x[k] ** (3 if k in FREE else 2)
    return total * (2.0 if kind in {"put"} else len(KINDS))


def rest_of_numbers(x: Vec, y: Vec) -> float:
    rest = set(x) - set(y[1:])
    rest.discard(y[0])
    total = 0.0
    for v in sorted(rest):
        total = 0.5 * total + v * v
    return total


def nearest_of_set(x: Vec, y: Vec) -> float:
    left = set(range(1, len(x)))
    here = 0
    length = 0.0
    while left:
        there = min(left, key=lambda j: (x[j] - x[here]) ** 2 + (y[j] - y[here]) ** 2)
        length += np.hypot(x[there] - x[here], y[there] - y[here]) * (1 + there)
        left.remove(there)
        here = there
    return length


def greatest_pair_of_set(x: Vec) -> float:
    pairs = {(i, j) for i in range(len(x)) for j in range(i)}
    a, b = max(pairs, key=lambda p: x[p[0]] * x[p[1]] + 0.01 * p[0])
    return x[a] * x[b] ** 2 + a
