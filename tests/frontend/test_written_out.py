"""Functions of Python's library that are written out do what Python's do."""

from __future__ import annotations

import bisect
import calendar
import math
import random
import warnings
from collections.abc import Callable
from functools import partial
from itertools import combinations, combinations_with_replacement, islice, permutations
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.spatial
from mooncake_transpiler.frontend.lower.written import (
    banded_systems,
    convolution,
    distances,
    heaps,
    interpolation,
    library_source,
    memo_tables,
    ode_solvers,
    older_random_numbers,
    picking,
    probability,
    quadrature,
    random_numbers,
    recursions,
    riccati_equations,
    root_finding,
    system_solving,
    written_out,
)
from numpy.typing import NDArray

riccati_equations.linalg = scipy.linalg

NUMBERS = (0.0, -0.0, 1.5, -2.0, 1e-300, 1e300, math.inf, -math.inf, math.nan)
SORTED = (-1.0, 0.0, 0.0, 2.0, 2.0, 7.5)


def test_every_function_has_a_case() -> None:
    others = (probability, heaps)  # which have files of their own
    texts = library_source.functions()
    public = {n for n, text in texts.items() if not n.startswith("_") and text not in others}
    assert public == {
        "bisect_bisect_left", "bisect_bisect_right", "math_dist", "math_isclose", "math_gcd",
        "numpy_linalg_matrix_power", "numpy_poly1d", "numpy_split", "scipy_linalg_solve_banded",
        "scipy_linalg_solve_continuous_are", "scipy_linalg_solve_discrete_are",
        "scipy_linalg_solve_discrete_lyapunov",
        "math_lcm", "math_hypot", "math_fsum", "scipy_optimize_bisect", "scipy_optimize_brentq",
        "scipy_optimize_fixed_point", "scipy_optimize_newton", "scipy_integrate_quad",
        "scipy_interpolate_CubicSpline", "scipy_interpolate_interp1d", "scipy_integrate_solve_ivp",
        "scipy_integrate_odeint", "scipy_signal_convolve2d", "scipy_signal_correlate2d",
        "scipy_signal_lfilter", "calendar_isleap", "calendar_leapdays",
        "scipy_optimize_fsolve", "scipy_optimize_root", "numpy_random_PCG64",
        "scipy_sparse_csr_matrix", "scipy_sparse_csr_array", "numpy_random_default_rng",
        "numpy_random_Generator", "numpy_random_RandomState",
        "scipy_spatial_distance_cdist", "scipy_spatial_distance_pdist",
        "scipy_spatial_distance_squareform", "scipy_spatial_distance_matrix",
        "scipy_spatial_distance_euclidean", "scipy_spatial_distance_sqeuclidean",
        "scipy_spatial_distance_cityblock", "scipy_spatial_distance_chebyshev",
        "scipy_spatial_distance_cosine",
        "bisect_insort_left", "bisect_insort_right", "builtins_float_is_integer",
        "builtins_int___round__", "builtins_iter", "builtins_pow", "itertools_groupby",
        "math_perm", "mooncake_transpiler_combination", "mooncake_transpiler_permutation",
        "mooncake_transpiler_repeated_combination",
        "mooncake_transpiler_min_of_set", "mooncake_transpiler_max_of_set",
        "mooncake_transpiler_memoised",
        "mooncake_transpiler_each",
        "mooncake_transpiler_in_turn", "mooncake_transpiler_next_or",
        "numpy_asfortranarray", "numpy_fromiter",
        "numpy_ndarray_tolist",
        "statistics_fmean", "statistics_mean", "statistics_median",
        "statistics_pstdev", "statistics_pvariance", "statistics_stdev", "statistics_variance",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bisect_left", "bisect_right"])
@pytest.mark.parametrize("x", [-3.0, -1.0, 0.0, 1.0, 2.0, 9.0])
def test_bisection(name: str, x: float) -> None:
    own: Callable[..., int] = getattr(written_out, f"bisect_{name}")
    theirs: Callable[..., int] = getattr(bisect, name)
    for lo, hi in ((0, None), (2, 5), (1, 1)):
        assert own(SORTED, x, lo, hi) == theirs(SORTED, x, lo, hi)
    by_key = sorted(SORTED, key=abs)
    assert own(by_key, x, key=abs) == theirs(by_key, x, key=abs)


@pytest.mark.parametrize("name", ["bisect_left", "bisect_right"])
def test_bisection_from_before_the_start(name: str) -> None:
    for function in (getattr(written_out, f"bisect_{name}"), getattr(bisect, name)):
        with pytest.raises(ValueError, match="lo must be non-negative"):
            function(SORTED, 1.0, -1)


@pytest.mark.parametrize("a", NUMBERS)
@pytest.mark.parametrize("b", NUMBERS)
def test_closeness(a: float, b: float) -> None:
    for rel, absolute in ((1e-9, 0.0), (0.5, 0.0), (0.0, 1.0), (2.0, 3.0)):
        given = {"rel_tol": rel, "abs_tol": absolute}
        assert written_out.math_isclose(a, b, **given) == math.isclose(a, b, **given)


def test_negative_tolerance() -> None:
    for function in (written_out.math_isclose, math.isclose):
        with pytest.raises(ValueError, match="tolerances must be non-negative"):
            function(1.0, 1.0, rel_tol=-1.0)


def test_distance() -> None:
    for p, q in (((1.0, 2.0), (4.0, 6.0)), ((1e200,), (-1e200,)), ((), ()), ((1, 2, 3), (0, 0, 1))):
        assert written_out.math_dist(p, q) == pytest.approx(math.dist(p, q), rel=1e-15)
    with pytest.raises(ValueError, match="same number of dimensions"):
        written_out.math_dist((1.0,), (1.0, 2.0))


def test_divisors_and_lengths() -> None:
    for integers in ((), (4,), (-6,), (12, 18, 8), (0, 0, 5), (3, 0, 2, 9)):
        assert written_out.math_gcd(*integers) == math.gcd(*integers)
        assert written_out.math_lcm(*integers) == math.lcm(*integers)
    for lengths in ((), (-2.0,), (1.0, 2.0, 3.0, 4.0), (1e200, 1e200, 1e200, 1e200)):
        assert written_out.math_hypot(*lengths) == pytest.approx(math.hypot(*lengths), rel=1e-15)


@pytest.mark.parametrize("r", [False, True])
@pytest.mark.parametrize("given", [[1.0, -2.0, 0.5], [3.0], [0.0, 2, 1]])
def test_polynomials(given: list[float], r: bool) -> None:
    ours, numpys = written_out.numpy_poly1d(given, r), np.poly1d(given, r)
    for at in (0.3, np.array([[1.0, -2.0], [0.0, 7.5]])):
        assert ours(at) == pytest.approx(numpys(at), rel=1e-13)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6, -1, -4])
