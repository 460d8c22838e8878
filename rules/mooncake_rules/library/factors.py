"""Triangular factors that are used again, as SciPy has them."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.library.arguments import flag
from mooncake_rules.library.contraction import adjoint
from mooncake_rules.library.linalg import (
    SOLVE_ANY,
    Bars,
    Results,
    bar_of_matrix,
    by_factors,
    cholesky,
    each_system,
    factored,
    one_of_adjoint,
    solve_triangular,
    triangular,
)
from mooncake_rules.library.matrices import conjugated, floats, square, strictly_lower, triangle
from mooncake_rules.library.stacks import arrays, for_each

TABLE = Table()


@TABLE.add("scipy.linalg.cho_factor",
           "scipy.linalg.cho_solve(scipy.linalg.cho_factor(p, lower={flag}), x)",
           "scipy.linalg.cho_solve(scipy.linalg.cho_factor(np.stack((p, m @ m.T))), x)",
           "scipy.linalg.cho_solve(scipy.linalg.cho_factor(z @ z.conj().T + p, {flag}), z)",
           flag=(False, True))  # fmt: skip
def cho_factor(
    s: Stage, a: object, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Arr, bool]:
    """The Cholesky factor, zeros in its other half, and whether it is the lower one."""
    is_lower = flag(s, lower, "lower")
    return cholesky(s, a, upper=not is_lower), is_lower


@TABLE.add("scipy.linalg.cho_solve", "scipy.linalg.cho_solve((np.linalg.cholesky(p), True), w)",
           "scipy.linalg.cho_solve((np.stack((p, m)), {flag}), t)",
           "scipy.linalg.cho_solve((np.stack((p, m)), {flag}), w)",
           "scipy.linalg.cho_solve((m + 1j * p, {flag}), w)",
           "scipy.linalg.cho_solve(scipy.linalg.cho_factor(p + 0, False, {flag}), w + 1, {flag})",
           flag=(False, True))  # fmt: skip
def cho_solve(
    s: Stage, c_and_lower: tuple[object, bool], b: object, overwrite_b: bool = False,
    check_finite: bool = True,
) -> Arr:  # fmt: skip
    factor, given = c_and_lower
    lower = flag(s, given, "lower")

    def one(c: Arr, right: Arr) -> tuple[Arr]:
        half = solve_triangular(s, c, right, trans=0 if lower else 2, lower=lower)
        return (solve_triangular(s, c, half, trans=2 if lower else 0, lower=lower),)

    return each_system(s, one, factor, b, "cho_solve")


@TABLE.add("scipy.linalg.lu_factor", "scipy.linalg.lu_factor(m)[0]",
           "scipy.linalg.lu_factor(np.stack((m, p)))[0]",
           "scipy.linalg.lu_factor(m + 1j * p, check_finite=False)[0]")  # fmt: skip
def lu_factor(
    s: Stage, a: object, overwrite_a: bool = False, check_finite: bool = True
) -> tuple[Arr, Arr]:
    """L and U in one matrix, and the row exchanges."""
    given = floats(s, square(s, a, "lu_factor"))
    results = ((given.dtype, given.shape[-2:]), ("int64", given.shape[-1:]))
    lu, pivots = arrays(for_each(s, lambda x: s.rule("lu_factor", lu_factor_rule, x), results,
                                 (given, 2), what="lu_factor"))  # fmt: skip
    return lu, pivots


def lu_factor_rule(s: Stage, a: Arr) -> Results:
    """``P^T L^-H (tril(L^H L_bar, -1) + triu(U_bar U^H)) U^-H``, nan for a singular U."""
    lu, pivots = factored(s, a)

    def pullback(lu_bar: Arr, _: object) -> Bars:
        below, above = strictly_lower(s, lu_bar), triangle(s, lu_bar, False, 0)
        unit_lower = unit_triangle(s, lu)
        upper = triangle(s, lu, False, 0)
        one = strictly_lower(s, adjoint(s, unit_lower) @ below)
        other = triangle(s, above @ adjoint(s, s.keep(upper)), False, 0)
        inner = one + other
        assert isinstance(inner, Arr)
        left = conjugated(
            s, lambda c: triangular(s, lu, c, lower=1, trans=1, unit=1), s.keep(inner)
        )
        right = triangular(s, lu, adjoint(s, left), lower=0, trans=0, solver=SOLVE_ANY)
        permuted = s.keep(s.copied(adjoint(s, right)))
        swap_rows(s, permuted, pivots, back=True)
        return (permuted,)

    return (lu, pivots), pullback


def unit_triangle(s: Stage, lu: Arr) -> Arr:
    """The factor L of packed factors."""

    def at(i: Num | int, j: Num | int) -> Num | complex:
        zero, one = s.cast(0, lu.dtype), s.cast(1, lu.dtype)
        rest = s.op("select", s.op("eq", i, j), one, zero)
        return s.op("select", s.op("gt", i, j), lu.at(i, j), rest)

    return s.keep(lu.lazy(lu.shape, at))


def swap_rows(s: Stage, a: Arr, pivots: Arr, *, back: bool = False) -> None:
    """The row exchanges of a factorisation; ``back``: undo them, the last one first."""
    rows, columns = a.shape
    last = s.op("sub", rows, 1)

    def one(k: Num | int, j: Num | int) -> None:
        i = s.op("sub", last, k) if back else k
        assert isinstance(i, Num | int)
        other = pivots.at(i)
        assert isinstance(other, Num | int)
        upper, lower = a.at(i, j), a.at(other, j)
        s.store(a, (i, j), lower)
        s.store(a, (other, j), upper)

    s.nest((rows, columns), one)


@TABLE.add("scipy.linalg.lu_solve", "scipy.linalg.lu_solve(scipy.linalg.lu_factor(m), x, {trans})",
           "scipy.linalg.lu_solve(scipy.linalg.lu_factor(m), w)",
           "scipy.linalg.lu_solve(scipy.linalg.lu_factor(np.stack((m, p))), w, {trans})",
           "scipy.linalg.lu_solve(scipy.linalg.lu_factor(m), t, {trans})",
           "scipy.linalg.lu_solve(scipy.linalg.lu_factor(m + 1j * p), z, {trans})",
           trans=(0, 1, 2))  # fmt: skip
def lu_solve(
    s: Stage, lu_and_piv: tuple[Arr, Arr], b: object, trans: int = 0, overwrite_b: bool = False,
    check_finite: bool = True,
) -> Arr:  # fmt: skip
    lu, pivots = lu_and_piv
    if trans not in (0, 1, 2):
        raise s.refuse("trans must be 0, 1 or 2")

    def one(x: Arr, y: Arr, exchanged: Arr) -> Sequence[object]:
        return s.rule("lu_solve", lu_solve_rule, x, exchanged, y, min(trans, 1))

    adjoint_one = one_of_adjoint(s, one) if trans == 2 else one
    return each_system(s, adjoint_one, lu, b, "lu_solve", (s.keep(pivots), 1))


def lu_solve_any_rule(s: Stage, lu: Arr, pivots: Arr, b: Arr, trans: int) -> Results:
    return lu_solve_rule(s, lu, pivots, b, trans, "lu_solve_any")


def lu_solve_rule(
    s: Stage, lu: Arr, pivots: Arr, b: Arr, trans: int, solver: str = "lu_solve"
) -> Results:
    """With ``P A = L U``: ``b_bar = A^-H x_bar``, and what reaches L and U of ``-b_bar x^H``."""
    s.equate(*lu.shape)
    s.equate(lu.shape[0], b.shape[0])

    def solved(b: Arr, trans: bool) -> Arr:
        return by_factors(s, lu, pivots, b, trans=trans, solver=solver)

    x = solved(b, bool(trans))

    def pullback(x_bar: Arr) -> Bars:
        b_bar = conjugated(s, lambda c: solved(c, not trans), x_bar)
        known = x if solver == "lu_solve" else of_regular(s, lu, x)
        a_bar = s.keep(bar_of_matrix(s, b_bar, known, trans))  # of A = P^T L U
        swap_rows(s, a_bar, pivots)
        lower, upper = unit_triangle(s, lu), s.keep(triangle(s, lu, False, 0))
        l_bar = strictly_lower(s, a_bar @ adjoint(s, upper))
        u_bar = triangle(s, adjoint(s, lower) @ a_bar, False, 0)
        return l_bar + u_bar, None, b_bar

    return (x,), pullback


def of_regular(s: Stage, lu: Arr, x: Arr) -> Arr:
    """``x``, 0 for singular factors: what is nan there is b_bar, and 0 if x_bar is."""

    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        return (s.op("or", accs[0], s.op("eq", lu.at(i, i), s.cast(0, lu.dtype))),)

    (singular,) = s.fold((lu.shape[0],), (s.op("eq", 0, 1),), step)

    def at(*index: Num | int) -> Num | complex:
        return s.op("select", singular, s.cast(0, x.dtype), x.at(*index))

    return s.keep(x.lazy(x.shape, at))
