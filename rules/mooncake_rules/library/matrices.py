"""Parts of matrices, for the rules of linear algebra."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import Arr, Num, Stage, common_size
from mooncake_rules.library.contraction import conj
from mooncake_rules.library.support import as_array, astype, floating, is_complex

LINALG_ERROR = "numpy.linalg.LinAlgError"


def square(s: Stage, a: object, what: str) -> Arr:
    """A square matrix, or a stack of them."""
    array = as_array(s, a)
    if array.ndim < 2:
        raise s.refuse(f"{what} needs a matrix, got rank {array.ndim}", None, "MK214")
    common_size(s, array.shape[-2], array.shape[-1], f"{what}: a square matrix is needed")
    return array


def floats(s: Stage, a: Arr) -> Arr:
    """``a`` in its floating point type, real or complex."""
    return matrix(s, a, floating(a.dtype))


def one_real(s: Stage, array: Arr, what: str) -> Arr:
    """A matrix in its floating point type; no stack, and not complex."""
    if array.ndim != 2:
        help_ = "loop over the matrices" if array.ndim > 2 else None
        raise s.refuse(f"{what} needs a matrix, got rank {array.ndim}", help_, "MK214")
    if is_complex(array.dtype):
        raise s.refuse(f"{what} of complex matrices is not supported yet", None, "MK213")
    return floats(s, array)


def matrix(s: Stage, a: Arr, dtype: str) -> Arr:
    return s.keep(astype(s, a, dtype))


def transposed(s: Stage, a: Arr) -> Arr:
    return s.view(a, (), tuple(range(a.ndim))[::-1])


def conjugate(s: Stage, x: Num | complex, dtype: str) -> Num | complex:
    return s.op("np.conj", x) if is_complex(dtype) else x


def real_part(s: Stage, x: Num | complex, dtype: str) -> Num | complex:
    return s.op("np.real", x) if is_complex(dtype) else x


def conjugated(s: Stage, solve: Callable[[Arr], Arr], b: Arr) -> Arr:
    """The solution of a system with the conjugate of the matrix that ``solve`` has."""
    return s.keep(conj(s, solve(conj(s, b))))


def eye(s: Stage, size: Num | int, dtype: str) -> Arr:
    out = s.new((size, size), dtype, 0)
    s.nest((size,), lambda i: s.store(out, (i, i), 1))
    return out


def triangle(s: Stage, a: Arr, lower: bool, k: int = 0) -> Arr:
    """One triangle of ``a``, with the diagonal or (``k`` = -1) without; zeros elsewhere."""
    compare = ("gt" if k else "ge") if lower else ("lt" if k else "le")

    def at(i: Num | int, j: Num | int) -> Num | complex:
        return s.op("select", s.op(compare, i, j), a.at(i, j), s.cast(0, a.dtype))

    return a.lazy(a.shape, at)


def strictly_lower(s: Stage, a: Arr) -> Arr:
    return s.keep(triangle(s, a, True, -1))


def hermitian(s: Stage, a: Arr, upper: bool = False) -> Arr:
    """The Hermitian matrix with one triangle of ``a``, of its diagonal the real part."""

    def at(i: Num | int, j: Num | int) -> Num | complex:
        if not is_complex(a.dtype):
            return s.op("select", s.op("le" if upper else "ge", i, j), a.at(i, j), a.at(j, i))
        other = s.op("np.conj", a.at(j, i))
        rest = s.op("select", s.op("lt" if upper else "gt", i, j), a.at(i, j), other)
        diagonal = s.cast(s.op("np.real", a.at(i, j)), a.dtype)
        return s.op("select", s.op("eq", i, j), diagonal, rest)

    return a.lazy(a.shape, at)


def half(s: Stage, a: Arr, upper: bool) -> Arr:
    """The cotangent of a Hermitian matrix of which only one triangle is read."""
    kept = s.keep(a)

    def at(i: Num | int, j: Num | int) -> Num | complex:
        item = kept.at(i, j)
        both = s.op("add", item, conjugate(s, kept.at(j, i), a.dtype))
        read = s.op("lt" if upper else "gt", i, j)
        rest = s.op("select", read, both, s.cast(0, a.dtype))
        return s.op("select", s.op("eq", i, j), real_part(s, item, a.dtype), rest)

    return kept.lazy(kept.shape, at)


def scaled_columns(s: Stage, a: Arr, by: Arr) -> Arr:
    """``a diag(by)``."""
    return a.lazy(a.shape, lambda i, j: s.op("mul", a.at(i, j), by.at(j)))


def over_gaps(s: Stage, a: Arr, values: Arr) -> Arr:
    """``a[i, j] / (values[j] - values[i])``; 0 where they are equal."""

    def at(i: Num | int, j: Num | int) -> Num | complex:
        gap = s.op("sub", values.at(j), values.at(i))
        flat = s.op("eq", gap, 0.0)
        safe = s.op("select", flat, s.cast(1, values.dtype), gap)
        return s.op("select", flat, s.cast(0, a.dtype), s.op("div", a.at(i, j), safe))

    return a.lazy(a.shape, at)
