"""``scipy.optimize.fsolve`` and ``root``, written out for systems of equations.

The search is Powell's hybrid method as MINPACK steps (Moré, Garbow and Hillstrom, 1980): detached,
with Broyden's updates of the Jacobian itself. Its result has the derivative of the root, by the
implicit function theorem:

    f(x, p) = 0        dx = -(df/dx)^-1 (df/dp) dp

It comes from steps of Newton's method behind the search, whose Jacobian is detached.
"""

import math
from collections import namedtuple
from typing import Any

import numpy as np
from mooncake_runtime import stop_gradient

OptimizeResult = namedtuple("OptimizeResult", "x success status message fun")


def _norm(x: Any) -> Any:
    return math.sqrt(np.sum(x * x))


def _called(fun: Any, x: Any, args: Any) -> Any:
    """The detached value at ``x``; SciPy would go on with what the function has written there."""
    given = x * 1.0
    found = stop_gradient(np.asarray(fun(given, *args)))
    if np.sum(np.abs(given - x)) > 0.0:
        raise ValueError("the function whose root is sought changes its argument: copy it first")
    return found


def _linearise(fun: Any, fprime: Any, x: Any, args: Any, value: Any, jacobian: Any) -> None:
    """Write the value and the Jacobian, by forward differences unless there is ``fprime``."""
    n = len(x)
    for j in range(n + 1 if fprime is None else 1):
        moved = x * 1.0
        step = 1.4901161193847656e-08
        if j > 0:
            if x[j - 1] != 0.0:
                step *= abs(x[j - 1])
            moved[j - 1] += step
        found = _called(fun, moved, args)
        if np.size(found) != n:
            raise TypeError("there must be as many equations as unknowns")
        if j == 0:
            value[:] = found
        else:
            jacobian[:, j - 1] = (found - value) / step
    if fprime is not None:
        jacobian[:] = stop_gradient(np.asarray(fprime(x, *args)))


def _dogleg(jacobian: Any, value: Any, scale: Any, radius: float) -> Any:
    """The best step against Newton's and the steepest one that is no longer than ``radius``."""
    newton = np.linalg.solve(jacobian, value)
    length = _norm(scale * newton)
    if length <= radius:
        return -newton
    steepest = (jacobian.T @ value) / scale
    slope = _norm(steepest)
    if slope == 0.0:
        return -newton * (radius / length)
    steepest = steepest / slope / scale
    change = _norm(jacobian @ steepest)
    best = slope / change / change
    share = 0.0  # of Newton's step
    if best < radius:
        near, part = best / radius, radius / length
        first = (_norm(value) / slope) * (_norm(value) / length) * near
        behind = (first - part) ** 2 + (1.0 - part * part) * (1.0 - near * near)
        share = part * (1.0 - near * near) / (first - part * near * near + math.sqrt(behind))
    return -((1.0 - share) * min(best, radius) * steepest + share * newton)


def _lengths(jacobian: Any) -> Any:
    """The norms of the columns."""
    return np.sqrt(np.sum(jacobian * jacobian, axis=0))


def _reduced(size: float, after: float) -> float:
    """The part of the sum of squares that a step takes away; -1 if it takes nothing."""
    return 1.0 - (after / size) ** 2 if after < size else -1.0


def _radius(radius: float, length: float, ratio: float, successes: int) -> float:
    """The radius of the region that is trusted next, behind a step of ``length``."""
    if ratio < 0.1:
        return radius * 0.5
    if abs(ratio - 1.0) <= 0.1:
        return length / 0.5
    return max(radius, length / 0.5) if ratio >= 0.5 or successes > 1 else radius


def _check_calls(calls: int, limit: int) -> None:
    if calls >= limit:
        raise RuntimeError("The number of calls to function has reached maxfev.")


def _check_progress(reach: float, moved: float, slow_jacobians: int, slow: int) -> None:
    if 0.1 * moved <= 2.220446049250313e-16 * reach:
        raise RuntimeError("xtol is too small, no further improvement is possible.")
    if slow_jacobians == 5 or slow == 10:
        raise RuntimeError("The iteration is not making good progress.")


