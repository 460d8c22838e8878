"""What the rules in ``pushforwards.py`` are written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mooncake_rules.arrays import Arr, Num, Stage

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
    (out,) = s.primitive("matmul", (a, b), ((a.dtype, a.ndim + b.ndim - 2),))
    assert isinstance(out, Arr)
    return s.shaped(out, (*a.shape[:-1], *b.shape[1:]))


def call_like(s: Stage, name: str, args: Sequence[Num | Arr | complex], like: Arr) -> Arr:
    """A primitive whose result is of the shape of ``like``."""
    (out,) = s.primitive(name, args, ((like.dtype, like.ndim),))
    assert isinstance(out, Arr)
    return s.shaped(out, like.shape)


def symmetric(s: Stage, a: Arr) -> Arr:
    """The symmetric matrix of which only the lower triangle is read."""

    def at(i: Index, j: Index) -> Num | complex:
        return s.op("select", s.op("ge", i, j), a.at(i, j), a.at(j, i))

    return s.keep(a.lazy(a.shape, at))


def twice_symmetric(s: Stage, a: Arr) -> Arr:
    """``a + a^T``."""
    return s.keep(a.lazy(a.shape, lambda i, j: s.op("add", a.at(i, j), a.at(j, i))))


def skew(s: Stage, a: Arr) -> Arr:
    """The skew-symmetric matrix with the strictly lower triangle of ``a``."""

    def at(i: Index, j: Index) -> Num | complex:
        above = s.op("select", s.op("lt", i, j), s.op("neg", a.at(j, i)), s.cast(0, a.dtype))
        return s.op("select", s.op("gt", i, j), a.at(i, j), above)

    return a.lazy(a.shape, at)


def diagonal_of(s: Stage, a: Arr, size: Index) -> Arr:
    return a.lazy((size,), lambda i: a.at(i, i))


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
