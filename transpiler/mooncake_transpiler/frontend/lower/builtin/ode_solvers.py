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

OdeResult = namedtuple(
    "OdeResult", "t y sol t_events y_events nfev njev nlu status message success"
)


def _bogacki_shampine() -> Any:
    """Weights of stages in stages, in time, in the error (Bogacki and Shampine, 1989).

    As in the others, the last stage is taken at the end of the step.
    """
    a, c, e = np.zeros((4, 3)), np.zeros(4), np.zeros((1, 4))
    c[1], c[2], c[3] = 1 / 2, 3 / 4, 1.0
    a[1, 0], a[2, 1] = 1 / 2, 3 / 4
    a[3, 0], a[3, 1], a[3, 2] = 2 / 9, 1 / 3, 4 / 9
    e[0, 0], e[0, 1], e[0, 2], e[0, 3] = 5 / 72, -1 / 12, -1 / 9, 1 / 8
    return a, c, e


def _dormand_prince() -> Any:
    """Dormand and Prince's method of order 5 (1980)."""
    a, c, e = np.zeros((7, 6)), np.zeros(7), np.zeros((1, 7))
    c[1], c[2], c[3], c[4], c[5], c[6] = 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0
    a[1, 0] = 1 / 5
    a[2, 0], a[2, 1] = 3 / 40, 9 / 40
    a[3, 0], a[3, 1], a[3, 2] = 44 / 45, -56 / 15, 32 / 9
    a[4, 0], a[4, 1], a[4, 2], a[4, 3] = 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729
    a[5, 0], a[5, 1], a[5, 2], a[5, 3] = 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176
    a[5, 4] = -5103 / 18656
    a[6, 0], a[6, 2], a[6, 3], a[6, 4] = 35 / 384, 500 / 1113, 125 / 192, -2187 / 6784
    a[6, 5] = 11 / 84
    e[0, 0], e[0, 2], e[0, 3] = -71 / 57600, 71 / 16695, -71 / 1920
    e[0, 4], e[0, 5], e[0, 6] = 17253 / 339200, -22 / 525, 1 / 40
    return a, c, e


def _dense(method: str) -> Any:
    """Weights of stages in the powers of a polynomial over the step, from the first on."""
    if method == "RK23":
        p = np.zeros((4, 3))
        p[0, 0], p[0, 1], p[0, 2] = 1.0, -4 / 3, 5 / 9
        p[1, 1], p[1, 2] = 1.0, -2 / 3
        p[2, 1], p[2, 2] = 4 / 3, -8 / 9
        p[3, 1], p[3, 2] = -1.0, 1.0
        return p
    p = np.zeros((7, 4))  # Shampine (1986)
    p[0, 0], p[0, 1] = 1.0, -8048581381 / 2820520608
    p[0, 2], p[0, 3] = 8663915743 / 2820520608, -12715105075 / 11282082432
    p[2, 1], p[2, 2] = 131558114200 / 32700410799, -68118460800 / 10900136933
    p[2, 3] = 87487479700 / 32700410799
    p[3, 1], p[3, 2] = -1754552775 / 470086768, 14199869525 / 1410260304
    p[3, 3] = -10690763975 / 1880347072
    p[4, 1], p[4, 2] = 127303824393 / 49829197408, -318862633887 / 49829197408
    p[4, 3] = 701980252875 / 199316789632
    p[5, 1], p[5, 2] = -282668133 / 205662961, 2019193451 / 616988883
    p[5, 3] = -1453857185 / 822651844
    p[6, 1], p[6, 2], p[6, 3] = 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423
    return p


