"""Transposing, reshaping, broadcasting: views wherever NumPy gives views."""

from __future__ import annotations

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    broadcast_to,
    common_size,
    fix_axes,
    fix_axis,
    product,
)
from mooncake_rules.arrays.elementwise import broadcast_shape
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import holds
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import WHOLE, part, shown, transposed

TABLE = Table()


@TABLE.add("ndarray.T", "x.T", "x.T @ x", "t.T", "v.T", "(x + y).T")
def reversed_axes(s: Stage, a: object) -> Arr:
    array = as_array(s, a)
    return transposed(s, array, tuple(range(array.ndim))[::-1])


@TABLE.add(
    "numpy.matrix_transpose numpy.linalg.matrix_transpose ndarray.mT",
    "t.mT",
    "np.matrix_transpose(x * 2.0)",
)
def swapped_last_axes(s: Stage, a: object) -> Arr:
    array = as_array(s, a)
    if array.ndim < 2:
        raise s.refuse("a matrix transpose needs two axes", None, "MK214")
    return swapaxes(s, array, -1, -2)


@TABLE.add(
    "numpy.transpose numpy.permute_dims",
    "np.transpose(t, {axes})",
    "np.transpose(x)",
    axes=(None, (1, 0, 2), (-1, 0, 1)),
)
def transpose(s: Stage, a: object, axes: object = None) -> Arr:
    array = as_array(s, a)
    if axes is None:
        return reversed_axes(s, array)
    if not isinstance(axes, tuple | list) or len(axes) != array.ndim:
        raise s.refuse(f"transpose needs {array.ndim} constant axes", None, "MK214")
    order = [fix_axis(s, axis, array.ndim) for axis in axes]
    if len(set(order)) != len(order):
        raise s.refuse("transpose: an axis is given twice", None, "MK214")
    return transposed(s, array, order)


@TABLE.add(
    "ndarray.transpose",
    "t.transpose({axes})",
    "t.transpose(2, 0, 1)",
    "x.transpose()",
    axes=(None, (1, 0, 2)),
)
def transpose_method(s: Stage, a: Arr, *axes: object) -> Arr:
    return transpose(s, a, axes[0] if len(axes) == 1 else axes or None)


@TABLE.add(
    "numpy.swapaxes ndarray.swapaxes",
    "np.swapaxes(t, {one}, {other})",
    "x.swapaxes(0, 1)",
    one=(0, 1, -1),
    other=(0, 2, -2),
)
def swapaxes(s: Stage, a: object, axis1: object, axis2: object) -> Arr:
    array = as_array(s, a)
    one, other = (fix_axis(s, axis, array.ndim) for axis in (axis1, axis2))
    order = list(range(array.ndim))
    order[one], order[other] = other, one
    return transposed(s, array, order)


