"""Arrays in lists of run-time length, changed in place: nobody else may miss the change."""

from dataclasses import dataclass

import numpy as np
from kinds import Mat, Vec


@dataclass
class Network:
    weights: list[Mat]
    biases: list[Vec]
    rate: float

    def decay(self) -> None:
        for k in range(len(self.weights)):
            self.weights[k] *= 1.0 - self.rate
            self.weights[k][0] += self.biases[k][0]


def _clipped(ws: list[Vec], most: float) -> None:
    for w in ws:
        w[w > most] = most


def accumulators(ws: list[Vec], x: Vec) -> float:
    sums = [np.zeros(w.shape) for w in ws]
    for _ in range(2):
        for k in range(len(ws)):
            sums[k] += ws[k] * x[0]
            sums[k][0] *= x[1]
    return sum(np.sum(s**2) for s in sums)


def forward_messages(a: Mat, p: Vec) -> float:
    alpha = [np.zeros(len(p)) for _ in range(4)]
    alpha[0][:] = p
    for t in range(1, 4):
        for j in range(len(p)):
            for i in range(len(p)):
                alpha[t][j] += alpha[t - 1][i] * a[0, 0] ** j
    return np.sum(alpha[-1])


def descended(ws: list[Vec], x: Vec, rate: float) -> float:
    for k in range(len(ws)):
        ws[k] -= rate * ws[k] ** 2 * x[0]
    return sum(np.sum(w**3) for w in ws)


def scaled(ws: list[Vec], rate: float) -> float:
    for w in ws:
        w *= rate
        w[1:] += w[:-1]
    return sum(np.sum(w**2) for w in ws)


def by_a_helper(ws: list[Vec], most: float) -> float:
    _clipped(ws, most)
    return sum(np.sum(w**2) for w in ws)


def of_different_lengths(n: int, x: Vec) -> float:
    rows = [x[0] * np.ones(k + 1) for k in range(n)]
    for k in range(1, n):
        rows[k][:k] += rows[k - 1]
        rows[k][k] *= rows[k][0]
    return sum(np.sum(row) for row in rows)


def appended(n: int, x: Vec) -> float:
    rows = []
    for k in range(n):
        rows.append(x[:2] * k)
        rows[k] += 1.0
        rows[0] *= x[1]
    return sum(np.sum(row**2) for row in rows)


def decayed(net: Network) -> float:
    net.decay()
    return sum(np.sum(w**2) for w in net.weights) * np.sum(net.biases[0])


def nothing_returned(out: list[Vec], rate: float) -> None:
    """The results are the arrays in `out`."""
    for w in out:
        w -= rate * np.sin(w)


def removed_where_the_run_tells(x: float) -> float:
    xs = [2.0, x, 3.0 * x]
    xs.remove(x if x > 0.4 else 2.0)
    return xs[0] * xs[1] ** 2


def popped_where_the_run_tells(x: float, n: int) -> float:
    xs = [2.0, x, 3.0 * x]
    return xs.pop(n % 3) * xs[0] * xs[1] ** 2
