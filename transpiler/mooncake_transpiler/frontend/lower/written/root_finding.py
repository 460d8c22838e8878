"""SciPy's root finders, written out: ``scipy_optimize_brentq`` is ``scipy.optimize.brentq``.

The search itself is detached, and its result x has the derivative of the root, by the implicit
function theorem:

    f(x, p) = 0        dx = -(df/dp) dp / (df/dx)

It comes from steps of Newton's method behind the search. Each one, with a detached slope c for
df/dx, makes what is missing of the derivative smaller by the factor 1 - (df/dx) / c, so a few are
enough, for derivatives of second order as well. The value is that of the search, to the last bit.
"""

import math
from typing import Any

from mooncake_runtime import stop_gradient


def _detached(f: Any, x: float, args: Any) -> Any:
    return stop_gradient(f(x, *args))


def _as_tuple(args: Any) -> Any:
    return args if isinstance(args, tuple) else (args,)


def _slope(f: Any, x: float, args: Any, width: float) -> Any:
    """The slope of f at x, within 1e-3 of itself, from detached values inside the bracket.

    ``width`` is signed: the way from x to the farther end of the bracket.
    """
    here = _detached(f, x, args)
    step = 1e-3 * width
    slope = (_detached(f, x + step, args) - here) / step
    for _ in range(24):
        step *= 0.1
        finer = (_detached(f, x + step, args) - here) / step
        if abs(finer - slope) <= 1e-3 * abs(finer):
            return finer
        slope = finer
    return 0.0


def _implicit(f: Any, root: float, args: Any, slope: float) -> float:
    """``root``, with its derivative.

    The slope must be that of a wide neighbourhood, beside how far the root is away: at a multiple
    root, which has no derivative, it is not.
    """
    here = _detached(f, root, args)
    way = 100.0 * here / slope if slope != 0.0 else math.nan
    wide = slope if way == 0.0 else (here - _detached(f, root - way, args)) / way
    if not abs(wide - slope) <= 0.5 * abs(slope):
        raise RuntimeError("the root has no derivative: it is a multiple one, or inaccurate")
    x = root
    for _ in range(4):
        x = x - f(x, *args) / slope
    return root + (x - stop_gradient(x))


def _check_bracket(xtol: float, rtol: float, maxiter: int) -> None:
    if xtol <= 0:
        raise ValueError("xtol too small")
    if rtol < 8.881784197001252e-16:
        raise ValueError("rtol too small")
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")


def _check_found(found: bool) -> None:
    if not found:
        raise RuntimeError("Failed to converge")


def _bracketed(f: Any, root: float, a: float, b: float, args: Any) -> float:
    """``root`` between ``a`` and ``b``, with its derivative."""
    width = b - root if abs(b - root) > abs(a - root) else a - root
    return _implicit(f, root, args, _slope(f, root, args, width))


def _brent_step(
    places: Any, values: Any, last: float, step: float, half: float, least: float
) -> Any:
    """The step before the next one, and that: to a secant's or parabola's root, or the middle."""
    before, now, other = places
    f_before, f_now, f_other = values
    if abs(last) > least and abs(f_now) < abs(f_before):
        if before == other:  # a secant
            trial = -f_now * (now - before) / (f_now - f_before)
        else:  # a parabola
            d_before = (f_before - f_now) / (before - now)
            d_other = (f_other - f_now) / (other - now)
            trial = (
                -f_now * (f_other * d_other - f_before * d_before)
                / (d_other * d_before * (f_other - f_before))
            )  # fmt: skip
        if 2 * abs(trial) < min(abs(last), 3 * abs(half) - least):
            return step, trial
    return half, half


def scipy_optimize_brentq(
    f: Any, a: float, b: float, args: Any = (), xtol: float = 2e-12,
    rtol: float = 8.881784197001252e-16, maxiter: int = 100,
) -> float:  # fmt: skip
    """Brent (1973), as SciPy steps."""
    _check_bracket(xtol, rtol, maxiter)
    given = _as_tuple(args)
    start, end = stop_gradient(float(a)), stop_gradient(float(b))
    before, now = start, end
    f_before, f_now = _detached(f, before, given), _detached(f, now, given)
    if f_before == 0.0:
        now, f_now = before, f_before
    elif f_now != 0.0 and (f_before < 0.0) == (f_now < 0.0):
        raise ValueError("f(a) and f(b) must have different signs")
    other, f_other, last, step = 0.0, 0.0, 0.0, 0.0
    found, count = f_now == 0.0, 0
    while not found and count < maxiter:
        count += 1
        if f_before != 0.0 and f_now != 0.0 and (f_before < 0.0) != (f_now < 0.0):
            other, f_other = before, f_before
            last = step = now - before
        if abs(f_other) < abs(f_now):
            before, now, other = now, other, now
            f_before, f_now, f_other = f_now, f_other, f_now
        least = (xtol + rtol * abs(now)) / 2
        half = (other - now) / 2
        if f_now == 0.0 or abs(half) < least:
            found = True
        else:
            last, step = _brent_step(
                (before, now, other), (f_before, f_now, f_other), last, step, half, least
            )
            before, f_before = now, f_now
            if abs(step) > least:
                now += step
            else:
                now += least if half > 0.0 else -least
            f_now = _detached(f, now, given)
    _check_found(found)
    return _bracketed(f, now, start, end, given)


