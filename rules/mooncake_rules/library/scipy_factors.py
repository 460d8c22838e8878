"""Factorisations as SciPy has them, where it differs from NumPy."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Stage, Table, common_size
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds, number, one_of
from mooncake_rules.library.decompositions import QRResult, pinv, qr
from mooncake_rules.library.eigenvalues import eigh
from mooncake_rules.library.linalg import cholesky, solve_triangular
from mooncake_rules.library.matrices import hermitian, one_real, square, transposed
from mooncake_rules.library.support import as_array

TABLE = Table()

EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}


@TABLE.add(
    "scipy.linalg.cholesky", "scipy.linalg.cholesky(p, lower={flag})", "scipy.linalg.cholesky(p)",
    "scipy.linalg.cholesky(m @ m.T)", flag=(False, True),
)  # fmt: skip
def scipy_cholesky(
    s: Stage, a: object, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Arr:
    """The factor of the triangle that is read: the upper one unless ``lower``."""
    given = one_real(s, square(s, a, "cholesky"), "cholesky")
    if flag(s, lower, "lower"):
        return cholesky(s, given)
    return transposed(s, cholesky(s, transposed(s, s.keep(given))))


@TABLE.add(
    "scipy.linalg.eigh", "scipy.linalg.eigh(p)[0]", "np.abs(scipy.linalg.eigh(p, lower={flag})[1])",
    "scipy.linalg.eigh(p, lower={flag}, eigvals_only=True)", "scipy.linalg.eigh(m, p)[0]",
    "np.abs(scipy.linalg.eigh(m, p, lower=False)[1])", flag=(False, True),
)  # fmt: skip
def scipy_eigh(
    s: Stage, a: object, b: object = None, *, lower: bool = True, eigvals_only: bool = False,
    overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True,
) -> tuple[Arr, Arr] | Arr:  # fmt: skip
    """Eigenvalues and vectors of one triangle of ``a``; or those of ``a v = w b v``.

    With ``b = L L^T`` these are the values of ``L^-1 a L^-T``, and ``L^-T`` times its vectors.
    """
    a = one_real(s, square(s, a, "eigh"), "eigh")
    side = "L" if flag(s, lower, "lower") else "U"
    factor: Arr | None = None
    given: object = a
    if b is not None:
        left, right = (one_real(s, square(s, one, "eigh"), "eigh") for one in (b, a))
        common_size(s, left.shape[0], right.shape[0], "eigh")
        factor = scipy_cholesky(s, left, True) if lower else transposed(s, scipy_cholesky(s, left))
        half = solve_triangular(s, factor, s.keep(hermitian(s, right, side == "U")), lower=True)
        given = solve_triangular(s, factor, transposed(s, half), lower=True)
        side = "L"
    values, vectors = eigh(s, given, side)
    assert isinstance(values, Arr)
    assert isinstance(vectors, Arr)
    if flag(s, eigvals_only, "eigvals_only"):
        return values
    if factor is not None:
        vectors = solve_triangular(s, factor, vectors, trans=1, lower=True)
    return values, vectors


@TABLE.add(
    "scipy.linalg.eigvalsh", "scipy.linalg.eigvalsh(p, lower={flag})",
    "scipy.linalg.eigvalsh(m, p)",
    flag=(False, True),
)  # fmt: skip
def scipy_eigvalsh(
    s: Stage, a: object, b: object = None, *, lower: bool = True, overwrite_a: bool = False,
    overwrite_b: bool = False, check_finite: bool = True,
) -> Arr:  # fmt: skip
    values = scipy_eigh(s, a, b, lower=lower, eigvals_only=True)
    assert isinstance(values, Arr)
    return values


@TABLE.add(
    "scipy.linalg.qr", "scipy.linalg.qr(x, mode='economic')", "scipy.linalg.qr(m)",
    "scipy.linalg.qr(x)",
    "scipy.linalg.qr(x.T, mode='economic')", "scipy.linalg.qr(m, mode='r')[0]",
)  # fmt: skip
def scipy_qr(
    s: Stage, a: object, overwrite_a: bool = False, lwork: object = None, mode: str = "full",
    pivoting: bool = False, check_finite: bool = True,
) -> QRResult | tuple[Arr]:  # fmt: skip
    given = one_real(s, as_array(s, a), "qr")
    if pivoting:
        raise s.refuse("qr with pivoting is not supported")
    kind = one_of(s, mode, "mode", ("full", "economic", "r"))
    if kind != "economic" and not s.same(*given.shape):
        message = "qr: with more rows than columns, the derivative needs mode='economic'"
        s.require(holds(s, "le", *given.shape), message)
    if kind == "r":
        found = qr(s, given, "r")
        assert isinstance(found, Arr)
        return (found,)
    factors = qr(s, given)
    assert isinstance(factors, QRResult)
    return QRResult(*factors)


@TABLE.add(
    "scipy.linalg.pinv", "scipy.linalg.pinv(x)", "scipy.linalg.pinv(x.T, rtol=1e-9)",
    "scipy.linalg.pinv(np.outer(v, w))",
)  # fmt: skip
def scipy_pinv(s: Stage, a: object, *, rtol: object = None, check_finite: bool = True) -> Arr:
    """``scipy.linalg.pinv``; singular values up to ``rtol`` times the largest count as zero."""
    given = one_real(s, as_array(s, a), "pinv")
    if rtol is not None:
        limit = number(s, rtol, "rtol")
    else:
        size = s.cast(size_op(s, "np.maximum", *given.shape), given.dtype)
        limit = s.op("mul", size, EPSILON[given.dtype])
    assert not isinstance(limit, complex)
    return pinv(s, given, limit)