def _search(
    fun: Any, fprime: Any, x0: Any, args: Any, xtol: float, maxfev: int, factor: float
) -> Any:  # fmt: skip
    """A root near ``x0``; a RuntimeError if none is found."""
    x, n = stop_gradient(x0) * 1.0, len(x0)
    limit = maxfev if maxfev > 0 else (200 if fprime is None else 100) * (n + 1)
    value, jacobian, scale = np.zeros(n), np.zeros((n, n)), np.zeros(n)
    size, radius, is_new, found = 0.0, factor, True, False
    calls, steps, failures, successes, slow, slow_jacobians = 1, 0, 0, 0, 0, 0
    while not found:
        if is_new:
            _linearise(fun, fprime, x, args, value, jacobian)
            calls += n if fprime is None else 0
            size, lengths = _norm(value), _lengths(jacobian)
            least = np.where(lengths == 0.0, 1.0, lengths) if steps == 0 else lengths
            scale[:] = np.maximum(scale, least)
            radius = radius if steps > 0 else factor * _norm(scale * x) or factor
        step = _dogleg(jacobian, value, scale, radius)
        length = _norm(scale * step)
        radius = radius if steps > 0 else min(radius, length)
        after = _called(fun, x + step, args) + np.zeros(n)
        calls, size_after = calls + 1, _norm(after)
        linear = value + jacobian @ step
        expected, reduced = _reduced(size, _norm(linear)), _reduced(size, size_after)
        ratio = reduced / expected if expected > 0.0 else 0.0
        successes, failures = (0, failures + 1) if ratio < 0.1 else (successes + 1, 0)
        radius = _radius(radius, length, ratio, successes)
        if length > 0.0:
            jacobian += np.outer((after - linear) / length, scale * (scale * step) / length)
        if ratio >= 1e-4:
            x += step
            value[:], size, steps = after, size_after, steps + 1
        slow = 0 if reduced >= 0.001 else slow + 1
        slow_jacobians = 0 if reduced >= 0.1 else slow_jacobians + (1 if is_new else 0)
        is_new, reach = failures == 2, _norm(scale * x)
        found = radius <= xtol * reach or size == 0.0
        if not found:
            _check_calls(calls, limit)
            _check_progress(reach, max(0.1 * radius, length), slow_jacobians, slow)
    return x


def _implicit(fun: Any, root: Any, args: Any) -> Any:
    """``root``, with its derivative.

    Slopes to both sides must agree about the steps of Newton's method, as they do at a simple root.
    """
    n = len(root)
    above, below = np.zeros((n, n)), np.zeros((n, n))
    middle = np.zeros(n)
    for j in range(2 * n + 1):  # at the root, then to both sides along each axis
        moved = root * 1.0
        axis, width = (j - 1) // 2, 0.0
        if j > 0:
            width = 1e-6 * max(abs(root[axis]), 1e-3)
            width = width if j % 2 == 0 else -width
            moved[axis] += width
        found = stop_gradient(np.asarray(fun(moved, *args)))
        if j == 0:
            middle[:] = found
        elif j % 2 == 0:
            above[:, axis] = (found - middle) / width
        else:
            below[:, axis] = (found - middle) / width
    inverse = np.linalg.inv((above + below) / 2.0)
    if not np.max(np.abs(inverse @ (above - below))) <= 0.1:
        raise RuntimeError("the root has no derivative: it is a multiple one, or inaccurate")
    x = root * 1.0
    for _ in range(4):
        x = x - inverse @ (np.asarray(fun(x, *args)) + np.zeros(n))
    return root + (x - stop_gradient(x))


def _solved(
    fun: Any, x0: Any, args: Any, fprime: Any, xtol: float, maxfev: int, factor: float
) -> Any:  # fmt: skip
    start = np.atleast_1d(np.asarray(x0)).flatten() * 1.0
    given = args if isinstance(args, tuple) else (args,)
    root = _search(fun, fprime, start, given, xtol, maxfev, factor)
    return _implicit(fun, root, given)


def scipy_optimize_fsolve(
    func: Any, x0: Any, args: Any = (), fprime: Any = None, *, xtol: float = 1.49012e-08,
    maxfev: int = 0, factor: float = 100.0,
) -> Any:  # fmt: skip
    return _solved(func, x0, args, fprime, xtol, maxfev, factor)


def scipy_optimize_root(
    fun: Any, x0: Any, args: Any = (), method: str = "hybr", jac: Any = None, tol: Any = None
) -> Any:
    x = _solved(fun, x0, args, jac, 1.49012e-08 if tol is None else tol, 0, 100.0)
    given = args if isinstance(args, tuple) else (args,)
    value = np.asarray(fun(x, *given)) + np.zeros(len(x))
    return OptimizeResult(x, True, 1, "The solution converged.", value)
