"""Programs that are differentiated several times, each with a difficulty of its own."""

import math
from typing import Annotated

import numpy as np
import scipy.linalg
from mooncake_runtime import nondiff, rule_for, stop_gradient
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
CVec = Annotated[NDArray[np.complex128], "n"]
Square = Annotated[NDArray[np.float64], "n n"]


def valley(x: Vec) -> float:
    s = 0.0
    for i in range(len(x) - 1):
        s += (x[i + 1] - x[i] * x[i]) ** 2 * math.sin(x[i])
    return s


def in_place(x: Vec, a: float) -> float:
    for i in range(1, len(x)):
        x[i] = x[i - 1] * math.sin(x[i]) + a * x[i]
    x[0] *= x[len(x) - 1]
    return np.sum(x * x)


def overlapping(x: Vec, y: Vec) -> float:
    x *= y
    y[1:] += x[:-1]
    return np.sum(x * y)


def stacks(x: float, a: Vec) -> float:
    y, k = 1.0, 0
    while abs(y * y - x) > 1e-3:
        if k % 2 == 0:
            y = 0.5 * (y + x / y) + 0.01 * np.sum(np.sin(a)) * (y * y - x) ** 2
        else:
            y = 0.5 * (y + x / y)
        k += 1
    return y * np.prod(a)


def work_arrays(x: Vec) -> float:
    n = len(x)
    w = np.empty(n)
    s = 0.1
    for i in range(n):
        for j in range(n):
            w[j] = math.sin(x[j] * s)
        for j in range(n):
            s += w[j] * w[j] * x[i]
    return s


def grows(v: Vec, x: float) -> float:
    kept = []
    y = v * 1.0
    t = 0.0
    while t < 1.0:
        kept.append((t, y * x))
        y = y * x + t
        t += 0.21
    s = 0.0
    for t, a in kept:
        s += t * np.sum(a * a)
    return s


def tree(x: float, n: int) -> float:
    return x if n <= 1 else tree(x, n - 1) * math.cos(x) + tree(x * x, n - 2)


def recursive(x: float) -> float:
    return tree(x, 4)


def rebinds(x: float, y: float) -> float:
    factor = x

    def scaled(z: float) -> float:
        return factor * math.sin(z)

    first = scaled(y)
    factor = first * y
    return scaled(x) + first


def resized(x: Vec, a: float) -> float:
    y = x
    while len(y) < 9:
        y = np.concatenate((y * a, np.sin(y[:2] * y[1])))
    return np.sum(y * y)


def layer(m: Square, x: Vec) -> Vec:
    y = np.tanh(m @ x)
    return y * np.sum(y)


def spectrum(z: CVec) -> float:
    f = np.fft.fft(z * z)
    return np.sum(np.abs(f) ** 3)


def solved(m: Square, v: Vec) -> float:
    p = m @ m.T + np.eye(len(v))
    low = np.linalg.cholesky(p)
    half = scipy.linalg.solve_triangular(low, v, lower=True)
    return half @ half + np.linalg.slogdet(p)[1] + v @ np.linalg.inv(m) @ v


# mooncake: modes=reverse,hvp,reverse-over-reverse,forward-over-reverse
def triangular(m: Square, v: Vec) -> float:
    q, r = np.linalg.qr(m)
    return np.sum(q**3) + np.sum(r**2) + v @ np.linalg.solve(m, v) + np.linalg.det(m)


# mooncake: modes=reverse,hvp,reverse-over-reverse,forward-over-reverse
def spectral(m: Square) -> float:
    w, u = np.linalg.eigh(m)
    s = np.linalg.svd(m, full_matrices=False)[1]
    return np.sum(w**3) + np.sum(np.abs(u[0]) * s**2)


@nondiff
def weight(x: float) -> float:
    return x * x * x


def softplus(x: float) -> float:
    return math.log(1.0 + math.exp(x))


@rule_for(softplus)
def softplus_rule(x):  # type: ignore[no-untyped-def]
    def pullback(y_bar):  # type: ignore[no-untyped-def]
        return y_bar / (1.0 + math.exp(-x))

    return softplus(x), pullback


def ruled(x: float, y: float) -> float:
    return softplus(x * y) * math.sin(x) * weight(y) + y**3


def tilted(x: float) -> float:
    return 0.25 * x**4


@rule_for(tilted)
def tilted_rule(x):  # type: ignore[no-untyped-def]
    def pullback(y_bar):  # type: ignore[no-untyped-def]
        return y_bar * weight(x)

    return tilted(x), pullback


def constant_slope(x: float) -> float:
    return tilted(x) + x * x


def constants(x: Vec) -> float:
    return np.sum(x * stop_gradient(x) * x)
