"""Systems of equations and triangular factorisations, as NumPy and SciPy have them.

Pullbacks in matrix form: Giles, "Collected matrix derivative results for forward and reverse mode
algorithmic differentiation" (2008); of the Cholesky factor also Murray (2016). A matrix of which
only one triangle is read gets its whole derivative there.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, common_size, product
from mooncake_rules.library.arguments import flag
from mooncake_rules.library.contraction import adjoint, conj
from mooncake_rules.library.matrices import (
    conjugated,
    eye,
    floats,
    matrix,
    square,
    transposed,
    triangle,
)
from mooncake_rules.library.stacks import arrays, for_each
from mooncake_rules.library.support import as_array, call_like, is_complex, real_dtype

TABLE = Table()

Bars = Sequence[object]
Pullback = Callable[..., Bars]
Results = tuple[Sequence[object], Pullback]

SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")


@TABLE.add(
    "numpy.linalg.cholesky",
    "np.linalg.cholesky(p)", "np.linalg.cholesky(m @ m.T)", "np.linalg.cholesky(p, upper={upper})",
    "np.linalg.cholesky(np.stack((p, m @ m.T)), upper={upper})",
    "np.linalg.cholesky(z @ z.conj().T + p, upper={upper})",
    "np.linalg.cholesky(np.stack((z @ z.conj().T + p, p)))", upper=(False, True),
)  # fmt: skip
def cholesky(s: Stage, a: object, /, *, upper: bool = False) -> Arr:
    given = floats(s, square(s, a, "cholesky"))
    is_upper = flag(s, upper, "upper")

    def one(matrix: Arr) -> tuple[Arr]:
        read = transposed(s, matrix) if is_upper else matrix
        (factor,) = arrays(s.rule("cholesky", cholesky_rule, read))
        return (transposed(s, factor) if is_upper else factor,)

    return each_square(s, one, given, "cholesky")


def each_square(s: Stage, one: Callable[[Arr], Sequence[object]], a: Arr, what: str) -> Arr:
    """``one`` of each matrix of ``a``, which gives one matrix of the same shape."""
    (out,) = arrays(for_each(s, one, ((a.dtype, a.shape[-2:]),), (a, 2), what=what))
    return out


def cholesky_rule(s: Stage, a: Arr) -> Results:
    """``L^-H phi(L^H L_bar) L^-1``, made Hermitian; phi: the lower triangle, diagonal halved."""
    (factor,) = arrays(s.primitive("cholesky", (a,), ((a.dtype, 2),)))

    def pullback(l_bar: Arr) -> Bars:  # of the shape of the factor: no sizes are saved
        return s.primitive("cholesky_pull", (factor, l_bar), ((a.dtype, 2),))

    return (factor,), pullback


def like_matrix(s: Stage, name: str, args: Sequence[Num | Arr | complex], a: Arr) -> Arr:
    """A primitive whose result is of the shape of ``a``; one of rank 2 is a square matrix."""
    if a.ndim == 2:
        s.equate(*a.shape)
    return call_like(s, name, args, a)


def factored(s: Stage, a: Arr) -> tuple[Arr, Arr]:
    """The factors of a square matrix, and its row exchanges."""
    s.equate(*a.shape)
    lu, pivots = s.primitive("lu", (a,), ((a.dtype, 2), ("int64", 1)))
    assert isinstance(lu, Arr)
    assert isinstance(pivots, Arr)
    return s.shaped(lu, a.shape), s.shaped(pivots, a.shape[:1])


SOLVE, SOLVE_ANY = "solve_triangular", "solve_triangular_any"  # raises, or nan, if singular


def triangular(
    s: Stage, a: Arr, b: Arr, lower: int = 1, trans: int = 0, unit: int = 0, solver: str = SOLVE
) -> Arr:
    """The solution of a triangular system, not to be differentiated itself."""
    return call_like(s, solver, (a, b, bool(lower), bool(trans), bool(unit)), b)


@TABLE.add(
    "scipy.linalg.solve_triangular",
    "scipy.linalg.solve_triangular(p, w, lower={flag}, trans={number}, unit_diagonal={unit})",
    "scipy.linalg.solve_triangular(p, x, lower={flag}, trans={letter})",
    "scipy.linalg.solve_triangular(np.stack((m, p)), x, {letter})",
    "scipy.linalg.solve_triangular(np.stack((m, p)), w, lower={flag})",
    "scipy.linalg.solve_triangular(m + 1j * p, z, {number}, {flag}, unit_diagonal=True)",
    "scipy.linalg.solve_triangular(m + 1j * p, w, {letter})",
    flag=(False, True), number=(0, 1, 2), letter=("N", "T", "C"), unit=(False, True),
)  # fmt: skip
def solve_triangular(
    s: Stage, a: object, b: object, trans: object = 0, lower: bool = False,
    unit_diagonal: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> Arr:  # fmt: skip
    kinds: dict[object, int] = {0: 0, "N": 0, 1: 1, "T": 1, 2: 2, "C": 2}
    if trans not in kinds:
        raise s.refuse("trans must be 0, 1, 2, 'N', 'T' or 'C'")
    is_lower, is_unit = flag(s, lower, "lower"), flag(s, unit_diagonal, "unit_diagonal")
    flags = int(is_lower), min(kinds[trans], 1), int(is_unit)

    def one(x: Arr, y: Arr) -> Sequence[object]:
        return s.rule("solve_triangular", solve_triangular_rule, x, y, *flags)

    adjoint = one_of_adjoint(s, one) if kinds[trans] == 2 else one
    return each_system(s, adjoint, a, b, "solve_triangular")


def one_of_adjoint(
    s: Stage, transposed_one: Callable[..., Sequence[object]]
) -> Callable[..., Sequence[object]]:
    """A solver with the adjoint of a matrix, made from one with its transpose."""

    def one(x: Arr, y: Arr, *others: Arr) -> Sequence[object]:
        (found,) = transposed_one(x, conj(s, y), *others)
        assert isinstance(found, Arr)
        return (conj(s, found),)

    return one


def solve_triangular_rule(
    s: Stage, a: Arr, b: Arr, lower: int, trans: int, unit: int, solver: str = SOLVE
) -> Results:
    x = triangular(s, a, b, lower, trans, unit, solver)

    def pullback(x_bar: Arr) -> Bars:
        b_bar = conjugated(s, lambda c: triangular(s, a, c, lower, 1 - trans, unit, solver), x_bar)
        full = bar_of_matrix(s, b_bar, x, trans)
        return (triangle(s, full, bool(lower), -1 if unit else 0), b_bar)

    return (x,), pullback


def solve_triangular_any_rule(
    s: Stage, a: Arr, b: Arr, lower: int, trans: int, unit: int
) -> Results:
    return solve_triangular_rule(s, a, b, lower, trans, unit, SOLVE_ANY)


def negated(a: Arr) -> Arr:
    found = -a
    assert isinstance(found, Arr)
    return found


def outer(s: Stage, a: Arr, b: Arr) -> Arr:
    """``a b^H`` of matrices; of vectors their outer product."""
    if a.ndim == 2:
        return a @ adjoint(s, b)
    found = s.call("numpy.outer", a, conj(s, b))
    assert isinstance(found, Arr)
    return found


def bar_of_matrix(s: Stage, b_bar: Arr, x: Arr, trans: int = 0) -> Arr:
    """The cotangent of A in ``A x = b``, or ``A^T x = b``: ``-b_bar x^H``, ``-conj(x) b_bar^T``."""
    if trans:
        return negated(outer(s, conj(s, x), conj(s, b_bar)))
    return negated(outer(s, b_bar, x))


def each_system(
    s: Stage, one: Callable[..., Sequence[object]], a: object, b: object, what: str,
    *others: tuple[Arr, int],
) -> Arr:  # fmt: skip
    """``one(a, b)`` for each matrix and right side, a vector only if ``b`` has rank 1.

    It gives what has the shape of the right side; it is given items of ``others``, too.
    """
    x, y = floats(s, square(s, a, what)), floats(s, as_array(s, b))
    if y.ndim == 0:
        raise s.refuse(f"{what}: the right side must have rank 1 or more", None, "MK214")
    rank = min(y.ndim, 2)
    common_size(s, x.shape[-1], y.shape[-rank], what)
    dtype = s.promote(x, y)
    x, y = matrix(s, x, dtype), matrix(s, y, dtype)
    results = ((dtype, y.shape[-rank:]),)
    if x.ndim == 2 and rank < y.ndim and not others:
        return _side_by_side(s, one, x, y)
    (out,) = arrays(for_each(s, one, results, (x, 2), (y, rank), *others, what=what))
    return out


def _side_by_side(s: Stage, one: Callable[..., Sequence[object]], a: Arr, b: Arr) -> Arr:
    """One matrix for all of a stack of right sides, which are columns of a single one."""
    axes = (b.ndim - 2, *range(b.ndim - 2), b.ndim - 1)
    turned = s.view(b, (), axes)
    rows, *others = turned.shape
    (out,) = arrays(one(a, s.reshape(turned, (rows, product(s, others)))))  # type: ignore[arg-type]
    back = (*range(1, b.ndim - 1), 0, b.ndim - 1)
    return s.view(s.reshape(out, turned.shape), (), back)


@TABLE.add(
    "numpy.linalg.solve",
    "np.linalg.solve(m, w)", "np.linalg.solve(m, x)", "np.linalg.solve(p, np.linalg.solve(m, w))",
    "np.linalg.solve(np.stack((m, p)), t)", "np.linalg.solve(np.stack((m, p)), w)",
    "np.linalg.solve(np.stack((m, p)), x)", "np.linalg.solve(m, t)", "np.linalg.solve(m[None], t)",
    "np.linalg.solve(np.stack((m, p))[:, None], t)", "np.linalg.solve(m[None], w)",
    "np.linalg.solve(m + 1j * p, z)", "np.linalg.solve(m + 1j * p, w)", "np.linalg.solve(m, z)",
    "np.linalg.solve(np.stack((m, p * 1j)), z[0, :1] + w)",
)  # fmt: skip
def solve(s: Stage, a: object, b: object) -> Arr:
    return each_system(s, lambda x, y: s.rule("solve", solve_rule, x, y), a, b, "solve")


def solve_rule(s: Stage, a: Arr, b: Arr) -> Results:
    """``b_bar = A^-H x_bar``, by the factors of A; ``a_bar = -b_bar x^H``."""
    lu, pivots = factored(s, a)
    s.equate(a.shape[0], b.shape[0])
    x = by_factors(s, lu, pivots, b, trans=False)

    def pullback(x_bar: Arr) -> Bars:
        b_bar = conjugated(s, lambda c: by_factors(s, lu, pivots, c, trans=True), x_bar)
        return bar_of_matrix(s, b_bar, x), b_bar

    return (x,), pullback


def by_factors(
    s: Stage, lu: Arr, pivots: Arr, b: Arr, *, trans: bool, solver: str = "lu_solve"
) -> Arr:
    """The solution of a system, or of the transposed one, from factors of its matrix."""
    return call_like(s, solver, (lu, pivots, b, trans), b)


@TABLE.add(
    "numpy.linalg.inv",
    "np.linalg.inv(m)", "np.linalg.inv(m) @ x",
    "np.linalg.inv(np.stack((m, p)))", "np.linalg.inv(np.stack((m, p))[:, None])",
    "np.linalg.inv(m + 1j * p)", "np.linalg.inv(np.stack((m, 1j * p)))",
)  # fmt: skip
def inv(s: Stage, a: object) -> Arr:
    given = floats(s, square(s, a, "inv"))
    return each_square(s, lambda matrix: s.rule("inv", inv_rule, matrix), given, "inv")


def inv_rule(s: Stage, a: Arr) -> Results:
    b = like_matrix(s, "inv", (a,), a)

    def pullback(b_bar: Arr) -> Bars:
        turned = s.keep(adjoint(s, b))
        return (negated(turned @ b_bar @ turned),)

    return (b,), pullback


# ---- the determinant ----------------------------------------------------------------------------


@TABLE.add("numpy.linalg.slogdet", "np.linalg.slogdet(m)", "np.linalg.slogdet(-m)[1]",
           "np.linalg.slogdet(np.stack((m, -p)))",
           "np.linalg.slogdet(np.stack((m, p))[:, None]).logabsdet",
           "np.linalg.slogdet(m + 1j * p)", "np.linalg.slogdet(np.stack((m, 1j * p)))")  # fmt: skip
def slogdet(s: Stage, a: object) -> SlogdetResult:
    """Sign and logarithm of the determinant; the sign of a real one has no derivative."""
    given = floats(s, square(s, a, "slogdet"))
    results = ((given.dtype, ()), (real_dtype(given.dtype), ()))
    found = for_each(s, lambda x: s.rule("slogdet", _slogdet, x), results, (given, 2),
                     what="slogdet")  # fmt: skip
    return SlogdetResult(*found)


def _slogdet(s: Stage, a: Arr) -> Results:
    """``t_bar A^-H`` for the trace t of ``A^-1 A_dot``: the logarithm moves by its real part, the
    sign by itself times i times the imaginary part. That of a singular matrix is nan.
    """
    lu, pivots = factored(s, a)
    size = a.shape[0]

    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, Num | complex]:
        item = lu.at(i, i)
        sign = s.op("mul", accs[0], direction(s, item, a.dtype))
        swapped = s.op("select", s.op("eq", pivots.at(i), i), sign, s.op("neg", sign))
        return swapped, s.op("add", accs[1], s.op("np.log", s.op("np.abs", item)))

    sign, log = s.fold((size,), (s.cast(1, a.dtype), s.cast(0, real_dtype(a.dtype))), step)

    def pullback(sign_bar: Num, log_bar: Num) -> Bars:
        one = eye(s, size, a.dtype)
        inverse = by_factors(s, lu, pivots, one, trans=True, solver="lu_solve_any")
        if not is_complex(a.dtype):
            return (times(s, log_bar, inverse),)
        turned = s.op("np.imag", s.op("strong", sign_bar, s.op("np.conj", sign)))
        t_bar = s.op("complex", log_bar, turned)
        return (times(s, t_bar, conj(s, inverse)),)

    return (sign, log), pullback


def times(s: Stage, bar: Num | complex, a: Arr) -> Arr:
    """``bar * a``, 0 for a ``bar`` of 0 whatever ``a`` is: of a singular matrix it is nan."""
    return a.lazy(a.shape, lambda i, j: s.op("strong", bar, a.at(i, j)))


def direction(s: Stage, x: Num | complex, dtype: str) -> Num | complex:
    """``x / |x|``, 0 for 0."""
    if not is_complex(dtype):
        return s.op("np.sign", x)
    size = s.op("np.abs", x)
    flat = s.op("eq", size, 0.0)
    return s.op("div", x, s.op("select", flat, s.cast(1, real_dtype(dtype)), size))


@TABLE.add("numpy.linalg.det", "np.linalg.det(m)",
           "np.linalg.det(m - np.sum(m, 0) / 3) + np.sum(m)", "np.linalg.det(np.stack((m, p)))",
           "np.linalg.det(np.stack((m, p))[:, None])", "np.linalg.det(m + 1j * p)",
           "np.linalg.det(z @ z.conj().T - np.sum(z @ z.conj().T, 0) / 3) + np.sum(z)",
           "np.linalg.det(np.stack((m, 1j * p)))")  # fmt: skip
def det(s: Stage, a: object) -> Value:
    given = floats(s, square(s, a, "det"))
    (out,) = for_each(s, lambda x: s.rule("det", _det, x), ((given.dtype, ()),), (given, 2),
                      what="det")  # fmt: skip
    return out


def _det(s: Stage, a: Arr) -> Results:
    """The gradient is the conjugate matrix of cofactors: of singular matrices, too."""
    value = determinant(s, a)

    def pullback(d_bar: Num) -> Bars:
        found = like_matrix(s, "cofactors", (a,), a)
        return (conj(s, found) * d_bar,)

    return (value,), pullback


def determinant(s: Stage, a: Arr) -> Num | complex:
    """The product of the diagonal of U, with the sign of the row exchanges."""
    lu, pivots = factored(s, a)

    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        found = s.op("mul", accs[0], lu.at(i, i))
        return (s.op("select", s.op("eq", pivots.at(i), i), found, s.op("neg", found)),)

    return s.fold((a.shape[0],), (s.cast(1, a.dtype),), step)[0]


@TABLE.add("numpy.linalg.matrix_power", "np.linalg.matrix_power(m, {n})",
           "np.linalg.matrix_power(np.stack((m, p)), {n})",
           "np.linalg.matrix_power(m + 1j * p, {n})", n=(0, 1, 2, 3, 5, -1, -2))  # fmt: skip
def matrix_power(s: Stage, a: object, n: object) -> Arr:
    if isinstance(n, bool) or not isinstance(n, int):
        raise s.refuse("the exponent must be a constant integer", None, "MK310")
    given, power = square(s, a, "matrix_power"), n
    if power == 1:
        return given
    given = floats(s, given) if power < 0 else given
    return each_square(s, lambda matrix: (_power(s, matrix, power),), given, "matrix_power")


def _power(s: Stage, base: Arr, n: int) -> Arr:
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
