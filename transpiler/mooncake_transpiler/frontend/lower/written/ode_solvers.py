"""SciPy's solvers of initial value problems, written out: ``solve_ivp`` and ``odeint``.

Where steps end is found first, detached, as SciPy's Runge-Kutta methods find it (Hairer, Nørsett
and Wanner, 1993, II.4). Then the steps are taken again: so the derivative is the adjoint of those
steps, and neither searches nor rejected steps are in it. The first step begins at the start and the
last one ends at the end of the interval, which may have derivatives, too.
"""

import math
from collections import namedtuple
from typing import Any

import numpy as np
from mooncake_runtime import stop_gradient

from mooncake_transpiler.frontend.lower.written.runge_kutta import (
    _bogacki_shampine,
    _dense,
    _dop853,
    _dormand_prince,
)

OdeResult = namedtuple(
    "OdeResult", "t y sol t_events y_events nfev njev nlu status message success"
)


def _rms(x: Any) -> Any:
    return math.sqrt(np.sum(x * x)) / len(x) ** 0.5


def _detached(fun: Any, t: Any, y: Any, args: Any) -> Any:
    return stop_gradient(np.asarray(fun(t, y, *args)))


def _check_unchanged(y: Any, before: Any) -> None:
    """SciPy would go on with what the function has written into its argument."""
    if np.sum(np.abs(y - before)) > 0.0:
        raise ValueError("the function that is integrated changes its argument: copy it first")


def _combined(k: Any, weights: Any, count: int) -> Any:
    total = np.zeros(k.shape[1])
    for s in range(count):
        for i in range(len(total)):
            total[i] += k[s, i] * weights[s]
    return total


def _missed(k: Any, h: float, weights: Any, scale: Any) -> Any:
    """The norm of the estimated error of a step, which may be 1."""
    error = _combined(k, weights[0], len(k))
    if len(weights) == 1:
        return _rms(error * h / scale)
    fine, coarse = _rms(error / scale), _rms(_combined(k, weights[1], len(k)) / scale)
    both = fine * fine + 0.01 * coarse * coarse
    return abs(h) * fine * fine / math.sqrt(both) if both != 0.0 else 0.0


def _start(
    fun: Any, t: float, end: float, y: Any, args: Any, order: int,
    rtol: Any, atol: Any, first_step: Any, max_step: float,
) -> Any:  # fmt: skip
    """The slope at ``t``, the size of the step that is tried first, and the number of calls."""
    length, direction = abs(end - t), 1.0 if end >= t else -1.0
    scale = atol + np.abs(y) * rtol
    calls = 2 if first_step is None and length > 0.0 else 1
    k = np.zeros((2, len(y)))
    tried, here = 0.0, 0.0
    for s in range(calls):  # at the start, and a small step behind it
        near = y + tried * direction * k[0]
        k[s] = _detached(fun, t + tried * direction, near, args)
        if s == 0:
            _check_unchanged(near, y)
            state, here = _rms(y / scale), _rms(k[0] / scale)
            tried = 1e-6 if state < 1e-5 or here < 1e-5 else 0.01 * state / here
            tried = min(tried, length)
    if first_step is not None:
        return k[0], first_step, calls
    size = 0.0
    if length > 0.0:
        bend = _rms((k[1] - k[0]) / scale) / tried
        if here <= 1e-15 and bend <= 1e-15:
            size = max(1e-6, tried * 1e-3)
        else:
            size = (0.01 / max(here, bend)) ** (1 / (order + 1))
        size = min(100.0 * tried, size, length, max_step)
    return k[0], size, calls


def _tried(
    fun: Any, k: Any, t: float, y: Any, h: float, args: Any, tableau: Any, rtol: Any, atol: Any
) -> Any:
    """The state behind a step of size ``h``, and the norm of its error; ``k`` gets the slopes."""
    a, c, e = tableau
    stages = len(c)
    state = y
    for s in range(1, stages):
        state = y + _combined(k, a[s], s) * h
        k[s] = _detached(fun, t + c[s] * h, state, args)
    _check_unchanged(state, y + _combined(k, a[stages - 1], stages - 1) * h)
    scale = atol + np.maximum(np.abs(y), np.abs(state)) * rtol
    return state, _missed(k, h, e, scale)


def _growth(missed: float, order: int, rejected: bool) -> float:
    """The next size in sizes of this step; it does not grow right behind a ``rejected`` one."""
    factor = 10.0 if missed == 0.0 else 0.9 * missed ** (-1 / (order + 1))
    if missed < 1.0:
        return min(1.0 if rejected else 10.0, factor)
    return max(0.2, factor)


def _check_few(ends: Any, limit: Any) -> None:
    if limit is not None and len(ends) > limit:
        raise RuntimeError("too many steps: the problem is stiff, or t is too long")


