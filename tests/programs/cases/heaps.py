"""``heapq`` over lists of run-time length, and of known length."""

import heapq
from heapq import heapify, heappop, heappush

from kinds import Square, Vec


def events(rates: Vec, horizon: float) -> float:
    total = 0.0
    pending = []
    for k, r in enumerate(rates):
        heapq.heappush(pending, (1.0 / (0.1 + r * r), k))
    while pending:
        t, k = heapq.heappop(pending)
        if t > horizon + 2.0:
            break
        total = total * 1.5 + t * rates[k]
    return total


def smallest_first(x: Vec) -> float:
    xs = [v * v for v in x]
    heapify(xs)
    s = 0.0
    for _ in range(min(3, len(x))):
        s = s * 0.5 + heappop(xs)
    heappush(xs, s)
    for k, v in enumerate(xs):
        s += v * (k + 1)
    return s


def shortest_paths(w: Square) -> float:
    n = len(w)
    dist = [float("inf")] * n
    dist[0] = 0.0
    todo = [(0.0, 0)]
    while todo:
        d, i = heapq.heappop(todo)
        if d > dist[i]:
            continue
        for j in range(n):
            new = d + w[i, j] ** 2 + 0.1
            if new < dist[j]:
                dist[j] = new
                heapq.heappush(todo, (new, j))
    return sum(dist)


def of_known_length(a: float, b: float, c: float) -> float:
    h = [a, b, c]
    heapq.heapify(h)
    x = heapq.heappushpop(h, a * b)
    y = heapq.heapreplace(h, 2.0 * c)
    return x + 2.0 * y + 3.0 * h[0] + 5.0 * h[1]


def largest_two(x: Vec) -> float:
    heap = []
    for v in x:
        heapq.heappush(heap, -v)
        if len(heap) > 2:
            heapq.heappop(heap)
    return -sum(heap) * heap[0]


def of_nothing(a: float) -> float:
    try:
        return heapq.heappop([x for x in (a,) if x > 9.0])
    except IndexError:
        return 2.0 * a
