"""Derivatives by differences, for checking others."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Differences = Callable[[float], Vector]  # a quotient of differences, for a step
GOOD = 1e-11  # relative error: smaller steps would hardly do better


def richardson(
    f: Callable[[float], NDArray[np.inexact]],
    step: float = 1e-2,
    levels: int = 12,
    noise: float = 0.0,
) -> tuple[Vector, Vector]:
    """``f'(0)`` and an estimate of its error, elementwise.

    Central differences at halved steps, at most ``levels``, extrapolated to step 0 (Ridders'
    method). A kink farther away than the smallest step does no harm: the entry of the tableau with
    the least error wins. ``noise``: that of the values, which two of them may hide by chance.
    """
    factors = [4.0 ** (k + 1) for k in range(levels)]

    def difference(h: float) -> Vector:
        return np.asarray((f(h) - f(-h)) / (2 * h))

    return _extrapolated(difference, step, factors, noise)


def one_sided(
    f: Callable[[float], NDArray[np.inexact]],
    side: int,
    step: float = 1e-2,
    levels: int = 12,
    noise: float = 0.0,
) -> tuple[Vector, Vector]:
    """The derivative of ``f`` at 0 towards ``side`` (1 or -1), and an estimate of its error."""
    start = f(0.0)

    def difference(h: float) -> Vector:
        h *= side
        return np.asarray((4 * f(h) - f(2 * h) - 3 * start) / (2 * h))

    return _extrapolated(difference, step, [2.0 ** (k + 2) for k in range(levels)], 4 * noise)


def _extrapolated(
    difference: Differences, step: float, factors: Iterable[float], noise: float
) -> tuple[Vector, Vector]:
    """The limit of ``difference`` at halved steps, and an estimate of its error.

    The powers of the step in its error are those that the ``factors`` take away one by one.
    ``noise`` is that in differences of values.
    """
    best, error = np.zeros(0), np.zeros(0)
    above: list[Vector] = []
    known = list(factors)
    for level in range(len(known)):
        row = [difference(step / 2**level)]
        if level == 0:
            best, error = row[0], np.full(row[0].shape, np.inf)
        for k, left in enumerate(above):
            row.append((known[k] * row[k] - left) / (known[k] - 1))
            changed = np.maximum(abs(row[-1] - row[k]), abs(row[-1] - left))
            changed = np.maximum(changed, noise / (step / 2**level))
            better = changed < error  # never where something is nan
            best, error = np.where(better, row[-1], best), np.where(better, changed, error)
        if np.all(error <= GOOD * abs(best)):
            break
        above = row
    return best, error


def noise_of(f: Callable[[float], NDArray[np.inexact]], spacing: float = 1e-6) -> Vector:
    """The size of the errors in the values of ``f`` near 0, elementwise.

    By fourth differences of close values, of which a smooth ``f`` has none to speak of: those of
    independent errors are sqrt(70) times as large as these (Moré and Wild, 2011).
    """
    values = np.array([f(k * spacing) for k in range(-4, 5)])
    fourth = np.diff(values, n=4, axis=0)
    return np.asarray(np.max(abs(fourth), axis=0) / np.sqrt(70.0))


def complex_step(f: Callable[[complex], NDArray[np.inexact]]) -> Vector:
    """``f'(0)`` of an analytic ``f``, to machine precision."""
    h = 1e-30
    return np.asarray(f(1j * h).imag / h)
