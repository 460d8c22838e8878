"""Systems of equations and triangular factorisations, as NumPy and SciPy have them.

Pullbacks in matrix form: Giles, "Collected matrix derivative results for forward and reverse mode
algorithmic differentiation" (2008); of the Cholesky factor also Murray (2016). A matrix of which
only one triangle is read gets its whole derivative there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, common_size
from mooncake_rules.library.matrices import (
    eye,
    floats,
    matrix,
    square,
    strictly_lower,
    transposed,
    triangle,
)
from mooncake_rules.library.support import as_array

TABLE = Table()

Bars = Sequence[object]
Pullback = Callable[..., Bars]
Results = tuple[Sequence[object], Pullback]


@TABLE.add("numpy.linalg.cholesky", "np.linalg.cholesky(p)", "np.linalg.cholesky(m @ m.T)")
def cholesky(s: Stage, a: object) -> Arr:
    (out,) = s.rule("cholesky", cholesky_rule, floats(s, square(s, a, "cholesky"), "cholesky"))
    assert isinstance(out, Arr)
    return out


def cholesky_rule(s: Stage, a: Arr) -> Results:
    """``L^-T phi(L^T L_bar) L^-1``, symmetrised; phi: the lower triangle with half the diagonal."""
    (factor,) = s.primitive("cholesky", (a,), ((a.dtype, 2),))
    assert isinstance(factor, Arr)

    def pullback(l_bar: Arr) -> Bars:
        (found,) = s.primitive("cholesky_pull", (factor, l_bar), ((a.dtype, 2),))
        assert isinstance(found, Arr)
        return (found,)

    return (factor,), pullback


def triangular(s: Stage, a: Arr, b: Arr, lower: int = 1, trans: int = 0, unit: int = 0) -> Arr:
    """The solution of a triangular system, not to be differentiated itself."""
    flags = bool(lower), bool(trans), bool(unit)
    (out,) = s.primitive("solve_triangular", (a, b, *flags), ((a.dtype, b.ndim),))
    assert isinstance(out, Arr)
    return s.shaped(out, b.shape)


@TABLE.add(
    "scipy.linalg.solve_triangular",
    "scipy.linalg.solve_triangular(p, w, lower={flag}, trans={trans}, unit_diagonal={unit})",
    "scipy.linalg.solve_triangular(p, x, lower={flag}, trans={trans})",
    flag=(False, True), trans=(0, 1, "T", "N"), unit=(False, True),
)  # fmt: skip
def solve_triangular(
    s: Stage, a: object, b: object, trans: object = 0, lower: bool = False,
    unit_diagonal: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Arr:  # fmt: skip
    kinds: dict[object, int] = {0: 0, "N": 0, 1: 1, "T": 1}
    if trans not in kinds:
        raise s.refuse("trans must be 0, 1, 'N' or 'T'")
    x, y = matrix_and_right_side(s, a, b, "solve_triangular")
    flags = int(bool(lower)), kinds[trans], int(bool(unit_diagonal))
    (out,) = s.rule("solve_triangular", solve_triangular_rule, x, y, *flags)
    assert isinstance(out, Arr)
    return s.shaped(out, y.shape)


def solve_triangular_rule(s: Stage, a: Arr, b: Arr, lower: int, trans: int, unit: int) -> Results:
    x = triangular(s, a, b, lower, trans, unit)

    def pullback(x_bar: Arr) -> Bars:
        b_bar = triangular(s, a, x_bar, lower, 1 - trans, unit)
        full = outer(s, x, b_bar) if trans else outer(s, b_bar, x)
        return (triangle(s, negated(full), bool(lower), -1 if unit else 0), b_bar)

    return (x,), pullback


def negated(a: Arr) -> Arr:
    found = -a
    assert isinstance(found, Arr)
    return found


def outer(s: Stage, a: Arr, b: Arr) -> Arr:
    """``a b^T`` of matrices; of vectors their outer product."""
    if a.ndim == 2:
        return a @ transposed(s, b)
    found = s.call("numpy.outer", a, b)
    assert isinstance(found, Arr)
    return found


def matrix_and_right_side(s: Stage, a: object, b: object, what: str) -> tuple[Arr, Arr]:
    x, y = floats(s, square(s, a, what), what), floats(s, as_array(s, b), what)
    if y.ndim not in (1, 2):
        raise s.refuse(f"{what}: the right side must have rank 1 or 2", None, "MK214")
    common_size(s, x.shape[0], y.shape[0], what)
    dtype = s.promote(x, y)
    return matrix(s, x, dtype), matrix(s, y, dtype)


@TABLE.add("numpy.linalg.solve scipy.linalg.solve", "np.linalg.solve(m, w)",
           "np.linalg.solve(m, x)", "np.linalg.solve(p, np.linalg.solve(m, w))")  # fmt: skip
def solve(s: Stage, a: object, b: object) -> Arr:
    x, y = matrix_and_right_side(s, a, b, "solve")
    (out,) = s.rule("solve", _solve, x, y)
    assert isinstance(out, Arr)
    return s.shaped(out, y.shape)


def _solve(s: Stage, a: Arr, b: Arr) -> Results:
    """``b_bar = A^-T x_bar``, by the factors of A; ``a_bar = -b_bar x^T``."""
    lu, pivots = s.primitive("lu", (a,), ((a.dtype, 2), ("int64", 1)))
    (x,) = s.primitive("lu_solve", (lu, pivots, b, False), ((a.dtype, b.ndim),))
    assert isinstance(x, Arr)

    def pullback(x_bar: Arr) -> Bars:
        (b_bar,) = s.primitive("lu_solve", (lu, pivots, x_bar, True), ((a.dtype, b.ndim),))
        assert isinstance(b_bar, Arr)
        return negated(outer(s, b_bar, x)), b_bar

    return (x,), pullback


@TABLE.add("numpy.linalg.inv scipy.linalg.inv", "np.linalg.inv(m)", "np.linalg.inv(m) @ x")
def inv(s: Stage, a: object) -> Arr:
    given = floats(s, square(s, a, "inv"), "inv")
    (out,) = s.rule("inv", inv_rule, given)
    assert isinstance(out, Arr)
    return s.shaped(out, given.shape)


def inv_rule(s: Stage, a: Arr) -> Results:
    (b,) = s.primitive("inv", (a,), ((a.dtype, 2),))
    assert isinstance(b, Arr)
    b = s.shaped(b, a.shape)

    def pullback(b_bar: Arr) -> Bars:
        turned = transposed(s, b)
        return (negated(turned @ b_bar @ turned),)

    return (b,), pullback


# ---- the determinant ----------------------------------------------------------------------------


@TABLE.add("numpy.linalg.slogdet", "np.linalg.slogdet(m)", "np.linalg.slogdet(-m)[1]")
def slogdet(s: Stage, a: object) -> tuple[Num | complex, Num | complex]:
    """Sign and logarithm of the determinant; the sign has no derivative."""
    given = floats(s, square(s, a, "slogdet"), "slogdet")
    sign, log = s.rule("slogdet", _slogdet, given)
    assert isinstance(sign, Num)
    assert isinstance(log, Num)
    return sign, log


def _slogdet(s: Stage, a: Arr) -> Results:
    """``log_bar A^-T``."""
    lu, pivots = s.primitive("lu", (a,), ((a.dtype, 2), ("int64", 1)))
    assert isinstance(lu, Arr)
    assert isinstance(pivots, Arr)
    size = a.shape[0]

    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, Num | complex]:
        item = lu.at(i, i)
        sign = s.op("mul", accs[0], s.op("np.sign", item))
        swapped = s.op("select", s.op("eq", pivots.at(i), i), sign, s.op("neg", sign))
        return swapped, s.op("add", accs[1], s.op("np.log", s.op("np.abs", item)))

    sign, log = s.fold((size,), (s.cast(1, a.dtype), s.cast(0, a.dtype)), step)

    def pullback(sign_bar: Num, log_bar: Num) -> Bars:
        (x,) = s.primitive("lu_solve", (lu, pivots, eye(s, size, a.dtype), True), ((a.dtype, 2),))
        assert isinstance(x, Arr)
        return (s.shaped(x, a.shape) * log_bar,)

    return (sign, log), pullback


@TABLE.add("numpy.linalg.det scipy.linalg.det", "np.linalg.det(m)",
           "np.linalg.det(m - np.sum(m, 0) / 3) + np.sum(m)")  # fmt: skip
def det(s: Stage, a: object) -> Value:
    given = floats(s, square(s, a, "det"), "det")
    (out,) = s.rule("det", _det, given)
    return out


def _det(s: Stage, a: Arr) -> Results:
    """The gradient is the matrix of cofactors: of singular matrices, too."""
    value = determinant(s, a)

    def pullback(d_bar: Num) -> Bars:
        (found,) = s.primitive("cofactors", (a,), ((a.dtype, 2),))
        assert isinstance(found, Arr)
        return (found.lazy(a.shape, lambda i, j: s.op("mul", found.at(i, j), d_bar)),)

    return (value,), pullback


def determinant(s: Stage, a: Arr) -> Num | complex:
    """The product of the diagonal of U, with the sign of the row exchanges."""
    lu, pivots = s.primitive("lu", (a,), ((a.dtype, 2), ("int64", 1)))
    assert isinstance(lu, Arr)
    assert isinstance(pivots, Arr)

    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        found = s.op("mul", accs[0], lu.at(i, i))
        return (s.op("select", s.op("eq", pivots.at(i), i), found, s.op("neg", found)),)

    return s.fold((a.shape[0],), (s.cast(1, a.dtype),), step)[0]


@TABLE.add("numpy.linalg.matrix_power", "np.linalg.matrix_power(m, {n})", n=(0, 1, 2, 3, 5, -1, -2))
def matrix_power(s: Stage, a: object, n: object) -> Arr:
    if isinstance(n, bool) or not isinstance(n, int):
        raise s.refuse("the exponent must be a constant integer", None, "MK310")
    base = floats(s, square(s, a, "matrix_power"), "matrix_power")
    if n == 0:
        return eye(s, base.shape[0], base.dtype)
    base = inv(s, base) if n < 0 else s.keep(base)
    found: Arr | None = None
    for bit in bin(abs(n))[:1:-1]:
        if bit == "1":
            found = base if found is None else s.keep(found @ base)
        base = s.keep(base @ base)
    assert found is not None
    return s.copied(found)


# ---- factors that are used again ----------------------------------------------------------------


@TABLE.add("scipy.linalg.cho_factor",
           "scipy.linalg.cho_solve(scipy.linalg.cho_factor(p, lower={flag}), x)",
           flag=(False, True))  # fmt: skip
def cho_factor(s: Stage, a: object, lower: bool = False) -> tuple[Arr, bool]:
    """The Cholesky factor, zeros in its other half, and whether it is the lower one."""
    given = square(s, a, "cho_factor")
    if lower:
        return cholesky(s, given), True
    return transposed(s, cholesky(s, transposed(s, s.keep(given)))), False


@TABLE.add("scipy.linalg.cho_solve", "scipy.linalg.cho_solve((np.linalg.cholesky(p), True), w)")
def cho_solve(s: Stage, c_and_lower: tuple[object, bool], b: object) -> Arr:
    factor, lower = c_and_lower
    half = solve_triangular(s, factor, b, trans=0 if lower else 1, lower=lower)
    return solve_triangular(s, factor, half, trans=1 if lower else 0, lower=lower)


@TABLE.add("scipy.linalg.lu_factor", "scipy.linalg.lu_factor(m)[0]")
def lu_factor(s: Stage, a: object) -> tuple[Arr, Arr]:
    """L and U in one matrix, and the row exchanges."""
    given = floats(s, square(s, a, "lu_factor"), "lu_factor")
    lu, pivots = s.rule("lu_factor", lu_factor_rule, given)
    assert isinstance(lu, Arr)
    assert isinstance(pivots, Arr)
    return s.shaped(lu, given.shape), pivots


def lu_factor_rule(s: Stage, a: Arr) -> Results:
    """``P^T L^-T (tril(L^T L_bar, -1) + triu(U_bar U^T)) U^-T``."""
    lu, pivots = s.primitive("lu", (a,), ((a.dtype, 2), ("int64", 1)))
    assert isinstance(lu, Arr)
    assert isinstance(pivots, Arr)
    lu = s.shaped(lu, a.shape)

    def pullback(lu_bar: Arr, _: object) -> Bars:
        below, above = strictly_lower(s, lu_bar), triangle(s, lu_bar, False, 0)
        unit_lower = unit_triangle(s, lu)
        upper = triangle(s, lu, False, 0)
        one = strictly_lower(s, transposed(s, unit_lower) @ below)
        other = triangle(s, above @ transposed(s, s.keep(upper)), False, 0)
        inner = one + other
        assert isinstance(inner, Arr)
        left = triangular(s, lu, s.keep(inner), lower=1, trans=1, unit=1)
        right = triangular(s, lu, transposed(s, left), lower=0, trans=0)
        permuted = s.keep(s.copied(transposed(s, right)))
        swap_back(s, permuted, pivots)
        return (permuted,)

    return (lu, pivots), pullback


def unit_triangle(s: Stage, lu: Arr) -> Arr:
    """The factor L of packed factors."""

    def at(i: Num | int, j: Num | int) -> Num | complex:
        zero, one = s.cast(0, lu.dtype), s.cast(1, lu.dtype)
        rest = s.op("select", s.op("eq", i, j), one, zero)
        return s.op("select", s.op("gt", i, j), lu.at(i, j), rest)

    return s.keep(lu.lazy(lu.shape, at))


def swap_back(s: Stage, a: Arr, pivots: Arr) -> None:
    """Undo the row exchanges of a factorisation, the last one first."""
    rows, columns = a.shape
    last = s.op("sub", rows, 1)

    def one(k: Num | int, j: Num | int) -> None:
        i = s.op("sub", last, k)
        assert isinstance(i, Num | int)
        other = pivots.at(i)
        assert isinstance(other, Num | int)
        upper, lower = a.at(i, j), a.at(other, j)
        s.store(a, (i, j), lower)
        s.store(a, (other, j), upper)

    s.nest((rows, columns), one)


@TABLE.add("scipy.linalg.lu_solve", "scipy.linalg.lu_solve(scipy.linalg.lu_factor(m), x, {trans})",
           "scipy.linalg.lu_solve(scipy.linalg.lu_factor(m), w)", trans=(0, 1))  # fmt: skip
def lu_solve(s: Stage, lu_and_piv: tuple[Arr, Arr], b: object, trans: int = 0) -> Arr:
    lu, pivots = lu_and_piv
    x, y = matrix_and_right_side(s, lu, b, "lu_solve")
    (out,) = s.rule("lu_solve", lu_solve_rule, x, s.keep(pivots), y, int(trans))
    assert isinstance(out, Arr)
    return s.shaped(out, y.shape)


def lu_solve_rule(s: Stage, lu: Arr, pivots: Arr, b: Arr, trans: int) -> Results:
    """With ``P A = L U``: ``b_bar = A^-T x_bar``, and what reaches L and U of ``-b_bar x^T``."""
    (x,) = s.primitive("lu_solve", (lu, pivots, b, bool(trans)), ((lu.dtype, b.ndim),))
    assert isinstance(x, Arr)
    x = s.shaped(x, b.shape)

    def pullback(x_bar: Arr) -> Bars:
        (b_bar,) = s.primitive("lu_solve", (lu, pivots, x_bar, not trans), ((lu.dtype, b.ndim),))
        assert isinstance(b_bar, Arr)
        b_bar = s.shaped(b_bar, b.shape)
        rows, columns = (x, b_bar) if trans else (b_bar, x)
        a_bar = s.keep(negated(outer(s, rows, columns)))  # of A = P^T L U
        swap_rows(s, a_bar, pivots)
        lower, upper = unit_triangle(s, lu), s.keep(triangle(s, lu, False, 0))
        l_bar = strictly_lower(s, a_bar @ transposed(s, upper))
        u_bar = triangle(s, transposed(s, lower) @ a_bar, False, 0)
        return l_bar + u_bar, None, b_bar

    return (x,), pullback


def swap_rows(s: Stage, a: Arr, pivots: Arr) -> None:
    """The row exchanges of a factorisation."""
    rows, columns = a.shape

    def one(i: Num | int, j: Num | int) -> None:
        other = pivots.at(i)
        assert isinstance(other, Num | int)
        upper, lower = a.at(i, j), a.at(other, j)
        s.store(a, (i, j), lower)
        s.store(a, (other, j), upper)

    s.nest((rows, columns), one)