@TABLE.add(
    "numpy.moveaxis",
    "np.moveaxis(t, {source}, {to})",
    "np.moveaxis(t, (0, 1), (-1, 0))",
    "np.moveaxis(x * y, 0, 1)",
    source=(0, 1, -1),
    to=(0, 2, -2),
)
def moveaxis(s: Stage, a: object, source: object, destination: object) -> Arr:
    array = as_array(s, a)
    sources, places = (
        [
            fix_axis(s, axis, array.ndim)
            for axis in (axes if isinstance(axes, tuple | list) else [axes])
        ]
        for axes in (source, destination)
    )
    if len(sources) != len(places) or len(set(sources)) + len(set(places)) != 2 * len(places):
        raise s.refuse("moveaxis needs as many distinct sources as destinations", None, "MK214")
    order = [axis for axis in range(array.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return transposed(s, array, order)


@TABLE.add(
    "numpy.rollaxis",
    "np.rollaxis(t, {axis}, {start})",
    "np.rollaxis(t, 2)",
    axis=(0, 1, -1),
    start=(0, 1, 3),
)
def rollaxis(s: Stage, a: object, axis: object, start: object = 0) -> Arr:
    array = as_array(s, a)
    k = fix_axis(s, axis, array.ndim)
    to = fix_axis(s, start, array.ndim + 1)
    order = [axis for axis in range(array.ndim) if axis != k]
    order.insert(to - (to > k), k)
    return transposed(s, array, order)


@TABLE.add(
    "numpy.expand_dims",
    "np.expand_dims(x, {axis})",
    "np.expand_dims(v + 1.0, (0, 2))",
    axis=(0, 1, -1, (0, 1), (0, -1)),
)
def expand_dims(s: Stage, a: object, axis: object) -> Arr:
    array = as_array(s, a)
    if axis is None:
        raise s.refuse("expand_dims needs an axis", None, "MK310")
    count = len(axis) if isinstance(axis, tuple | list) else 1
    added = fix_axes(s, axis, array.ndim + count)
    return part(s, array, [None if k in added else WHOLE for k in range(array.ndim + count)])


ONE_AT_RUN_TIME = "squeeze: the size of an axis is 1 at run time only: name it, axis=..."


@TABLE.add(
    "numpy.squeeze ndarray.squeeze",
    "np.squeeze(x[:1], {axis})",
    "np.squeeze(x[None, :, None])[0]",
    "(x[:, None] * 2.0).squeeze(1)",
    "np.sum(x, axis=1, keepdims=True).squeeze(-1)",
    axis=(0, -2, (0,)),
)
def squeeze(s: Stage, a: object, axis: object = None) -> Arr:
    """``numpy.squeeze``; by default all axes of which the size 1 is known."""
    array = as_array(s, a)
    if axis is None:
        axes = tuple(k for k, size in enumerate(array.shape) if isinstance(size, int) and size == 1)
        for size in array.shape:
            s.require(isinstance(size, int) or holds(s, "ne", size, 1), ONE_AT_RUN_TIME)
    else:
        axes = fix_axes(s, axis, array.ndim)
    for k in axes:
        common_size(s, array.shape[k], 1, "squeeze")
    return part(s, array, [0 if k in axes else WHOLE for k in range(array.ndim)])


def at_least(s: Stage, a: object, ndim: int) -> Arr:
    """``a`` with at least ``ndim`` axes, added where ``np.atleast_3d`` and its kin add them."""
    array = as_array(s, a)
    if array.ndim >= ndim:
        return array
    if ndim == 3 and array.ndim:
        return part(s, array, (None, WHOLE, None) if array.ndim == 1 else (WHOLE, WHOLE, None))
    return part(s, array, (None,) * (ndim - array.ndim))


def _each_at_least(s: Stage, arrays: tuple[object, ...], ndim: int) -> object:
    found = tuple(at_least(s, one, ndim) for one in arrays)
    return found[0] if len(found) == 1 else found


@TABLE.add("numpy.atleast_1d", "np.atleast_1d(a)", "np.atleast_1d(x)", "np.atleast_1d(a, v, 1.0)")
def atleast_1d(s: Stage, *arrays: object) -> object:
    return _each_at_least(s, arrays, 1)


@TABLE.add("numpy.atleast_2d", "np.atleast_2d(a)", "np.atleast_2d(v)", "np.atleast_2d(v, t, a)")
def atleast_2d(s: Stage, *arrays: object) -> object:
    return _each_at_least(s, arrays, 2)


@TABLE.add("numpy.atleast_3d", "np.atleast_3d(a)", "np.atleast_3d(v)", "np.atleast_3d(x, t)")
def atleast_3d(s: Stage, *arrays: object) -> object:
    return _each_at_least(s, arrays, 3)


@TABLE.add(
    "numpy.reshape",
    "np.reshape(x, {shape})",
    "np.reshape(t, {shape}, order='F')",
    shape=((-1,), -1, (2, 6), (4, -1), (2, 2, 3)),
)
def reshape(s: Stage, a: object, shape: object, order: str = "C") -> Arr:
    array = as_array(s, a)
    sizes = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    if _is_fortran(s, order):
        return reversed_axes(s, reshape(s, reversed_axes(s, array), sizes[::-1]))
    free = [k for k, n in enumerate(sizes) if isinstance(n, int) and n == -1]
    if len(free) > 1:
        raise s.refuse("only one size can be left open", None, "MK216")
    total = product(s, array.shape)
    given = [_size(s, n) for k, n in enumerate(sizes) if k not in free]
    rest = product(s, given)
    if free:
        s.require(holds(s, "ne", rest, 0), "reshape: a size is left open beside 0")
        open_ = size_op(s, "floordiv", total, rest)
        given.insert(free[0], open_)
        rest = size_op(s, "mul", rest, open_)
    if not s.same(total, rest):
        equal = s.op("eq", total, rest)
        assert isinstance(equal, Num | bool)
        s.require(equal, "reshape: the sizes do not fit")
        s.equate(total, rest)
    return s.reshape(array, given)


def _size(s: Stage, size: object) -> Num | int:
    if not isinstance(size, Num | int):
        raise s.refuse("a size must be an integer", None, "MK214")
    return size


@TABLE.add("ndarray.reshape", "x.reshape(-1)", "x.reshape(2, 6)", "x.reshape((4, 3))",
           "(x * y).reshape(2, 6, order='F')")  # fmt: skip
def reshape_method(s: Stage, a: Arr, *shape: object, order: str = "C") -> Arr:
    return reshape(s, a, shape[0] if len(shape) == 1 else shape, order)


@TABLE.add("numpy.ravel ndarray.ravel", "np.ravel(x)", "x.ravel()", "x.T.ravel()", "v[::2].ravel()",
           "t.ravel(order='F')", "np.ravel(x * y, 'F')")  # fmt: skip
def ravel(s: Stage, a: object, order: str = "C") -> Arr:
    array = as_array(s, a)
    if _is_fortran(s, order):
        array = reversed_axes(s, array)
    return s.ravel(array, product(s, array.shape))


def _is_fortran(s: Stage, order: str) -> bool:
    """True for the order in which the first index changes fastest: C order of the transpose."""
    if order not in ("C", "F"):
        raise s.refuse("only the orders 'C' and 'F' are supported")
    return order == "F"


@TABLE.add("ndarray.flatten", "x.flatten()", "x.flatten('F')")
def flatten(s: Stage, a: Arr, order: str = "C") -> Arr:
    return s.copied(ravel(s, a, order), "C")


@TABLE.add(
    "numpy.broadcast_to",
    "np.broadcast_to(v, (3, v.shape[0]))",
    "np.broadcast_to(a, (2, 2))",
    "np.broadcast_to(w[:, None], (2, w.shape[0], 3))",
    "np.broadcast_to(a, 3)",
)
def broadcast(s: Stage, a: object, shape: object) -> Arr:
    sizes = shape if isinstance(shape, tuple | list) else (shape,)
    array = as_array(s, a)
    return shown(broadcast_to(s, array, tuple(_size(s, n) for n in sizes)), array)


@TABLE.add(
    "numpy.broadcast_arrays",
    "np.broadcast_arrays(x, v, a)",
    "np.broadcast_arrays(w[:, None], v)",
)
def broadcast_arrays(s: Stage, *arrays: object) -> tuple[Arr, ...]:
    found = [as_array(s, one) for one in arrays]
    shape = broadcast_shape(s, [one.shape for one in found], "broadcast_arrays")
    return tuple(shown(broadcast_to(s, one, shape), one) for one in found)


@TABLE.add("ndarray.flat", "np.array([x.flat[0], x.flat[-1]])", "sum(x.flat)", "x.flat[1:3]")
def flat(s: Stage, a: Arr) -> Arr:
    return s.flat(a, product(s, a.shape))
