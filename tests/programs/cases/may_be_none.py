"""Items of lists of run-time length, and arrays of loops, that may be None."""

from typing import NamedTuple

import numpy as np
from kinds import Vec


def _g_looped(v):
    if v < 1.0:
        return None
    return v * v


def looped(x: Vec) -> float:
    r = []
    for v in x:
        r.append(_g_looped(v))
    s = 0.0
    for w in r:
        if w is not None:
            s += w
    return s


def _g_comp(v):
    if v < 1.0:
        return None
    return v * v


def by_comprehension(x: Vec) -> float:
    r = [_g_comp(v) for v in x]
    return sum(w for w in r if w is not None)


def tuples(x: Vec) -> float:
    r = []
    last = None
    for v in x:
        r.append((v, last))
        last = v * 2.0
    s = 0.0
    for a, b in r:
        s += a * (b if b is not None else 3.0)
    return s


def zipped(x: Vec) -> float:
    r = [v if v > 1.0 else None for v in x]
    q = [None if v > 2.0 else v * v for v in x]
    s = 0.0
    for k, (a, b) in enumerate(zip(r, q, strict=False)):
        if a is None:
            s += b * k
        elif b is None:
            s += a
        else:
            s += a * b
    return s


def replaced(x: Vec) -> float:
    r = [v if v > 1.0 else None for v in x]
    for i in range(len(r)):
        if r[i] is None:
            r[i] = x[i] * 7.0
    return sum(r)


def taken_out(x: Vec) -> float:
    r = []
    for v in x:
        r.append(None if v < 0.3 else v)
    r.append(x[1])
    a = r.pop()
    r.insert(0, x[0])
    b = r[0]
    n = 1
    while r:
        c = r.pop()
        if c is None:
            n += 1
    return a * b * n


def integers(x: Vec) -> float:
    r = []
    for i in range(len(x)):
        r.append(i if x[i] > 1.0 else None)
    s = 0.0
    for k in r:
        if k is not None:
            s += x[k] * k
    return s


def added(x: Vec) -> float:
    r = [v if v > 1.0 else None for v in x]
    q = [*r, None, x[0]]
    s = 0.0
    for v in q:
        s += 1.0 if v is None else v
    return s


def number_first(x: Vec) -> float:
    r = [0.0]
    for v in x:
        r.append(None if v > 2.0 else v * v)
    s = 0.0
    for v in r:
        s += v or 2.5
    return s


def in_parts(x: Vec) -> float:
    r = [v if v > 1.0 else None for v in x]
    s = 0.0
    for v in r[1:]:
        if v:
            s += v
    for v in reversed(r):
        s *= 1.1 if v is None else v
    return s


def _h_returned(x):
    r = []
    for v in x:
        r.append(None if v < 1.0 else v)
    return r


def by_helper(x: Vec) -> float:
    s = 1.0
    for v in _h_returned(x):
        if v is not None:
            s *= v
    return s


def mixed(x: Vec) -> float:
    r = []
    for i in range(len(x)):
        if i % 2:
            r.append(None)
        else:
            r.append(x[i] * 2)
    return sum(0.0 if v is None else v for v in r)


def as_result(x: Vec) -> list[float]:
    r = []
    for v in x:
        r.append(v * v if v > -9.0 else None)
    return r


def none_then_some(x: Vec) -> float:
    r = [None] * len(x)
    for i in range(len(x)):
        if x[i] > 1.0:
            r[i] = x[i] ** 3
    total = 0.0
    for i in range(len(x)):
        if r[i] is None:
            total += 1.0
        else:
            total += r[i]
    return total


def none_then_all(x: Vec) -> float:
    n = len(x)
    r = [None] * n
    for i in range(n):
        r[i] = x[i] * 2.0
    return sum(r)


def _remembered(k, x, memo):
    if memo[k] is not None:
        return memo[k]
    memo[k] = x * _remembered(k - 1, x, memo) + _remembered(k - 2, x, memo)
    return memo[k]


def memoised(x: float) -> float:
    memo = [None] * 6
    memo[0] = 1.0
    memo[1] = x
    return _remembered(5, x, memo)


def cheapest(x: Vec) -> float:
    n = len(x)
    best = [None] * (n + 1)
    best[0] = 0.0
    for i in range(1, n + 1):
        for j in range(i):
            if best[j] is not None:
                c = best[j] + (x[i - 1] - 0.3 * j) ** 2
                if best[i] is None or c < best[i]:
                    best[i] = c
    return best[n]


def none_then_tuples(x: Vec) -> float:
    n = len(x)
    r = [None] * n
    for i in range(n):
        r[i] = (x[i], i)
    s = 0.0
    for a, b in r:
        s += a * b
    return s


def none_throughout(x: Vec) -> float:
    r = [None] * len(x)
    s = 0.0
    for i in range(len(x)):
        if r[i] is None:
            s += x[i]
    return s


def some_then_none(x: Vec) -> float:
    n = len(x)
    r = [None] * n
    for i in range(n):
        r[i] = x[i] ** 2
        if i > 0:
            r[i - 1] = None
    s = 0.0
    for v in r:
        if v is not None:
            s += v
    return s


def none_then_result(x: Vec) -> list[float]:
    r = [None] * len(x)
    for i in range(len(x)):
        r[i] = x[i] ** 2
    return r


def none_then_array(x: Vec) -> float:
    r = [None] * len(x)
    for i in range(len(x)):
        r[i] = x[i] ** 2
    return np.sum(np.array(r))


def none_by_comprehension(x: Vec) -> float:
    r = [None for _ in range(len(x))]
    for i in range(len(x)):
        r[i] = x[i] ** 2
    return sum(r)


def _fill(r, x):
    for i in range(len(x)):
        r[i] = x[i] ** 2


def filled_by_helper(x: Vec) -> float:
    r = [None] * len(x)
    _fill(r, x)
    return sum(r) + r[1]


def _seen(o: Vec, n: float) -> Vec | None:
    b = o @ o
    if b < 0.1:
        return None
    if b > 1000.0:
        return None
    return o / n


def array_behind_two_returns(x: Vec) -> float:
    total = 0.0
    for i in range(4):
        h = _seen(x * i, 1.0 + x[0] ** 2)
        if h is not None:
            total += h @ x
    return total


class _Hit(NamedTuple):
    t: float
    normal: Vec


def _met(o: Vec, d: Vec, center: Vec) -> _Hit | None:
    oc = o - center
    b = d @ oc
    disc = b * b - oc @ oc + 4.0
    if disc < 0:
        return None
    t = -b + np.sqrt(disc)
    if t < 1e-4:
        return None
    return _Hit(t, o + t * d - center)


def nearest_of_a_few(x: Vec) -> float:
    centers = [np.array([0.1 * x[0], 0.0, 3.0]), np.array([1.0, x[1], 4.0])]
    total = 0.0
    for i in range(3):
        d = np.array([0.3 * (i - 1.5), 0.1, 1.0])
        d /= np.linalg.norm(d)
        nearest = None
        for c in centers:
            h = _met(np.zeros(3), d, c)
            if h is not None and (nearest is None or h.t < nearest.t):
                nearest = h
        if nearest is not None:
            total += max(0.0, nearest.normal @ d) + nearest.t
    return total