def test_parts(n: int, axis: int) -> None:
    a = np.arange(24.0).reshape(4, 6)
    try:
        expected = [part.tolist() for part in np.split(a, n, axis)]
    except (ValueError, ZeroDivisionError) as problem:
        with pytest.raises(type(problem)):
            written_out.numpy_split(a, n, axis)
    else:
        assert [part.tolist() for part in written_out.numpy_split(a, n, axis)] == expected


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, -1, -4])
def test_powers_of_matrices(n: int) -> None:
    rng = np.random.default_rng(n + 9)
    for shape in ((3, 3), (2, 3, 3)):
        a = rng.normal(size=shape) + 2.0 * np.eye(3)
        found = written_out.numpy_linalg_matrix_power(a, n)
        assert found == pytest.approx(np.linalg.matrix_power(a, n), rel=1e-12)
    whole = rng.integers(-3, 4, (3, 3))
    if n >= 0:
        found = written_out.numpy_linalg_matrix_power(whole, n)
        assert found.dtype == whole.dtype
        assert found.tolist() == np.linalg.matrix_power(whole, n).tolist()
    else:
        with pytest.raises(ValueError, match="floats before"):
            written_out.numpy_linalg_matrix_power(whole, n)
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        written_out.numpy_linalg_matrix_power(whole[:2], n)


@pytest.mark.parametrize(
    "numbers",
    [(), (0.1,) * 10, (1e16, 1.0, -1e16), (1.0, 1e100, 1.0, -1e100), (math.inf, 1.0), (1, 2, 3)],
)
def test_full_precision_sum(numbers: tuple[float, ...]) -> None:
    assert written_out.math_fsum(numbers) == math.fsum(numbers)
    assert math.isnan(written_out.math_fsum((*numbers, math.nan)))


# ---- root finding --------------------------------------------------------------------------------


def _outcome(function: Callable[..., float], *args: object, **given: object) -> object:
    try:
        return function(*args, **given)
    except (ValueError, RuntimeError) as error:
        return type(error)


@pytest.mark.parametrize("seed", range(100))
def test_roots_are_those_of_scipy(seed: int) -> None:
    """To the last bit: the steps are the same."""
    draw = random.Random(seed)
    p, q, r, s = (draw.gauss(0.0, 1.0) for _ in range(4))
    a, b, x = (4.0 * draw.gauss(0.0, 1.0) for _ in range(3))

    def f(x: float, k: float = 1.0) -> float:
        return p * x**3 + q * x + r * math.cos(x) + k * s

    def slope(x: float, k: float = 1.0) -> float:
        return 3.0 * p * x**2 + q - r * math.sin(x)

    def contraction(x: float, k: float = 1.0) -> float:
        return 0.3 * p * math.cos(x) + k * q

    calls: tuple[tuple[str, tuple[object, ...], dict[str, object]], ...] = (
        ("brentq", (f, a, b), {}),
        ("brentq", (f, a, b), {"args": (0.5,), "xtol": 1e-4, "maxiter": 20}),
        ("bisect", (f, a, b), {}),
        ("bisect", (f, a, b), {"rtol": 1e-3, "args": 2.0}),
        ("newton", (f, x), {}),
        ("newton", (f, x), {"x1": a}),
        ("newton", (f, x, slope), {"rtol": 1e-6}),
        ("newton", (f, x, slope), {"fprime2": lambda x, k=1.0: 6 * p * x - r * math.cos(x)}),
        ("fixed_point", (contraction, x), {}),
        ("fixed_point", (contraction, x), {"method": "iteration", "args": (0.5,)}),
    )
    for name, args, given in calls:
        own = getattr(root_finding, f"scipy_optimize_{name}")
        theirs = getattr(scipy.optimize, name)
        with warnings.catch_warnings(action="ignore"):
            assert _outcome(own, *args, **given) == _outcome(theirs, *args, **given), (name, given)


