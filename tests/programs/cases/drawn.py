"""Random numbers that are drawn inside: NumPy's generator with a seed."""
# ruff: noqa: NPY002

import math

import numpy as np
from kinds import Ints, Mat, Vec


def sum_of_draws(x: Vec, seed: int) -> float:
    rng = np.random.default_rng(abs(seed))
    z = rng.random(len(x)) + rng.standard_normal(len(x)) - rng.standard_exponential(x.shape)
    return float(np.sum(x * z)) + rng.random() * x[0]


def _drawn_by_helper(rng: np.random.Generator, n: int, scale: float):
    return rng.normal(0.0, scale, n)


def numbers_of_a_helper(x: Vec, s: float) -> float:
    rng = np.random.default_rng(seed=11)
    total = 0.0
    for _ in range(3):
        total += np.dot(x, _drawn_by_helper(rng, len(x), s * s + 0.1))
    return total * rng.standard_normal()


def until_far(x: Vec, s: float) -> float:
    rng = np.random.default_rng(2**40)
    far, count = 0.0, 0
    while far < 4.0 and count < 30:
        far += np.sum(x**2 * 0.1 + rng.normal(scale=s * s + 0.1, size=len(x)) ** 2)
        count += 1
    return far


class Walk:
    def __init__(self, width: float, seed: int):
        self.rng = np.random.default_rng(seed)
        self.width = width

    def step(self, x):
        return x + self.width * self.rng.standard_normal(x.shape)


def walks(x: Vec, s: float) -> float:
    walk, other = Walk(s, 5), Walk(1.0, 5)
    for _ in range(4):
        x = other.step(walk.step(x) * 0.9)
    return np.sum(x**2)


def broadcast_parameters(m: Mat, s: float) -> float:
    rng = np.random.default_rng([1, 2, 3])
    z = rng.normal(m, abs(s) + 0.1)
    u = rng.uniform(-(m**2) - 5.0, m + 30.0)
    w = rng.exponential(m**2 + 1.0) + rng.exponential(abs(s) + 0.5, size=m.shape)
    return np.sum(z * u + w) + np.sum(rng.normal(m[0], 1.0, size=(2, m.shape[1])))


def resampled(x: Vec, s: float) -> float:
    rng = np.random.default_rng(8)
    again = x[rng.choice(len(x), size=10)]
    some = rng.choice(x, 4)
    one = rng.choice(x) * rng.choice(3) + rng.choice((0.5, s, 2.0))
    likely = rng.choice(x[:2], p=[0.2, 0.8])
    rare = rng.choice(3, (2, 5), p=np.array([0.1, 0.1, 0.8]))
    return np.sum(again**2) * s + np.sum(some) * one + likely * np.sum(rare)


def row_that_is_chosen(m: Mat) -> float:
    rng = np.random.default_rng(4)
    row = rng.choice(m)
    row[0] = 5.0
    return np.sum(rng.choice(m, 4)) + np.sum(row * m[0]) + m[0, 0] ** 2


def on_one_path_only(x: Vec, s: float) -> float:
    rng = np.random.Generator(np.random.PCG64(7))
    total = 0.0
    for k in range(len(x)):
        if x[k] > 0.0:
            total += rng.random() * x[k]
        elif s > 0.0:
            total -= rng.normal(x[k], s)
        else:
            total -= rng.integers(3) * x[k]
    return total + rng.uniform(-1.0, s + 10.0)


def two_names(s: float) -> float:
    rng = np.random.default_rng(0)
    same = rng
    fresh = np.random.default_rng(0)
    return same.random() * s + rng.random() * s**2 + fresh.random() * s**3


def integers_of_all_kinds(s: float, seed: Ints) -> float:
    rng = np.random.default_rng(np.abs(seed))
    small = rng.integers(0, 10) + rng.integers(-3, 3, endpoint=True) + 1 / rng.integers(1, 4)
    wide = rng.integers(-(2**62), 2**62, size=3) + rng.integers(2**40)
    table = rng.integers(5, size=(2, 2))
    return s * (small + np.sum(table) + rng.integers(0, 1)) + s * np.sum(wide / 2.0**60)


def listed_draws(x: Vec, s: float) -> Vec:
    rng = np.random.default_rng(0)
    y = [rng.normal() * s for _ in range(3)]
    rng.random(5)
    return x * np.sum(np.array(y)) + np.array([rng.random() for _ in range(2)]).sum()


def best_of_starts(x: Vec, s: float) -> float:
    rng = np.random.default_rng(3)
    best = math.inf
    for _ in range(5):
        y = rng.uniform(-2.0, 2.0, size=x.shape) * s
        for _ in range(3):
            y = y - 0.1 * (y - x)
        best = min(best, np.sum((y - x) ** 2))
    return best


def _path_of_price(rng: np.random.Generator, start: float, width: float, n: int) -> float:
    path = np.empty(n + 1)
    path[0] = start
    for k in range(n):
        path[k + 1] = path[k] * math.exp(0.01 + width * math.sqrt(0.1) * rng.standard_normal())
    return max(path[n] - 1.0, 0.0) + np.mean(path)


def priced_by_simulation(s: float, width: float) -> float:
    rng = np.random.default_rng(99)
    total = 0.0
    for _ in range(5):
        total += _path_of_price(rng, s, width, 6)
    return total / 5 + _path_of_price(rng, s + 1, width, 3) + _path_of_price(rng, s + 2, width, 3)


def of_older_generator(x: Vec, s: float) -> float:
    rng = np.random.RandomState(7)
    z = rng.randn(len(x)) + rng.rand(len(x)) * rng.normal(0.0, s * s + 0.1, len(x))
    kinds = rng.randint(0, 5, size=7)
    far = rng.uniform(-1.0, 2.0) * rng.exponential(1.5) + rng.randint(3, 9)
    return float(np.sum(x * z)) * far + float(np.sum(kinds)) * rng.standard_exponential()


def _noise(n: int):
    return np.random.uniform(-1, 1, (n, 3))


def _reseeded(k: int):
    np.random.seed(k)


def of_seeded_functions(x: Vec, s: float) -> float:
    np.random.seed(42)
    total = np.sum(x @ _noise(len(x))) * s
    for k in range(5):
        if np.random.random() < 0.5:
            total += np.random.rand() * x[k % len(x)] + np.random.normal(s, 0.1)
    _reseeded(3)
    return total + float(np.sum(np.random.normal(x, 0.3)))


def called_with_seed(x: Vec) -> float:
    return of_seeded_functions(x, 0.5) + np.random.rand() * x[0]


def rearranged(x: Vec, m: Mat) -> float:
    np.random.seed(0)
    order = np.random.permutation(len(x))
    y = x.copy()
    np.random.shuffle(y)
    rows = np.random.permutation(m)
    np.random.shuffle(rows)
    some = np.random.choice(x, 3)
    two = np.random.choice(len(x), 2, replace=False)
    one = np.random.choice(np.array([1.0, 2.0, 5.0]), p=[0.2, 0.3, 0.5])
    return np.sum(x[order] * y * np.arange(len(x))) + rows[0, 0] * some[0] * one + x[two[0]]


class _Layer:
    def __init__(self, n: int) -> None:
        np.random.seed(1)
        self.w = np.random.randn(n, 2) * 0.1
        self.b = np.zeros(2)

    def forward(self, x):
        return np.tanh(x @ self.w + self.b)


def seeded_layer(x: Vec, s: float) -> float:
    return float(np.sum(_Layer(len(x)).forward(x * s)))