def scipy_optimize_bisect(
    f: Any, a: float, b: float, args: Any = (), xtol: float = 2e-12,
    rtol: float = 8.881784197001252e-16, maxiter: int = 100,
) -> float:  # fmt: skip
    _check_bracket(xtol, rtol, maxiter)
    given = _as_tuple(args)
    start, end = stop_gradient(float(a)), stop_gradient(float(b))
    f_start, f_end = _detached(f, start, given), _detached(f, end, given)
    low, root, width = start, start, end - start
    found = f_start == 0.0
    if not found and f_end == 0.0:
        root, found = end, True
    if not found and (f_start < 0.0) == (f_end < 0.0):
        raise ValueError("f(a) and f(b) must have different signs")
    count = 0
    while not found and count < maxiter:
        count += 1
        width *= 0.5
        root = low + width
        f_root = _detached(f, root, given)
        if (f_root < 0.0) == (f_start < 0.0) and f_root != 0.0:
            low = root
        found = f_root == 0.0 or abs(width) < xtol + rtol * abs(root)
    _check_found(found)
    return _bracketed(f, root, start, end, given)


def _tangents(
    func: Any, fprime: Any, fprime2: Any, x: float, args: Any, tol: float, rtol: float, maxiter: int
) -> float:  # fmt: skip
    """The root by Newton's method, or Halley's with ``fprime2``, without derivative."""
    found = False
    count = 0
    while not found and count < maxiter:
        count += 1
        y = _detached(func, x, args)
        if y == 0.0:
            found = True
        else:
            slope = _detached(fprime, x, args)
            if slope == 0.0:
                raise RuntimeError("Derivative was zero.")
            step = y / slope
            if fprime2 is not None:
                bend = step * _detached(fprime2, x, args) / slope / 2.0
                if abs(bend) < 1.0:
                    step /= 1.0 - bend
            after = x - step
            found = math.isclose(after, x, rel_tol=rtol, abs_tol=tol)
            x = after
    _check_found(found)
    return x


def _secants(
    func: Any, x: float, other: float, args: Any, tol: float, rtol: float, maxiter: int
) -> float:
    """The root by the secant method from ``x`` and ``other``, without derivative."""
    first, last = x, other
    y_first, y_last = _detached(func, first, args), _detached(func, last, args)
    if abs(y_last) < abs(y_first):
        first, last, y_first, y_last = last, first, y_last, y_first
    found = False
    count = 0
    while not found and count < maxiter:
        count += 1
        if y_last == y_first:
            if last != first:
                raise RuntimeError("Tolerance was reached.")
            after = (last + first) / 2.0
            found = True
        elif abs(y_last) > abs(y_first):
            after = (-y_first / y_last * last + first) / (1.0 - y_first / y_last)
        else:
            after = (-y_last / y_first * first + last) / (1.0 - y_last / y_first)
        found = found or math.isclose(after, last, rel_tol=rtol, abs_tol=tol)
        if found:
            x = after
        else:
            first, y_first, last = last, y_last, after
            y_last = _detached(func, last, args)
    _check_found(found)
    return x


def scipy_optimize_newton(
    func: Any, x0: float, fprime: Any = None, args: Any = (), tol: float = 1.48e-8,
    maxiter: int = 50, fprime2: Any = None, x1: Any = None, rtol: float = 0.0,
) -> float:  # fmt: skip
    """Newton's method if there is ``fprime``, Halley's with ``fprime2``, else the secant method."""
    if tol <= 0:
        raise ValueError("tol too small")
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")
    given = _as_tuple(args)
    start = stop_gradient(float(x0))
    if fprime is not None:
        root = _tangents(func, fprime, fprime2, start, given, tol, rtol, maxiter)
        return _implicit(func, root, given, _detached(fprime, root, given))
    if x1 is not None:
        other = stop_gradient(float(x1))
        if other == start:
            raise ValueError("x1 and x0 must be different")
    else:
        other = start * (1.0 + 1e-4)
        other += 1e-4 if other >= 0.0 else -1e-4
    root = _secants(func, start, other, given, tol, rtol, maxiter)
    return _implicit(func, root, given, _slope(func, root, given, other - start))


def scipy_optimize_fixed_point(
    func: Any, x0: float, args: Any = (), xtol: float = 1e-8, maxiter: int = 500,
    method: str = "del2",
) -> float:  # fmt: skip
    """Steffensen's method with Aitken's acceleration, or plain iteration."""
    given = _as_tuple(args)
    x = stop_gradient(float(x0))
    found = False
    count = 0
    while not found and count < maxiter:
        count += 1
        after = _detached(func, x, given)
        if method == "del2":
            second = _detached(func, after, given)
            bend = second - 2.0 * after + x
            after = x - (after - x) * (after - x) / bend if bend != 0.0 else second
        change = (after - x) / x if x != 0.0 else after
        found = abs(change) < xtol
        x = after
    _check_found(found)

    def residual(x: Any, *args: Any) -> Any:
        return x - func(x, *args)

    width = 1e-3 * max(abs(x), 1e-3)
    return _implicit(residual, x, given, _slope(residual, x, given, width))