Matrix = NDArray[np.float64]


def _system(
    kind: int, a: Matrix, b: Matrix, c: Matrix
) -> tuple[Callable[[Matrix], Matrix], Callable[[Matrix], Matrix]]:
    """Equations, and their Jacobian."""
    if kind == 0:
        return lambda x: a @ x**3 + b @ x - c, lambda x: a * (3.0 * x**2) + b
    if kind == 1:
        return lambda x: np.sin(a @ x) + b @ x - c, lambda x: np.cos(a @ x)[:, None] * a + b
    return (
        lambda x: np.exp(0.3 * (a @ x)) - 1.0 + x**2 * b[0] - c,
        lambda x: 0.3 * np.exp(0.3 * (a @ x))[:, None] * a + np.diag(2.0 * x * b[0]),
    )


@pytest.mark.parametrize("seed", range(100))
def test_systems_are_solved_as_by_scipy(seed: int) -> None:
    """The same root, or none, as the steps are the same."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 6))
    a, b, c = draw.normal(size=(n, n)), draw.normal(size=(n, n)), draw.normal(size=n)
    start = 3.0 * draw.normal(size=n) if seed % 7 else np.zeros(n)
    equations, slopes = _system(seed % 3, a, b, c)
    for jac in (None, slopes):
        theirs = scipy.optimize.root(equations, start, jac=jac)
        if theirs.success:
            own = system_solving.scipy_optimize_root(equations, start, jac=jac)
            np.testing.assert_allclose(own.x, theirs.x, rtol=1e-6, atol=1e-7)
            np.testing.assert_allclose(own.fun, theirs.fun, atol=1e-6)
            found = system_solving.scipy_optimize_fsolve(equations, start, fprime=jac)
            np.testing.assert_array_equal(found, own.x)
        else:
            with pytest.raises(RuntimeError, match=theirs.message[:18]):
                system_solving.scipy_optimize_root(equations, start, jac=jac)


# ---- integrals -----------------------------------------------------------------------------------

INTEGRALS: tuple[tuple[Callable[[float], float], float, float], ...] = (
    (lambda x: math.exp(-x * x), 0.0, 2.0),
    (lambda x: x**31 + x**4, 0.0, 1.0),
    (lambda x: math.sqrt(x), 0.0, 1.0),
    (lambda x: math.log(x), 0.0, 1.0),
    (lambda x: abs(x - 0.3), 0.0, 1.0),
    (lambda x: math.sin(20.0 * x), 3.0, 0.0),
    (lambda x: math.exp(-x * x / 2.0), -math.inf, math.inf),
    (lambda x: 1.0 / (1.0 + x * x), math.inf, -math.inf),
    (lambda x: math.exp(-x), 0.0, math.inf),
    (lambda x: math.exp(x), -math.inf, 1.0),
    (lambda x: math.exp(x), 1.0, -math.inf),
    (lambda x: x, 1.0, 1.0),
)


@pytest.mark.parametrize("number", range(len(INTEGRALS)))
def test_integrals_are_those_of_scipy(number: int) -> None:
    """As near as QUADPACK is asked to be; closer where it halves the same intervals."""
    f, a, b = INTEGRALS[number]
    theirs, _ = scipy.integrate.quad(f, a, b)
    own, error = quadrature.scipy_integrate_quad(f, a, b)
    assert abs(own - theirs) <= 1.49e-8 * max(1.0, abs(theirs))
    assert abs(own - theirs) <= max(error, 1e-15)


# ---- interpolation -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 5, 9])
@pytest.mark.parametrize("ends", ["not-a-knot", "natural", "clamped", ("natural", "clamped")])
def test_splines_are_those_of_scipy(n: int, ends: str | tuple[str, str]) -> None:
    draw = np.random.default_rng(n)
    x, y = np.cumsum(draw.uniform(0.5, 2.0, size=n)), draw.normal(size=n)
    places = np.linspace(x[0] - 0.5, x[-1] + 0.5, 31)
    own = interpolation.scipy_interpolate_CubicSpline(x, y, bc_type=ends)
    theirs = scipy.interpolate.CubicSpline(x, y, bc_type=ends)
    for nu in (0, 1, 2):
        np.testing.assert_allclose(own(places, nu), theirs(places, nu), rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("kind", ["linear", "cubic"])
def test_tables_are_those_of_scipy(kind: str) -> None:
    draw = np.random.default_rng(0)
    x, y = np.cumsum(draw.uniform(0.5, 2.0, size=7)), draw.normal(size=7)
    own = interpolation.scipy_interpolate_interp1d(x, y, kind)
    theirs = scipy.interpolate.interp1d(x, y, kind)
    places = np.linspace(x[0], x[-1], 11)
    np.testing.assert_allclose(own(places), theirs(places), rtol=1e-10, atol=1e-12)
    for table in (own, theirs):
        with pytest.raises(ValueError, match="interpolation range"):
            table(x[-1] + 0.1)


@pytest.mark.parametrize("kind", ["linear", "cubic"])
@pytest.mark.parametrize(
    "beyond",
    [
        {"fill_value": "extrapolate"}, {"fill_value": "extrapolate", "bounds_error": False},
        {"fill_value": 1.5, "bounds_error": False}, {"bounds_error": False},
        {"fill_value": (0.5, -2.0), "bounds_error": False},
    ],
)  # fmt: skip
def test_tables_beyond_their_ends_are_those_of_scipy(kind: str, beyond: dict[str, Any]) -> None:
    draw = np.random.default_rng(0)
    x, y = np.cumsum(draw.uniform(0.5, 2.0, size=7)), draw.normal(size=7)
    own = interpolation.scipy_interpolate_interp1d(x, y, kind, **beyond)
    theirs = scipy.interpolate.interp1d(x, y, kind, **beyond)
    places = np.array([x[0] - 1.0, *x, x[2] + 0.1, x[-1] + 2.0])
    np.testing.assert_allclose(own(places), theirs(places), rtol=1e-9, atol=1e-11)


def test_tables_that_raise_or_go_on() -> None:
    x, y = np.arange(4.0), np.arange(4.0)
    for made in (interpolation.scipy_interpolate_interp1d, scipy.interpolate.interp1d):
        with pytest.raises(ValueError, match="raise at the same time"):
            made(x, y, fill_value="extrapolate", bounds_error=True)
        with pytest.raises(ValueError, match="interpolation range"):
            made(x, y, fill_value=0.0)(9.0)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([0.0, 1.0, 1.0, 2.0], [0.0] * 4, "strictly increasing"),
        ([0.0, 1.0, 2.0], [0.0] * 3, "too few knots"),
        ([0.0, 1.0, 2.0, 3.0], [0.0] * 5, "equally long"),
        ([0.0, 1.0, 2.0, 3.0], [[0.0]] * 4, "one axis"),
    ],
)
def test_bad_knots(x: list[float], y: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        interpolation.scipy_interpolate_CubicSpline(x, y)


def test_leap_years() -> None:
    for year in (-401, -400, -100, -4, -1, 0, 1, 4, 100, 400, 1900, 2000, 2023, 2024, 2100):
        assert written_out.calendar_isleap(year) == calendar.isleap(year)
        for other in (1, 1899, 1900, 2000, 2400):
            assert written_out.calendar_leapdays(year, other) == calendar.leapdays(year, other)


# ---- initial value problems ----------------------------------------------------------------------


def _oscillator(t: float, y: list[float], mu: float = 1.0) -> list[float]:
    """Van der Pol's."""
    return [y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]]


