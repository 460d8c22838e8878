"""Parts and transpositions: views of memory, index arithmetic for what is delayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mooncake_rules.arrays import Arr, Num, Stage, product
from mooncake_rules.arrays.sizes import size_op

WHOLE, REVERSED = slice(None), slice(None, None, -1)
At = Callable[["Num | int"], "Num | int"]


def plus(s: Stage, a: Num | int, b: Num | int) -> Num | int:
    """``a + b`` of indices; nothing is emitted for a 0."""
    if isinstance(a, int) and a == 0:
        return b
    return a if isinstance(b, int) and b == 0 else size_op(s, "add", a, b)


def transposed(s: Stage, array: Arr, axes: Sequence[int]) -> Arr:
    """``array.transpose(axes)``."""
    if array.memory is not None:
        return s.view(array, (), axes)
    place = [list(axes).index(k) for k in range(array.ndim)]
    shape = tuple(array.shape[k] for k in axes)
    moved = array.lazy(shape, lambda *index: array.at(*(index[k] for k in place)))
    return shown(moved, array)


def shown(result: Arr, of: Arr) -> Arr:
    """``result``, delayed, where NumPy has a read-only view of ``of``."""
    return replace(result, shows=of.memory is not None or of.shows)


def flattened(s: Stage, array: Arr) -> Arr:
    """The elements in C order, only to be read."""
    match array.ndim:
        case 0:
            return array.lazy((1,), lambda _: array.at())
        case 1:
            return array
        case _:
            return s.reshape(array, (product(s, array.shape),))


def with_axis(array: Arr, k: int) -> Arr:
    """``array`` with a new axis ``k``, only to be read."""
    shape = (*array.shape[:k], 1, *array.shape[k:])
    found = array.lazy(shape, lambda *index: array.at(*index[:k], *index[k + 1 :]))
    return replace(found, layout=array.s.with_axis(array, k))


def part(s: Stage, array: Arr, items: Sequence[object]) -> Arr:
    """``array[items]`` by numbers, slices and None; a delayed array stays so where that is easy."""
    if array.memory is None and all(map(_is_easy, items)):
        return _delayed_part(s, array, items)
    return s.view(array, items)


def _is_easy(item: object) -> bool:
    """True if ``item`` selects without comparing its bounds to the size of its axis."""
    match item:
        case None | int():
            return True
        case slice(start=None | 0, stop=None, step=None | 1 | -1):
            return True
        case slice(start=None | int() as lo, stop=None | int() as hi, step=None | 1):
            return (lo is None or lo >= 0) and (hi is None or hi < 0)
        case _:
            return False


def _delayed_part(s: Stage, array: Arr, items: Sequence[object]) -> Arr:
    shape: list[Num | int] = []
    reads: list[tuple[int | None, At]] = []  # the axis of the result, if any, and where it leads
    sizes = iter(array.shape)
    for item in items:
        if item is None:
            shape.append(1)
            continue
        size = next(sizes)
        if isinstance(item, slice):
            reads.append((len(shape), _shifted(s, size, item)))
            shape.append(s.shrunk(size, _cut(item)))
        else:
            assert isinstance(item, int)
            fixed = item if item >= 0 else size_op(s, "sub", size, -item)
            reads.append((None, lambda _, fixed=fixed: fixed))  # type: ignore[misc]
    for size in sizes:
        reads.append((len(shape), lambda i: i))
        shape.append(size)

    def at(*index: Num | int) -> Num | complex:
        return array.at(*(read(0 if axis is None else index[axis]) for axis, read in reads))

    return shown(array.lazy(tuple(shape), at), array)


def _cut(item: slice) -> int:
    """By how much an easy slice is shorter than its axis."""
    return (item.start or 0) - (item.stop or 0) if item.step != -1 else 0


def _shifted(s: Stage, size: Num | int, item: slice) -> At:
    if item.step == -1:
        last = s.shrunk(size, 1)
        return lambda i: size_op(s, "sub", last, i)
    return lambda i: plus(s, i, item.start or 0)


def along(ndim: int, axis: int, item: object) -> tuple[object, ...]:
    """The index with ``item`` at ``axis`` and whole axes before it."""
    return (*[WHOLE] * min(axis, ndim), item)
