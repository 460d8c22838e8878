"""The whole-array rows of the table of Mooncake.jl."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def sum_all(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """The sum of ``x``."""
    return float(np.sum(x))


def sum_sin(x: Annotated[NDArray[np.float64], "n"]) -> float:
    """The sum of the sines of ``x``."""
    return float(np.sum(np.sin(x)))


def kron_sum(
    x: Annotated[NDArray[np.float64], "n m"], y: Annotated[NDArray[np.float64], "p q"]
) -> float:
    """The sum over a Kronecker product."""
    return float(np.sum(np.kron(x, y)))


def kron_view_sum(
    x: Annotated[NDArray[np.float64], "n m"], y: Annotated[NDArray[np.float64], "p q"]
) -> float:
    """The same of a part of ``x`` and the upper triangle of ``y``."""
    return float(np.sum(np.kron(x[:20, :20].copy(), np.triu(y))))


def map_sin_cos_exp(x: Annotated[NDArray[np.float64], "n m"]) -> float:
    """A map of three functions."""
    return float(np.sum(np.sin(np.cos(np.exp(x)))))


def simple_mlp(
    w2: Annotated[NDArray[np.float64], "o h"],
    w1: Annotated[NDArray[np.float64], "h i"],
    y: Annotated[NDArray[np.float64], "o n"],
    x: Annotated[NDArray[np.float64], "i n"],
) -> float:
    """Squared error of a perceptron with one hidden layer."""
    hidden = np.maximum(w1 @ x, 0.0)
    return float(np.sum((y - w2 @ hidden) ** 2))


def gp_lml(
    x: Annotated[NDArray[np.float64], "n"], y: Annotated[NDArray[np.float64], "n"], s: float
) -> float:
    """Log marginal likelihood of a Gaussian process at ``x``, with noise variance ``s``."""
    n = x.shape[0]
    distance = x.reshape(n, 1) - x.reshape(1, n)
    covariance = np.exp(-0.5 * distance**2) + s * np.eye(n)
    lower = np.linalg.cholesky(covariance)
    z = np.empty(n)
    for i in range(n):
        t = y[i]
        for j in range(i):
            t -= lower[i, j] * z[j]
        z[i] = t / lower[i, i]
    log_det = np.sum(np.log(np.diag(lower)))
    return float(-0.5 * np.dot(z, z) - log_det - 0.5 * n * np.log(2.0 * np.pi))


def turing_broadcast(
    u: Annotated[NDArray[np.float64], "2"], data: Annotated[NDArray[np.float64], "n"]
) -> float:
    """Log joint density of log-normal ``data``; ``u`` are its parameters, unconstrained.

    Both have a normal prior (mean 1, variance 4) truncated to the interval from 0.1 to 10.
    """
    p = 1.0 / (1.0 + np.exp(-u))
    theta = 0.1 + 9.9 * p
    prior = np.sum(-0.125 * (theta - 1.0) ** 2 + np.log(9.9 * p * (1.0 - p)))
    mu = theta[0]
    sigma = theta[1]
    standard = (np.log(data) - mu) / sigma
    return float(prior + np.sum(-np.log(data) - np.log(sigma) - 0.5 * standard**2))