def _dop853() -> Any:
    """Dormand and Prince's method of order 8 (Hairer, Nørsett and Wanner, 1993, II.5)."""
    a, c, e = np.zeros((13, 12)), np.zeros(13), np.zeros((2, 13))
    c[1], c[2], c[3] = 0.05260015195876773, 0.0789002279381516, 0.1183503419072274
    c[4], c[5], c[6], c[7] = 0.2816496580927726, 0.3333333333333333, 0.25, 0.3076923076923077
    c[8], c[9], c[10], c[11], c[12] = 0.6512820512820513, 0.6, 0.8571428571428571, 1.0, 1.0
    a[1, 0] = 0.05260015195876773
    a[2, 0], a[2, 1] = 0.0197250569845379, 0.0591751709536137
    a[3, 0], a[3, 2] = 0.02958758547680685, 0.08876275643042054
    a[4, 0], a[4, 2], a[4, 3] = 0.2413651341592667, -0.8845494793282861, 0.924834003261792
    a[5, 0], a[5, 3], a[5, 4] = 0.037037037037037035, 0.17082860872947386, 0.12546768756682242
    a[6, 0], a[6, 3], a[6, 4] = 0.037109375, 0.17025221101954405, 0.06021653898045596
    a[6, 5] = -0.017578125
    a[7, 0], a[7, 3], a[7, 4] = 0.03709200011850479, 0.17038392571223998, 0.10726203044637328
    a[7, 5], a[7, 6] = -0.015319437748624402, 0.008273789163814023
    a[8, 0], a[8, 3], a[8, 4] = 0.6241109587160757, -3.3608926294469414, -0.868219346841726
    a[8, 5], a[8, 6], a[8, 7] = 27.59209969944671, 20.154067550477894, -43.48988418106996
    a[9, 0], a[9, 3], a[9, 4] = 0.47766253643826434, -2.4881146199716677, -0.590290826836843
    a[9, 5], a[9, 6], a[9, 7] = 21.230051448181193, 15.279233632882423, -33.28821096898486
    a[9, 8] = -0.020331201708508627
    a[10, 0], a[10, 3], a[10, 4] = -0.9371424300859873, 5.186372428844064, 1.0914373489967295
    a[10, 5], a[10, 6], a[10, 7] = -8.149787010746927, -18.52006565999696, 22.739487099350505
    a[10, 8], a[10, 9] = 2.4936055526796523, -3.0467644718982196
    a[11, 0], a[11, 3], a[11, 4] = 2.273310147516538, -10.53449546673725, -2.0008720582248625
    a[11, 5], a[11, 6], a[11, 7] = -17.9589318631188, 27.94888452941996, -2.8589982771350235
    a[11, 8], a[11, 9], a[11, 10] = -8.87285693353063, 12.360567175794303, 0.6433927460157636
    a[12, 0], a[12, 5], a[12, 6] = 0.054293734116568765, 4.450312892752409, 1.8915178993145003
    a[12, 7], a[12, 8], a[12, 9] = -5.801203960010585, 0.3111643669578199, -0.1521609496625161
    a[12, 10], a[12, 11] = 0.20136540080403034, 0.04471061572777259
    e[0, 0], e[0, 5], e[0, 6] = 0.01312004499419488, -1.2251564463762044, -0.4957589496572502
    e[0, 7], e[0, 8], e[0, 9] = 1.6643771824549864, -0.35032884874997366, 0.3341791187130175
    e[0, 10], e[0, 11] = 0.08192320648511571, -0.022355307863886294
    e[1, 0], e[1, 5], e[1, 6] = -0.18980075407240762, 4.450312892752409, 1.8915178993145003
    e[1, 7], e[1, 8], e[1, 9] = -5.801203960010585, -0.4226823213237919, -0.1521609496625161
    e[1, 10], e[1, 11] = 0.20136540080403034, 0.02265179219836082
    return a, c, e


def _rms(x: Any) -> Any:
    return math.sqrt(np.sum(x * x)) / len(x) ** 0.5


def _detached(fun: Any, t: Any, y: Any, args: Any) -> Any:
    return stop_gradient(np.asarray(fun(t, y, *args)))


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
        k[s] = _detached(fun, t + tried * direction, y + tried * direction * k[0], args)
        if s == 0:
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


