"""Programs with numbers that the result does not depend on, and that are infinite or not a number.

What is computed before a branch is used in one of its arms; sums overflow under a quotient.
"""

import math
import statistics

import numpy as np
from kinds import Mat, Vec


# mooncake: modes=reverse,forward,hvp
def pair_energy(x: Vec) -> float:
    e = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            d = x[i] - x[j]
            inv = 1.0 / (d * d)
            if i != j:
                e += inv * inv
    return e


# mooncake: modes=reverse,forward,hvp
def pair_energy_skipped(x: Vec) -> float:
    e = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            d = x[i] - x[j]
            inv6 = d**-6
            energy = 4.0 * (inv6 * inv6 - inv6)
            if i == j:
                continue
            e += energy
    return e


# mooncake: modes=reverse,forward,hvp
def exp_of_small(x: Vec) -> float:
    r = np.exp(x[0])
    return r if x[0] < 100 else 2 * x[0]


# mooncake: modes=reverse,forward,hvp
def early_return(x: Vec) -> float:
    r = np.sinh(x[0]) * x[1]
    if x[0] > 100.0:
        return x[0] * x[1]
    return r


# mooncake: modes=reverse,forward,hvp
def overflow_caught(x: Vec) -> float:
    try:
        r = math.exp(x[0])
    except OverflowError:
        r = 7 * x[0]
    return r


# mooncake: modes=reverse,forward,hvp
def quotient_caught(x: Vec) -> float:
    a = float(x[0])
    try:
        r = a / float(x[1])
    except ZeroDivisionError:
        r = 3.0 * a
    return r


# mooncake: modes=reverse,forward,hvp
def hypot_masked(x: Vec) -> float:
    return np.where(x[0] < 5.0, np.hypot(x[0], 1.0), 2.0 * x[0])


# mooncake: modes=reverse,forward,hvp
def polynomial_masked(x: Vec) -> float:
    return np.where(x[0] < 5.0, np.polyval(np.array([1.0, 2.0, 3.0]), x[0]), 2.0 * x[0])


# mooncake: modes=reverse,forward,hvp
def reciprocal_masked(x: Vec) -> float:
    return np.sum(np.where(x != 0.0, 1.0 / x, 3.0 * x))


# mooncake: modes=reverse,forward,hvp
def sign_masked(x: Vec) -> float:
    return np.sum(np.where(x != 0.0, x * x / np.abs(x), 0.0))


# mooncake: modes=reverse,forward,hvp
def entropy_masked(x: Vec) -> float:
    return -np.sum(np.where(x > 0.0, x * np.log(x), 0.0))


# mooncake: modes=reverse,forward,hvp
def sigmoid(x: Vec) -> float:
    return np.sum(1 / (1 + np.exp(-x)))


# mooncake: modes=reverse,forward,hvp
def silu(x: Vec) -> float:
    return np.sum(x / (1 + np.exp(-x)))


# mooncake: modes=reverse,forward,hvp
def growth(x: Vec) -> float:
    return x[0] / (1.0 + x[1] * np.exp(-x[2]))


# mooncake: modes=reverse,forward,hvp
def sech(x: Vec) -> float:
    return 1 / np.cosh(x[0])


# mooncake: modes=reverse,forward,hvp
def sech_squared(x: Vec) -> float:
    return 1 / np.cosh(x[0]) ** 2


# mooncake: modes=reverse,forward,hvp
def planck(x: Vec) -> float:
    return x[0] ** 3 / (np.exp(x[0] / x[1]) - 1)


# mooncake: modes=reverse,forward,hvp
def planck_expm1(x: Vec) -> float:
    return x[0] ** 3 / np.expm1(x[0] / x[1])


# mooncake: modes=reverse,forward,hvp
def fermi(x: Vec) -> float:
    return 1 / (np.exp((x[0] - x[1]) / x[2]) + 1)


# mooncake: modes=reverse,forward,hvp
def flat_at_zero(x: Vec) -> float:
    return np.exp(-1 / x[0])


# mooncake: modes=reverse,forward,hvp
def flat_branch(x: Vec) -> float:
    r = np.exp(-1 / x[0])
    if x[0] > 0.0:
        return r
    return 2.0 * x[0]


# mooncake: modes=reverse,forward,hvp
def boltzmann(x: Vec) -> float:
    return x[0] * math.exp(-x[1] / x[2])


