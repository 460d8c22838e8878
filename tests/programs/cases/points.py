"""Functions at kinks, at the border of their domain, and over memory that is shared or empty."""

import math

import numpy as np
from kinds import Mat, Other, Vec


def absolute(x: float) -> float:
    return abs(x) + np.abs(x) + math.fabs(x)


def first_maximum(x: float, y: float) -> float:
    return max(x, y)


def first_minimum(x: float, y: float) -> float:
    return min(x, y)


def even_maximum(x: float, y: float) -> float:
    return np.maximum(x, y)


def even_minimum(x: float, y: float) -> float:
    return np.minimum(x, y)


def infinite_powers(x: float) -> float:
    return x**math.inf + (x + 2.0) ** -math.inf


def clip(x: float) -> float:
    return np.clip(x, -1.0, 2.0)


def root_times(x: float, y: float) -> float:
    return math.sqrt(x) * y


def root_masked(x: float) -> float:
    return np.where(x > 0.0, np.sqrt(x), 0.0)


def log_masked(x: float, y: float) -> float:
    return np.where(x > 0.0, np.log(x), y)


def quotient_masked(x: float, y: float) -> float:
    return np.where(y != 0.0, x / y, x)


def power(x: float, a: float) -> float:
    return x**a


def zeroth_power(x: float) -> float:
    return x**0


def int_power(x: float, k: int) -> float:
    return x**k


def copied_sign(x: float, y: float) -> float:
    return math.copysign(x, y)


def distance(x: float, y: float) -> float:
    return math.sqrt(x * x + y * y) if x != 0.0 or y != 0.0 else x + y


def inner(x: Vec, y: Other) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s


def total_of_rows(m: Mat) -> float:
    s = 1.0
    for row in m:
        for v in row:
            s += v * v
    return s


def adds_into(x: Vec, y: Other) -> float:
    for i in range(len(x)):
        x[i] += y[i] * y[i]
    return x[0] * y[0] + x[-1]


def squares(x: Vec) -> Vec:
    y = np.empty_like(x)
    for i in range(len(x)):
        y[i] = x[i] * x[i]
    return y


# mooncake: modes=reverse,forward,hvp,reverse-over-reverse
def log_det(m: Mat) -> float:
    return np.linalg.slogdet(m)[1]


# mooncake: modes=reverse,forward,hvp,reverse-over-reverse
def log_det_of_regular(m: Mat) -> float:
    sign, logabsdet = np.linalg.slogdet(m)
    return logabsdet if sign != 0.0 else m[0, 0] * m[0, 1]


# mooncake: modes=reverse,forward,hvp,reverse-over-reverse
def log_det_of_regular_complex(m: Mat) -> float:
    sign, logabsdet = np.linalg.slogdet(m * (1.0 + 1.0j))
    return logabsdet + sign.real if sign != 0.0 else m[0, 0] * m[0, 1]
