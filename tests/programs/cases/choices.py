"""``itertools.permutations`` and ``combinations`` of items whose number only the run knows."""

from __future__ import annotations

import math
from itertools import combinations, combinations_with_replacement, permutations

from kinds import Square, Vec


def assignment(cost: Square) -> float:
    n = len(cost)
    best = math.inf
    for p in permutations(range(n)):
        total = 0.0
        for i in range(n):
            total += cost[i, p[i]]
        best = min(best, total)
    return best


def determinant(m: Square) -> float:
    n = m.shape[0]
    total = 0.0
    for p in permutations(range(n)):
        sign = 1.0
        for i, j in combinations(range(n), 2):
            if p[i] > p[j]:
                sign = -sign
        product = sign
        for i, k in enumerate(p):
            product *= m[i, k]
        total += product
    return total


def shortest_tour(x: Vec, y: Vec) -> float:
    best = math.inf
    order: tuple[int, ...] = ()
    for p in permutations(range(1, min(len(x), 4))):
        path = (0, *p)
        length = 0.0
        for i in range(len(path)):
            a, b = path[i], path[(i + 1) % len(path)]
            length += math.hypot(x[a] - x[b], y[a] - y[b])
        if length < best:
            best, order = length, path
    return best + sum(x[k] * (i + 1) for i, k in enumerate(order))


def triples(x: Vec) -> float:
    total = 0.0
    for k, (a, b, c) in enumerate(combinations(range(len(x)), 3)):
        total += x[a] * x[b] * x[c] * (k + 1)
    for a, b, c in permutations(x, 3):
        total = total * 0.9 + a * b - c
    for a, b in permutations(x, 2):
        total += a * math.sin(b)
    return total


def best_subset(x: Vec, y: Vec) -> float:
    size = len(x) - 1
    best = -math.inf
    chosen: tuple[int, ...] = ()
    for at in combinations(range(len(x)), size):
        value = sum(x[i] for i in at) - max(y[i] for i in at)
        if value > best:
            best, chosen = value, at
    return best + sum(y[i] ** 2 for i in chosen)


def multisets(x: Vec, degree: int) -> float:
    total = 0.0
    for factors in combinations_with_replacement(x, degree):
        total += math.prod(factors)
    for a, b, c in combinations_with_replacement(x, 3):
        total = total * 0.9 + a * b * c
    return total


def as_list(x: Vec) -> float:
    orders = list(permutations(range(len(x)), 2))
    return sum(x[a] * x[b] * k for k, (a, b) in enumerate(orders)) + math.perm(len(x))