@pytest.mark.parametrize("method", ["RK45", "RK23"])
@pytest.mark.parametrize("span", [(0, 20), (5.0, -3.0)])
@pytest.mark.parametrize(
    "options",
    [
        {}, {"rtol": 1e-8, "atol": 1e-9}, {"first_step": 0.01, "max_step": 0.1},
        {"args": (3.0,), "atol": [1e-6, 1e-3]}, {"t_eval": np.linspace(0.0, 1.0, 17)},
        {"t_eval": np.linspace(0.0, 1.0, 3), "max_step": 0.3, "rtol": 1e-15},
    ],
)  # fmt: skip
def test_steps_are_those_of_scipy(
    method: str, span: tuple[float, float], options: dict[str, object]
) -> None:
    """The same steps; errors are sums in another order, which moves their ends a little."""
    start, end = span
    if "t_eval" in options:
        options = {**options, "t_eval": start + (end - start) * np.asarray(options["t_eval"])}
    with warnings.catch_warnings(action="ignore"):
        theirs = scipy.integrate.solve_ivp(_oscillator, span, [2, 0], method=method, **options)
    own = ode_solvers.scipy_integrate_solve_ivp(_oscillator, span, [2, 0], method, **options)
    assert own.nfev == theirs.nfev
    assert (own.status, own.message, own.success) == (0, theirs.message, True)
    np.testing.assert_allclose(own.t, theirs.t, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(own.y, theirs.y, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("span", [(0, 6), (5.0, -3.0)])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-9])
