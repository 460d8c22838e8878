"""The programs written with whole arrays, for jax (``xp=jax.numpy``) and autograd alike."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from scipy.special import multigammaln

from bench.primal import PROGRAMS, load

ArrayProgram = Callable[..., Any]


def sum_loop(xp: ModuleType) -> ArrayProgram:
    return lambda x: xp.sum(x)


def sum_sin_loop(xp: ModuleType) -> ArrayProgram:
    return lambda x: xp.sum(xp.sin(x))


def naive_map(xp: ModuleType) -> ArrayProgram:
    return lambda x: xp.sum(xp.sin(xp.cos(xp.exp(x))))


def block(xp: ModuleType) -> ArrayProgram:
    straight_line: ArrayProgram = load(PROGRAMS, "block").block
    return straight_line


def kron_sum(xp: ModuleType) -> ArrayProgram:
    return lambda x, y: xp.sum(xp.kron(x, y))


def kron_view_sum(xp: ModuleType) -> ArrayProgram:
    return lambda x, y: xp.sum(xp.kron(x[:20, :20], xp.triu(y)))


def simple_mlp(xp: ModuleType) -> ArrayProgram:
    return lambda w2, w1, y, x: xp.sum((y - w2 @ xp.maximum(w1 @ x, 0.0)) ** 2)


def gp_lml(xp: ModuleType, solve_triangular: Callable[..., Any]) -> ArrayProgram:
    def objective(x: Any, y: Any, s: Any) -> Any:
        n = x.shape[0]
        covariance = xp.exp(-0.5 * (x[:, None] - x[None, :]) ** 2) + s * xp.eye(n)
        lower = xp.linalg.cholesky(covariance)
        z = solve_triangular(lower, y, lower=True)
        log_det = xp.sum(xp.log(xp.diag(lower)))
        return -0.5 * xp.dot(z, z) - log_det - 0.5 * n * np.log(2.0 * np.pi)

    return objective


def turing_broadcast(xp: ModuleType) -> ArrayProgram:
    def objective(u: Any, data: Any) -> Any:
        p = 1.0 / (1.0 + xp.exp(-u))
        theta = 0.1 + 9.9 * p
        prior = xp.sum(-0.125 * (theta - 1.0) ** 2 + xp.log(9.9 * p * (1.0 - p)))
        mu, sigma = theta[0], theta[1]
        standard = (xp.log(data) - mu) / sigma
        return prior + xp.sum(-xp.log(data) - xp.log(sigma) - 0.5 * standard**2)

    return objective


def gmm_objective(xp: ModuleType) -> ArrayProgram:
    def log_sum_exp(v: Any, axis: int) -> Any:
        top = xp.max(v, axis=axis, keepdims=True)
        return xp.squeeze(top, axis) + xp.log(xp.sum(xp.exp(v - top), axis=axis))

    def objective(alphas: Any, means: Any, q: Any, lower: Any, x: Any, gamma: Any, m: int) -> Any:
        n, d = x.shape
        k = alphas.shape[0]
        padded = xp.concatenate([np.zeros((k, 1)), lower], axis=1)
        triangles = xp.reshape(padded[:, _places(d).ravel()], (k, d, d))
        exp_q = xp.exp(q)
        sum_q = xp.sum(q, axis=1)
        centred = x[:, None, :] - means[None, :, :]
        scaled = exp_q * centred + xp.einsum("kij,nkj->nki", triangles, centred)
        terms = alphas + sum_q - 0.5 * xp.sum(scaled**2, axis=2)
        data = xp.sum(log_sum_exp(terms, 1))
        data = data - n * (0.5 * d * np.log(2.0 * np.pi) + log_sum_exp(alphas, 0))
        p = d + m + 1
        constant = p * d * np.log(gamma / np.sqrt(2.0)) - multigammaln(0.5 * p, d)
        squares = xp.sum(exp_q**2) + xp.sum(lower**2)
        return data + k * constant - 0.5 * gamma**2 * squares + m * xp.sum(sum_q)

    return objective


def _places(d: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Where each entry of a strictly lower triangle lies in its column-wise list, from one."""
    places = np.zeros((d, d), dtype=np.int64)
    rows, columns = np.triu_indices(d, 1)
    places[columns, rows] = np.arange(1, rows.size + 1)
    return places


def lstm_step(xp: ModuleType, params: Any, extra: Any, state: Any, x: Any, target: Any) -> Any:
    """One step: the new (hidden, cell) of each layer, and the log likelihood of ``target``."""
    after = []
    b = x.shape[0]
    x = x * extra[0]
    for i, (hidden, cell) in enumerate(state):
        weight, bias = params[2 * i], params[2 * i + 1]
        forget = _sigmoid(xp, x * weight[:b] + bias[:b])
        ingate = _sigmoid(xp, hidden * weight[b : 2 * b] + bias[b : 2 * b])
        outgate = _sigmoid(xp, x * weight[2 * b : 3 * b] + bias[2 * b : 3 * b])
        change = xp.tanh(hidden * weight[3 * b :] + bias[3 * b :])
        cell = cell * forget + ingate * change
        x = outgate * xp.tanh(cell)
        after.append((x, cell))
    y = x * extra[1] + extra[2]
    return after, xp.sum(target * (y - xp.log(xp.sum(xp.exp(y)) + 2.0)))


def _sigmoid(xp: ModuleType, v: Any) -> Any:
    return 1.0 / (1.0 + xp.exp(-v))