# mooncake: modes=reverse,forward,hvp
def softmax_of_first(x: Vec) -> float:
    e = np.exp(x - np.max(x))
    return e[0] / np.sum(e)


# mooncake: modes=reverse,forward,hvp
def softmax_by_loops(x: Vec) -> float:
    total = 0.0
    for j in range(x.shape[0]):
        total += np.exp(x[j] - x[0])
    return 1.0 / total


# mooncake: modes=reverse,forward,hvp
def log_sum_exp(x: Vec) -> float:
    most = np.max(x)
    return most + np.log(np.sum(np.exp(x - most)))


# mooncake: modes=reverse,forward,hvp
def softplus(x: Vec) -> float:
    return np.sum(np.log1p(np.exp(x)))


# mooncake: modes=reverse,forward,hvp
def softplus_branch(x: Vec) -> float:
    r = math.log1p(math.exp(x[0])) if x[0] < 30.0 else x[0]
    return r


# mooncake: modes=reverse,forward,hvp
def cubes(x: Vec) -> float:
    return np.sum(x**3)


# mooncake: modes=reverse,forward,hvp
def saturated(x: Vec) -> float:
    return np.sum(np.tanh(np.sinh(x))) + np.arctan(np.exp(x[0]))


# mooncake: modes=reverse,forward,hvp
def bounded(x: Vec) -> float:
    return np.maximum(x[0] * np.log(x[1]), -100.0)


# mooncake: modes=reverse,forward,hvp
def without_infinities(x: Vec) -> float:
    return np.sum(np.nan_to_num(1.0 / x))


