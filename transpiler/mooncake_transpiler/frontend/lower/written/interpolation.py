"""SciPy's interpolants, written out: functions that make a function."""

from typing import Any

import numpy as np


def _slopes(x: Any, dx: Any, chord: Any, start: str, end: str) -> Any:
    """The derivatives of a cubic spline at its knots (de Boor, 1978), by elimination.

    The knots ``x`` are ``dx`` apart, where values change by ``chord * dx``.
    """
    n = len(x)
    diagonal, above, slopes = np.ones(n), np.zeros(n), np.zeros(n)
    if start == "not-a-knot":
        whole = x[2] - x[0]
        diagonal[0], above[0] = dx[1], whole
        slopes[0] = ((dx[0] + 2.0 * whole) * dx[1] * chord[0] + dx[0] ** 2 * chord[1]) / whole
    elif start == "natural":
        diagonal[0], above[0] = 2.0, 1.0
        slopes[0] = 3.0 * chord[0]
    for k in range(1, n - 1):
        factor = dx[k] / diagonal[k - 1]
        above[k] = dx[k - 1]
        diagonal[k] = 2.0 * (dx[k - 1] + dx[k]) - factor * above[k - 1]
        slopes[k] = 3.0 * (dx[k] * chord[k - 1] + dx[k - 1] * chord[k]) - factor * slopes[k - 1]
    if end == "not-a-knot":
        whole = x[-1] - x[-3]
        factor = whole / diagonal[-2]
        diagonal[-1] = dx[-2] - factor * above[-2]
        last = (dx[-1] ** 2 * chord[-2] + (2.0 * whole + dx[-1]) * dx[-2] * chord[-1]) / whole
        slopes[-1] = last - factor * slopes[-2]
    elif end == "natural":
        factor = 1.0 / diagonal[-2]
        diagonal[-1] = 2.0 - factor * above[-2]
        slopes[-1] = 3.0 * chord[-1] - factor * slopes[-2]
    slopes[-1] /= diagonal[-1]
    for k in range(n - 2, -1, -1):
        slopes[k] = (slopes[k] - above[k] * slopes[k + 1]) / diagonal[k]
    return slopes


def _check(x: Any, y: Any, least: int) -> None:
    if np.ndim(x) != 1 or np.ndim(y) != 1:
        raise ValueError("x and y must have one axis")
    if len(x) != len(y):
        raise ValueError("x and y must be equally long")
    if len(x) < least:
        raise ValueError("too few knots")
    for k in range(len(x) - 1):
        if not x[k + 1] > x[k]:
            raise ValueError("`x` must be strictly increasing sequence.")


def _spline(x: Any, y: Any, start: str, end: str) -> Any:
    """The cubic spline, and its derivatives."""
    for kind in (start, end):
        if kind not in ("not-a-knot", "natural", "clamped"):
            raise ValueError("bc_type must be 'not-a-knot', 'natural' or 'clamped'")
    knots, values = np.asarray(x) * 1.0, np.asarray(y) * 1.0
    _check(knots, values, 4)
    dx = knots[1:] - knots[:-1]
    chord = (values[1:] - values[:-1]) / dx
    slopes = _slopes(knots, dx, chord, start, end)
    third = (slopes[:-1] + slopes[1:] - 2.0 * chord) / dx
    second = (chord - slopes[:-1]) / dx - third
    third = third / dx

    def spline(x: Any, nu: int = 0) -> Any:
        k = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
        u = x - knots[k]
        if nu == 0:
            return values[k] + u * (slopes[k] + u * (second[k] + u * third[k]))
        if nu == 1:
            return slopes[k] + u * (2.0 * second[k] + 3.0 * u * third[k])
        if nu == 2:
            return 2.0 * second[k] + 6.0 * u * third[k]
        raise ValueError("nu must be 0, 1 or 2")

    return spline


def scipy_interpolate_CubicSpline(x: Any, y: Any, *, bc_type: Any = "not-a-knot") -> Any:
    start, end = bc_type if isinstance(bc_type, tuple) else (bc_type, bc_type)
    return _spline(x, y, start, end)


def _beyond(fill_value: Any) -> Any:
    """The values in front of the first knot and behind the last one."""
    return fill_value if isinstance(fill_value, tuple) else (fill_value, fill_value)


def _line(x: Any, knots: Any, values: Any) -> Any:
    """Straight lines through the knots, the first and the last of which go on."""
    k = np.clip(np.searchsorted(knots, x, side="left") - 1, 0, len(knots) - 2)
    slope = (values[k + 1] - values[k]) / (knots[k + 1] - knots[k])
    return slope * (x - knots[k]) + values[k]


def scipy_interpolate_interp1d(
    x: Any, y: Any, kind: str = "linear", *, bounds_error: Any = None, fill_value: Any = np.nan
) -> Any:
    if kind not in ("linear", "cubic"):
        raise ValueError("kind must be 'linear' or 'cubic'")
    spline = _spline(x, y, "not-a-knot", "not-a-knot") if kind == "cubic" else None
    knots, values = np.asarray(x) * 1.0, np.asarray(y) * 1.0
    goes_on = isinstance(fill_value, str)
    if goes_on and fill_value != "extrapolate":
        raise ValueError("fill_value must be a number, two numbers or 'extrapolate'")
    if goes_on and bounds_error:
        raise ValueError("Cannot extrapolate and raise at the same time.")
    _check(knots, values, 2 if goes_on else 1)

    def interpolant(x: Any) -> Any:
        if goes_on:
            return _line(x, knots, values) if spline is None else spline(x)
        is_strict = bounds_error is None or bounds_error
        if is_strict and (np.any(x < knots[0]) or np.any(x > knots[-1])):
            raise ValueError("A value in x is outside the interpolation range.")
        inside = np.interp(x, knots, values) if spline is None else spline(x)
        if is_strict:
            return inside
        below, above = _beyond(fill_value)
        return np.where(x < knots[0], below, np.where(x > knots[-1], above, inside))

    return interpolant
