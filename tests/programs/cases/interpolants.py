"""SciPy's interpolants: functions of knots and values, made and called where it is needed."""

import numpy as np
from kinds import Vec
from scipy.interpolate import CubicSpline, interp1d


def spline_at_a_place(y: Vec, t: float) -> float:
    spline = CubicSpline(np.arange(5.0), np.concatenate((y[:3], np.array([0.5, -0.3]))))
    return spline(t) ** 2 + spline(1.0) * t


def natural_spline(y: Vec, t: Vec) -> float:
    x = np.linspace(0.0, 2.0, 6)
    spline = CubicSpline(x, np.sin(x * y[0]) + y[1], bc_type="natural")
    return np.sum(spline(t) * y) + np.sum(spline(t, 1)) + spline(0.3, 2)


def knots_that_move(y: Vec) -> float:
    knots = np.arange(len(y)) + 0.2 * np.tanh(y)
    left, right = CubicSpline(knots, y, bc_type=("clamped", "natural"))(np.array([0.4, 1.1]))
    return left * right


def rates_by_table(y: Vec, t: float) -> float:
    rate = interp1d([-9.0, 0.5, 2.0, 9.0], np.exp(y[:4]))
    total = 0.0
    for k in range(3):
        total += rate(0.1 * k + t) * y[k]
    return total


def cubic_table(y: Vec, t: float) -> float:
    x = np.linspace(-3.0, 3.0, 6)
    table = interp1d(x, np.sin(x * y[0]) + y[1], kind="cubic")
    return float(table(0.2 * t)) * y[0]


def table_that_goes_on(y: Vec, k: float) -> float:
    table = interp1d([0.0, 1.0, 2.0], [k, 2.0 * k, 1.0], fill_value="extrapolate")
    return np.sum(table(y * 2.0)) + table(-1.0)


def table_with_ends(y: Vec, k: float) -> float:
    levels = np.array([k, 2.0 * k, 1.0])
    table = interp1d([0.0, 0.4, 0.8], levels, bounds_error=False, fill_value=(levels[0], 0.5))
    return np.sum(table(y * 2.0) ** 2)


def spline_that_goes_on(y: Vec, k: float) -> float:
    levels = np.array([k, 2.0 * k, 1.0, k * k, 0.3])
    table = interp1d([0.0, 1.0, 2.0, 2.5, 3.0], levels, kind="cubic", fill_value="extrapolate")
    return np.sum(table(y * 4.0) ** 2)
