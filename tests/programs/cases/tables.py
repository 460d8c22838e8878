"""Tables as lists of lists: rows written, replaced, swapped, of any length, by any name."""

from __future__ import annotations

import copy
import itertools
import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "n n"]


def _table(m, n, x=0.0):
    return [[x] * n for _ in range(m)]


def _relax(t, i, w):
    for j in range(1, len(t[i])):
        t[i][j] = t[i][j - 1] * w + t[i - 1][j]


class _Grid:
    def __init__(self, n, a):
        self.n = n
        self.rows = [[a] * (i + 1) for i in range(n)]

    def relax(self, b):
        for i in range(1, self.n):
            for j in range(i):
                self.rows[i][j] = self.rows[i - 1][j] * b + j

    def set(self, i, j, x):
        self.rows[i][j] = x

    def total(self):
        return sum(sum(r) for r in self.rows)


def _scale(r, b):
    for j in range(len(r)):
        r[j] *= b


def dtw(a: Vector, b: Annotated[NDArray[np.float64], "r"]) -> float:
    n, m = len(a), len(b)
    t = [[math.inf] * (m + 1) for _ in range(n + 1)]
    t[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            c = (a[i - 1] - b[j - 1]) ** 2
            t[i][j] = c + min(t[i - 1][j], t[i][j - 1], t[i - 1][j - 1])
    return t[n][m]


def pascal(a: Vector) -> float:
    n = len(a)
    t = [[0.0] * (n + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        t[i][0] = 1.0
        for j in range(1, i + 1):
            t[i][j] += t[i - 1][j - 1] + t[i - 1][j] * a[j - 1]
    return sum(t[n])


def known_inner(a: float, b: float, n: int) -> float:
    t = [[0.0] * 3 for _ in range(n)]
    for i in range(n):
        for j in range(3):
            t[i][j] = a * i + b * j * a
    t[1][2] += a * b
    for row in t:
        row[0] *= b
    return sum(sum(row) for row in t) * t[1][2]


def known_inner_display(a: float, b: float, n: int) -> float:
    t = [[a, 0.0, b] for _ in range(n)]
    for i in range(n):
        t[i][1] = a * i + b
        t[i][0] += t[i][2] * t[i][1]
    return sum(x * y + z for x, y, z in t)


def known_outer_display(a: float, b: float, n: int) -> float:
    t = [[0.0] * n, [a] * n]
    for i in range(1, n):
        t[1][i] = a * i + t[1][i - 1]
        t[0][i] = b * a * t[1][i]
    t[0], t[1] = t[1], t[0]
    t[0][0] = b
    return sum(t[0]) * sum(t[1]) + t[0][1]


def helpers(a: float, b: float, n: int) -> float:
    t = _table(n, n)
    t[0] = [a * j for j in range(n)]
    for i in range(1, n):
        _relax(t, i, b)
    return t[n - 1][n - 1]


def swapped(a: float, b: float, n: int) -> float:
    t = [[a * i + b * j * j for j in range(n)] for i in range(n)]
    t[0], t[2] = t[2], t[0]
    t[0][1] += a * b
    t[1] = [b * a] * n
    t[1][2] = a
    return sum(t[0]) * t[1][2] + t[1][1] * t[2][1]


def gauss(a: Square, y: Vector) -> float:
    n = len(y)
    t = [[a[i, j] for j in range(n)] + [y[i]] for i in range(n)]
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(t[i][k]) > abs(t[p][k]):
                p = i
        t[k], t[p] = t[p], t[k]
        for i in range(k + 1, n):
            w = t[i][k] / t[k][k]
            for j in range(k, n + 1):
                t[i][j] -= w * t[k][j]
    x = [0.0] * n
    for k in range(n - 1, -1, -1):
        s = t[k][n]
        for j in range(k + 1, n):
            s -= t[k][j] * x[j]
        x[k] = s / t[k][k]
    return sum(x)


def knapsack(v: Vector, cap: int) -> float:
    w = [1, 3, 2, 4, 2]
    n = len(v)
    best = [[0.0 for _ in range(2 * cap + 1)] for _ in range(n + 1)]
    for i in range(1, n + 1):
        for c in range(2 * cap + 1):
            best[i][c] = best[i - 1][c]
            if w[i - 1] <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - w[i - 1]] + v[i - 1] ** 2)
    return best[n][2 * cap]


def rolling_rows(v: Vector) -> float:
    n = len(v)
    prev = [0.0] * n
    for i in range(n):
        cur = [0.0] * n
        for j in range(n):
            cur[j] = prev[j] * v[i] + v[j]
        prev = cur
    return sum(prev)


def rolling_pair(v: Vector) -> float:
    n = len(v)
    t = [[0.0] * n for _ in range(2)]
    for i in range(n):
        a, b = t[i % 2], t[(i + 1) % 2]
        for j in range(n):
            b[j] = a[j] * v[i] + v[j]
    return sum(t[n % 2])


def three_deep(a: float, b: float, n: int) -> float:
    t = [[[0.0] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                t[i][j][k] = a * i + b * j * k
    t[1][2][0] += a
    return sum(t[i][i][i] for i in range(n)) * t[1][2][0]


def viterbi(trans: Matrix, emit: Matrix) -> float:
    obs = [0, 1, 1, 0]
    V = [[0.0] * 2 for _ in range(len(obs))]
    back = [[0] * 2 for _ in range(len(obs))]
    for s in range(2):
        V[0][s] = math.log(1.0 + abs(emit[s, obs[0]]))
    for t in range(1, len(obs)):
        for s in range(2):
            best = -math.inf
            arg = 0
            for r in range(2):
                c = V[t - 1][r] + math.log(1.0 + abs(trans[r, s]))
                if c > best:
                    best = c
                    arg = r
            V[t][s] = best + math.log(1.0 + abs(emit[s, obs[t]]))
            back[t][s] = arg
    return max(V[-1])


def uneven(a: float, b: float, n: int) -> float:
    t = [[a * j for j in range(i + 1)] for i in range(n)]
    return sum(sum(row) for row in t) * b


def uneven_written(a: float, b: float, n: int) -> float:
    t = [[a] * (i + 1) for i in range(n)]
    for i in range(1, n):
        for j in range(1, i):
            t[i][j] = t[i - 1][j - 1] + b * t[i - 1][j]
    return sum(t[n - 1])


def appended_rows(a: float, b: float, n: int) -> float:
    t = [[1.0]]
    for i in range(1, n):
        row = [1.0] * (i + 1)
        for j in range(1, i):
            row[j] = t[i - 1][j - 1] * a + t[i - 1][j] * b
        t.append(row)
    return sum(t[-1])


def appended_written(a: float, b: float, n: int) -> float:
    t = []
    for _ in range(n):
        t.append([0.0] * n)
    for i in range(n):
        for j in range(n):
            t[i][j] = a * i + b * j * a
    return sum(sum(r) for r in t) * t[1][2]


def swap_with_names(a: float, b: float, n: int) -> float:
    t = [[a * i + b * j for j in range(n)] for i in range(n)]
    r = t[0]
    s = t[1]
    t[0], t[1] = t[1], t[0]
    r[0] = a * b
    s[1] = b * b
    t[0][2] = 3.0 * a
    return sum(t[0]) + 2 * sum(t[1]) + 3 * sum(r) + 4 * sum(s)


def chosen_row(a: float, b: float, n: int) -> float:
    t = [[a * i + b * j for j in range(n)] for i in range(n)]
    t[2] = [b] * n
    r = t[0] if b > 0.5 else t[1]
    r[1] = a * a
    q = t[0]
    for i in range(n):
        if t[i][0] > q[0]:
            q = t[i]
    q[2] *= b
    return sum(t[0]) + 2 * sum(t[1]) + 3 * sum(q) + sum(r)


def copies(a: float, b: float, n: int) -> float:
    t = [[a * i + b * j for j in range(n)] for i in range(n)]
    t[2] = [b] * n
    u = list(t)
    v = [list(r) for r in t]
    w = [r[:] for r in t]
    z = t[1].copy()
    y = copy.copy(t[1])
    x = copy.deepcopy(t[1])
    p = np.array(t[1])
    q = t[1] + t[2]
    t[1][1] = a * b
    u[1][2] = a
    t[1] = [a * a] * n
    z[0] = b
    y[2] = a
    return (
        sum(t[1])
        + 2 * sum(u[1])
        + 3 * sum(v[1])
        + 4 * sum(w[1])
        + sum(z) * sum(y) * sum(x)
        + p.sum() * 5
        + sum(q) * q[1]
    )


def caught_index(a: float, b: float, n: int) -> float:
    t = [[a] * i for i in range(n)]
    try:
        t[1][0] = b
        t[2][n] = a * b
    except IndexError:
        t[1][0] = a * a
    return sum(sum(r) for r in t)


def negative(a: float, b: float, n: int) -> float:
    t = [[a * j for j in range(i + 2)] for i in range(n)]
    for k in range(1, n):
        t[-k][-1] = b * k
        t[k][-2] += t[k - 1][k - n]
    return sum(sum(r) for r in t)


def over_rows(a: float, b: float, n: int) -> float:
    t = [[a * (i + j) for j in range(n)] for i in range(n)]
    t[0] = [b] * n
    for row in t:
        for j, x in enumerate(row):
            row[j] = x * b + row[0]
    for i, row in enumerate(t):
        row[i] = a
        t[i - 1][0] += row[1]
    for r, s in itertools.pairwise(t):
        s[0] += r[0]
    return sum(max(r) for r in t)


def while_iterating(a: float, b: float, n: int) -> float:
    t = [[a * (i + j) for j in range(n)] for i in range(n)]
    t[0] = [b] * n
    s = 0.0
    for x in t[0]:
        t[0][2] += a
        s += x * x
    return s


def unpacked(a: float, b: float, n: int) -> float:
    t = [[a * i, b, a + b] for i in range(n)]
    t[1][0] = b
    s = 0.0
    for x, y, z in t:
        s += x * y - z
    p, *q = t[1]
    (u, v, w), *rest = t
    rest[0][0] = 4.0 * a
    return s + p * sum(q) + u * v * w + t[1][0]


def triangle(a: float, b: float, n: int) -> float:
    rows = [[a]]
    for _ in range(n):
        last = rows[-1]
        new = [b] + [last[j] * a + last[j + 1] for j in range(len(last) - 1)] + [a * b]
        rows.append(new)
    rows[1][0] = b * b
    return sum(sum(r) for r in rows)


def in_class(a: float, b: float, n: int) -> float:
    g = _Grid(n, a)
    g.relax(b)
    g.rows[0], g.rows[1] = g.rows[1], g.rows[0]
    r = g.rows[0]
    g.set(0, 0, b)
    return g.total() + r[0] * 3


def deep(a: float, b: float, n: int) -> float:
    t = [[[a * i + j] * (k + 1) for k in range(2)] for i, j in enumerate(range(n))]
    t[0][1][0] = b
    t[1] = t[0]
    t[1][1][1] = a * b
    r = t[2]
    r[0] = [b * b]
    t[2][0][0] += a
    return sum(sum(sum(q) for q in p) for p in t) * r[0][0]


def best_path(a: float, b: float, n: int) -> float:
    paths = [[a * i] for i in range(n)]
    for t in range(3):
        new = []
        for i in range(n):
            new.append(paths[(i * 2) % n] + [b * t * i])
        paths = new
    return sum(sum(p) * (k + 1) for k, p in enumerate(paths))


def popped(a: float, b: float, n: int) -> float:
    t = [[a * i, b] for i in range(n)]
    r = t.pop()
    t[0][1] = a
    t.append(r)
    r[0] = b * b
    t.insert(1, [b, a])
    q = t.pop(0)
    q[0] = 3.0
    t.reverse()
    return sum(x * y for x, y in t) + sum(q)


def memo(a: float, b: float, n: int) -> float:
    t = [[-1.0] * n for _ in range(n)]

    def f(i, j):
        t[i][j] = a * i + b * j
        return t[i][j]

    s = 0.0
    for i in range(n):
        for j in range(n):
            s += f(i, j) * t[j][i]
    t[0], t[1] = t[1], t[0]
    return s + t[0][1]


def row_changed_in_call(a: float, b: float, n: int) -> float:
    t = []
    row = [a] * n
    t.append(row)
    _scale(row, b)
    _scale(t[0], a)
    for r in t:
        _scale(r, b)
    return sum(row) + sum(t[0]) * row[1]


def of_given(xs: list[list[float]], b: float) -> float:
    t = [list(r) for r in xs]
    t[0][1] = b
    t[1], t[0] = t[0], t[1]
    t.append(xs[0] + [b])
    return sum(sum(r) * (k + 1) for k, r in enumerate(t)) + sum(xs[0])


def given_row_kept(xs: list[float], b: float) -> float:
    t = [[b] * 2 for _ in range(len(xs))]
    t[0] = list(xs)
    t[0][1] = b
    return sum(sum(r) for r in t) + xs[1]


def dict_rows(a: float, b: float, n: int) -> float:
    d = {"x": [a] * n, "y": [b] * n}
    t = [d["x"], d["y"]]
    for i in range(n):
        t[i % 2][i] = a * b * i
    return sum(d["x"]) * sum(d["y"])


def bools(a: float, b: float, n: int) -> float:
    seen = [[False] * n for _ in range(n)]
    seen[1], seen[2] = seen[2], seen[1]
    seen[1][2] = a > 0.2
    s = 0.0
    for i in range(n):
        for j in range(n):
            if not seen[i][j]:
                s += a * i + b * j
    return s


def break_out(a: float, b: float, n: int) -> float:
    t = [[a * (i + j) for j in range(n)] for i in range(n)]
    t[0] = t[1]
    r = t[0]
    i = 0
    while True:
        r = t[i]
        r[i] += b
        i += 1
        if i >= n - 1 or r[0] > 5.0:
            break
    r[2] = a * b
    return sum(sum(q) for q in t)


def written_after_pop(a: float, b: float, n: int) -> float:
    t = [[a * i, b] for i in range(n)]
    t.pop()
    r = t[0]
    r[0] = b * b
    return sum(x * y for x, y in t)


def popped_row_kept(a: float, b: float, n: int) -> float:
    t = [[a * i, b] for i in range(n)]
    r = t.pop()
    s = t[1]
    s[0] = b * r[1]
    r[0] = 5.0
    return sum(sum(x) for x in t) * r[0]


def carried_appended(a: float, b: float, n: int) -> float:
    cur = [a] * n
    t = []
    for i in range(n):
        t.append(cur)
        cur = [b * i] * n
    t[0][0] = 5.0 * a
    t[1][1] = a
    cur[2] = 7.0
    return sum(sum(r) * (k + 1) for k, r in enumerate(t)) * cur[2] + cur[0]


def carried_kept_table(a: float, b: float, n: int) -> float:
    t = [[a] * (i + 1) for i in range(n)]
    prev = t[0]
    keep = prev
    for i in range(1, n):
        prev[0] += b * i
        prev = t[i]
    t[0][0] *= 5.0 * a
    return sum(sum(r) * (k + 1) for k, r in enumerate(t)) + keep[0] * 100 + prev[0]


def held_elsewhere(a: float, b: float, n: int) -> float:
    row = [a] * n
    box = _Box(row)
    pair = (row, 1)
    d = {"r": row}
    t = [[a] * i for i in range(n)]
    t[0] = box.row
    t[0][0] = b
    pair[0][1] = b * b
    d["r"][2] = 3.0
    box.row[0] = a * b
    return sum(row) + sum(t[0]) * 2 + sum(box.row) * 3 + sum(pair[0]) * 4 + sum(d["r"]) * 5


class _Box:
    def __init__(self, row):
        self.row = row


def shallow_copied(a: float, b: float, n: int) -> float:
    t = [[a * i] * (i + 1) for i in range(n)]
    u = copy.copy(t)
    v = t + t
    w = t[1:]
    t[2][0] = b
    t[0] = [a]
    v[1][0] = 4.0 * b
    w[0][0] += a
    first = sum(sum(r) for r in t) * sum(sum(r) for r in u)
    return first + sum(sum(r) for r in v) * sum(sum(r) for r in w)


def readers(a: float, b: float, n: int) -> float:
    t = [[a * i + j * b for j in range(n - 1)] for i in range(n)]
    t[0], t[1] = t[1], t[0]
    s = np.sum(t[0]) + np.dot(t[1], t[2]) + max(t[2]) + min(t[1]) + len(t[1])
    for x in reversed(t[1]):
        s = s * 0.5 + x
    for x in sorted(t[2]):
        s = s * 0.5 + x
    if any(x > 100 for x in t[1]):
        s += 3.0
    if t[1]:
        s += math.prod(t[2])
    s += sum(x * y for x, y in zip(t[1], t[2], strict=True))
    s += sum(map(math.sin, t[1]))
    p = np.array(t[1])
    q = np.asarray(t[2])
    t[1][0] = 100.0
    t[2][0] = 100.0
    return s + (p * q).sum() + sum(t[1][1:]) + t[2][-1] + (3 if isinstance(t[0], list) else 0)


def callbacks(a: float, b: float, n: int) -> float:
    t = [[a] * (i + 1) for i in range(n)]

    def put(i, row):
        t[i] = row
        row[0] = b * i
        return row

    r = put(1, [a, b, a])
    q = put(2, r)
    q[1] = 4.0 * a
    return sum(sum(r) * k for k, r in enumerate(t)) + r[0] * q[1]


def attempts(a: float, b: float, n: int) -> float:
    t = [[a] * (i + 1) for i in range(n)]
    row = [b, a]
    try:
        t[1] = row
        t[n][0] = 3.0
    except IndexError:
        row[0] = 4.0 * a
    return sum(sum(r) * k for k, r in enumerate(t)) + row[0]


def flipped(a: float, b: float, n: int) -> float:
    g = [[(i * j) % 2 == 0 for j in range(n)] for i in range(n)]
    g[1] = g[2]
    g[1][1] = not g[1][1]
    return sum(a if x else b for r in g for x in r)


def rotated(a: float, b: float, n: int) -> float:
    t = [[a * i + j for j in range(n)] for i in range(n)]
    first = t[0]
    for i in range(n - 1):
        t[i] = t[i + 1]
    t[n - 1] = first
    first[0] = b
    t[0][1] *= b
    return sum(r[0] * k + r[1] for k, r in enumerate(t))


def closure_kept(a: float, b: float, n: int) -> float:
    row = [a] * n

    def get(j):
        return row[j]

    t = [[a] * (i + 1) for i in range(n)]
    t[0] = row
    t[0][2] = b
    return get(2) * get(0)


def as_array(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * n for i in range(n)]
    t[0], t[1] = t[1], t[0]
    x = np.array(t)
    t[0][0] = 100.0
    y = np.asarray(t[1:])
    return (x @ x).sum() + y.sum() + np.sum(t) + np.sum(t, axis=1)[1]


def with_pairs(a: float, b: float, n: int) -> float:
    out = []
    for i in range(n):
        out.append((a * i, [a * i] * 3))
    _k, r = out[2]
    r[1] = b
    return sum(np.array(r).sum() * k for k, r in out)


def _rows(a, n):
    t = [[a] * (i + 1) for i in range(n)]
    t[0], t[1] = t[1], t[0]
    return t


def from_helper(a: float, b: float, n: int) -> float:
    t = _rows(a, n)
    t[1][0] = b
    u = _rows(b, n)
    u[0] = t[1]
    u[0][0] *= 2.0
    return sum(sum(r) * (k + 1) for k, r in enumerate(t)) * sum(u[0])


def arrays_gathered_twice(a: float, b: float, n: int) -> float:
    t = []
    for i in range(n):
        t.append(np.full(n, a * i))
        t.append(np.full(n, a * i)[:])
    t[0] = np.full(n, b)
    x = np.array(t)
    return x.sum() + np.array(t).sum()


def long_list_copied(a: float, b: float, n: int) -> float:
    t = []
    for i in range(n):
        t.append(a * i)
    u = copy.copy(t)
    t[0] = b
    t.append(b)
    return sum(t) * sum(u)


def long_list_copied_deeply(a: float, b: float, n: int) -> float:
    t = []
    for i in range(n):
        t.append(a * i)
    u = copy.deepcopy(t)
    u[0] = b
    t.append(b * 3)
    u.append(b)
    return sum(t) * sum(u)


def filled_list_copied(a: float, b: float, n: int) -> float:
    t = [a * i for i in range(n)]
    u = copy.copy(t)
    v = copy.deepcopy(t)
    u[0] = b
    v[1] = b
    t[2] = b * a
    return sum(t) * sum(u) * sum(v)


def kept_rows(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * (i + 1) for i in range(n)]
    u = [r for r in t if len(r) > 2]
    u[0][0] = a * b
    v = [r[:-1] for r in t if r[0] > 0.45]
    v[0][0] = 7.0
    return sum(sum(r) for r in t) * sum(sum(r) for r in u)


def while_rows(a: float, b: float, n: int) -> float:
    todo = [[a, b]]
    s = 0.0
    while todo and len(todo) < 3 * n:
        r = todo.pop()
        s += r[0] * r[1]
        if s < 2.0:
            todo.append([r[0] + 0.1, r[1]])
            todo.append([r[0], r[1] * 1.1])
    return s


def aliased_display(a: float, b: float, n: int) -> float:
    r = [a] * n
    t = [r, r, [b] * n]
    for i in range(n):
        t[i % 3][i] += b * i
    r[0] *= 5.0
    return sum(sum(q) * (k + 1) for k, q in enumerate(t))


def tables_of_objects(a: float, b: float, n: int) -> float:
    g = _G(n)
    h = _G(n)
    h.t = g.t
    g.t[1] = [a] * n
    h.t[1][2] = b
    g.t, h.t = h.t, g.t
    return sum(sum(r) for r in g.t) * g.t[1][2]


class _G:
    def __init__(self, n):
        self.t = [[1.0] * n for _ in range(n)]


def loop_table_swap_rows(a: float, b: float, n: int) -> float:
    old = [[a * (i + j) for j in range(n)] for i in range(n)]
    new = [[0.0] * n for _ in range(n)]
    for k in range(3):
        for i in range(n):
            for j in range(n):
                new[i][j] = old[i][(j + 1) % n] * b + old[(i + 1) % n][j]
            new[i][k] = a
        new[0] = [b] * n
        old, new = new, old
    keep = old
    new[0][0] = 100.0
    old[1][1] = 3.0 * a
    return sum(sum(r) for r in keep) + new[0][0]


def sorted_by_key(a: float, b: float, n: int) -> float:
    t = [[a * ((i * 3) % n), b * i] for i in range(n)]
    t[0] = [b, a]
    t.sort(key=lambda r: -r[1])
    return sum(r[0] * k + r[1] for k, r in enumerate(t))


def row_of_sorted(a: float, b: float, n: int) -> float:
    t = [[a * ((i * 3) % n), b * i] for i in range(n)]
    t[0] = [b, a]
    u = sorted(t, key=lambda r: r[0])
    u[0][1] = 9.0 * a
    return sum(r[0] * k + r[1] for k, r in enumerate(t))


def _sum_of(r: list[float]) -> float:
    return sum(r)


def _scale_given(r: list[float], b: float) -> None:
    for j in range(len(r)):
        r[j] *= b


def _first_of(t: list[list[float]]) -> float:
    return t[0][0] + len(t)


def _fill_first(t: list[list[float]], b: float) -> None:
    for i in range(len(t)):
        t[i][0] = b * i


def annotated_read(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * (i + 1) for i in range(n)]
    t[0], t[1] = t[1], t[0]
    return _sum_of(t[0]) * _sum_of(t[2])


def annotated_write(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * (i + 1) for i in range(n)]
    t[0], t[1] = t[1], t[0]
    _scale_given(t[0], b)
    return sum(t[0]) * t[2][0]


def annotated_table(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * (i + 1) for i in range(n)]
    t[0], t[1] = t[1], t[0]
    return _first_of(t)


def annotated_table_write(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * (i + 1) for i in range(n)]
    t[0], t[1] = t[1], t[0]
    _fill_first(t, b)
    return _first_of(t) + sum(t[2])


def arrays_of_rows(a: float, b: float, n: int) -> float:
    t = [[a * i + b] * 3 for i in range(n)]
    t[0] = t[2]
    x = np.zeros((n, 3))
    for i in range(n):
        x[i] = t[i]
        x[i, :2] += t[i][:2]
    t[2][0] = 50.0
    y = x * np.array(t[1])
    z = np.dot(t[1], t[0]) + np.mean(t[1])
    return y.sum() + z