def _ends(
    fun: Any, given: Any, y0: Any, args: Any, tableau: Any, order: int,
    rtol: Any, atol: Any, first_step: Any, max_step: float, limit: Any,
) -> Any:  # fmt: skip
    """The times at which steps end, and the number of calls of ``fun``.

    They go through all times that are ``given``, and end before the last one if steps become too
    small. ``order`` is that of the estimated error.
    """
    a, c, e = tableau
    stages = len(c)
    stops = stop_gradient(given)
    t, y = stops[0], stop_gradient(y0) * 1.0
    direction = 1.0 if stops[-1] >= t else -1.0
    slope, size, calls = _start(
        fun, t, stops[-1], y, args, order, rtol, atol, first_step, max_step
    )  # fmt: skip
    k = np.zeros((stages, len(y)))
    k[0] = slope
    ends = [t]
    rejected = False
    goal = 1
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
            planned = size
            after = t + size * direction
            is_cut = direction * (after - end) > 0.0
            if is_cut:
                after = end
            h = after - t
            size = abs(h)
            state = y
            for s in range(1, stages):
                state = y + _combined(k, a[s], s) * h
                k[s] = _detached(fun, t + c[s] * h, state, args)
            calls += stages - 1
            scale = atol + np.maximum(np.abs(y), np.abs(state)) * rtol
            missed = _missed(k, h, e, scale)
            factor = 10.0 if missed == 0.0 else 0.9 * missed ** (-1 / (order + 1))
            if missed < 1.0:
                size *= min(1.0 if rejected else 10.0, factor)
                if is_cut:
                    size = max(size, planned)
                t, y = after, state
                k[0] = k[stages - 1]
                rejected = False
                ends.append(t)
                if limit is not None and len(ends) > limit:
                    raise RuntimeError("too many steps: the problem is stiff, or t is too long")
            else:
                size *= max(0.2, factor)
                rejected = True
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


def _between(wanted: Any, times: Any, y: Any, k: Any, p: Any) -> Any:
    """The states at the times ``wanted``, which are in order, as far as ``times`` go."""
    stages, powers = p.shape
    direction = 1.0 if times[-1] >= times[0] else -1.0
    count = 0
    while count < len(wanted) and direction * (wanted[count] - times[-1]) <= 0.0:
        count += 1
    found = np.zeros((count, y.shape[1]))
    i = 0
    for n in range(count):
        while direction * (wanted[n] - times[i + 1]) > 0.0:
            i += 1
        h = times[i + 1] - times[i]
        x = (wanted[n] - times[i]) / h
        weights = np.zeros(stages)
        power = 1.0
        for j in range(powers):
            power *= x
            weights = weights + p[:, j] * power
        found[n] = y[i] + _combined(k[i], weights, stages) * h
    return found


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


def scipy_integrate_solve_ivp(
    fun: Any, t_span: Any, y0: Any, method: str = "RK45", t_eval: Any = None,
    *, args: Any = None, rtol: Any = 1e-3, atol: Any = 1e-6, first_step: Any = None,
    max_step: float = math.inf,
) -> Any:  # fmt: skip
    given = () if args is None else args
    begin, end = t_span
    t0, tf = float(begin), float(end)
    start = np.asarray(y0) * 1.0
    absolute = stop_gradient(np.asarray(atol) * 1.0)
    relative = np.maximum(stop_gradient(np.asarray(rtol)), 2.220446049250313e-14)
    _check_options(start, abs(tf - t0), absolute, first_step, max_step)
    tableau = _bogacki_shampine() if method == "RK23" else _dormand_prince()
    times, calls = _ends(
        fun, np.array([t0, tf]), start, given, tableau, 2 if method == "RK23" else 4,
        relative, absolute, stop_gradient(first_step), stop_gradient(max_step), None,
    )  # fmt: skip
    if t0 == tf:
        times = np.array([t0, tf])
    reached = bool(times[-1] == tf)
    times[0] = t0
    if reached:
        times[-1] = tf
    if t_eval is None:
        y, _ = _states(fun, times, start, given, tableau, False)
        t = times
    else:
        wanted = np.asarray(t_eval) * 1.0
        _check_wanted(wanted, t0, tf)
        states, k = _states(fun, times, start, given, tableau, True)
        y = _between(wanted, times, states, k, _dense(method))
        t = wanted[: len(y)]
    if reached:
        message = "The solver successfully reached the end of the integration interval."
    else:
        message = "Required step size is less than spacing between numbers."
    status = 0 if reached else -1
    return OdeResult(t, y.T, None, None, None, calls, 0, 0, status, message, reached)


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
