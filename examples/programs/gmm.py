"""Log posterior of a Gaussian mixture with a Wishart prior on its precisions (ADBench's GMM).

Component ``a`` has the weight softmax(alphas)[a], the mean ``means[a]`` and the precision
``Q.T @ Q``. ``Q`` is lower triangular: exp(q[a]) on the diagonal, and below it ``lower[a]``,
column by column.
"""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=alphas,means,q,lower
def gmm_objective(
    alphas: Annotated[NDArray[np.float64], "k"],
    means: Annotated[NDArray[np.float64], "k d"],
    q: Annotated[NDArray[np.float64], "k d"],
    lower: Annotated[NDArray[np.float64], "k _"],
    x: Annotated[NDArray[np.float64], "n d"],
    gamma: float,
    m: int,
) -> float:
    """Log posterior of the data ``x`` (n points in d dimensions), up to a constant factor."""
    n, d = x.shape
    k = alphas.shape[0]
    sum_q = np.empty(k)
    exp_q = np.empty((k, d))
    for a in range(k):
        sum_qa = 0.0
        for b in range(d):
            sum_qa += q[a, b]
            exp_q[a, b] = math.exp(q[a, b])
        sum_q[a] = sum_qa

    centred = np.empty(d)
    scaled = np.empty(d)  # Q (x - mean) of one component
    terms = np.empty(k)
    total = 0.0
    for i in range(n):
        for a in range(k):
            for b in range(d):
                centred[b] = x[i, b] - means[a, b]
                scaled[b] = exp_q[a, b] * centred[b]
            for b in range(d - 1):
                start = b * (2 * d - b - 1) // 2
                for c in range(d - 1 - b):
                    scaled[b + 1 + c] += lower[a, start + c] * centred[b]
            squares = 0.0
            for b in range(d):
                squares += scaled[b] * scaled[b]
            terms[a] = alphas[a] + sum_q[a] - 0.5 * squares
        total += _log_sum_exp(terms)

    total -= n * (0.5 * d * math.log(2.0 * math.pi) + _log_sum_exp(alphas))
    return total + _log_wishart_prior(sum_q, exp_q, lower, gamma, m)


def _log_sum_exp(
    v: Annotated[NDArray[np.float64], "k"],
) -> float:
    largest = v[0]
    for a in range(1, v.shape[0]):
        largest = max(largest, v[a])
    total = 0.0
    for a in range(v.shape[0]):
        total += math.exp(v[a] - largest)
    return largest + math.log(total)


def _log_wishart_prior(
    sum_q: Annotated[NDArray[np.float64], "k"],
    exp_q: Annotated[NDArray[np.float64], "k d"],
    lower: Annotated[NDArray[np.float64], "k _"],
    gamma: float,
    m: int,
) -> float:
    k, d = exp_q.shape
    squares = 0.0
    sum_log = 0.0
    for a in range(k):
        for b in range(d):
            squares += exp_q[a, b] * exp_q[a, b]
        for b in range(lower.shape[1]):
            squares += lower[a, b] * lower[a, b]
        sum_log += sum_q[a]
    p = d + m + 1
    constant = p * d * math.log(gamma / math.sqrt(2.0)) - _log_multigamma(0.5 * p, d)
    return k * constant - 0.5 * gamma * gamma * squares + m * sum_log


def _log_multigamma(a: float, d: int) -> float:
    """Logarithm of the multivariate gamma function of order ``d``."""
    value = 0.25 * d * (d - 1) * math.log(math.pi)
    for j in range(d):
        value += math.lgamma(a - 0.5 * j)
    return value
