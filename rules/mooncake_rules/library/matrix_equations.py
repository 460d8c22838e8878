"""Sylvester's equation, and roots of matrices, whose derivatives are solutions of it.

Formulas: Higham, "Functions of Matrices" (2008), chapters 6 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mooncake_rules.arrays import Arr, Num, Stage, Table, common_size
from mooncake_rules.library.arguments import holds, one_of
from mooncake_rules.library.exponential import product
from mooncake_rules.library.linalg import Bars, Results, negated
from mooncake_rules.library.matrices import (
    eye,
    matrix,
    one_real,
    scaled_columns,
    square,
    transposed,
)
from mooncake_rules.library.support import as_array, call_like

TABLE = Table()

Number = Num | complex
EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}
NEAR, MOST = 1e-2, 100  # the distance from which on nothing is scaled; iterations


@TABLE.add(
    "scipy.linalg.solve_sylvester", "scipy.linalg.solve_sylvester(m, p, m[::-1])",
    "scipy.linalg.solve_sylvester(m, np.diag(pos[0]), x)",
    "scipy.linalg.solve_sylvester(np.diag(pos[0]), m.T, x.T * y.T)",
)  # fmt: skip
def solve_sylvester(s: Stage, a: object, b: object, q: object) -> Arr:
    """``x`` with ``a x + x b = q``."""
    left = one_real(s, square(s, a, "solve_sylvester"), "solve_sylvester")
    beside = one_real(s, square(s, b, "solve_sylvester"), "solve_sylvester")
    right = one_real(s, as_array(s, q), "solve_sylvester")
    for one, other in ((left.shape[0], right.shape[0]), (beside.shape[0], right.shape[1])):
        common_size(s, one, other, "solve_sylvester")
    dtype = s.promote(left, beside, right)
    given = (matrix(s, array, dtype) for array in (left, beside, right))
    (out,) = s.rule("sylvester", sylvester_rule, *given)
    assert isinstance(out, Arr)
    return s.shaped(out, right.shape)


@TABLE.add(
    "scipy.linalg.solve_continuous_lyapunov scipy.linalg.solve_lyapunov",
    "scipy.linalg.solve_continuous_lyapunov(m, p)",
    "scipy.linalg.solve_lyapunov(np.exp(m), m @ p)",
)  # fmt: skip
def solve_lyapunov(s: Stage, a: object, q: object) -> Arr:
    """``x`` with ``a x + x a^T = q``."""
    given = s.keep(as_array(s, a))
    return solve_sylvester(s, given, transposed(s, given), q)


def sylvester(s: Stage, a: Arr, b: Arr, q: Arr) -> Arr:
    """The solution, not to be differentiated itself."""
    return call_like(s, "sylvester", (a, b, q), q)


def sylvester_rule(s: Stage, a: Arr, b: Arr, q: Arr) -> Results:
    """``q_bar`` solves the transposed equation; ``a_bar = -q_bar x^T``, ``b_bar = -x^T q_bar``."""
    x = sylvester(s, a, b, q)

    def pullback(x_bar: Arr) -> Bars:
        q_bar = sylvester(s, transposed(s, a), transposed(s, b), x_bar)
        turned = transposed(s, x)
        return negated(q_bar @ turned), negated(turned @ q_bar), q_bar

    return (x,), pullback


# ---- square roots -------------------------------------------------------------------------------


@TABLE.add(
    "scipy.linalg.sqrtm", "scipy.linalg.sqrtm(m)", "scipy.linalg.sqrtm(p)",
    "scipy.linalg.sqrtm(np.eye(3) + 0.1 * m @ p) @ x",
)  # fmt: skip
def sqrtm(s: Stage, A: object) -> Arr:
    """The principal root, if it is real: no eigenvalue is 0 or a negative number."""
    given = one_real(s, square(s, A, "sqrtm"), "sqrtm")
    (out,) = s.rule("sqrtm", _sqrtm, given)
    assert isinstance(out, Arr)
    return s.shaped(out, given.shape)


def _sqrtm(s: Stage, a: Arr) -> Results:
    """``x^T a_bar + a_bar x^T = x_bar``."""
    x = root(s, a)

    def pullback(x_bar: Arr) -> Bars:
        turned = transposed(s, x)
        return (sylvester(s, turned, turned, x_bar),)

    return (x,), pullback


def root(s: Stage, a: Arr) -> Arr:
    """The product form of the scaled iteration of Denman and Beavers (Higham 2008, 6.29).

    It has arrived when ``m``, which is ``x^2 a^-1``, is the identity to rounding.
    """
    size, dtype = a.shape[0], a.dtype
    unit = eye(s, size, dtype)
    m, x = _copy(s, a), _copy(s, a)

    def step(distance: Number, _: Number, count: Number) -> tuple[Number, Number, Number]:
        lu, pivots = s.primitive("lu", (m,), ((dtype, 2), ("int64", 1)))
        (solved,) = s.primitive("lu_solve", (lu, pivots, unit, False), ((dtype, 2),))
        assert isinstance(lu, Arr)
        assert isinstance(solved, Arr)
        near = s.op("lt", distance, NEAR)
        by = s.op("select", near, s.cast(1, dtype), _scale(s, lu))  # the square of Higham's factor
        inverse = s.keep(solved.lazy(a.shape, lambda i, j: s.op("div", solved.at(i, j), by)))
        moved = product(s, x, s.keep(as_array(s, unit + inverse)))
        half = s.op("mul", s.op("np.sqrt", by), 0.5)

        def one(i: Num | int, j: Num | int) -> None:
            s.store(x, (i, j), s.op("mul", moved.at(i, j), half))
            mean = s.op("add", s.op("mul", m.at(i, j), by), inverse.at(i, j))
            twice = s.op("add", unit.at(i, j), s.op("mul", mean, 0.5))
            s.store(m, (i, j), s.op("mul", twice, 0.5))

        s.nest(a.shape, one)
        return _distance(s, m, unit), distance, s.op("add", count, 1)

    start = _distance(s, m, unit), s.cast(float("inf"), dtype), 0
    last, *_ = s.loop(start, partial(_shrinks, s, dtype), step)
    arrived = holds(s, "lt", last, EPSILON[dtype] ** 0.5)
    s.require(arrived, "sqrtm: the matrix is singular, or its square root is not real")
    return x


def _shrinks(s: Stage, dtype: str, distance: Number, before: Number, count: Number) -> Num | bool:
    """True until rounding lets the distance shrink no more."""
    shrinks = s.op("or", s.op("ge", distance, NEAR), s.op("lt", distance, s.op("mul", before, 0.5)))
    some = s.op("and", s.op("gt", distance, EPSILON[dtype]), s.op("lt", count, MOST))
    return holds(s, "and", some, shrinks)


def _copy(s: Stage, a: Arr) -> Arr:
    out = s.new(a.shape, a.dtype)
    s.nest(a.shape, lambda i, j: s.store(out, (i, j), a.at(i, j)))
    return out


def _scale(s: Stage, lu: Arr) -> Number:
    """The inverse of the geometric mean of the magnitudes of eigenvalues, by LU."""

    def step(accs: Sequence[Number], i: Num | int) -> tuple[Number]:
        return (s.op("add", accs[0], s.op("np.log", s.op("np.abs", lu.at(i, i)))),)

    total = s.fold((lu.shape[0],), (s.cast(0, lu.dtype),), step)[0]
    return s.op("np.exp", s.op("div", s.op("neg", total), s.cast(lu.shape[0], lu.dtype)))


def _distance(s: Stage, m: Arr, unit: Arr) -> Number:
    """The largest difference of two elements."""

    def step(accs: Sequence[Number], i: Num | int, j: Num | int) -> tuple[Number]:
        gap = s.op("np.abs", s.op("sub", m.at(i, j), unit.at(i, j)))
        return (s.op("np.maximum", accs[0], gap),)

    return s.fold(m.shape, (s.cast(0, m.dtype),), step)[0]


# ---- polar decomposition ------------------------------------------------------------------------


@TABLE.add(
    "scipy.linalg.polar", "scipy.linalg.polar(m)", "scipy.linalg.polar(x.T)",
    "scipy.linalg.polar(m, {side})", "scipy.linalg.polar(x, side='left')[1]",
    side=("right", "left"),
)  # fmt: skip
def polar(s: Stage, a: object, side: str = "right") -> tuple[Arr, Arr]:
    """``a = u p``, or with the left side ``a = p u``: u orthogonal, p positive definite."""
    given = one_real(s, as_array(s, a), "polar")
    left = one_of(s, side, "side", ("right", "left")) == "left"
    tall = transposed(s, given) if left else given
    rows, columns = tall.shape
    longer, shorter = ("columns", "rows") if left else ("rows", "columns")
    message = f"polar, side={side!r}: as many {longer} as {shorter} are needed"
    s.require(holds(s, "ge", rows, columns), message)
    u, p = s.rule("polar", _polar, tall)
    assert isinstance(u, Arr)
    assert isinstance(p, Arr)
    u, p = s.shaped(u, tall.shape), s.shaped(p, (columns, columns))
    return (transposed(s, u), p) if left else (u, p)


def _polar(s: Stage, a: Arr) -> Results:
    """``a_bar = u_bar p^-1 + 2 a y`` with ``p y + y p`` the symmetric part of
    ``p_bar - u^T u_bar p^-1``: from ``p^2 = a^T a``.
    """
    w, sigma, vt = s.primitive("svd", (a,), ((a.dtype, 2), (a.dtype, 1), (a.dtype, 2)))
    assert isinstance(w, Arr)
    assert isinstance(sigma, Arr)
    assert isinstance(vt, Arr)
    size = a.shape[1]
    w, vt = s.shaped(w, a.shape), s.shaped(vt, (size, size))
    u = product(s, w, vt)
    p = product(s, s.keep(scaled_columns(s, transposed(s, vt), sigma)), vt)

    def pullback(u_bar: Arr, p_bar: Arr) -> Bars:
        (turned,) = s.primitive("solve", (p, transposed(s, u_bar)), ((a.dtype, 2),))
        assert isinstance(turned, Arr)
        direct = transposed(s, s.shaped(turned, (size, a.shape[0])))
        rest = s.keep(as_array(s, p_bar - transposed(s, u) @ direct))
        even = rest.lazy(rest.shape, lambda i, j: s.op("add", rest.at(i, j), rest.at(j, i)))
        return (direct + a @ sylvester(s, p, p, s.keep(even)),)

    return (u, p), pullback