def test_steps_of_high_order_are_those_of_scipy(
    span: tuple[float, float], tolerance: float
) -> None:
    """Errors of the first steps, which SciPy would make very small, are mere rounding."""
    given = {"rtol": tolerance, "atol": tolerance, "first_step": 0.5, "method": "DOP853"}
    theirs = scipy.integrate.solve_ivp(_oscillator, span, [2, 0], **given)
    own = ode_solvers.scipy_integrate_solve_ivp(_oscillator, span, [2, 0], **given)
    assert own.nfev == theirs.nfev
    np.testing.assert_allclose(own.t, theirs.t, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(own.y, theirs.y, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("method", ["RK45", "RK23"])
@pytest.mark.parametrize("span", [(0.0, 9.0), (5.0, -3.0)])
def test_dense_output_is_that_of_scipy(method: str, span: tuple[float, float]) -> None:
    given = {"method": method, "dense_output": True, "first_step": 0.1, "max_step": 0.2}
    own = ode_solvers.scipy_integrate_solve_ivp(_oscillator, span, [2, 0], **given)
    theirs = scipy.integrate.solve_ivp(_oscillator, span, [2, 0], **given)
    times = np.concatenate((np.linspace(*span, 33), theirs.t[:5], [span[1] + 0.1]))
    np.testing.assert_allclose(own.sol(times), theirs.sol(times), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(own.sol(1.3), theirs.sol(1.3), rtol=1e-9, atol=1e-10)


def test_an_interval_of_no_length() -> None:
    for function in (scipy.integrate.solve_ivp, ode_solvers.scipy_integrate_solve_ivp):
        found = function(_oscillator, (1.0, 1.0), [2, 0])
        assert (found.t.tolist(), found.y.tolist()) == ([1.0, 1.0], [[2.0, 2.0], [0.0, 0.0]])
        assert (found.nfev, found.status) == (1, 0)


def test_a_solution_that_ends() -> None:
    own = ode_solvers.scipy_integrate_solve_ivp(lambda t, y: y * y, (0, 2), [1.0])
    theirs = scipy.integrate.solve_ivp(lambda t, y: y * y, (0, 2), [1.0])
    assert (own.status, own.message, own.success) == (-1, theirs.message, theirs.success)
    assert own.nfev == theirs.nfev
    near = np.abs(theirs.y) < 1e6  # on the way to infinity the last bits of a machine count more
    assert near.sum() > 20
    np.testing.assert_allclose(own.y[near], theirs.y[near], rtol=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"first_step": -1.0}, "`first_step` must be positive"),
        ({"first_step": 3.0}, "`first_step` exceeds bounds"),
        ({"max_step": 0.0}, "`max_step` must be positive"),
        ({"atol": -1.0}, "`atol` must be positive"),
        ({"atol": [1.0, 1.0, 1.0]}, "`atol` has wrong shape"),
        ({"t_eval": [0.5, 2.5]}, "`t_eval` are not within `t_span`"),
        ({"t_eval": [0.5, 0.5]}, "`t_eval` are not properly sorted"),
        ({"y0": [1.0, math.inf]}, "must be finite"),
    ],
)
def test_options_of_solve_ivp(given: dict[str, object], message: str) -> None:
    for function in (scipy.integrate.solve_ivp, ode_solvers.scipy_integrate_solve_ivp):
        with pytest.raises(ValueError, match=message):
            function(_oscillator, (0.0, 2.0), **{"y0": [2.0, 0.0], **given})


@pytest.mark.parametrize("times", [np.linspace(0, 20, 41), [3.0, 1.0, 1.0, -0.5], [2.0]])
def test_odeint_is_near(times: object) -> None:
    """As near to SciPy's as that is to the solution, which is much nearer."""
    own = ode_solvers.scipy_integrate_odeint(_oscillator, [2, 0], times, (0.7,), tfirst=True)
    theirs = scipy.integrate.odeint(_oscillator, [2, 0], times, (0.7,), tfirst=True)
    np.testing.assert_allclose(own, theirs, rtol=1e-5, atol=1e-5)
    exact = scipy.integrate.odeint(
        _oscillator, [2, 0], times, (0.7,), tfirst=True, rtol=1e-13, atol=1e-13
    )
    np.testing.assert_allclose(own, exact, rtol=1e-9, atol=1e-10)


# ---- convolutions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["convolve2d", "correlate2d"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("boundary", ["fill", "wrap", "symm"])
def test_convolutions_are_those_of_scipy(name: str, mode: str, boundary: str) -> None:
    """Weights of odd and even sizes, fewer and more than there are numbers; reals and others."""
    draw = np.random.default_rng(0)
    own, theirs = getattr(convolution, f"scipy_signal_{name}"), getattr(scipy.signal, name)
    for size in ((4, 5), (3, 3), (1, 6)):
        for weights in ((3, 3), (2, 4), (1, 1), (5, 2), (7, 9)):
            a, b = draw.normal(size=size), draw.normal(size=weights)
            if mode == "valid" and len({*map(np.less_equal, weights, size)}) > 1:
                for function in (own, theirs):
                    with pytest.raises(ValueError, match="one must be at least as large"):
                        function(a, b, mode)
                continue
            got = own(a, b, mode, boundary, 1.5)
            np.testing.assert_allclose(got, theirs(a, b, mode, boundary, 1.5), atol=1e-14)
            for x, y in ((a + 1j, b - 2j), (whole := (9 * a).astype(int), b > 0.0), (whole, b)):
                got, expected = own(x, y, mode, boundary, 2), theirs(x, y, mode, boundary, 2)
                assert got.dtype == expected.dtype
                np.testing.assert_allclose(got, expected, atol=1e-13)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"mode": "some"}, "Acceptable mode flags"), ({"boundary": "some"}, "Acceptable boundary"),
        ({"in2": np.ones(3)}, "2"),
    ],
)  # fmt: skip
def test_options_of_convolutions(given: dict[str, object], message: str) -> None:
    matrices = {"in1": np.ones((3, 3)), "in2": np.ones((2, 2))}
    for name in ("convolve2d", "correlate2d"):
        for function in (getattr(scipy.signal, name), getattr(convolution, f"scipy_signal_{name}")):
            with pytest.raises(ValueError, match=message):
                function(**{**matrices, **given})


