"""Derivatives by differences, for checking others."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
GOOD = 1e-11  # relative error: smaller steps would hardly do better


def richardson(
    f: Callable[[float], NDArray[np.inexact]], step: float = 1e-2, levels: int = 12
) -> tuple[Vector, Vector]:
    """``f'(0)`` and an estimate of its error, elementwise.

    Central differences at halved steps, at most ``levels``, extrapolated to step 0 (Ridders'
    method). A kink farther away than the smallest step does no harm: the entry of the tableau with
    the least error wins.
    """
    best, error = np.zeros(0), np.zeros(0)
    above: list[Vector] = []
    for level in range(levels):
        h = step / 2**level
        row = [np.asarray((f(h) - f(-h)) / (2 * h))]
        if level == 0:
            best, error = row[0], np.full(row[0].shape, np.inf)
        for k, left in enumerate(above):
            factor = 4.0 ** (k + 1)
            row.append((factor * row[k] - left) / (factor - 1))
            changed = np.maximum(abs(row[-1] - row[k]), abs(row[-1] - left))
            better = changed < error  # never where something is nan
            best, error = np.where(better, row[-1], best), np.where(better, changed, error)
        if np.all(error <= GOOD * abs(best)):
            break
        above = row
    return best, error


def complex_step(f: Callable[[complex], NDArray[np.inexact]]) -> Vector:
    """``f'(0)`` of an analytic ``f``, to machine precision."""
    h = 1e-30
    return np.asarray(f(1j * h).imag / h)
