"""Lowered programs compute what Python computes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.frontend.lowering import EMPTY, X, compare

MATRIX = np.arange(10.0).reshape(2, 5)

CASES: dict[str, tuple[str, tuple[tuple[object, ...], ...]]] = {
    "jumps in nested loops": (
        """
def f(x: A) -> float:
    best = -1
    for i in range(len(x) - 1, -1, -2):
        if x[i] > 2.5 and best < 0:
            best = i
        elif x[i] < 0:
            continue
        for j in range(3):
            if j == 2 and x[i] > 3:
                break
            if x[i] == 3.0:
                return 7
            best += j
        else:
            best -= 1
    return float(best)
""",
        ((X,), (EMPTY,), (X[::2].copy(),), (np.array([5.0, -3.0, 2.9, 8.0]),)),
    ),
    "closures and functions as arguments": (
        """
def _square(v): return v * v
def _apply(g, v): return g(v) + 1
def f(x: A, a: float) -> float:
    def inner(t, k=2):
        if t > 0:
            return t * a
        return t - k
    h = lambda v: inner(v, k=3) + a
    s = 0
    for v in x:
        s += _apply(h, v) + _apply(_square, v) + _apply(lambda q: q * s, v)
    return s
""",
        ((X, 2.0), (EMPTY, 1.0)),
    ),
    "a function inside itself that is not recursive": (
        """
def _mean(g, n: int):
    s = 0
    for i in range(n):
        s += g(i / n)
    return s / n
def f(a: float) -> float:
    return _mean(lambda y: _mean(lambda x: x * y * a, 4), 3)
""",
        ((2.0,),),
    ),
    "swaps, match, walrus, while else": (
        """
def f(x: A, n: int) -> tuple[float, int]:
    a, b = 0.0, 1
    for k in range(n):
        a, b = b, a + b
        match k % 4:
            case 0 | 1: a += 1
            case 2 if a > 3: b -= 1
            case m if m == 3: a = -a
            case _: pass
    c = b if a > 0 else a
    while (n := n - 1) > 0:
        c += n
        if c > 40: break
    else:
        c = -c
    return c, n
""",
        ((X, 0), (X, 3), (X, 9)),
    ),
    "assigned before every break": (
        """
def f(x: A) -> float:
    while True:
        y = x[0] * 2
        if y > 5: break
        x[0] += 1
        x[-1] *= 2
    return y
""",
        ((X,),),
    ),
    "unrolled loops, enumerate, zip, reversed": (
        """
def f(x: A, k: int) -> float:
    for pair in ((1, 2.0), (k, 3.0), (3, 0.5)):
        i, w = pair
        if i == k: continue
        if x[i] < 0: break
        x[i] += w
    else:
        return 100.0
    total = 0.0
    for j, (u, v) in enumerate(zip(x, reversed(x)), 1):
        total += j * u * v
    for q in reversed(range(1, 5, 2)): total = total * q - x[q]
    for q in reversed(range(5, 1, -1)): total -= q * x[q % 5]
    assert total != 1.5, "bad"
    if total > 1e6: raise ValueError("too big")
    return max(total, 3, x[0]) + min(k, total) + abs(k) + pow(k, 2)
""",
        ((X, 0), (X, 1), (X, 2), (X, 4), (X * 100, 3), (-X, 2)),
    ),
    "recursion": (
        """
def _fact(n: int) -> float:
    return 1.0 if n <= 1 else n * _fact(n - 1)
def _even(n: int) -> bool:
    if n == 0: return True
    return _odd(n - 1)
def _odd(n: int) -> bool:
    return False if n == 0 else _even(n - 1)
def f(n: int, a: float) -> float:
    return a * _fact(n) + (1 if _even(n) else 2)
""",
        ((5, 1.0), (4, 2.0)),
    ),
    "views, slices, swapped buffers": (
        """
def _swap(a: A, b: A) -> None:
    for i in range(len(a)):
        a[i], b[i] = b[i], a[i]
def f(x: A, y: A2) -> float:
    w = x.copy()
    _swap(w, y[0])
    u = np.zeros_like(x)
    v = np.full((2, 3), 1.5)
    u[1:3] = w[:2]
    u[2:] += w[2:]
    u[:2] -= 1
    u[1:] = u[:-1]
    y[1] = x
    for i in range(4):
        u, w = w, u
        if i == 2: break
    a, b = v.shape
    for row in y:
        row[0] += row[-1]
        row[1] *= row[..., 2]
    return np.sum(u) - w.sum() + a * b + v[1][2] + u.size + x.ndim + y[-1][::2][1]
""",
        ((X, MATRIX),),
    ),
    "conditions": (
        """
def f(x: A, y: A) -> float:
    if len(x) == 0 or x[0] < 0 or (y[0] > 2 and not x[-1] > 1): return 0
    flag = 1 < x[0] <= y[0] < 9
    t = x[0] and y[0]
    s = 0 or x[1]
    r = (x[0] > 2) + (y[0] > 2)
    if x[0] > 0:
        if y[0] > 0:
            if y[1] > 0: return 5.0
            q = 1
        else:
            q = 2
        r += q
    else:
        r = 9
    return flag + t + s + r + 7 // 2 + -7 % 3 + 2 ** 3 + r / 2 + x[0] ** 2 + 2 ** -1
""",
        ((X, X), (EMPTY, EMPTY), (X, -X), (X[::-1].copy(), X + 3), (-X, X)),
    ),
    "loops that end in several ways": (
        """
def f(n: int, a: float) -> float:
    total = 0
    i = 0
    while i < n:
        i += 1
        j = 0
        while True:
            j += 1
            if j > i: break
            if j == 3:
                if i == 5: return total
                continue
            total += j / 2
        else:
            total = -1
        if total > 50: break
    else:
        total += 1000
    return total + a
""",
        ((0, 0.0), (3, 0.0), (4, 0.0), (5, 0.0), (8, 0.0)),
    ),
    "tuples": (
        """
def _pair(x: A, *, scale: float = 2) -> tuple[float, A]:
    y = np.zeros(len(x))
    for i, v in enumerate(x): y[i] = scale * v
    return y[0], y
def f(x: A) -> tuple[float, tuple[float, A]]:
    t = _pair(x, scale=3)
    if x[0] > 0:
        t = _pair(x)
    v, w = t
    first, *middle, last = 1, 2, v, 4
    p = (x[0], x[1]) if v > 0 else (x[1], 0)
    return v + middle[1] * p[1] + (last in (3, 4)) + sum(p), (p[::-1][0], w)
""",
        ((X,), (-X,)),
    ),
    "built-in and NumPy functions": (
        """
def f(x: A, n: int) -> float:
    q, r = divmod(n, 3)
    t = np.array([x[0], n, 1])
    c = np.clip(x[2], 0, 2) + np.where(x[1] > 0, 1, x[1]) + np.maximum(x[0], n)
    s = math.log(8, 2) + math.hypot(x[0], x[1]) + float("inf") * (n > 100) + round(2.6)
    return q + r + c + s + t[1] + int(x[2]) + bool(n) + np.pi + len((1, 2)) + (n << 1) + (n & 3)
""",
        ((X, 7), (X, -7)),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")
def test_value(name: str) -> None:
    text, argsets = CASES[name]
    compare(text, *argsets)
