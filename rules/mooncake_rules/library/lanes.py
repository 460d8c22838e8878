"""Reductions of several passes, and the search for extrema.

A *lane* is the part of an array along the reduced axes that one element of the result is made of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from mooncake_rules.arrays import Arr, Num, Stage, Value, elementwise, product
from mooncake_rules.library.arguments import holds
from mooncake_rules.library.support import addition, is_float, keepdims, merge, summing, without

# Reduces the given axes of an array, to a number or an array over the other axes.
Body = Callable[[Arr, tuple[int, ...]], Value]
Index = tuple["Num | int", ...]
# A NaN among numbers: NumPy's extremum, none unless there is nothing else, or as Python's
# comparisons have it, which are False.
NaN = Literal["furthest", "nearest", "compared"]


def repeatable(s: Stage, array: Arr) -> Arr:
    """``array`` for several passes: elements that are dear are computed once."""
    return array if array.cheap else s.keep(array)


def detached(s: Stage, value: Value) -> Value:
    """``value`` with derivative zero: what the result does not depend on, though it uses it."""
    return elementwise(s, "detach", value) if isinstance(value, Num | Arr) else value


def sums(s: Stage, arrays: Sequence[Arr], axes: tuple[int, ...]) -> tuple[Value, ...]:
    """The sums of arrays of one shape over ``axes``, in one pass."""
    shape = arrays[0].shape
    if len(axes) == len(shape):
        starts = [s.cast(0, summing(array.dtype)) for array in arrays]
        found = s.fold(shape, starts, lambda accs, *i: _added(s, arrays, accs, i))
        return tuple(s.cast(x, array.dtype) for x, array in zip(found, arrays, strict=True))
    outs = [s.new(without(shape, axes), array.dtype, 0) for array in arrays]

    def one(*index: Num | int) -> None:
        at = without(index, axes)
        for out, array in zip(outs, arrays, strict=True):
            s.add(out, at, array.at(*index))

    s.nest(shape, one)
    return tuple(outs)


def _added(
    s: Stage, arrays: Sequence[Arr], accs: Sequence[Num | complex], index: Sequence[Num | int]
) -> list[Num | complex]:
    return [
        s.op(addition(array.dtype), acc, s.cast(array.at(*index), summing(array.dtype)))
        for acc, array in zip(accs, arrays, strict=True)
    ]


def over(s: Stage, value: Value, count: Value) -> Value:
    """The quotient; of an array it is dear, as is what should be computed once per element."""
    found = elementwise(s, "div", value, count)
    return found.lazy(found.shape, found.at, cheap=False) if isinstance(found, Arr) else found


def back(s: Stage, value: Value, shape: Sequence[Num | int], axes: tuple[int, ...]) -> Value:
    """A reduction over ``axes`` of an array of ``shape``, with these axes of size 1 again."""
    if not isinstance(value, Arr):
        return value
    return keepdims(value if value.cheap else s.keep(value), shape, axes, s)


def by_lanes(
    s: Stage, array: Arr, axes: tuple[int, ...], keep: bool, dtype: str, body: Body
) -> Value:
    """``body`` over ``axes``: a number, or an array over the other axes.

    If the last axis is among ``axes``, ``body`` runs in a loop over the lanes, of which each is
    read contiguously as often as needed. Otherwise it runs once, for the whole array, and the
    reductions in it combine whole rows.
    """
    rest = without(array.shape, axes)
    if len(axes) == array.ndim or (axes and axes[-1] != array.ndim - 1):
        found = body(array, axes)
    else:
        out = s.new(rest, dtype)

        def one(*index: Num | int) -> None:
            part = lane(array, axes, index)
            result = body(part, tuple(range(part.ndim)))
            assert not isinstance(result, Arr)
            s.store(out, index, result)

        s.nest(rest, one)
        found = out
    return keepdims(found, array.shape, axes, s) if keep else found


def each_lane(
    s: Stage,
    shape: Sequence[Num | int],
    axes: tuple[int, ...],
    body: Callable[[tuple[Num | int, ...], tuple[int, ...], Callable[..., Index]], None],
) -> None:
    """``body`` for lanes or the whole, as above, of arrays of ``shape``.

    It is given the shape of the part, the reduced axes of that, and what leads from an index of
    the part to that of the whole.
    """
    if len(axes) == len(shape) or (axes and axes[-1] != len(shape) - 1):
        body(tuple(shape), axes, lambda *i: i)
        return
    inner = tuple(shape[k] for k in axes)

    def one(*index: Num | int) -> None:
        body(inner, tuple(range(len(axes))), lambda *i: tuple(merge(index, i, axes)))

    s.nest(without(shape, axes), one)


def lane(array: Arr, axes: tuple[int, ...], index: Sequence[Num | int]) -> Arr:
    """The part of ``array`` along ``axes``, at ``index`` of the others."""
    shape = tuple(array.shape[k] for k in axes)
    return array.lazy(shape, lambda *i: array.at(*merge(index, i, axes)))


# ---- extrema ------------------------------------------------------------------------------------


def require_some(
    s: Stage, array: Arr, axes: tuple[int, ...], message: str, exc: str = "ValueError"
) -> None:
    """Raise ``exc`` where lanes are empty, even if there is none."""
    inner = product(s, [array.shape[k] for k in axes])
    s.require(holds(s, "ne", inner, 0), message, exc)


def positions(
    s: Stage, array: Arr, axes: tuple[int, ...], op: str, nan: NaN = "furthest"
) -> Callable[..., Index]:
    """The position of each lane's first extremum: the largest for ``op`` "gt", the least for "lt".

    The result leads from an index of the other axes to the full index.
    """
    if len(axes) == array.ndim:
        found = _search(s, array, op, nan)
        return lambda *_: found
    where = _search_rows(s, array, axes, op, nan)
    sizes = [array.shape[k] for k in axes]

    def at(*rest: Num | int) -> Index:
        flat = where.at(*rest)
        assert isinstance(flat, Num | int)
        return tuple(merge(rest, unravel(s, flat, sizes), axes))

    return at


def _search(s: Stage, array: Arr, op: str, nan: NaN) -> Index:
    """The index of the first extremum of a whole array."""
    zeros = (0,) * array.ndim

    def step(accs: Sequence[Num | complex], *index: Num | int) -> Sequence[Num | complex]:
        item, best = array.at(*index), accs[0]
        return s.choose(_beats(s, op, item, best, nan), lambda: (item, *index), lambda: accs)

    _, *found = s.fold(array.shape, (array.at(*zeros), *zeros), step)
    return tuple(found)  # type: ignore[arg-type]


def _search_rows(s: Stage, array: Arr, axes: tuple[int, ...], op: str, nan: NaN) -> Arr:
    """The flat index of the first extremum of each lane, where whole rows are compared."""
    rest, zeros = without(array.shape, axes), (0,) * len(axes)
    best, where = s.new(rest, array.dtype), s.new(rest, "int64", 0)
    s.nest(rest, lambda *i: s.store(best, i, array.at(*merge(i, zeros, axes))))

    def one(*index: Num | int) -> None:
        at = without(index, axes)
        item = array.at(*index)

        def better() -> tuple[()]:
            s.store(best, at, item)
            s.store(where, at, ravel(s, index, array.shape, axes))
            return ()

        s.choose(_beats(s, op, item, best.at(*at), nan), better, tuple)

    s.nest(array.shape, one)
    return where


def _beats(s: Stage, op: str, item: Num | complex, best: Num | complex, nan: NaN) -> Num | bool:
    """True if ``item`` is further out than ``best``."""
    if nan == "compared" or not is_float(s.promote(item)):
        return holds(s, op, item, best)
    if nan == "nearest":
        return holds(s, "or", s.op(op, item, best), s.op("np.isnan", best))
    behind = s.op("le" if op == "gt" else "ge", item, best)
    return holds(s, "and", s.op("not", behind), s.op("not", s.op("np.isnan", best)))


def ravel(
    s: Stage, index: Sequence[Num | int], shape: Sequence[Num | int], axes: Sequence[int]
) -> Num | int:
    """The position in C order among the elements along ``axes``."""
    flat: Num | int = 0
    for n, k in enumerate(axes):
        flat = index[k] if n == 0 else s.op("add", s.op("mul", flat, shape[k]), index[k])  # type: ignore[assignment]
    return flat


def unravel(s: Stage, flat: Num | int, sizes: Sequence[Num | int]) -> list[Num | int]:
    """The index that ``ravel`` makes ``flat``."""
    found: list[Num | int] = []
    for size in sizes[:0:-1]:
        found.insert(0, s.op("mod", flat, size))  # type: ignore[arg-type]
        flat = s.op("floordiv", flat, size)  # type: ignore[assignment]
    return [flat, *found] if sizes else []