# ---- recursions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(1, 1), (3, 1), (1, 3), (4, 2), (2, 5)])
def test_filters_are_those_of_scipy(sizes: tuple[int, int]) -> None:
    """Signals that are longer and shorter than the filter, and states before and after them."""
    draw = np.random.default_rng(2)
    b, a = (draw.uniform(0.5, 2.0, size=size) for size in sizes)
    own, theirs = recursions.scipy_signal_lfilter, scipy.signal.lfilter
    for x in (draw.normal(size=9), draw.normal(size=2), draw.normal(size=5) + 1j):
        np.testing.assert_allclose(own(b, a, x), theirs(b, a, x), rtol=1e-11, atol=1e-12)
        zi = draw.normal(size=max(sizes) - 1)
        for got, expected in zip(own(b, a, x, zi=zi), theirs(b, a, x, zi=zi), strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-12)
    for function in (own, theirs):
        with pytest.raises(ValueError, match="zi"):
            function(b, a, np.ones(4), zi=np.ones(9))


# ---- distances -----------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine"])
def test_distances_are_those_of_scipy(metric: str) -> None:
    draw = np.random.default_rng(1)
    of = scipy.spatial.distance
    for n, m, k in ((4, 3, 2), (1, 5, 1), (6, 6, 7)):
        a, b = draw.normal(size=(n, k)), draw.normal(size=(m, k))
        np.testing.assert_allclose(
            distances.scipy_spatial_distance_cdist(a, b, metric), of.cdist(a, b, metric), atol=1e-14
        )
        apart = distances.scipy_spatial_distance_pdist(a, metric)
        np.testing.assert_allclose(apart, of.pdist(a, metric), atol=1e-14)
        if n > 1:
            square = distances.scipy_spatial_distance_squareform(apart)
            np.testing.assert_array_equal(square, of.squareform(apart))
            back = distances.scipy_spatial_distance_squareform(square)
            np.testing.assert_array_equal(back, apart)
        one = getattr(distances, f"scipy_spatial_distance_{metric}")(a[0], b[0])
        assert one == pytest.approx(getattr(of, metric)(a[0], b[0]), abs=1e-14)


def test_what_distances_raise() -> None:
    for function in (distances.scipy_spatial_distance_cdist, scipy.spatial.distance.cdist):
        with pytest.raises(ValueError, match="same number of columns"):
            function(np.ones((2, 3)), np.ones((2, 2)))
        with pytest.raises(ValueError, match="Unknown Distance Metric"):
            function(np.ones((2, 3)), np.ones((2, 3)), "none")
    for function in (
        distances.scipy_spatial_distance_squareform,
        scipy.spatial.distance.squareform,
    ):
        with pytest.raises(ValueError, match="Incompatible vector size"):
            function(np.ones(4))


DRAWS: tuple[Callable[[Any], Any], ...] = (
    lambda rng: rng.random(), lambda rng: rng.random((2, 3)), lambda rng: rng.standard_normal(4),
    lambda rng: rng.normal(1.0, 2.0, 3), lambda rng: rng.normal([1.0, 2.0], 0.5),
    lambda rng: rng.normal([[1.0], [2.0]], [0.5, 3.0]), lambda rng: rng.normal([1.0], 2.0, (2, 1)),
    lambda rng: rng.uniform(-1, 2, 3), lambda rng: rng.uniform([0, 1], [2, 1]),
    lambda rng: rng.uniform(np.float32(0.1), np.float32(0.7)),
    lambda rng: rng.uniform(np.array([0.1], np.float32), np.array([1.3], np.float32)),
    lambda rng: rng.standard_exponential(3), lambda rng: rng.exponential([1.0, 2.0], (3, 2)),
    lambda rng: rng.integers(7, size=5), lambda rng: rng.integers(-2, 2, (2, 2), endpoint=True),
    lambda rng: rng.integers(-(2**62), 2**62 - 1, endpoint=True), lambda rng: rng.choice(5),
    lambda rng: rng.choice(5, (2, 2)), lambda rng: rng.choice([1.5, 2.5], 4),
    lambda rng: rng.choice(3, 9, p=[0.2, 0.3, 0.5]), lambda rng: rng.choice(np.eye(3), 2),
    lambda rng: rng.normal(0.0, -1.0), lambda rng: rng.uniform(1.0, 0.0),
    lambda rng: rng.uniform(0.0, math.inf), lambda rng: rng.exponential(-0.0),
    lambda rng: rng.integers(3, 3), lambda rng: rng.integers(3, 2, endpoint=True),
    lambda rng: rng.integers(0), lambda rng: rng.choice([]), lambda rng: rng.choice(0),
    lambda rng: rng.choice(2, p=[0.5, 0.6]), lambda rng: rng.choice(2, p=[-0.5, 1.5]),
    lambda rng: rng.choice(3, p=[0.5, 0.5]), lambda rng: rng.normal(np.zeros(3), 1.0, 1),
    lambda rng: rng.normal(np.zeros(3), 1.0, (2, 2)), lambda rng: rng.random(-1),
)  # fmt: skip


