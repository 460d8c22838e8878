"""Filters of ``scipy.signal``, and covariances that recursions settle at."""

import numpy as np
import scipy.linalg
from kinds import Mat, Square, Vec
from scipy import signal
from scipy.signal import lfilter


def smoothed(x: Vec, alpha: float) -> Vec:
    return lfilter([alpha], [1.0, alpha - 1.0], x)


def biquad(x: Vec, q: float) -> float:
    """``a[0]`` is not 1, and there are more of ``b``."""
    b = np.array([q, 0.5 * q, 0.1, q * q])
    a = np.array([2.0 + q * q, -0.3 * q, 0.2])
    return np.sum(signal.lfilter(b, a, x) ** 2)


def moving_average(x: Vec) -> Vec:
    return lfilter(np.ones(3) / 3, 1, x)


def in_pieces(x: Vec, q: float) -> float:
    """The second piece goes on where the first one ends, which is shorter than the filter."""
    b, a = np.array([1.0, q, 0.3, q]), np.array([1.0, -0.4 * q])
    first, state = lfilter(b, a, x[:2], zi=q * np.arange(1.0, 4.0))
    second, state = lfilter(b, a, x[2:], zi=state)
    return np.sum(first * 2.0) + np.sum(second**2) + state @ np.array([1.0, 2.0, 3.0])


def rows(x: Mat, q: float) -> float:
    return sum(lfilter([1.0, q], [1.0, 0.2, q / 4], row)[-1] for row in x)


def settled(m: Square) -> float:
    f = m / (1.0 + np.sum(m * m))
    cov = scipy.linalg.solve_discrete_lyapunov(f, m @ m.T)
    return np.trace(cov) + cov[0, -1]
