"""Parts of matrices, for the rules of linear algebra."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, common_size
from mooncake_rules.library.support import as_array, astype, floating, is_complex


def square(s: Stage, a: object, what: str) -> Arr:
    """A square matrix, or a stack of them."""
    array = as_array(s, a)
    if array.ndim < 2:
        raise s.refuse(f"{what} needs a matrix, got rank {array.ndim}", None, "MK214")
    common_size(s, array.shape[-2], array.shape[-1], f"{what}: a square matrix is needed")
    return array


def floats(s: Stage, a: Arr, what: str) -> Arr:
    """``a`` in its floating point type; complex matrices are not supported."""
    if is_complex(a.dtype):
        raise s.refuse(f"{what} of complex matrices is not supported yet", None, "MK213")
    return matrix(s, a, floating(a.dtype))


def matrix(s: Stage, a: Arr, dtype: str) -> Arr:
    return s.keep(astype(s, a, dtype))


def transposed(s: Stage, a: Arr) -> Arr:
    return s.view(a, (), tuple(range(a.ndim))[::-1])


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


def lower_half(s: Stage, a: Arr) -> Arr:
    """The cotangent of a symmetric matrix of which only the lower triangle is read."""
    kept = s.keep(a)

    def at(i: Num | int, j: Num | int) -> Num | complex:
        item = kept.at(i, j)
        both = s.op("add", item, kept.at(j, i))
        below = s.op("select", s.op("gt", i, j), both, s.cast(0, a.dtype))
        return s.op("select", s.op("eq", i, j), item, below)

    return kept.lazy(kept.shape, at)