def draws_alike(draw: Callable[[Any], Any], ours: Any, numpys: Any) -> None:
    """Check that ``draw`` gives the same three times, or raises the same."""
    try:
        wanted = [draw(numpys) for _ in range(3)]
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            draw(ours)
        return
    found = [draw(ours) for _ in range(3)]
    assert all(map(np.array_equal, found, wanted))
    assert [np.shape(one) for one in found] == [np.shape(one) for one in wanted]


@pytest.mark.parametrize("draw", DRAWS)
def test_random_numbers(draw: Callable[[Any], Any]) -> None:
    for seed in (0, [4, 2**40]):
        ours = random_numbers.numpy_random_Generator(random_numbers.numpy_random_PCG64(seed))
        numpys = np.random.default_rng(seed)
        draws_alike(draw, ours, numpys)


OLDER_DRAWS: tuple[Callable[[Any], Any], ...] = (
    lambda rng: rng.rand(), lambda rng: rng.rand(2, 3), lambda rng: rng.randn(),
    lambda rng: rng.randn(5), lambda rng: rng.randn(2, 0), lambda rng: rng.random(3),
    lambda rng: rng.random_sample((2, 2)), lambda rng: rng.standard_normal(5),
    lambda rng: rng.normal(1.5, 0.5), lambda rng: rng.normal(np.arange(3.0), 2.0),
    lambda rng: rng.normal(0.0, [1.0, 2.0], (3, 2)), lambda rng: rng.uniform(),
    lambda rng: rng.uniform(2.0, -1.0, 4), lambda rng: rng.uniform([0.0, 1.0], 3.0),
    lambda rng: rng.uniform(-1, 1, (2, 2)), lambda rng: rng.exponential(2.0, 3),
    lambda rng: rng.standard_exponential(), lambda rng: rng.randint(7),
    lambda rng: rng.randint(-3, 4, 9), lambda rng: rng.randint(0, 2**32, (2, 2)),
    lambda rng: rng.randint(0, 2**40, 5), lambda rng: rng.randint(5, 6, 3),
    lambda rng: rng.choice(5), lambda rng: rng.choice([0.5, 1.5, 2.5], 4),
    lambda rng: rng.choice(3, 9, p=[0.2, 0.3, 0.5]), lambda rng: rng.choice(9, 4, False),
    lambda rng: rng.permutation(7), lambda rng: rng.permutation(np.arange(4.0)),
    lambda rng: rng.permutation(np.arange(6.0).reshape(3, 2)), lambda rng: shuffled(rng, 5),
    lambda rng: rng.normal(0.0, -1.0), lambda rng: rng.uniform(0.0, math.inf),
    lambda rng: rng.exponential(-0.0), lambda rng: rng.randint(0), lambda rng: rng.randint(3, 2),
    lambda rng: rng.choice(0), lambda rng: rng.choice(2, 3, False),
    lambda rng: rng.choice(2, p=[0.5, 0.6]), lambda rng: rng.normal(np.zeros(3), 1.0, (2, 2)),
)  # fmt: skip


def shuffled(rng: Any, n: int) -> Any:
    x, m, found = np.arange(n) * 0.5, np.arange(2.0 * n).reshape(n, 2), list(range(n))
    for one in (x, m, found):
        rng.shuffle(one)
    return np.concatenate((x, m[:, 0], m[:, 1], found))


@pytest.mark.parametrize("draw", OLDER_DRAWS)
def test_older_random_numbers(draw: Callable[[Any], Any]) -> None:
    for seed in (0, 2**32 - 1):
        ours = older_random_numbers.numpy_random_RandomState(seed)
        numpys = np.random.RandomState(seed)
        draws_alike(draw, ours, numpys)


def test_older_seeds_have_32_bits() -> None:
    for seed in (-1, 2**32):
        for make in (older_random_numbers.numpy_random_RandomState, np.random.RandomState):
            with pytest.raises(ValueError, match="Seed must be between"):
                make(seed)


def test_seeds_are_not_negative() -> None:
    for seed in (-1, [1, -2]):
        for make in (random_numbers.numpy_random_default_rng, np.random.default_rng):
            with pytest.raises(ValueError, match="expected non-negative integer"):
                make(seed)


def test_in_turn_is_zip() -> None:
    for size in range(7):
        it, other = iter(range(size)), iter(range(size))
        found = list(written_out.mooncake_transpiler_in_turn(it, it, it))
        assert found == list(zip(other, other, other, strict=False))
        assert list(it) == list(other) == []


