"""Arrays that loops bind again to arrays of other shapes, or of shapes that nobody states."""

from dataclasses import dataclass

import numpy as np
from kinds import Mat, Vec


def made_by_helper(x: Vec) -> float:
    y = x[:3]
    for _ in range(5):
        y = y + 0.1 * np.array([y[1], -y[0], 0.1 * y[2] * y[0]])
    return np.sum(y**2)


def grows(x: Vec) -> float:
    y = x
    for _ in range(3):
        y = np.concatenate((y, np.sin(y[:1]) * y))
    return np.sum(y * y)


def shrinks(x: Vec) -> float:
    y = x
    while len(y) > 1:
        y = y[1:] * y[:-1]
    return y[0]


def halves(x: Vec) -> float:
    y = np.concatenate((x, x[:1]))
    while len(y) > 1:
        h = len(y) // 2
        y = y[:h] + y[h : 2 * h] * 0.5
    return y[0] * y[0]


def grows_or_shrinks(x: Vec, a: float) -> float:
    y = x
    for i in range(4):
        if i % 2 == 0:
            y = np.append(y, a * i)
        else:
            y = y[1:]
    return np.sum(y * y)


def convolved(x: Vec, a: float) -> float:
    kernel = np.array([0.5, a])
    for _ in range(3):
        x = np.convolve(x, kernel)
    return np.sum(x * x)


def polynomial_of_roots(x: Vec) -> float:
    p = np.array([1.0])
    for r in x:
        p = np.convolve(p, np.array([1.0, -r]))
    return np.sum(p * p)


def binomial_row(a: float) -> float:
    row = np.ones(1)
    for _ in range(4):
        row = np.concatenate((np.ones(1), row[1:] + row[:-1] * a, np.ones(1)))
    return np.sum(row * row)


def kept_row(m: Mat) -> float:
    row = m[0]
    s = 0.0
    for i in range(len(m)):
        s += row @ m[i]
        row = m[i]
    return s


def best_row(m: Mat) -> float:
    row = m[0]
    for i in range(m.shape[0]):
        if m[i, 0] > row[0]:
            row = m[i]
    return row[1] * row[1]


def kept_part(x: Vec) -> float:
    prev = x[:1]
    s = 0.0
    for i in range(1, len(x)):
        cur = x[: i + 1]
        s += np.sum(cur) * np.sum(prev)
        prev = cur
    return s


def exchanged(x: Vec) -> float:
    a = x
    b = x[1:]
    for _ in range(3):
        a, b = b * 2.0, a * a
    return np.sum(a) + np.sum(b)


def through_transposed(m: Mat) -> float:
    a = m[:, 0]
    b = m[0]
    for _ in range(3):
        a, b = m @ b, m.T @ a
    return np.sum(a) * np.sum(b)


def power_iteration(m: Mat, x: Vec) -> float:
    square = m.T @ m
    y = np.ones(square.shape[0])
    for _ in range(4):
        y = square @ y
        y = y / np.linalg.norm(y)
    return np.sum(y) * x[0]


def in_nested_loops(x: Vec, a: float) -> float:
    y = x
    for _ in range(2):
        y = np.concatenate((y, y[:1]))
        for _ in range(2):
            y = y[1:] * y[:-1] + a
            y = np.concatenate((y, y[-1:]))
    return np.sum(y)


def until_large(x: Vec) -> float:
    y = x
    while np.sum(y) < 50.0:
        y = np.concatenate((y, y))
        if len(y) > 40:
            break
    return np.sum(y * y)


def returned_early(x: Vec) -> float:
    y = x
    for _ in range(6):
        y = np.concatenate((y, y[:2]))
        if np.sum(y) > 3.0:
            return np.sum(np.sin(y))
    return np.sum(y * y)


def returned(x: Vec) -> Vec:
    y = x
    for i in range(2):
        y = np.concatenate((y, y * x[i]))
    return y


