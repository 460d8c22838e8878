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
    product,
)
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds
from mooncake_rules.library.decompositions import svd
from mooncake_rules.library.extrema import outermost
from mooncake_rules.library.lanes import by_lanes
from mooncake_rules.library.support import (
    as_array,
    as_number,
    astype,
    call,
    floating,
    keepdims,
    real_dtype,
    without,
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
    array = _floats(s, x)
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


@TABLE.add(
    "numpy.linalg.vector_norm",
    "np.linalg.vector_norm(x, ord={order}, axis={axis}, keepdims={keep})",
    "np.linalg.vector_norm(t, axis={axes}, keepdims={keep})",
    "np.linalg.vector_norm(v, ord=0) * a", "np.linalg.vector_norm(z)",
    "np.linalg.vector_norm(z, ord=3, axis=0)", "np.linalg.vector_norm(idx, ord=1) * a",
    order=(2, 1, 3, 0.5, -1, float("inf"), -float("inf")), axis=(None, 0, -1), keep=(False, True),
    axes=(None, (0, 2), (1, 0), 1),
)  # fmt: skip
def vector_norm(
    s: Stage, x: object, /, *, axis: object = None, keepdims: bool = False, ord: object = 2
) -> Value:
    """The norm of all elements along one or several axes."""
    return _vector_norm(s, _floats(s, x), ord, axis, flag(s, keepdims, "keepdims"))


@TABLE.add(
    "numpy.linalg.matrix_norm",
    "np.linalg.matrix_norm(x, ord={of}, keepdims={keep})", "np.linalg.matrix_norm(x)",
    "np.linalg.matrix_norm(t, ord={of}, keepdims={keep})", "np.linalg.matrix_norm(z, ord={of})",
    of=("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")), keep=(False, True),
)  # fmt: skip
def matrix_norm(s: Stage, x: object, /, *, keepdims: bool = False, ord: object = "fro") -> Value:
    """``numpy.linalg.matrix_norm``: the norms of matrices, the last two axes."""
    array = _floats(s, x)
    if array.ndim < 2:
        raise s.refuse(f"matrix_norm of an array of rank {array.ndim}", None, "MK214")
    axes = (array.ndim - 2, array.ndim - 1)
    return _matrix_norm(s, array, ord, axes, flag(s, keepdims, "keepdims"))


def _floats(s: Stage, x: object) -> Arr:
    """The array with integers converted to floats."""
    array = as_array(s, x)
    return astype(s, array, floating(array.dtype))


def _euclidean(s: Stage, x: Arr, axis: object, keep: bool) -> Value:
    size = elementwise(s, "np.abs", x) if x.dtype.startswith("complex") else x
    return elementwise(
        s,
        "np.sqrt",
        call(s, "numpy.sum", elementwise(s, "mul", size, size), axis=axis, keepdims=keep),
    )


def _largest(s: Stage, sizes: Arr, axis: object, keep: bool) -> Value:
    """The largest of numbers that are not negative; 0 of none."""
    axes = fix_axes(s, axis, sizes.ndim)
    rest = without(sizes.shape, axes)
    some = holds(s, "ne", product(s, [sizes.shape[k] for k in axes]), 0)

    def found() -> Value:
        return by_lanes(
            s, sizes, axes, False, sizes.dtype, lambda part, along: outermost(s, part, along, "gt")
        )

    if not rest:
        most = s.choose(some, lambda: (as_number(found()),), lambda: (s.cast(0, sizes.dtype),))[0]
        return keepdims(most, sizes.shape, axes, s) if keep else most
    out = s.new(rest, sizes.dtype, 0)

    def fill() -> tuple[()]:
        most = as_array(s, found())
        s.nest(rest, lambda *i: s.store(out, i, most.at(*i)))
        return ()

    s.choose(some, fill, tuple)
    return keepdims(out, sizes.shape, axes, s) if keep else out


def _vector_norm(s: Stage, x: Arr, order: object, axis: object, keep: bool) -> Value:
    if order in (None, 2):
        return _euclidean(s, x, axis, keep)
    size = elementwise(s, "np.abs", x)
    if order == float("inf"):
        return _largest(s, as_array(s, size), axis, keep)
    if order == -float("inf"):
        return call(s, "numpy.min", size, axis=axis, keepdims=keep)
    if order == 1:
        return call(s, "numpy.sum", size, axis=axis, keepdims=keep)
    if order == 0:
        some = elementwise(s, "ne", x, 0)
        return call(s, "numpy.sum", some, axis=axis, keepdims=keep, dtype=real_dtype(x.dtype))
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
            return _largest(s, as_array(s, sums), tuple(axes), keep)
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
    """A norm by singular values, sorted: their sum, the first (0 of none), or the last one."""
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