def _ends(
    fun: Any, given: Any, y0: Any, args: Any, tableau: Any, order: int,
    rtol: Any, atol: Any, first_step: Any, max_step: float, limit: Any,
) -> Any:  # fmt: skip
    """The times at which steps end, among them all that are ``given``, and the number of calls.

    They end earlier if steps become too small. ``order`` is that of the estimated error.
    """
    stages, stops = len(tableau[1]), stop_gradient(given)
    t, y = stops[0], stop_gradient(y0) * 1.0
    direction = 1.0 if stops[-1] >= t else -1.0
    k = np.zeros((stages, len(y)))
    k[0], size, calls = _start(
        fun, t, stops[-1], y, args, order, rtol, atol, first_step, max_step
    )  # fmt: skip
    ends, rejected, goal = [t], False, 1
    while goal < len(stops):
        end = stops[goal]
        least = 10.0 * abs(np.nextafter(t, direction * np.inf) - t)
        if not rejected:
            size = min(max(size, least), max_step)
        if direction * (end - t) <= 0.0:
            goal += 1
        elif size < least:
            goal = len(stops)
        else:
            beyond = t + size * direction
            is_cut = direction * (beyond - end) > 0.0
            after = end if is_cut else beyond
            planned, size = size, abs(after - t)
            state, missed = _tried(fun, k, t, y, after - t, args, tableau, rtol, atol)
            calls += stages - 1
            size *= _growth(missed, order, rejected)
            rejected = not missed < 1.0
            if not rejected:
                size = max(size, planned) if is_cut else size
                t, y, k[0] = after, state, k[stages - 1]
                ends.append(t)
                _check_few(ends, limit)
    return np.array(ends), calls


def _states(fun: Any, times: Any, y0: Any, args: Any, tableau: Any, dense: bool) -> Any:
    """The states at ``times``, and the slopes in all stages of the steps between them."""
    a, c, _ = tableau
    last, count = len(c) - 1, len(times) - 1
    y = np.zeros((count + 1, len(y0)))
    k = np.zeros((count, len(c), len(y0)))
    y[0] = y0
    for i in range(count):
        h = times[i + 1] - times[i]
        for s in range(last + 1 if dense else last):
            k[i, s] = fun(times[i] + c[s] * h, y[i] + _combined(k[i], a[s], s) * h, *args)
        y[i + 1] = y[i] + _combined(k[i], a[last], last) * h
    return y, k


def _interpolated(t: Any, times: Any, y: Any, k: Any, p: Any) -> Any:
    """The state at ``t``, by the polynomial of the step that it is in."""
    stages, powers = p.shape
    direction = 1.0 if times[-1] >= times[0] else -1.0
    i, last = 0, len(times) - 2
    while i < last:
        middle = (i + last) // 2
        if direction * (t - times[middle + 1]) > 0.0:
            i = middle + 1
        else:
            last = middle
    h = times[i + 1] - times[i]
    x = (t - times[i]) / h if h != 0.0 else 0.0
    weights = np.zeros(stages)
    power = 1.0
    for j in range(powers):
        power *= x
        weights = weights + p[:, j] * power
    return y[i] + _combined(k[i], weights, stages) * h


def _between(wanted: Any, times: Any, y: Any, k: Any, p: Any) -> Any:
    """The states at the times ``wanted``, which are in order, as far as ``times`` go."""
    direction = 1.0 if times[-1] >= times[0] else -1.0
    count = 0
    while count < len(wanted) and direction * (wanted[count] - times[-1]) <= 0.0:
        count += 1
    found = np.zeros((count, y.shape[1]))
    for n in range(count):
        found[n] = _interpolated(wanted[n], times, y, k, p)
    return found


def _solution(times: Any, y: Any, k: Any, p: Any) -> Any:
    """The solution as a function of a time, or of an array of times."""
    if len(times) < 2:
        raise RuntimeError("there is no solution: the first step is too small")

    def solution(t: Any) -> Any:
        if np.ndim(t) == 0:
            return _interpolated(t, times, y, k, p)
        wanted = np.asarray(t)
        found = np.zeros((y.shape[1], len(wanted)))
        for n in range(len(wanted)):
            found[:, n] = _interpolated(wanted[n], times, y, k, p)
        return found

    return solution


def _check_options(y0: Any, length: float, atol: Any, first_step: Any, max_step: float) -> None:
    if not np.all(np.isfinite(y0)):
        raise ValueError("All components of the initial state `y0` must be finite.")
    if max_step <= 0.0:
        raise ValueError("`max_step` must be positive.")
    if first_step is not None:
        if first_step <= 0.0:
            raise ValueError("`first_step` must be positive.")
        if first_step > length:
            raise ValueError("`first_step` exceeds bounds.")
    if np.ndim(atol) > 0 and np.shape(atol) != (len(y0),):
        raise ValueError("`atol` has wrong shape.")
    if np.any(atol < 0.0):
        raise ValueError("`atol` must be positive.")


