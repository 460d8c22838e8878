"""Arrays side by side: each part is written by a loop nest of its own."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import (
    Arr,
    Num,
    Shape,
    Stage,
    Table,
    Value,
    broadcast_to,
    common_size,
    fix_axis,
)
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import as_value, element_type
from mooncake_rules.library.indexing import select
from mooncake_rules.library.shape import at_least
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import along, flattened, part, plus, transposed, with_axis

TABLE = Table()


def joined(s: Stage, parts: Sequence[Arr], axis: int, dtype: str | None, what: str) -> Arr:
    """``parts``, all of one rank, one after the other along ``axis``."""
    if any(one.ndim != parts[0].ndim for one in parts):
        raise s.refuse(f"{what}: the arrays have different ranks", None, "MK216")
    shape = _outer_shape(s, parts, axis, what)
    total: Num | int = 0
    starts = []
    for one in parts:
        starts.append(total)
        total = plus(s, total, one.shape[axis])
    whole = (*shape[:axis], total, *shape[axis + 1 :])
    kind = element_type(s, dtype, s.promote(*parts))
    if len(parts) == 1:
        only = s.copied(as_array(s, parts[0], kind))
        return s.laid_out(only, s.joined(parts, axis, whole))
    out = s.new(whole, kind)
    for one, start in zip(parts, starts, strict=True):
        size = (*shape[:axis], one.shape[axis], *shape[axis + 1 :])
        place(s, out, one, size, [start if k == axis else 0 for k in range(one.ndim)])
    return s.laid_out(out, s.joined(parts, axis, whole))


def place(s: Stage, out: Arr, source: Arr, shape: Shape, starts: Sequence[Num | int]) -> None:
    """Write ``source``, of ``shape``, into ``out``, its first element at the index ``starts``."""

    def one(*index: Num | int) -> None:
        to = [plus(s, start, i) for start, i in zip(starts, index, strict=True)]
        s.store(out, to, source.at(*index))

    s.nest(shape, one)


def _outer_shape(s: Stage, parts: Sequence[Arr], axis: int, what: str) -> Shape:
    """The common sizes of all axes but ``axis``."""
    shape = list(parts[0].shape)
    for one in parts[1:]:
        for k, size in enumerate(one.shape):
            if k != axis:
                shape[k] = common_size(s, shape[k], size, what)
    return tuple(shape)


def rows_of(arrays: object) -> Arr | None:
    """An array with a number of rows that is not known ahead of time; None for all else."""
    if isinstance(arrays, Arr) and arrays.ndim > 1 and not isinstance(arrays.shape[0], int):
        return arrays
    return None


def _end_to_end(s: Stage, rows: Arr, dtype: str | None, axis: int = 0) -> Arr:
    """The rows of ``rows`` one after the other along an axis of theirs."""
    if axis:
        return _side_by_side(s, rows, dtype, axis)
    merged = s.call("numpy.reshape", rows, (-1, *rows.shape[2:]))
    return s.copied(as_array(s, merged, dtype))


def _side_by_side(s: Stage, rows: Arr, dtype: str | None, axis: int) -> Arr:
    count, *shape = rows.shape
    some = s.op("gt", count, 0)
    assert isinstance(some, Num | bool)
    s.require(some, "need at least one array to concatenate")
    order = list(range(1, rows.ndim))
    order.insert(axis, 0)
    moved = s.copied(as_array(s, transposed(s, rows, tuple(order)), dtype))
    shape[axis] = size_op(s, "mul", count, shape[axis])
    found = s.call("numpy.reshape", moved, tuple(shape))
    return as_array(s, found)


def parts_of(s: Stage, arrays: object, what: str) -> list[Arr]:
    """The arrays of a sequence; an array with a known number of rows counts as those."""
    if isinstance(arrays, tuple | list):
        found = [as_array(s, one) for one in arrays]
    elif isinstance(arrays, Arr) and arrays.ndim and isinstance(arrays.shape[0], int):
        found = [part(s, arrays, (k,)) for k in range(arrays.shape[0])]
    else:
        help_ = "give a tuple or list, or use reshape to merge axes"
        raise s.refuse(f"{what} takes a sequence of arrays", help_, "MK213")
    if not found:
        raise s.refuse(f"{what} needs at least one array", None, "MK216")
    return found


@TABLE.add(
    "numpy.concatenate numpy.concat",
    "np.concatenate((x, y), axis={axis})",
    "np.concatenate([v, u, np.array([1.0, a])])",
    "np.concatenate((t, 2.0 * t, x[None]))",
    "np.concatenate((v + 1.0,))",
    "np.concatenate((x, mask), axis=None)",
    axis=(0, 1, -1, None),
)
def concatenate(s: Stage, arrays: object, axis: object = 0, dtype: str | None = None) -> Arr:
    rows = rows_of(arrays)
    if rows is not None and axis is not None:
        return _end_to_end(s, rows, dtype, fix_axis(s, axis, rows.ndim - 1))
    parts = parts_of(s, arrays, "concatenate")
    if axis is None:
        return joined(s, [flattened(s, one) for one in parts], 0, dtype, "concatenate")
    if parts[0].ndim == 0:
        raise s.refuse("numbers can't be concatenated", "use np.array or np.stack", "MK216")
    return joined(s, parts, fix_axis(s, axis, parts[0].ndim), dtype, "concatenate")


@TABLE.add(
    "numpy.stack",
    "np.stack((x, y, x * y), axis={axis})",
    "np.stack((v, u), {axis2})",
    "np.stack([a, b, v[0]])",
    axis=(0, 1, 2, -1),
    axis2=(0, 1, -2),
)
def stack(s: Stage, arrays: object, axis: object = 0, dtype: str | None = None) -> Arr:
    rows = rows_of(arrays)
    if rows is not None:
        order = list(range(1, rows.ndim))
        order.insert(fix_axis(s, axis, rows.ndim), 0)
        return s.copied(as_array(s, transposed(s, rows, tuple(order)), dtype))
    parts = parts_of(s, arrays, "stack")
    ndim = parts[0].ndim
    if any(one.ndim != ndim for one in parts):
        raise s.refuse("stack: the arrays have different ranks", None, "MK216")
    k = fix_axis(s, axis, ndim + 1)
    return joined(s, [with_axis(one, k) for one in parts], k, dtype, "stack")


@TABLE.add(
    "numpy.vstack numpy.row_stack", "np.vstack((x, v, y))", "np.vstack([v, u])", "np.vstack((t, t))"
)
def vstack(s: Stage, tup: object, dtype: str | None = None) -> Arr:
    rows = rows_of(tup)
    if rows is not None:
        return s.copied(as_array(s, rows, dtype)) if rows.ndim == 2 else _end_to_end(s, rows, dtype)
    parts = [
        with_axis(one, 0) if one.ndim == 1 else at_least(s, one, 2)
        for one in parts_of(s, tup, "vstack")
    ]
    return joined(s, parts, 0, dtype, "vstack")


@TABLE.add(
    "numpy.hstack",
    "np.hstack((x, y))",
    "np.hstack([v, u, w])",
    "np.hstack((a, v))",
    "np.hstack((t, t))",
)
def hstack(s: Stage, tup: object, dtype: str | None = None) -> Arr:
    rows = rows_of(tup)
    if rows is not None:
        return _end_to_end(s, rows, dtype, min(rows.ndim - 2, 1))
    parts = [at_least(s, one, 1) for one in parts_of(s, tup, "hstack")]
    return joined(s, parts, 0 if parts[0].ndim == 1 else 1, dtype, "hstack")


@TABLE.add("numpy.dstack", "np.dstack((x, y))", "np.dstack((v, u))", "np.dstack((t, t * 2.0))")
def dstack(s: Stage, tup: object) -> Arr:
    parts = [at_least(s, one, 3) for one in parts_of(s, tup, "dstack")]
    return joined(s, parts, 2, None, "dstack")


@TABLE.add("numpy.column_stack", "np.column_stack((v, u))", "np.column_stack((w, x, w * 2.0))")
def column_stack(s: Stage, tup: object) -> Arr:
    rows = rows_of(tup)
    if rows is not None and rows.ndim == 2:
        return s.copied(transposed(s, rows, (1, 0)))
    columns = []
    for one in parts_of(s, tup, "column_stack"):
        flat = at_least(s, one, 1)
        columns.append(with_axis(flat, 1) if flat.ndim == 1 else flat)
    return joined(s, columns, 1, None, "column_stack")


@TABLE.add(
    "numpy.block",
    "np.block([[x, y], [y, x * 2.0]])",
    "np.block([v, u])",
    "np.block([[m, w[:, None]], [w[None, :], np.array([[a]])]])",
    "np.block([[a, b], [b, a]])",
    "np.block(x)",
)
def block(s: Stage, arrays: object) -> Arr:
    if not isinstance(arrays, tuple | list):
        return s.copied(as_array(s, arrays))
    depth = _depth(s, arrays)
    ndim = max(depth, _rank(s, arrays))
    found = _block(s, arrays, depth, ndim)
    return s.laid_out(found, s.any_order(found.shape))  # that depends on how large it is


def _depth(s: Stage, arrays: object) -> int:
    if not isinstance(arrays, tuple | list):
        return 0
    depths = {_depth(s, one) for one in arrays}
    if len(depths) != 1:
        raise s.refuse("block: lists must be nested equally deep, and not be empty", None, "MK216")
    return 1 + depths.pop()


def _rank(s: Stage, arrays: object) -> int:
    if isinstance(arrays, tuple | list):
        return max(_rank(s, one) for one in arrays)
    return as_array(s, arrays).ndim


def _block(s: Stage, arrays: object, depth: int, ndim: int) -> Arr:
    """The innermost lists are joined along the last axis, those around along the one before."""
    if not isinstance(arrays, tuple | list):
        array = as_array(s, arrays)
        return part(s, array, (None,) * (ndim - array.ndim))
    parts = [_block(s, one, depth - 1, ndim) for one in arrays]
    return joined(s, parts, ndim - depth, None, "block")


@TABLE.add(
    "numpy.append",
    "np.append(x, y, axis={axis})",
    "np.append(v, a)",
    "np.append(x, v)",
    axis=(None, 0, 1),
)
def append(s: Stage, arr: object, values: object, axis: object = None) -> Arr:
    return concatenate(s, (arr, values), axis)


@TABLE.add(
    "numpy.insert",
    "np.insert(x, {at}, w, axis=1)",
    "np.insert(x, {at}, a, axis=0)",
    "np.insert(x, {at}, y[:2], axis=0)",
    "np.insert(x, 2, 1.5)",
    "np.insert(v, 1, w)",
    at=(0, 1, -1),
)
def insert(s: Stage, arr: object, obj: object, values: object, axis: object = None) -> Arr:
    """``values`` before the index ``obj``, one number."""
    array, k = _flat(s, arr, axis)
    if isinstance(obj, bool) or not isinstance(obj, Num | int):
        raise s.refuse("the index must be one integer here", "use np.concatenate", "MK303")
    at = _position(s, obj, array.shape[k], 1)
    new = as_array(s, values, array.dtype)
    if new.ndim > array.ndim:
        raise s.refuse("insert: the values have more axes than the array", None, "MK216")
    new = part(s, new, (None,) * (array.ndim - new.ndim))
    new = transposed(s, new, [*range(1, k + 1), 0, *range(k + 1, array.ndim)])
    wide = (*array.shape[:k], new.shape[k], *array.shape[k + 1 :])
    before, after = _around(s, array, k, at, at)
    return joined(
        s, (before, broadcast_to(s, new, wide, "insert"), after), k, array.dtype, "insert"
    )


@TABLE.add(
    "numpy.delete",
    "np.delete(x, {at}, axis={axis})",
    "np.delete(v, {at})",
    "np.delete(x, idx, axis=0)",
    "np.delete(v, [0, 2])",
    "np.delete(x, mask.ravel())",
    at=(0, 2, -1),
    axis=(None, 0, 1),
)
def delete(s: Stage, arr: object, obj: object, axis: object = None) -> Arr:
    """``arr`` without the slices at ``obj``: a number, numbers, or a mask."""
    array, k = _flat(s, arr, axis)
    if isinstance(obj, Num | int) and not isinstance(obj, bool):
        at = _position(s, obj, array.shape[k], 0)
        before, after = _around(s, array, k, at, plus(s, at, 1))
        found = joined(s, (before, after), k, None, "delete")
        return s.laid_out(found, s.fortran(array, found.shape))
    given = as_array(s, obj)
    if given.dtype == "bool":
        size = common_size(s, given.shape[0], array.shape[k], "delete")
        keep = given.lazy((size,), lambda i: s.op("not", given.at(i)))
    else:
        keep = s.new((array.shape[k],), "bool", True)
        s.nest(given.shape, lambda *i: s.store(keep, _indices(given.at(*i)), False))
    found = select(s, array, (*[slice(None)] * k, s.keep(keep))).read()
    if given.dtype == "bool" or (isinstance(given.shape[0], int) and given.shape[0] != 1):
        return found
    return s.laid_out(found, s.any_order(found.shape))  # one index counts as a number


def _indices(item: Num | complex) -> tuple[Num | int]:
    assert isinstance(item, Num | int)
    return (item,)


def _flat(s: Stage, arr: object, axis: object) -> tuple[Arr, int]:
    array = as_array(s, arr)
    return (flattened(s, array), 0) if axis is None else (array, fix_axis(s, axis, array.ndim))


def _position(s: Stage, obj: Num | int, size: Num | int, extra: int) -> Num | int:
    """The index ``obj`` from the front, which may be up to ``size - 1 + extra``."""
    at = obj
    if isinstance(obj, int) and obj < 0:
        at = size_op(s, "add", size, obj)
    elif isinstance(obj, Num):
        negative = s.op("lt", obj, 0)
        assert isinstance(negative, Num | bool)
        at = size_op(s, "select", negative, plus(s, obj, size), obj)
    inside = s.op("and", s.op("ge", at, 0), s.op("lt", at, plus(s, size, extra)))
    assert isinstance(inside, Num | bool)
    s.require(inside, "index out of bounds", "IndexError")
    return at


def _around(s: Stage, array: Arr, axis: int, end: Num | int, start: Num | int) -> tuple[Arr, Arr]:
    """The parts of ``array`` before ``end`` and from ``start`` on."""
    size = array.shape[axis]
    return tuple(  # type: ignore[return-value]
        s.shaped(found, (*array.shape[:axis], n, *array.shape[axis + 1 :]))
        for found, n in (
            (s.view(array, along(array.ndim, axis, slice(None, end))), end),
            (
                s.view(array, along(array.ndim, axis, slice(start, None))),
                size_op(s, "sub", size, start),
            ),
        )
    )


@TABLE.add("numpy.r_", "np.r_[v, u * 2.0, 0.5]", "np.r_[x, y]", "np.r_[0:3, a, 5:1:-2, -1:2]")
def r_(s: Stage, *items: object) -> Arr:
    """``np.r_[items]``: along the first axis; slices stand for ranges."""
    given = [_range(s, item) for item in items]
    return joined(s, [at_least(s, one, 1) for one in given], 0, s.promote(*given), "np.r_")


@TABLE.add("numpy.c_", "np.c_[v, u]", "np.c_[w, x, w * 2.0]", "np.c_[a, b]", "np.c_[0:3] * a")
def c_(s: Stage, *items: object) -> Arr:
    """``np.c_[items]``: along the last axis, vectors as columns."""
    given = [_range(s, item) for item in items]
    arrays = [at_least(s, one, 1) for one in given]
    columns = [with_axis(one, 1) if one.ndim == 1 else one for one in arrays]
    return joined(s, columns, columns[0].ndim - 1, s.promote(*given), "np.c_")


def _range(s: Stage, item: object) -> Value:
    """An item of ``np.r_``: an array, a number, or a slice of numbers."""
    if not isinstance(item, slice):
        return as_value(s, item, "an item")
    if item.stop is None:
        raise s.refuse("a range needs an end", None, "MK303")
    start, step = 0 if item.start is None else item.start, 1 if item.step is None else item.step
    found = s.call("numpy.arange", start, item.stop, step)
    assert isinstance(found, Arr)
    return found
