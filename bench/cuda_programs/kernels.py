"""Losses over CuPy's arrays that `python -m bench --cuda` measures."""

from __future__ import annotations

from typing import Annotated

import cupy as cp
from cupyx.scipy.linalg import solve_triangular

Vector = Annotated[cp.typing.NDArray[cp.float64], "_"]
Matrix = Annotated[cp.typing.NDArray[cp.float64], "_ _"]
Number = Annotated[cp.typing.NDArray[cp.float64], ""]


def sum_sin(x: Vector, y: Vector) -> Number:
    return cp.sum(cp.exp(cp.sin(x) * y))


def broadcast(x: Matrix, b: Vector) -> Number:
    return cp.sum(cp.exp(cp.sin(x) * b) / (1 + x * x))


def mlp(w1: Matrix, w2: Matrix, w3: Matrix, x: Matrix, y: Matrix) -> Number:
    h = cp.tanh(cp.tanh(x @ w1) @ w2) @ w3
    return cp.mean((h - y) ** 2)


def cross_entropy(x: Matrix, y: Matrix) -> Number:
    e = cp.exp(x)
    return -cp.sum(y * (x - cp.log(cp.sum(e, axis=1))[:, cp.newaxis])) / x.shape[0]


def gaussian_process(x: Matrix, y: Vector, noise: float) -> Number:
    d = x[:, cp.newaxis, :] - x[cp.newaxis, :, :]
    k = cp.exp(-0.5 * cp.sum(d * d, axis=2)) + noise * cp.eye(x.shape[0])
    root = cp.linalg.cholesky(k)
    a = solve_triangular(root, y, lower=True)
    return 0.5 * cp.sum(a * a) + cp.sum(cp.log(cp.diag(root)))


def heat(u: Vector, k: Vector, steps: int) -> Number:
    for _ in range(steps):
        u = u + 0.1 * k * (cp.roll(u, 1) - 2 * u + cp.roll(u, -1))
    return cp.sum(u * u)


def bodies(p: Matrix, m: Vector) -> Number:
    d = p[:, cp.newaxis, :] - p[cp.newaxis, :, :]
    r2 = cp.sum(d * d, axis=2) + 1e-3
    return -0.5 * cp.sum(m[:, cp.newaxis] * m[cp.newaxis, :] / cp.sqrt(r2))
