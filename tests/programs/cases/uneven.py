"""Lists whose arrays have shapes of their own: the layers of a network, parts, what is left."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "_"]
Matrix = Annotated[NDArray[np.float64], "_ _"]


def stages(ws: list[Matrix], bs: list[Vector], x: Matrix) -> float:
    before, after = [], [x]
    for w, b in zip(ws, bs, strict=False):
        before.append(after[-1] @ w + b)
        after.append(np.tanh(before[-1]))
    total = np.sum(after[-1] * before[-1])
    for z, a in zip(before, after, strict=False):
        total += 0.1 * np.sum(a**2) + np.mean(z)
    return total


def gradients(ws: list[Matrix], bs: list[Vector], x: Matrix) -> list[Matrix]:
    seen = [x]
    for w, b in zip(ws, bs, strict=False):
        seen.append(np.tanh(seen[-1] @ w + b))
    delta = seen[-1] * (1 - seen[-1] ** 2)
    found = []
    for k in range(len(ws) - 1, -1, -1):
        found.append(seen[k].T @ delta)
        delta = (delta @ ws[k].T) * (1 - seen[k] ** 2)
    return found[::-1]


class Network:
    def __init__(self, ws, bs):
        self.ws = list(ws)
        self.bs = [b.copy() for b in bs]
        self.seen = []

    def run(self, x):
        self.seen = []
        for w, b in zip(self.ws, self.bs, strict=False):
            self.seen.append(x)
            x = np.tanh(x @ w + b)
        return x

    def slopes(self, delta):
        found = [np.zeros_like(w) for w in self.ws]
        for i in reversed(range(len(self.ws))):
            found[i] = self.seen[i].T @ delta
            delta = (delta @ self.ws[i].T) * (1 - self.seen[i] ** 2)
        return found

    def step(self, x, rate):
        out = self.run(x)
        for i, slope in enumerate(self.slopes(out * (1 - out**2))):
            self.ws[i] = self.ws[i] - rate * slope


def trained(ws: list[Matrix], bs: list[Vector], x: Matrix) -> float:
    network = Network(ws, bs)
    for _ in range(2):
        network.step(x, 0.05)
    return np.sum(network.run(x) ** 2) + np.sum(ws[0])


def momentum(ws: list[Matrix]) -> float:
    held = list(ws)
    speed = [np.zeros_like(w) for w in ws]
    for _ in range(3):
        for k in range(len(held)):
            speed[k] = 0.9 * speed[k] - 0.1 * (0.3 * held[k] + np.sin(held[k]))
            held[k] = held[k] + speed[k]
    return sum(np.sum(w**2) for w in held)


def as_a_stack(ws: list[Matrix], x: Matrix) -> float:
    stack = [x]
    for w in ws:
        stack.append(np.sin(stack[-1] @ w))
    total = 0.0
    while len(stack) > 1:
        top = stack.pop()
        total += np.sum(top**2) * len(stack)
    stack.append(2.0 * x[:2])
    return total + np.sum(stack[-1] ** 3) + np.sum(stack[0])


def halves(bs: list[Vector]) -> float:
    todo = [bs[0]]
    total = 0.0
    while todo:
        v = todo.pop()
        if len(v) <= 1:
            total += v[0] ** 2 * (1 + len(todo))
            continue
        m = len(v) // 2
        todo.append(1.5 * v[:m])
        todo.append(np.sin(v[m:]))
    return total


def in_tuples(ws: list[Matrix], bs: list[Vector], x: Matrix) -> float:
    steps = []
    for w, b in zip(ws, bs, strict=False):
        z = x @ w + b
        steps.append((x, z, np.sum(z)))
        x = np.tanh(z)
    total = np.sum(x)
    for left, z, size in reversed(steps):
        total += np.sum(left) * np.mean(z) + size
    left, z, _ = steps[1]
    return total + left[0, 0] * z[1, 1]


def by_condition(bs: list[Vector], x: Matrix) -> float:
    xs = [bs[0]]
    if x[0, 0] > 0:
        xs.append(2 * bs[0][1:])
        xs.append(bs[1] ** 2)
    else:
        xs.append(3.0 * bs[1])
    total = 0.0
    for i, v in enumerate(xs):
        total += (i + 1) * np.sum(v**2)
    return total + xs[-1][0] + len(xs)


def others_later(bs: list[Vector]) -> float:
    xs = []
    v = bs[0]
    for i in range(3):
        v = np.sin(v) + i
        xs.append(v)
    for b in bs:
        xs.append(2 * b)
    ys = list(xs)
    ys.append(v[:1])
    ys[0] = 3 * ys[0]
    return sum(np.sum(one**2) for one in xs) + xs[0] @ xs[2] + np.sum(ys[0]) + ys[-1][0]


def out_of_front(bs: list[Vector], x: Matrix) -> float:
    xs = [x[0]]
    for _ in range(2):
        for b in bs:
            xs.append(b * np.sum(xs[-1]))
        xs.pop(0)
    return sum(np.sum(np.tanh(v)) for v in xs)


def moved(bs: list[Vector]) -> float:
    xs = [1.0 * b for b in bs]
    old = xs[0]
    xs[0], xs[1] = xs[1], xs[0]
    xs[2] = xs[0]
    xs.reverse()
    xs.insert(1, old * old)
    del xs[0]
    total = 0.0
    for v in xs:
        total = 0.5 * total + np.sum(v**2)
    return total + old[1]


def changed_copies(ws: list[Matrix], bs: list[Vector], x: Matrix) -> float:
    for w, b in zip(ws[:-1], bs[:-1], strict=False):
        x = np.maximum(x @ w + b, 0.0)
    later = ws[1:]
    later[0] = 2 * later[0]
    later.append(x)
    last = np.sum(x @ ws[-1] + bs[-1])
    return last + np.sum(later[0] ** 2) + np.sum(later[-1]) + np.sum(bs[::-1][0])


def joined(ws: list[Matrix], bs: list[Vector], x: Matrix) -> float:
    parts = [x]
    for k in range(3):
        parts.append(x[: k + 1] * bs[0][k])
    tall = np.vstack([w @ w.T @ np.ones((len(w), 2)) for w in ws])
    flat = np.concatenate([b**2 for b in bs])
    return np.sum(np.concatenate(parts) ** 2) + np.sum(tall[3] ** 2) + np.sum(flat**2) * flat[-1]


def rows_of_all(ws: list[Matrix]) -> list[Vector]:
    found = []
    for w in ws:
        for row in w:
            found.append(2 * row)
            found.append(row[1:])
    found.pop()
    found[1] = found[0] * found[0]
    return found


def tails(v: Vector, a: float) -> float:
    parts = [a * v[i:] ** 2 for i in range(len(v))]
    kept = [p[::-1] for p in parts if p[0] > 0.1]
    return sum(np.prod(1.0 + p) for p in kept) + parts[-1][0]
