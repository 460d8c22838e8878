"""Convolutions of matrices by ``scipy.signal``."""

import numpy as np
from kinds import Mat, Square
from scipy import signal
from scipy.signal import convolve2d, correlate2d

SOBEL = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])


def edges(x: Mat) -> Mat:
    across = convolve2d(x, SOBEL, mode="same", boundary="symm")
    down = convolve2d(x, SOBEL.T, mode="same", boundary="symm")
    return np.sqrt(across**2 + down**2 + 1.0)


def whole(x: Mat, y: Square) -> Mat:
    return convolve2d(x, y)


def inside(x: Mat, y: Square) -> Mat:
    """Either one may be the larger one."""
    large = signal.convolve2d(x, y, "full")
    return convolve2d(y, large, "valid") + convolve2d(large, y, "valid")


def on_a_torus(x: Mat, d: float) -> Mat:
    """A step of diffusion."""
    weights = np.array([[0.0, d, 0.0], [d, 1.0 - 4.0 * d, d], [0.0, d, 0.0]])
    for _ in range(2):
        x = convolve2d(x, weights, "same", "wrap")
    return x


def filled(x: Mat, level: float) -> Mat:
    """An even number of weights, lists, and another number around."""
    return convolve2d(x, [[1, 2], [3, 4.0]], "same", fillvalue=level) * x


def of_integers(x: Mat, level: float) -> Mat:
    """The numbers around them are as precise as the weights."""
    return convolve2d(np.arange(6).reshape(2, 3), x, fillvalue=level)


def neighbours(x: Mat) -> float:
    """As the game of life counts them; of bools it is integers."""
    alive = x > 0.5
    count = convolve2d(alive, np.ones((3, 3), dtype=int), mode="same") - alive
    return np.sum(x * count)


def correlated(x: Mat, y: Square) -> float:
    found = correlate2d(x, y, mode="same", boundary="symm")
    return np.sum(found * x) + np.sum(correlate2d(x, y[:2, :2]) ** 2)


def correlated_inside(x: Mat, y: Square) -> Mat:
    return correlate2d(y, correlate2d(x, y), mode="valid")


def waves(x: Mat, y: Mat) -> float:
    z = x + 1j * y
    return np.sum(np.abs(correlate2d(z, z[:2, :2], "same")) ** 2) + convolve2d(z, z).real[1, 1]


def separable(x: Mat, width: float) -> Mat:
    t = np.arange(-2.0, 3.0)
    g = np.exp(-(t**2) / (2.0 * width**2))
    g = g / g.sum()
    return convolve2d(
        convolve2d(x, g[:, None], "valid" if width < 0 else "same"), g[None, :], "same"
    )
