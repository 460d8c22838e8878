"""Helpers shared by the library functions: checks of arguments, sizes, axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_rules.arrays import Arr, Num, Stage, Value, broadcast_to

ONE_BY_ONE = ("bool", "int8", "int16", "int32")


def as_array(s: Stage, a: object, dtype: str | None = None) -> Arr:
    """An array-like argument: an array, a number, or a nested tuple of numbers and arrays."""
    if isinstance(a, tuple | list):
        a = s.call("numpy.array", a)
    if isinstance(a, Num | bool | int | float | complex):
        number = a
        found = Arr(s, s.promote(number), (), lambda: number)
    elif isinstance(a, Arr):
        found = a
    else:
        raise s.refuse("expected an array", None, "MK213")
    return found if dtype is None else astype(s, found, dtype)


def astype(s: Stage, array: Arr, dtype: str) -> Arr:
    """``array`` with its elements converted."""
    if array.dtype == dtype:
        return array
    found = array.lazy(array.shape, lambda *index: s.cast(array.at(*index), dtype), dtype)
    return replace(found, layout=s.like(array))


def dtype_of_sum(dtype: str) -> str:
    """NumPy sums bools and small integers as int64 (or uint64)."""
    if dtype in ONE_BY_ONE:
        return "int64"
    return "uint64" if dtype.startswith("uint") else dtype


def is_float(dtype: str) -> bool:
    return dtype.startswith(("float", "complex"))


def is_complex(dtype: str) -> bool:
    return dtype.startswith("complex")


def floating(dtype: str) -> str:
    """The dtype of a mean or a quotient: ints and bools become float64."""
    return dtype if is_float(dtype) else "float64"


def real_dtype(dtype: str) -> str:
    """The dtype of the parts of complex numbers; any other as it is."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def summing(dtype: str) -> str:
    """The dtype that sums of many elements are accumulated in, lest single precision gets lost.

    NumPy adds these in pairs, which is as good.
    """
    return {"float32": "float64", "complex64": "complex128"}.get(dtype, dtype)


def addition(dtype: str) -> str:
    """The op that sums are made of: floats are added in any order, as NumPy may do, too."""
    return "radd" if dtype in ("float32", "float64") else "add"


def without(shape: Sequence[Num | int], axes: Sequence[int]) -> tuple[Num | int, ...]:
    return tuple(size for k, size in enumerate(shape) if k not in axes)


def kept(shape: Sequence[Num | int], axes: Sequence[int]) -> tuple[Num | int, ...]:
    """``shape`` with the size 1 at ``axes``."""
    return tuple(1 if k in axes else size for k, size in enumerate(shape))


def keepdims(array: Value, shape: Sequence[Num | int], axes: Sequence[int], s: Stage) -> Value:
    """The result of a reduction of ``shape`` over ``axes``, with these as axes of size 1."""
    if not isinstance(array, Arr):
        number = array
        return Arr(s, s.promote(number), (1,) * len(shape), lambda *_: number)
    inner = array

    def at(*index: Num | int) -> Num | complex:
        return inner.at(*(i for k, i in enumerate(index) if k not in axes))

    return inner.lazy(kept(shape, axes), at)


def reduce_axes(
    s: Stage,
    array: Arr,
    axes: tuple[int, ...],
    keep: bool,
    dtype: str,
    start: Num | complex,
    op: str,
) -> Value:
    """``op`` folded over ``axes`` from ``start``: a number, or an array over the other axes.

    Along the last axes a carried value per result; otherwise whole rows are combined at a time,
    so that memory is read in order.
    """
    if op == "add" and len(axes) < array.ndim and axes and axes[-1] != array.ndim - 1:
        found: Value = _rows_added(s, array, axes, dtype, start)
    else:
        found = _folded(s, array, axes, dtype, start, op)
    return keepdims(found, array.shape, axes, s) if keep else found


def _rows_added(
    s: Stage, array: Arr, axes: tuple[int, ...], dtype: str, start: Num | complex
) -> Arr:
    outer = without(array.shape, axes)
    out = s.new(outer, dtype, 0)
    if isinstance(start, Num) or start:
        s.nest(outer, lambda *i: s.store(out, i, start))
    s.nest(
        array.shape,
        lambda *i: s.add(out, [n for k, n in enumerate(i) if k not in axes], array.at(*i)),
    )
    return out


def _folded(
    s: Stage, array: Arr, axes: tuple[int, ...], dtype: str, start: Num | complex, op: str
) -> Value:
    wide = summing(dtype) if op == "add" else dtype
    first = s.cast(start, wide)
    combine = addition(dtype) if op == "add" else op

    def step(accs: Sequence[Num | complex], item: Num | complex) -> tuple[Num | complex]:
        return (s.op(combine, accs[0], s.cast(item, wide)),)

    if len(axes) == array.ndim:
        fine = array.fine or array
        total = s.fold(fine.shape, (first,), lambda accs, *i: step(accs, fine.at(*i)))[0]
        return s.cast(total, dtype)
    inner, outer = [array.shape[k] for k in axes], without(array.shape, axes)
    out = s.new(outer, dtype)

    def one(*index: Num | int) -> None:
        def item(*at: Num | int) -> Num | complex:
            return array.at(*merge(index, at, axes))

        s.store(out, index, s.fold(inner, (first,), lambda accs, *at: step(accs, item(*at)))[0])

    s.nest(outer, one)
    return out


def merge(
    outer: Sequence[Num | int], inner: Sequence[Num | int], axes: Sequence[int]
) -> list[Num | int]:
    """The full index: ``inner`` at ``axes``, ``outer`` elsewhere."""
    rest, at = iter(outer), iter(inner)
    return [next(at) if k in axes else next(rest) for k in range(len(outer) + len(inner))]


def add_into(s: Stage, target: Arr, change: object) -> None:
    """``target += change``, broadcast."""
    wide = broadcast_to(s, as_array(s, change), target.shape)
    s.nest(target.shape, lambda *index: s.add(target, index, wide.at(*index)))


def call_like(s: Stage, name: str, args: Sequence[Num | Arr | complex], like: Arr) -> Arr:
    """A primitive, not to be differentiated itself, whose result is of the shape of ``like``."""
    (out,) = s.primitive(name, args, ((like.dtype, like.ndim),))
    assert isinstance(out, Arr)
    return s.shaped(out, like.shape)


def call(s: Stage, name: str, *args: object, **keywords: object) -> Value:
    """Another function of the library that returns one array or number."""
    found = s.call(name, *args, **keywords)
    assert isinstance(found, Arr | Num | bool | int | float | complex)
    return found


def as_floats(s: Stage, array: Arr) -> Arr:
    """``array`` with elements that are floats."""
    return astype(s, array, floating(array.dtype))


def as_number(value: Value) -> Num | complex:
    """``value``, which is no array."""
    assert not isinstance(value, Arr)
    return value


def difference(a: Arr, b: Arr) -> Arr:
    """``a - b``."""
    found = a - b
    assert isinstance(found, Arr)
    return found