@pytest.mark.parametrize("n", [1, 2, 5, 9])
@pytest.mark.parametrize("l_and_u", [(0, 0), (1, 1), (2, 0), (0, 2), (1, 3), (2, 1)])
def test_banded_systems(n: int, l_and_u: tuple[int, int]) -> None:
    if max(l_and_u) >= n:
        return
    rng = np.random.default_rng(0)
    ab = rng.normal(size=(sum(l_and_u) + 1, n))
    for bands in (ab, ab + 1j * ab[::-1]) if n > 1 else (ab,):
        for b in (rng.normal(size=n), rng.normal(size=(n, 2))):
            own = banded_systems.scipy_linalg_solve_banded(l_and_u, bands, b)
            theirs = scipy.linalg.solve_banded(l_and_u, bands, b)
            assert own.dtype == theirs.dtype
            np.testing.assert_allclose(own, theirs, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "arguments",
    [
        ((1, 1), np.ones((2, 3)), np.ones(3)),
        ((0, 0), np.ones((1, 3)), np.ones(4)),
        ((0, 0), np.zeros((1, 3)), np.ones(3)),
    ],
)
def test_banded_systems_that_are_none(arguments: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, np.linalg.LinAlgError)) as theirs:
        scipy.linalg.solve_banded(*arguments)
    with pytest.raises(theirs.type) as own:
        banded_systems.scipy_linalg_solve_banded(*arguments)
    assert str(own.value) == str(theirs.value)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("kind", ["continuous", "discrete"])
def test_riccati_equations(kind: str, n: int) -> None:
    own: Callable[..., Any] = getattr(riccati_equations, f"scipy_linalg_solve_{kind}_are")
    theirs: Callable[..., Any] = getattr(scipy.linalg, f"solve_{kind}_are")
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, n)), rng.normal(size=(n, n // 2 + 1))
    q, r = np.diag(rng.uniform(0.1, 2.0, n)), np.diag(rng.uniform(0.1, 2.0, n // 2 + 1))
    expected = theirs(a, b, q, r)
    np.testing.assert_allclose(own(a, b, q, r), expected, atol=1e-8 * np.max(expected))


@pytest.mark.parametrize("kind", ["continuous", "discrete"])
def test_riccati_equations_without_solution(kind: str) -> None:
    own: Callable[..., Any] = getattr(riccati_equations, f"scipy_linalg_solve_{kind}_are")
    theirs: Callable[..., Any] = getattr(scipy.linalg, f"solve_{kind}_are")
    a, b, one, skew = 2.0 * np.eye(2), np.zeros((2, 2)), np.eye(2), np.array([[1.0, 0.1], [0, 1]])
    for solve in (own, theirs):
        with pytest.raises(ValueError, match="Matrix r should be symmetric/hermitian"):
            solve(a, one, one, skew)
        with pytest.raises(np.linalg.LinAlgError):
            solve(a, b, one, one)  # nothing can be done about what grows


@pytest.mark.parametrize("n", [2, 12])
@pytest.mark.parametrize("method", [None, "direct", "bilinear"])
def test_discrete_lyapunov_equations(n: int, method: str | None) -> None:
    rng = np.random.default_rng(n)
    a, q = 0.2 * rng.normal(size=(n, n)), rng.normal(size=(n, n))
    own = riccati_equations.scipy_linalg_solve_discrete_lyapunov(a, q, method)
    theirs = scipy.linalg.solve_discrete_lyapunov(a, q, method)
    np.testing.assert_allclose(own, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("mark", [0.0, 2.0, 9.0])
def test_iter_until_a_mark(mark: float) -> None:
    numbers = (1.0, 2.0, 2.0, 9.0)
    made, own = (iter(numbers), iter(numbers))
    found = list(islice(written_out.builtins_iter(partial(next, made, 9.0), mark), 4))
    assert found == list(islice(iter(partial(next, own, 9.0), mark), 4))


@pytest.mark.parametrize("n", range(6))
@pytest.mark.parametrize("r", range(5))
def test_choices_by_number(n: int, r: int) -> None:
    for theirs, own in (
        (permutations, picking.mooncake_transpiler_permutation),
        (combinations, picking.mooncake_transpiler_combination),
        (combinations_with_replacement, picking.mooncake_transpiler_repeated_combination),
    ):
        wanted = [list(one) for one in theirs(range(n), r)]
        assert [own(n, r, k) for k in range(len(wanted))] == wanted
    assert picking.math_perm(n) == math.perm(n)


def test_best_of_a_set() -> None:
    items = {3.0, -1.0, 2.0, 0.5}
    assert picking.mooncake_transpiler_min_of_set(items, lambda v: v * v) == 0.5
    assert picking.mooncake_transpiler_max_of_set(items, lambda v: v * v) == 3.0
    with pytest.raises(RuntimeError, match="the least key depends on the set's order"):
        picking.mooncake_transpiler_min_of_set(items, lambda v: v > 2.5)
    with pytest.raises(ValueError, match=r"max\(\) iterable argument is empty"):
        picking.mooncake_transpiler_max_of_set(set(), abs)


def test_values_that_are_kept() -> None:
    asked = []

    def step(key: tuple[int], ask: Callable[[tuple[int]], int]) -> int:
        (n,) = key
        asked.append(n)
        return n if n < 2 else ask((n - 1,)) + ask((n - 2,))

    assert memo_tables.mooncake_transpiler_memoised(step, (90,)) == 2880067194370816120
    assert len(asked) < 4 * 91
    with pytest.raises(RecursionError):
        memo_tables.mooncake_transpiler_memoised(lambda key, ask: ask((key[0] + 1,)), (0,))
