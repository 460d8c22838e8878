"""Vocabulary of the rules in ``pushforwards.py``: tangents of operands, sums of contributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mooncake_rules.arrays import Arr, Num, Stage
from mooncake_rules.library.matrices import conjugate, real_part
from mooncake_rules.library.support import is_complex, real_dtype

Index = Num | int
Args = Sequence[object]
Dots = Mapping[int, Arr]


def arrays(items: Args) -> list[Arr]:
    return [item for item in items if isinstance(item, Arr)]


def plus(a: Arr | None, b: Arr | None) -> Arr:
    """``a + b``; None is zero, but not both are."""
    if a is None or b is None:
        found = b if a is None else a
        assert found is not None
        return found
    total = a + b
    assert isinstance(total, Arr)
    return total


def minus(a: Arr | None, b: Arr | None) -> Arr:
    if b is None:
        assert a is not None
        return a
    found = -b if a is None else a - b
    assert isinstance(found, Arr)
    return found


def product(s: Stage, a: Arr, b: Arr) -> Arr:
    """``a @ b``, where a zero tangent gives 0, whatever the other factor is."""
    (out,) = s.primitive("strong_matmul", (a, b), ((a.dtype, a.ndim + b.ndim - 2),))
    assert isinstance(out, Arr)
    return s.shaped(out, (*a.shape[:-1], *b.shape[1:]))


def twice_hermitian(s: Stage, a: Arr) -> Arr:
    """``a + a^H``."""

    def at(i: Index, j: Index) -> Num | complex:
        return s.op("add", a.at(i, j), conjugate(s, a.at(j, i), a.dtype))

    return s.keep(a.lazy(a.shape, at))


def skew(s: Stage, a: Arr) -> Arr:
    """The skew-Hermitian matrix with the strictly lower triangle of ``a``.

    On its diagonal are the imaginary parts of that of ``a``.
    """

    def at(i: Index, j: Index) -> Num | complex:
        zero = s.cast(0, a.dtype)
        if is_complex(a.dtype):
            own = s.op("complex", s.cast(0, real_dtype(a.dtype)), s.op("np.imag", a.at(i, j)))
            zero = s.op("select", s.op("eq", i, j), own, zero)
        turned = s.op("neg", conjugate(s, a.at(j, i), a.dtype))
        above = s.op("select", s.op("lt", i, j), turned, zero)
        return s.op("select", s.op("gt", i, j), a.at(i, j), above)

    return a.lazy(a.shape, at)


def diagonal_of(s: Stage, a: Arr, size: Index) -> Arr:
    """The real parts of the diagonal."""
    return a.lazy((size,), lambda i: real_part(s, a.at(i, i), a.dtype), real_dtype(a.dtype))


def unit_lower(s: Stage, a: Arr) -> Arr:
    """The strictly lower triangle of ``a`` below ones."""

    def at(i: Index, j: Index) -> Num | complex:
        above = s.op("select", s.op("eq", i, j), s.cast(1, a.dtype), s.cast(0, a.dtype))
        return s.op("select", s.op("gt", i, j), a.at(i, j), above)

    return s.keep(a.lazy(a.shape, at))


def exchanged(s: Stage, a: Arr, pivots: Arr, *, back: bool = False) -> Arr:
    """``a`` with row i exchanged for row ``pivots[i]``, for one i after the other; or ``back``."""
    out = s.new(a.shape, a.dtype)
    s.nest(a.shape, lambda *index: s.store(out, index, a.at(*index)))
    last = s.op("sub", pivots.shape[0], 1)

    def exchange(i: Index, *rest: Index) -> None:
        row = s.op("sub", last, i) if back else i
        assert isinstance(row, Num | int)
        other = pivots.at(row)
        assert isinstance(other, Num | int)
        one, two = out.at(row, *rest), out.at(other, *rest)
        s.store(out, (row, *rest), two)
        s.store(out, (other, *rest), one)

    s.nest((pivots.shape[0], *a.shape[1:]), exchange)
    return out
