"""Dicts that get keys which only the run knows: they are searched, in the order of their keys."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from kinds import Vec
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def counted(x: Vec, where: Ints) -> float:
    counts: dict[int, float] = {}
    for i in range(len(where)):
        k = where[i]
        counts[k] = counts.get(k, 0.0) + x[i]
    total = 0.0
    for k, v in counts.items():
        total = total * 0.5 + v * v * k
    return total


def with_default(x: Vec, where: Ints) -> float:
    counts = defaultdict(float)
    for i, k in enumerate(where):
        counts[k] += x[i]
    return sum(v * v for v in counts.values()) + len(counts) * counts[99] + len(counts)


def default_of_text(x: float, y: float) -> float:
    sums = defaultdict(float)
    sums["a"] += x
    sums["b"] -= x * y
    sums["a"] *= 2.0
    return sums["a"] * sums["b"] + sums["c"] + len(sums)


def default_by_function(x: Vec, where: Ints) -> float:
    scale = x[0]
    products = defaultdict(lambda: scale)
    for i in range(len(where)):
        products[where[i]] *= x[i]
    return sum(products.values())


def memo(x: float, n: int) -> float:
    known: dict[int, float] = {0: 1.0, 1: x}
    for i in range(2, n + 4):
        known[i] = known[i - 1] * x + known[i - 2]
    return known[n + 3]


def first_places(x: Vec, where: Ints) -> float:
    first: dict[int, int] = {}
    for i, k in enumerate(where):
        if k not in first:
            first[k] = i
    total = 0.0
    for k, i in first.items():
        total += x[i] * k
    return total * max(first.values()) + min(first) + sum(first.keys())


def products(x: Vec, where: Ints) -> float:
    d = {}
    for i in range(len(where)):
        if where[i] in d:
            d[where[i]] *= x[i]
        else:
            d[where[i]] = x[i]
    total = 0.0
    for k in d:
        total += d[k] * (k + 1)
    return total


def made_by_comprehension(x: float, n: int) -> float:
    d = {i * i: x * i for i in range(n)}
    for k in d:
        d[k] *= x
    return sum(d.values()) + d[4] + d.get(5, x)


def by_pairs(x: float, n: int) -> float:
    d = {}
    for i in range(n):
        for j in range(i):
            d[i, j] = x * i + j
    total = d[(2, 1)]
    for (i, j), v in d.items():
        total += v * i * (j + 1)
    return total


def taken_out(x: Vec, n: int) -> float:
    d = {}
    for i in range(n):
        d[i] = x[i]
    total = 0.0
    for i in range(n + 1):
        total += d.pop(n - i, 0.5) * (i + 1.0)
        d[i + 5] = total * x[0]
    for k in list(d):
        if k % 2 == 0:
            del d[k]
    for v in d.values():
        total = total * 0.7 + v
    while d:
        k, v = d.popitem()
        total = total * 0.9 + k * v
    d.clear()
    return total + len(d)


def copied(x: float, n: int) -> float:
    d = {}
    for i in range(n + 1):
        d[i % 3] = x * i
    e = d.copy()
    e[0] = 100.0
    f = dict(e)
    del d[1]
    f[7] = x
    return sum(d.values()) + e[0] * x + d[0] + e.setdefault(9, x) + e[9] + len(f) * f[7]


def from_keys(x: Vec, n: int) -> float:
    d = dict.fromkeys(range(3), 0.0)
    for i in range(n):
        d[i % 3] += x[i]
        d[i + 1] = d.get(i, x[0]) * 2.0
    return sum(v * v for v in d.values())


def _add(d, k, v):
    d[k] = d.get(k, 0.0) + v


def by_helper(x: Vec, where: Ints) -> float:
    d = {}
    for i in range(len(where)):
        _add(d, where[i], x[i] ** 2)
    return sum(v * k for k, v in d.items()) + d[where[0]]


class Bins:
    def __init__(self):
        self.held = {}

    def put(self, k, v):
        self.held[k] = self.held.get(k, 0.0) + v


def in_object(x: Vec, where: Ints) -> float:
    bins = Bins()
    for i in range(len(where)):
        bins.put(int(where[i]), x[i] ** 2)
    total = 0.0
    for k in bins.held.keys():  # noqa: SIM118
        total += bins.held[k] ** 2
    return total


def new_in_each_iteration(x: Vec, n: int) -> float:
    total = 0.0
    for i in range(n):
        d = {}
        for j in range(i + 1):
            d[j % 2] = x[j] * (d[j % 2] if j % 2 in d else 1.0)  # noqa: SIM401
        total += sum(d.values()) * len(d)
    return total


def one_of_two_keys(x: float, n: int) -> float:
    d = {}
    if x > 0.2:
        d[n] = x
    else:
        d[n + 1] = x * x
    return d.get(n, 3.0) * x


def best_and_sorted(x: Vec, where: Ints) -> float:
    d = {}
    for i in range(len(where)):
        d[where[i]] = x[i]
    best = max(d, key=d.get)
    first = list(d.items())[1]
    return d[best] * best + sorted(d)[0] * list(d.values())[0] + first[0] * first[1]  # noqa: RUF015


def of_arrays_and_pairs(x: Vec, n: int) -> float:
    parts, pairs = {}, {}
    for i in range(n):
        parts[i] = x[i : i + 2]
        pairs[i] = (x[i], i)
    total = 0.0
    for k, part in parts.items():
        total += part.sum() * pairs[k][0] + pairs[k][1]
    return total


def empty(x: Vec, n: int) -> float:
    d = {}
    for i in range(n - 3):
        d[i] = x[i]
    if not d and 0 not in d:
        return x[1] * d.get(0, x[0])
    return d[0]


def changed_while_looped(x: Vec, where: Ints) -> float:
    d = {}
    for i in range(len(where)):
        d[where[i]] = x[i]
    total = 0.0
    for k in d:
        if k == 1:
            d[3] = d[3] * x[0]
        total = total * 0.5 + d[k]
    for i, v in enumerate(d.values()):
        total += i * v
    d[55] = total
    for i in range(2):
        total += sum(v for v in d.values())
        d[i + 200] = x[1]
    return total + min(d.values()) + max(d.keys())


def keys_on_some_paths(a: float, b: float) -> float:
    found = {"x": 1.0}
    if a > 0.2:
        found["a"] = a
        found["b"] = 2.0 * a * b
    for k, v in found.items():
        b += v * (2.0 if k == "b" else 1.0)
    return sum(found.values()) + found.get("a", b) * len(found)


def numbers_on_some_paths(a: float) -> float:
    found = {}
    if a > 0.2:
        found[1] = a
        found[2] = 2.0 * a
    return sum(found.values()) + found.get(1, 0.2)


def key_in_a_loop(xs: list[float]) -> float:
    found = {}
    for x in xs:
        if x > 0.3:
            found["large"] = found.get("large", 0.0) + x * x
        else:
            found["small"] = x
    return sum(found.values()) * len(found) + found.get("small", 0.7)


def stepped(params: dict[str, float], slopes: dict[str, float], rate: float) -> dict[str, float]:
    return {name: value - rate * slopes[name] for name, value in params.items()}


def trained(x: float, n: int) -> float:
    params = {"a": x, "b": 0.5}
    for _ in range(n):
        slopes = {"a": 2 * params["a"], "b": params["a"] * params["b"]}
        params = stepped(params, slopes, 0.1)
    return params["a"] + params["b"]


def stepped_in_a_branch(x: float, n: int) -> float:
    params = {"a": x, "b": 0.5}
    if n > 2:
        params = stepped(params, params, 0.1)
    return params["a"] * params["b"]


def or_default(x: float, weights: dict[str, float] | None = None) -> float:
    weights = weights or {"a": 1.0, "b": 2.0}
    return x * sum(weights.values()) * len(weights)


def unless_given(weights: dict[str, float] | None, x: float) -> float:
    if not weights:
        weights = {"a": x, "b": 2.0}
    return x * sum(value**2 for value in weights.values())


@dataclass(frozen=True)
class Cell:
    row: int
    col: int


@dataclass(frozen=True)
class Named:
    name: str
    number: int


def frozen_keys(x: Vec) -> float:
    held = {}
    for i in range(len(x)):
        held[Cell(i, i + 1)] = x[i] * 2
    total = sum(v * cell.col for cell, v in held.items())
    if Cell(1, 2) in held:
        total *= held[Cell(1, 2)]
    try:
        total += held[Cell(1, 1)]
    except KeyError:
        total += held.get(Cell(0, 0), 5.0) * held[Cell(0, 1)]
    return total


def frozen_keys_with_text(x: Vec) -> float:
    held = defaultdict(float)
    for i, v in enumerate(x):
        held[Named("up" if v > x[0] else "down", i % 2)] += v
    return held[Named("down", 0)] * 3 + sum(v * (1 + one.number) for one, v in held.items())


def bool_keys(x: Vec) -> float:
    groups = defaultdict(list)
    for v in x:
        groups[v > x[1]].append(v)
    total = sum(groups[True]) - 2 * sum(groups[False])
    for is_above, values in groups.items():
        total += len(values) * sum(values) * (2.0 if is_above else 1.0)
    return total
