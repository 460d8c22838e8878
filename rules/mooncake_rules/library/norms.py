"""Norms of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    Value,
    elementwise,
    fix_axes,
    fix_axis,
)
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import holds
from mooncake_rules.library.decompositions import svd
from mooncake_rules.library.support import (
    as_array,
    astype,
    call,
    floating,
    keepdims,
    real_dtype,
    reduce_axes,
)

TABLE = Table()


@TABLE.add(
    "numpy.linalg.norm scipy.linalg.norm",
    "np.linalg.norm(v, {order})", "np.linalg.norm(x)", "np.linalg.norm(x, {order}, axis={axis})",
    "np.linalg.norm(x, {of}, keepdims={keep})", "np.linalg.norm(x, axis={axis}, keepdims={keep})",
    "np.linalg.norm(t)", "np.linalg.norm(t, {plain}, axis=(1, 2))",
    "np.linalg.norm(t, {by_values}, axis={two}, keepdims={keep})", "np.linalg.norm(z, {by_values})",
    order=(None, 1, 2, 3, 0.5, -1, float("inf"), -float("inf")), axis=(0, 1, -1),
    of=("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")), keep=(False, True),
    plain=("fro", 1, -1, float("inf"), -float("inf")), by_values=("nuc", 2, -2),
    two=((1, 2), (2, 0)),
)  # fmt: skip
def norm(
    s: Stage, x: object, ord: object = None, axis: object = None, keepdims: bool = False
) -> Value:
    array = as_array(s, x)
    array = astype(s, array, floating(array.dtype))
    axes = axis if isinstance(axis, tuple | list) else None if axis is None else (axis,)
    if ord is None and axes is None:
        return _euclidean(s, array, None, keepdims)
    if axes is None:
        axes = tuple(range(array.ndim))
    if len(axes) == 1:
        return _vector_norm(s, array, ord, axes[0], keepdims)
    if len(axes) != 2:
        raise s.refuse("a norm is along one axis or two", None, "MK214")
    return _matrix_norm(s, array, ord, axes, keepdims)


def _euclidean(s: Stage, x: Arr, axis: object, keep: bool) -> Value:
    size = elementwise(s, "np.abs", x) if x.dtype.startswith("complex") else x
    return elementwise(
        s,
        "np.sqrt",
        call(s, "numpy.sum", elementwise(s, "mul", size, size), axis=axis, keepdims=keep),
    )


def _vector_norm(s: Stage, x: Arr, order: object, axis: object, keep: bool) -> Value:
    if order in (None, 2):
        return _euclidean(s, x, axis, keep)
    size = elementwise(s, "np.abs", x)
    if order == float("inf"):
        return call(s, "numpy.max", size, axis=axis, keepdims=keep)
    if order == -float("inf"):
        return call(s, "numpy.min", size, axis=axis, keepdims=keep)
    if order == 1:
        return call(s, "numpy.sum", size, axis=axis, keepdims=keep)
    if order == 0:
        some = elementwise(s, "ne", x, 0)
        return call(s, "numpy.sum", some, axis=axis, keepdims=keep, dtype=floating(x.dtype))
    if isinstance(order, bool) or not isinstance(order, int | float):
        raise s.refuse(f"the order {order!r} of a vector norm is not supported")
    powers = call(s, "numpy.sum", elementwise(s, "pow", size, order), axis=axis, keepdims=keep)
    return elementwise(s, "pow", powers, 1.0 / order)


def _matrix_norm(s: Stage, x: Arr, order: object, axes: Sequence[object], keep: bool) -> Value:
    if order in (None, "fro"):
        return _euclidean(s, x, tuple(axes), keep)
    if order in (1, -1, float("inf"), -float("inf")):
        along = axes[0] if order in (1, -1) else axes[1]
        sums = call(s, "numpy.sum", elementwise(s, "np.abs", x), axis=along, keepdims=True)
        if order in (1, float("inf")):
            both, zero = fix_axes(s, tuple(axes), x.ndim), s.cast(0, real_dtype(x.dtype))
            sums = as_array(s, sums)
            return reduce_axes(s, sums, both, keep, sums.dtype, zero, "np.maximum")
        return call(s, "numpy.min", sums, axis=tuple(axes), keepdims=keep)
    if order not in (2, -2, "nuc"):
        raise s.refuse(f"the order {order!r} of a norm of matrices is not supported")
    rows, columns = (fix_axis(s, axis, x.ndim) for axis in axes)
    if rows == columns:
        raise s.refuse("an axis is given twice", None, "MK214")
    rest = [k for k in range(x.ndim) if k not in (rows, columns)]
    values = svd(s, s.view(x, (), (*rest, rows, columns)), compute_uv=False)
    assert isinstance(values, Arr)
    found = _of_singular_values(s, values, order)
    return keepdims(found, x.shape, (rows, columns), s) if keep else found


def _of_singular_values(s: Stage, values: Arr, order: object) -> Value:
    """Their sum, the first one (0 of none), or the last one: they are sorted."""
    if order == "nuc":
        return call(s, "numpy.sum", values, axis=-1)
    *batch, size = values.shape
    some = holds(s, "gt", size, 0)
    last = size_op(s, "sub", size, 1)
    if order == -2:
        s.require(some, "zero-size array to reduction operation minimum which has no identity")

    def at(*index: Num | int) -> Num | complex:
        if order == -2:
            return values.at(*index, last)
        zero = s.cast(0, values.dtype)
        return s.choose(some, lambda: (values.at(*index, 0),), lambda: (zero,))[0]

    return values.lazy(tuple(batch), at) if batch else at()
