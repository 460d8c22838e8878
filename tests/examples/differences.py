"""Derivatives by differences, extrapolated to vanishing steps (Richardson, Romberg)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

LEVELS = 4


def along(function: Callable[[float], float], step: float) -> float:
    """The derivative of ``function`` at zero: an error of order ``step**8``."""
    steps = [step / 2**k for k in range(LEVELS)]
    estimates = [(function(h) - function(-h)) / (2.0 * h) for h in steps]
    for order in range(1, LEVELS):
        factor = 4.0**order
        pairs = zip(estimates[1:], estimates[:-1], strict=True)
        estimates = [(factor * fine - coarse) / (factor - 1.0) for fine, coarse in pairs]
    return estimates[0]


def gradient(
    function: Callable[..., float], arguments: Sequence[object], place: int, step: float
) -> np.ndarray:
    """The derivative by each element of the float or array ``arguments[place]``."""
    at = np.asarray(arguments[place], dtype=np.float64)
    result = np.empty(at.shape)
    for index in np.ndindex(at.shape):
        unit = np.zeros(at.shape)
        unit[index] = 1.0
        result[index] = directional(function, arguments, {place: unit}, step)
    return result


def directional(
    function: Callable[..., float],
    arguments: Sequence[object],
    directions: dict[int, np.ndarray],
    step: float,
) -> float:
    """The derivative when each of ``arguments[place]`` moves along ``directions[place]``."""

    def moved(h: float) -> float:
        copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        for place, direction in directions.items():
            start = arguments[place]
            change = h * direction
            copies[place] = start + (change if isinstance(start, np.ndarray) else float(change))
        return function(*copies)

    return along(moved, step)