def also_in_front(x: Vec) -> float:
    y = np.zeros(2)
    y[0] = x[0]
    y[1] = x[1] * x[2]
    for _ in range(3):
        y = np.concatenate((y[1:], y * 0.5))
    return np.sum(y * y)


def written_where_it_is_made(x: Vec) -> float:
    y = x
    for _ in range(3):
        y = np.concatenate((y, y))
        y[0] = y[1] * 0.5
    return np.sum(y * y)


def matrix_grows(m: Mat) -> float:
    z = m
    for _ in range(2):
        z = np.vstack((z, z[-1:] * 0.5))
    return np.sum(z * z)


def kronecker_powers(m: Mat) -> float:
    z = np.eye(1)
    for _ in range(2):
        z = np.kron(z, m)
    return np.sum(np.sin(z))


def carried_twice(x: Vec) -> float:
    last = x
    for _ in range(3):
        new = np.concatenate((last[1:], last * 0.5))
        last = new
        first = new[0]
        x = last[: len(x)] * first
    return np.sum(x * x) + np.sum(last)


@dataclass
class Filter:
    x: Vec
    gain: Mat


def field(m: Mat) -> float:
    k = Filter(m[0] * 1.0, m.T @ m)
    for _ in range(3):
        k.x = k.gain @ k.x
    return np.sum(k.x)


def _doubled(y: np.ndarray, a: float) -> np.ndarray:
    for _ in range(2):
        y = np.concatenate((y, a * y))
    return y


def helper_in_loop(x: Vec, a: float) -> float:
    s = 0.0
    for v in x:
        s += np.sum(_doubled(x * v, a) ** 2)
    return s


def none_at_all(x: Vec, k: int) -> float:
    y = x
    for _ in range(k - 100):
        y = np.concatenate((y, y))
    return np.sum(y * y)


def complex_numbers(x: Vec) -> float:
    z = np.exp(1j * x)
    for _ in range(2):
        z = np.concatenate((z, z[:1] * z))
    return np.sum(z.real * z.imag)


def cumulative(x: Vec) -> float:
    best = x[:0]
    for v in x:
        best = np.append(best, v * v)
    return np.sum(best * best)


def part_of_what_an_arm_makes(x: Vec, a: float) -> float:
    r = np.array([a, 0.5, 0.5])
    if x[1] < 100.0:
        w = x * a
        r = w[1:]
    return np.sum(r * r)


def shape_of_what_an_inner_arm_makes(x: Vec, a: float) -> float:
    r = np.array([[a, 0.5, 0.5]])
    if x[1] < 100.0:
        q = np.array([a, a * a])
        if len(x) > 2:
            q = x[1:] * a
        r = q.reshape(1, -1)
    return np.sum(r * r)


def written_where_it_begins(x: Vec, a: float) -> float:
    y = x * a
    for _ in range(3):
        y[0] = y[1] * 0.5
        y[1:] += a * y[:-1]
        y = np.concatenate((y, y))
    y[1] *= a
    return np.sum(y * y)


def layers_of_any_shape(ws: list[Mat], x: Vec) -> float:
    y = np.ones(ws[0].shape[1])
    for w in ws:
        y = np.tanh(w[:, : len(y)] @ y[: w.shape[1]])
    return np.sum(y) * x[0]


def shrunk_in_an_arm_that_returns(x: Vec, a: float) -> float:
    if x[1] < 100.0:
        values = a * np.arange(20.0)
        while len(values) > 1:
            values = values[:-1] * x[0] + values[1:]
        return values[0]
    return a


def grown_in_an_arm(x: Vec, a: float) -> float:
    out = x[:1] * a
    if x[1] < 100.0:
        for k in range(40):
            out = np.concatenate([out, out[-1:] * x[k % 2] + 0.5])
            if out[-1] > 50.0:
                return float(np.sum(out))
    return float(out @ out)