def _check_wanted(wanted: Any, t0: float, tf: float) -> None:
    if t0 == tf:
        raise ValueError("`t_span` is empty: there is nothing at `t_eval`")
    for i in range(len(wanted)):
        if wanted[i] < min(t0, tf) or wanted[i] > max(t0, tf):
            raise ValueError("Values in `t_eval` are not within `t_span`.")
        if i > 0 and (wanted[i] <= wanted[i - 1] if tf > t0 else wanted[i] >= wanted[i - 1]):
            raise ValueError("Values in `t_eval` are not properly sorted.")


def _tableau(method: str) -> Any:
    """The weights of a method, and the order by which its errors are judged."""
    if method == "RK23":
        return _bogacki_shampine(), 2
    if method == "DOP853":
        return _dop853(), 7
    return _dormand_prince(), 4


def scipy_integrate_solve_ivp(
    fun: Any, t_span: Any, y0: Any, method: str = "RK45", t_eval: Any = None,
    dense_output: bool = False, *, args: Any = None, rtol: Any = 1e-3, atol: Any = 1e-6,
    first_step: Any = None, max_step: float = math.inf,
) -> Any:  # fmt: skip
    given = () if args is None else args
    begin, end = t_span
    t0, tf = float(begin), float(end)
    start = np.asarray(y0) * 1.0
    absolute = stop_gradient(np.asarray(atol) * 1.0)
    relative = np.maximum(stop_gradient(np.asarray(rtol)), 2.220446049250313e-14)
    _check_options(start, abs(tf - t0), absolute, first_step, max_step)
    tableau, order = _tableau(method)
    times, calls = _ends(
        fun, np.array([t0, tf]), start, given, tableau, order,
        relative, absolute, stop_gradient(first_step), stop_gradient(max_step), None,
    )  # fmt: skip
    if t0 == tf:
        times = np.array([t0, tf])
    reached = bool(times[-1] == tf)
    times[0] = t0
    if reached:
        times[-1] = tf
    is_dense = t_eval is not None or dense_output
    states, k = _states(fun, times, start, given, tableau, is_dense)
    p = _dense(method) if is_dense else None
    if t_eval is None:
        t, y = times, states
    else:
        wanted = np.asarray(t_eval) * 1.0
        _check_wanted(wanted, t0, tf)
        y = _between(wanted, times, states, k, p)
        t = wanted[: len(y)]
    sol = _solution(times, states, k, p) if dense_output else None
    if reached:
        message = "The solver successfully reached the end of the integration interval."
    else:
        message = "Required step size is less than spacing between numbers."
    status = 0 if reached else -1
    return OdeResult(t, y.T, sol, None, None, calls, 0, 0, status, message, reached)


def scipy_integrate_odeint(
    func: Any, y0: Any, t: Any, args: Any = (), *, rtol: float = 1.49e-8, atol: float = 1.49e-8,
    hmax: float = 0.0, mxstep: int = 0, tfirst: bool = False,
) -> Any:  # fmt: skip
    """By steps that are more accurate than those of LSODA are asked to be, and end at all ``t``."""
    given = args if isinstance(args, tuple) else (args,)
    wanted = np.asarray(t) * 1.0
    if len(wanted) == 0:
        raise ValueError("t is empty")
    start = np.atleast_1d(np.asarray(y0)) * 1.0
    direction = 1.0 if wanted[-1] >= wanted[0] else -1.0
    for i in range(len(wanted) - 1):
        if direction * (wanted[i + 1] - wanted[i]) < 0.0:
            raise ValueError(
                "The values in t must be monotonically increasing or monotonically decreasing; "
                "repeated values are allowed."
            )

    def fun(t: Any, y: Any) -> Any:
        return func(t, y, *given) if tfirst else func(y, t, *given)

    tableau = _dop853()
    times, _ = _ends(
        fun, wanted, start, (), tableau, 7, 1e-12, 1e-12, None,
        stop_gradient(hmax) if hmax > 0.0 else math.inf, 100_000,
    )  # fmt: skip
    if times[-1] != wanted[-1]:
        raise RuntimeError("steps become too small: the solution is singular")
    places = np.zeros(len(wanted), np.int64)
    i = 0
    for n in range(len(wanted)):
        while times[i] != wanted[n]:
            i += 1
        times[i] = wanted[n]
        places[n] = i
    states, _ = _states(fun, times, start, (), tableau, False)
    return states[places]
