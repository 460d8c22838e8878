"""Places of items in lists: ``index``, ``count`` and ``remove`` for what only the run knows."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "q"]
Mat = Annotated[NDArray[np.float64], "q p"]


def place_of_largest(x: Vec, y: float) -> float:
    values = [y, x[0] * y, x[1]]
    best = values.index(max(values))
    return values[best] * (best + 1) + x[best % len(x)]


def place_in_tuple(x: float, y: float) -> float:
    pair = (x, y, x + y)
    return pair[pair.index(min(pair))] ** 2


def place_among_free(x: Vec, n: int) -> float:
    free = [d for d in range(2 * n + 3) if d % 3 != 1]
    places = [free.index(d) if d in free else -1 for d in range(4)]
    return float(sum(x[k % len(x)] * (p + 2) for k, p in enumerate(places)))


def counted_and_removed(x: Vec, n: int) -> float:
    digits = [k * k % 4 for k in range(n + 5)]
    before = digits.count(1)
    digits.remove(1)
    digits.remove(0)
    return x[digits[0] % len(x)] ** 2 * before + x[0] * digits.count(1) + digits.index(1)


def not_there(x: Vec, n: int) -> float:
    numbers = [float(k) for k in range(n)]
    try:
        at = numbers.index(1e9)
    except ValueError:
        at = -1
    try:
        numbers.remove(-1.0)
    except ValueError:
        return at * x[0] ** 2
    return x[0]


def place_of_nan(x: float, y: float) -> float:
    hole = x * np.nan
    return x**2 * [y, hole, 2.0].index(hole) + y * (y, hole).index(hole)


def smallest_of_tuples(x: Vec, m: Mat) -> tuple[float, int, float]:
    return min((np.sum((m[:, f] - t) ** 2), f, t) for f in range(m.shape[1]) for t in x[1:])


def largest_pair(x: Vec, y: Vec) -> float:
    pairs = [(a * b, b) for a, b in zip(x, y, strict=True)]
    first, second = max(pairs)
    third, _ = min([(b, k) for k, b in enumerate(y)])
    return first * second + third


def best_split(m: Mat, y: Vec) -> tuple[float, float]:
    def spread(v):
        return float(np.sum((v - v.mean()) ** 2))

    cost, _, t = min(
        (spread(y[x < t]) + spread(y[x >= t]), f, t)
        for f, x in enumerate(m.T)
        for t in sorted(set(x))[1:]
    )
    return cost, t