# mooncake: modes=reverse,forward,hvp
def diagonal_filled(x: Vec) -> float:
    inv = np.empty((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            inv[i, j] = 1.0 / (x[i] - x[j])
    for i in range(x.shape[0]):
        inv[i, i] = 0.0
    return np.sum(inv * inv)


# mooncake: modes=reverse,forward,hvp
def norm(x: Vec) -> float:
    return np.linalg.norm(x) + x[0]


# mooncake: modes=reverse,forward,hvp
def norm_of_third_order(x: Vec) -> float:
    return np.linalg.norm(x, 3) + x[0]


# mooncake: modes=reverse,forward,hvp
def norms_of_differences(x: Vec) -> float:
    d2 = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            d2[i, j] += (x[i] - x[j]) ** 2
    return np.sum(np.sqrt(d2))


# mooncake: modes=reverse,forward,hvp
def column_norms(x: Vec) -> float:
    m = np.outer(x, np.array([1.0, 0.0]))
    return np.sum(np.linalg.norm(m, axis=0)) + np.sum(np.linalg.norm(m, 3, axis=0))


# mooncake: modes=reverse,forward,hvp
def root_of_square(x: Vec) -> float:
    return np.sum(np.sqrt(x * x)) + math.sqrt(x[0] ** 2) + x[0]


# mooncake: modes=reverse,forward,hvp
def root_of_size(x: Vec) -> float:
    return np.sum(abs(x) ** 0.5) + np.sum(np.cbrt(np.abs(x))) + x[0]


# mooncake: modes=reverse,forward,hvp
def root_of_positive_part(x: Vec) -> float:
    return np.sum(np.sqrt(np.maximum(x, 0.0)))


# mooncake: modes=reverse,forward,hvp
def root_of_larger_number(x: Vec) -> float:
    return math.sqrt(max(x[0], 0.0)) + math.sqrt(x[1] if x[1] > 0.0 else -x[1])


# mooncake: modes=reverse,forward,hvp
def emptied_tank(x: Vec) -> float:
    level, total = x[0], 0.0
    for _ in range(3):
        out = min(x[1] * math.sqrt(max(level, 0.0)), level)
        level -= out
        total += out * out
    return total


# mooncake: modes=reverse,forward,hvp
def guarded_root(x: Vec) -> float:
    r = np.sqrt(x[0] * x[0] + x[1] * x[1])
    if r > 0.0:
        return x[0] / r
    return x[0]


# mooncake: modes=reverse,forward,hvp
def deviation(x: Vec) -> float:
    return np.std(x) + np.var(x) + np.mean(x)


# mooncake: modes=reverse,forward,hvp
def deviation_of_list(x: Vec) -> float:
    return statistics.stdev([v * v for v in x]) + x[0]


# mooncake: modes=reverse,forward,hvp
def norm_of_any_order(x: Vec) -> float:
    order = 2.0 + x[0] * x[0]
    return np.sum(np.abs(x - x[0]) ** order) ** (1 / order) + x[0]


# mooncake: modes=reverse,forward,hvp
def weighted_root(x: Vec) -> float:
    return math.sqrt(x[0]) * x[1]


# mooncake: modes=reverse,forward,hvp
def root_of_a_product(x: Vec) -> float:
    return math.sqrt(x[0] * x[1]) + x[1]


# mooncake: modes=reverse,forward,hvp
def roots_of_products(x: Vec) -> float:
    steps = x[1:] * x[0]
    return np.sum(np.sqrt(steps) + steps)


# mooncake: modes=reverse,forward,hvp
def variance_from_nothing(x: Vec) -> float:
    v = 0.0
    for k in range(3):
        v = v + x[0] * (1.0 - v) * k + x[1] * math.sqrt(v * x[2])
    return v


# mooncake: modes=reverse,forward,hvp
def angles(x: Vec) -> float:
    return math.asin(x[0]) * x[1] + math.acos(x[0]) * x[1]


# mooncake: modes=reverse,forward,hvp
def products_of_all(x: Vec) -> float:
    return np.prod(x) + np.sum(np.cumprod(x))


# mooncake: modes=reverse,forward,hvp
def log_add_exp(x: Vec) -> float:
    return np.logaddexp(x[0], x[1])


# mooncake: modes=reverse,forward,hvp
def row_scaled(m: Mat) -> float:
    total = 0.0
    for i in range(m.shape[0]):
        n = np.linalg.norm(m[i])
        unit = m[i] / n
        if n > 0.0:
            total += unit[0]
    return total


# mooncake: modes=reverse,forward,hvp
def clipped_to_its_range(x: Vec) -> float:
    return np.sum(np.clip(x, x.min(), x.max()) ** 2)


# mooncake: modes=reverse,forward,hvp
def clipped_from_above(x: Vec) -> float:
    return np.sum(np.clip(x, None, x[0]) ** 2) + np.sum(np.clip(x, 1.0, None))


# mooncake: modes=reverse,forward,hvp
def clipped_between(x: Vec) -> float:
    return np.clip(x[0], x[1], x[2]) + np.clip(2, x[1], 7.0)


# mooncake: modes=reverse,forward,hvp
def clipped_from_its_least(x: Vec) -> float:
    return np.sum(np.clip(x, x.min(), 0.5) ** 2)


# mooncake: modes=reverse,forward,hvp
def clipped_by_crossed_bounds(x: Vec) -> float:
    """The upper bound wins where ``x[0]`` is above it."""
    return np.sum(np.clip(x, x[0], 0.9) * x)


# mooncake: modes=reverse,forward,hvp
def stored_exponentials(x: Vec) -> float:
    r = np.exp(x)
    s = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        s[i] = r[x.shape[0] - 1 - i] * r[i]
    return s[0] if x[1] > 100.0 else np.sum(s * s)


# mooncake: modes=reverse,forward,hvp
def reciprocals_with_a_diagonal(x: Vec) -> float:
    inv2 = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            inv2[i, j] = 1.0 / (x[i] - x[j]) ** 2
    inv6 = inv2 * inv2.T * inv2
    np.fill_diagonal(inv6, 0.0)
    return np.sum(inv6)


# mooncake: modes=reverse,forward,hvp
def first_of_squares(x: Vec) -> float:
    r = np.exp(x)
    squares = r[::-1] * r
    return squares[1]


# mooncake: modes=reverse,forward,hvp
def angle_at_the_origin(x: Vec) -> float:
    return math.atan2(x[0], x[1]) + np.arctan2(x[1], x[0]) + x[0]


# mooncake: modes=reverse,forward,hvp
def second_of_a_product(x: Vec) -> float:
    m = np.outer(np.exp(x), np.ones(x.shape[0]))
    return (m @ x)[1]


# mooncake: modes=reverse,forward,hvp
def corner_of_a_product(x: Vec) -> float:
    m = np.exp(np.outer(x, x))
    return (m @ m.T[:, 1:])[1, 0]
