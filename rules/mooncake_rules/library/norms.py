"""Norms of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Stage, Table, Value, elementwise
from mooncake_rules.library.decompositions import svd
from mooncake_rules.library.support import as_array, call, floating

TABLE = Table()


@TABLE.add(
    "numpy.linalg.norm scipy.linalg.norm",
    "np.linalg.norm(v, {order})", "np.linalg.norm(x)", "np.linalg.norm(x, {order}, axis={axis})",
    "np.linalg.norm(x, {of}, keepdims={keep})", "np.linalg.norm(x, axis={axis}, keepdims={keep})",
    "np.linalg.norm(t)", "np.linalg.norm(t, {plain}, axis=(1, 2))",
    order=(None, 1, 2, 3, 0.5, -1, float("inf"), -float("inf")), axis=(0, 1, -1),
    of=("fro", "nuc", 1, -1, 2, -2, float("inf"), -float("inf")), keep=(False, True),
    plain=("fro", 1, -1, float("inf"), -float("inf")),
)  # fmt: skip
def norm(
    s: Stage, x: object, ord: object = None, axis: object = None, keepdims: bool = False
) -> Value:
    array = as_array(s, x)
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
        best = "numpy.max" if order in (1, float("inf")) else "numpy.min"
        return call(s, best, sums, axis=tuple(axes), keepdims=keep)
    if x.ndim != 2 or order not in (2, -2, "nuc"):
        raise s.refuse(f"the order {order!r} of a norm of rank {x.ndim} is not supported")
    values = svd(s, x, compute_uv=False)
    assert isinstance(values, Arr)
    names = {"2": "numpy.max", "-2": "numpy.min", "nuc": "numpy.sum"}
    found = call(s, names[str(order)], values)
    if not keep:
        return found
    number = found
    assert not isinstance(number, Arr)
    return Arr(s, values.dtype, (1, 1), lambda *_: number)
