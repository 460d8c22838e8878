"""Arrays that the first iterations make: ``prev = None`` before the loop."""

import numpy as np
from kinds import Mat, Vec


def momentum(x: Vec) -> float:
    v = None
    w = x
    for _ in range(4):
        g = 2 * w
        if v is None:
            v = np.zeros_like(w)
        v = 0.9 * v - 0.1 * g
        w = w + v
    return np.sum(w)


def momentum_by_branch(x: Vec) -> float:
    v = None
    w = x
    for _ in range(4):
        g = 2 * w
        if v is None:
            v = -0.1 * g
        else:
            v = 0.9 * v - 0.1 * g
        w = w + v
    return np.sum(w)


def differences(x: Vec) -> float:
    prev = None
    s = 0.0
    for i in range(len(x)):
        row = x * x[i]
        if prev is not None:
            s += np.sum((row - prev) ** 2)
        prev = row
    return s


def rows(m: Mat) -> float:
    prev = None
    s = 0.0
    for row in m:
        if prev is not None:
            s += np.dot(row, prev)
        prev = np.tanh(row)
    return s


def best(x: Vec) -> float:
    best = None
    for i in range(3):
        c = x * i
        if best is None or np.sum(c) > np.sum(best):
            best = c
    return np.sum(best**2)


def in_while(x: Vec) -> float:
    v = None
    w = x
    k = 0
    while k < 4:
        if v is None:
            v = np.zeros_like(w)
        v += w
        w = w * 0.9 + 0.01 * v
        k += 1
    return np.sum(w)


class _Descent:
    def __init__(self, lr=0.1):
        self.lr = lr
        self.v = None

    def step(self, w, g):
        if self.v is None:
            self.v = np.zeros_like(w)
        self.v = 0.9 * self.v - self.lr * g
        return w + self.v


def in_attribute(x: Vec) -> float:
    opt = _Descent()
    w = x
    for _ in range(5):
        w = opt.step(w, 2 * w)
    return np.sum(w)


def best_in_tuple(x: Vec) -> float:
    best = None
    for i in range(3):
        c = x * (i + 1)
        if best is None or np.sum(c) > best[0]:
            best = (np.sum(c), c)
    return best[0] + best[1][0] ** 2


def of_any_shape(x: Vec) -> float:
    prev = None
    s = 0.0
    for i in range(1, 4):
        cur = np.ones(i) * x[0]
        if prev is not None:
            s += np.sum(prev) * np.sum(cur)
        prev = cur
    return s


def last_one(x: Vec) -> float:
    last = None
    for i in range(len(x)):
        if x[i] > 0.3:
            last = x * x[i]
    if last is None:
        return 0.0
    return np.sum(last)


def none_at_all(x: Vec) -> float:
    last = None
    for i in range(len(x)):
        if x[i] > 100.0:
            last = x * x[i]
    if last is None:
        return x[0]
    return np.sum(last)


def written_in_place(x: Vec) -> float:
    acc = None
    for i in range(4):
        if acc is None:
            acc = x * 1.0
        else:
            acc += x * i
    return np.sum(acc**2)


def under_two_names(x: Vec) -> float:
    acc = None
    y = x.copy()
    for i in range(4):
        if acc is None:
            acc = y
        else:
            acc[0] += y[1] * i
    return np.sum(y**2) + acc[0]


def matrices(x: Vec) -> float:
    H = None
    w = x
    for _k in range(4):
        g = 2 * w
        if H is None:
            H = np.eye(len(x))
        d = H @ g
        H = H * 0.9 + 0.01 * np.outer(g, d)
        w = w - 0.05 * d
    return np.sum(w)


def in_inner_loops(x: Vec) -> float:
    total = 0.0
    for a in range(2):
        prev = None
        for i in range(3):
            row = x * (i + a)
            if prev is not None:
                total += np.dot(row, prev)
            prev = row
    return total


def two_of_them(x: Vec) -> float:
    a, b = None, None
    s = 0.0
    for i in range(4):
        c = np.sin(x * i)
        if b is not None:
            s += np.sum(c - 2 * a + b)
        a, b = c, a
    return s


def indices(x: Vec) -> float:
    idx = None
    s = 0.0
    for i in range(3):
        if idx is None:
            idx = np.arange(len(x))
        s += x[idx[i]]
    return s


def _updated(v, g):
    return g if v is None else 0.9 * v + g


def by_helper(x: Vec) -> float:
    v = None
    for i in range(4):
        v = _updated(v, x * i)
    return np.sum(v)


def in_dict(x: Vec) -> float:
    state = {"v": None, "t": 0}
    w = x
    for _ in range(3):
        if state["v"] is None:
            state["v"] = np.zeros_like(w)
        state["v"] = 0.5 * state["v"] + w
        state["t"] += 1
        w = w - 0.1 * state["v"]
    return np.sum(w) * state["t"]
