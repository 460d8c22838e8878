"""Singular values, orthogonal factors, and what is made of them.

Pullbacks: Townsend, "Differentiating the singular value decomposition" (2016); Walter and Lehmann
(2013) for QR; Golub and Pereyra (1973) for the pseudo-inverse.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.arrays.sizes import equal
from mooncake_rules.library.arguments import flag, holds, number
from mooncake_rules.library.contraction import adjoint
from mooncake_rules.library.linalg import Bars, Results, negated, triangular
from mooncake_rules.library.matrices import conjugate, floats, hermitian, scaled_columns
from mooncake_rules.library.stacks import arrays, for_each
from mooncake_rules.library.support import as_array, difference, is_complex, real_dtype

TABLE = Table()

NEGLIGIBLE = {"float64": 1e-10, "float32": 1e-4}  # singular values, relative to the largest
LEFT_OUT = "rcond leaves out singular values that are not 0, of which the rule knows no derivative"

SVDResult = namedtuple("SVDResult", "U S Vh")
QRResult = namedtuple("QRResult", "Q R")


def rows_and_columns(s: Stage, a: object, what: str) -> Arr:
    """``a`` as a matrix, or a stack of them, in its floating point type; refuses lower ranks."""
    array = as_array(s, a)
    if array.ndim < 2:
        raise s.refuse(f"{what} needs a matrix, got rank {array.ndim}", None, "MK214")
    return floats(s, array)


def smaller_size(s: Stage, a: Arr) -> Num | int:
    """The number of rows or columns, whichever is smaller."""
    rows, columns = a.shape[-2:]
    if s.same(rows, columns):
        return rows
    found = s.op("np.minimum", rows, columns)
    assert isinstance(found, Num | int)
    return found


# ---- singular values ----------------------------------------------------------------------------


@TABLE.add(
    "numpy.linalg.svd scipy.linalg.svd",
    "np.linalg.svd(x, full_matrices=False)[1]", "np.linalg.svd(x, compute_uv=False)",
    "np.abs(np.linalg.svd(x, full_matrices=False)[0])",
    "np.abs(np.linalg.svd(x, full_matrices=False)[2])",
    "np.abs(np.linalg.svd(x.T, full_matrices=False)[0])",
    "np.linalg.svd(t, compute_uv=False)", "np.linalg.svd(np.swapaxes(t, 1, 2), compute_uv=False)",
    "np.abs(np.linalg.svd(t, full_matrices=False)[0])",
    "np.abs(np.linalg.svd(t[:, None], full_matrices=False).Vh)",
    "np.abs(np.linalg.svd(m)[0])", "np.abs(np.linalg.svd(x @ x.T)[2])",
    "np.linalg.svd(z, compute_uv=False)", "np.linalg.svd(z.T + 2j, compute_uv=False)",
)  # fmt: skip
def svd(
    s: Stage, a: object, full_matrices: bool = True, compute_uv: bool = True
) -> SVDResult | Arr:
    given = rows_and_columns(s, a, "svd")
    size, (rows, columns), dtype = smaller_size(s, given), given.shape[-2:], given.dtype
    values = (real_dtype(dtype), (size,))
    if not flag(s, compute_uv, "compute_uv"):
        (sigma,) = arrays(for_each(s, lambda x: s.rule("singular_values", _singular_values, x),
                                   (values,), (given, 2), what="svd"))  # fmt: skip
        return sigma
    if flag(s, full_matrices, "full_matrices"):
        _require_square(s, rows, columns)
    if is_complex(dtype):
        message = "singular vectors of complex matrices have no derivative: their phases are free"
        raise s.refuse(message, "pass compute_uv=False, or take eigh of A @ A.conj().T")
    results = ((dtype, (rows, size)), values, (dtype, (size, columns)))
    u, sigma, v = arrays(for_each(s, lambda x: s.rule("svd", svd_rule, x), results, (given, 2),
                                  what="svd"))  # fmt: skip
    return SVDResult(u, sigma, v)


def _require_square(s: Stage, rows: Num | int, columns: Num | int) -> None:
    """Check that the full matrices are no others than the reduced ones, which have derivatives."""
    message = "the full matrices of svd have no derivative where the matrix is not square"
    if isinstance(rows, int) and isinstance(columns, int) and rows != columns:
        raise s.refuse(message, "pass full_matrices=False")
    if not s.same(rows, columns):
        s.require(equal(s, rows, columns), f"{message}: pass full_matrices=False")


@TABLE.add("numpy.linalg.svdvals scipy.linalg.svdvals", "np.linalg.svdvals(x)",
           "scipy.linalg.svdvals(x.T)", "np.linalg.svdvals(m) * w")  # fmt: skip
def svdvals(s: Stage, x: object, /) -> Arr:
    found = svd(s, x, False, False)
    assert isinstance(found, Arr)
    return found


def _factors(s: Stage, a: Arr) -> tuple[Arr, Arr, Arr]:
    kinds = ((a.dtype, 2), (real_dtype(a.dtype), 1), (a.dtype, 2))
    u, sigma, vt = s.primitive("svd", (a,), kinds)
    assert isinstance(u, Arr)
    assert isinstance(sigma, Arr)
    assert isinstance(vt, Arr)
    size = sigma.shape[0]
    return s.shaped(u, (a.shape[0], size)), sigma, s.shaped(vt, (size, a.shape[1]))


def _singular_values(s: Stage, a: Arr) -> Results:
    """The pullback of singular values: ``U diag(s_bar) V^H``."""
    u, sigma, vt = _factors(s, a)
    return (sigma,), lambda s_bar: (scaled_columns(s, u, s_bar) @ vt,)


def svd_rule(s: Stage, a: Arr) -> Results:
    """The pullback of ``svd``; complex vectors have free phases, on which nothing may depend."""
    u, sigma, vt = _factors(s, a)
    size = sigma.shape[0]

    def pullback(u_bar: Arr, s_bar: Arr, vt_bar: Arr) -> Bars:
        squares = s.keep(sigma.lazy(sigma.shape, lambda i: s.op("mul", sigma.at(i), sigma.at(i))))
        above, beside = (inverses(s, sigma, extent) for extent in a.shape)
        v = s.keep(adjoint(s, vt))
        left, right = adjoint(s, u) @ u_bar, vt @ adjoint(s, vt_bar)
        inner = s.new((size, size), a.dtype)

        def one(i: Num | int, j: Num | int) -> None:
            gap = s.op("sub", squares.at(j), squares.at(i))
            factor = inverse(s, gap, sigma.dtype)
            turn_u = s.op("sub", left.at(i, j), conjugate(s, left.at(j, i), a.dtype))
            turn_v = s.op("sub", right.at(i, j), conjugate(s, right.at(j, i), a.dtype))
            both = s.op("add", s.op("mul", turn_u, sigma.at(j)), s.op("mul", sigma.at(i), turn_v))
            s.store(inner, (i, j), s.op("mul", factor, both))

        s.nest((size, size), one)
        s.nest((size,), lambda i: s.add(inner, (i, i), s_bar.at(i)))
        if is_complex(a.dtype):
            s.nest((size,), lambda i: s.add(inner, (i, i), turning(s, left.at(i, i), sigma.at(i))))
        main = u @ inner @ vt
        off_u = scaled_columns(s, difference(u_bar, u @ left), above) @ vt
        off_v = scaled_columns(s, u, beside) @ difference(vt_bar, adjoint(s, v @ right))
        return (main + off_u + off_v,)

    return (u, sigma, vt), pullback


def turning(s: Stage, x: Num | complex, sigma: Num | complex) -> Num | complex:
    """``i Im(x) / sigma``: the part of the pullback that turns left vectors, not right ones."""
    dtype = s.promote(sigma)
    over = s.op("mul", s.op("np.imag", x), inverse(s, sigma, dtype))
    return s.op("complex", s.cast(0, dtype), over)


def inverses(s: Stage, sigma: Arr, extent: Num | int) -> Arr:
    """``1 / sigma``, the factor of changes of singular vectors outside of the space that they span.

    All zeros where they span all there is: there, only rounding would be divided by ``sigma``.
    """
    larger = s.op("gt", extent, sigma.shape[0])

    def at(i: Num | int) -> Num | complex:
        found = inverse(s, sigma.at(i), sigma.dtype)
        return s.op("select", larger, found, s.cast(0, sigma.dtype))

    return s.keep(sigma.lazy(sigma.shape, at))


def inverse(s: Stage, x: Num | complex, dtype: str) -> Num | complex:
    """``1 / x``; 0 for 0."""
    flat = s.op("eq", x, 0.0)
    safe = s.op("select", flat, s.cast(1, dtype), x)
    return s.op("select", flat, s.cast(0, dtype), s.op("div", s.cast(1, dtype), safe))


# ---- orthogonal factors -------------------------------------------------------------------------


@TABLE.add("numpy.linalg.qr", "np.linalg.qr(x)[0]", "np.linalg.qr(x)[1]", "np.linalg.qr(x.T)[0]",
           "np.linalg.qr(x.T)[1]", "np.linalg.qr(m)[1]", "np.linalg.qr(x.T, mode='r')",
           "np.linalg.qr(t)", "np.linalg.qr(np.swapaxes(t, 1, 2))[0]",
           "np.linalg.qr(np.swapaxes(t, 1, 2), 'r')", "np.linalg.qr(z)", "np.linalg.qr(z.T)",
           "np.linalg.qr(m + 1j * p)[0]")  # fmt: skip
def qr(s: Stage, a: object, mode: str = "reduced") -> QRResult | Arr:
    given = rows_and_columns(s, a, "qr")
    if mode not in ("reduced", "r"):
        raise s.refuse(f"the mode {mode!r} of qr is not supported", "use 'reduced' or 'r'")
    size, (rows, columns) = smaller_size(s, given), given.shape[-2:]
    results = ((given.dtype, (rows, size)), (given.dtype, (size, columns)))
    q, r = arrays(for_each(s, lambda x: s.rule("qr", qr_rule, x), results, (given, 2), what="qr"))
    return QRResult(q, r) if mode == "reduced" else r


def qr_rule(s: Stage, a: Arr) -> Results:
    """With ``a = Q (U V)``, U square: ``X_bar = (Q_bar' + Q copyltu(M)) U^-H``, M = U U_bar^H - Q_bar'^H Q,
    where ``Q_bar' = Q_bar + Y V_bar^H`` and Y are the other columns of a, whose ``Y_bar = Q V_bar``.
    """  # noqa: E501
    q, r = s.primitive("qr", (a,), ((a.dtype, 2), (a.dtype, 2)))
    assert isinstance(q, Arr)
    assert isinstance(r, Arr)
    size = q.shape[1]
    columns = a.shape[1]

    def pullback(q_bar: Arr, r_bar: Arr) -> Bars:
        head, tail = (slice(None), slice(None, size)), (slice(None), slice(size, None))
        u, u_bar, v_bar = s.view(r, head), s.view(r_bar, head), s.view(r_bar, tail)
        whole = q_bar + s.view(a, tail) @ adjoint(s, v_bar)
        assert isinstance(whole, Arr)
        whole = s.keep(whole)
        m = s.keep(difference(u @ adjoint(s, u_bar), adjoint(s, whole) @ q))
        inner = whole + q @ hermitian(s, m)
        assert isinstance(inner, Arr)
        x_bar = adjoint(s, triangular(s, u, adjoint(s, s.keep(inner)), lower=0))
        y_bar = q @ v_bar
        out = s.new(a.shape, a.dtype)
        s.nest(x_bar.shape, lambda i, j: s.store(out, (i, j), x_bar.at(i, j)))
        rest = s.op("sub", columns, size)
        assert isinstance(rest, Num | int)

        def other(i: Num | int, j: Num | int) -> None:
            at = s.op("add", j, size)
            assert isinstance(at, Num | int)
            s.store(out, (i, at), y_bar.at(i, j))

        s.nest((a.shape[0], rest), other)
        return (out,)

    return (q, r), pullback


# ---- pseudo-inverse -----------------------------------------------------------------------------


@TABLE.add("numpy.linalg.pinv", "np.linalg.pinv(x)", "np.linalg.pinv(x.T)", "np.linalg.pinv(m)",
           "np.linalg.pinv(t)", "np.linalg.pinv(np.swapaxes(t, 1, 2))", "np.linalg.pinv(z)",
           "np.linalg.pinv(z.T)", "np.linalg.pinv(m + 1j * p, rcond=None)")  # fmt: skip
def pinv(s: Stage, a: object, rcond: object = None) -> Arr:
    given = rows_and_columns(s, a, "pinv")
    limit = 1e-15 if rcond is None else number(s, rcond, "rcond")
    results = ((given.dtype, given.shape[:-3:-1]),)
    (out,) = arrays(for_each(s, lambda x: s.rule("pinv", pinv_rule, x, limit), results, (given, 2),
                             what="pinv"))  # fmt: skip
    return out


def pinv_rule(s: Stage, a: Arr, rcond: Num | float) -> Results:
    """The pullback of ``pinv``, grouped so that matrices with few columns need nothing larger.

    Golub and Pereyra (1973): what is left out must be 0, but for rounding. ValueError otherwise.
    """
    u, sigma, vt = _factors(s, a)

    def largest(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        return (s.op("np.maximum", accs[0], sigma.at(i)),)

    top = s.fold(sigma.shape, (s.cast(0, sigma.dtype),), largest)[0]
    limit = s.op("mul", top, rcond)

    def one(i: Num | int) -> Num | complex:
        large = s.op("gt", sigma.at(i), limit)
        return s.op("select", large, inverse(s, sigma.at(i), sigma.dtype), s.cast(0, sigma.dtype))

    def left_out(counts: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        small = s.op("mul", top, NEGLIGIBLE[sigma.dtype])
        is_more, is_unused = s.op("gt", sigma.at(i), small), s.op("le", sigma.at(i), limit)
        return (s.op("add", counts[0], s.cast(s.op("and", is_more, is_unused), "int64")),)

    s.require(holds(s, "eq", s.fold(sigma.shape, (0,), left_out)[0], 0), LEFT_OUT)
    by = s.keep(sigma.lazy(sigma.shape, one))
    b = scaled_columns(s, adjoint(s, vt), by) @ adjoint(s, u)

    def pullback(b_bar: Arr) -> Bars:
        turned, bar_turned = s.keep(adjoint(s, b)), s.keep(adjoint(s, b_bar))
        first = negated(turned @ (b_bar @ turned))
        outside = bar_turned @ (b @ turned)
        inside = turned @ (b @ bar_turned)
        second = difference(outside, a @ (b @ outside))
        third = difference(inside, inside @ (b @ a))
        return (first + second + third,)

    return (b,), pullback
