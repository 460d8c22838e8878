"""Sums, products and means along axes, tests of all elements, counts."""

from __future__ import annotations

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    Value,
    broadcast_to,
    elementwise,
    fix_axes,
    product,
)
from mooncake_rules.library.arguments import element_type, flag, no_out, number
from mooncake_rules.library.lanes import by_lanes, over, sums
from mooncake_rules.library.support import (
    as_array,
    astype,
    dtype_of_sum,
    floating,
    real_dtype,
    reduce_axes,
)

TABLE = Table()

AXES = (None, 0, 1, -1, (0, 1), (1,))
AXES_3 = (None, 0, 1, 2, -1, (0, 1), (0, 2), (1, 2), (-1, 0), (0, 1, 2))
FLAGS = (False, True)


def folded(
    s: Stage, a: object, axis: object, keepdims: object, dtype: str | None,
    start: Num | complex, op: str, where: object = None,
) -> Value:  # fmt: skip
    """``op`` folded over ``axis``, in the precision ``dtype``, of what ``where`` selects."""
    array = as_array(s, a)
    kind = dtype or dtype_of_sum(array.dtype)
    array = chosen(s, astype(s, array, kind), where, 0 if op == "add" else 1)
    axes = fix_axes(s, axis, array.ndim)
    start = s.cast(start, kind)
    return reduce_axes(s, array, axes, flag(s, keepdims, "keepdims"), kind, start, op)


def chosen(s: Stage, array: Arr, where: object, neutral: Num | complex) -> Arr:
    """``array`` with ``neutral`` where the mask ``where`` is false."""
    if where is None or where is True:
        return array
    found = elementwise(s, "where", as_array(s, where), array, s.cast(neutral, array.dtype))
    assert isinstance(found, Arr)
    return found


@TABLE.add(
    "numpy.sum ndarray.sum",
    "np.sum(x, axis={axis}, keepdims={keepdims})",
    "x.sum({axis})",
    "np.sum(t, axis={axes}, keepdims={keepdims})",
    "np.sum(x, 1, np.float64, None, True, 2.5)", "np.sum(x, axis=0, initial=a)",
    "np.sum(x, axis={axis}, where=mask)", "np.sum(x * y, axis={axis})",
    "np.sum(z, axis={axis})", "np.sum(mask, axis=0) * v", "np.sum(x, dtype=np.float64)",
    "np.sum(x, axis=())", "np.sum(a)",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def total(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    keepdims: bool = False, initial: object = 0, where: object = None,
) -> Value:  # fmt: skip
    no_out(s, out)
    kind = element_type(s, dtype, "") or None
    start = number(s, initial, "initial")
    return folded(s, a, axis, keepdims, kind, start, "add", where)


@TABLE.add(
    "numpy.prod ndarray.prod",
    "np.prod(x, axis={axis}, keepdims={keepdims})",
    "x.prod(axis={axis})",
    "np.prod(t, axis={axes})",
    "np.prod(x * (x > x[0, 1]), axis={axis})",  # zeros among the factors
    "np.prod(x, initial=2.0)", "np.prod(x, axis=1, where=mask)", "np.prod(z, axis=1)",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def prod(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    keepdims: bool = False, initial: object = 1, where: object = None,
) -> Value:  # fmt: skip
    """``numpy.prod``, without quotients: the derivative is right where factors are zero."""
    no_out(s, out)
    kind = element_type(s, dtype, "") or None
    start = number(s, initial, "initial")
    return folded(s, a, axis, keepdims, kind, start, "mul", where)


def count_of(s: Stage, array: Arr, axes: tuple[int, ...]) -> Num | complex:
    """The number of elements of a lane, as a divisor that keeps the precision of ``array``."""
    count = product(s, [array.shape[k] for k in axes])
    return s.cast(count, real_dtype(array.dtype))


@TABLE.add(
    "numpy.mean ndarray.mean",
    "np.mean(x, axis={axis}, keepdims={keepdims})",
    "x.mean({axis})",
    "np.mean(t, axis={axes}, keepdims={keepdims})",
    "np.mean(x * y, axis={axis})", "np.mean(np.exp(x), axis={axis})", "np.mean(z, axis={axis})",
    "x - np.mean(x, axis={axis}, keepdims=True)", "np.mean(mask) * a", "np.mean(idx) * a",
    "np.mean(x, axis=1, dtype=np.float64)", "np.mean(x, axis={axis}, where=x < 1.5)",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def mean(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    keepdims: bool = False, where: object = None,
) -> Value:  # fmt: skip
    no_out(s, out)
    given = as_array(s, a)
    array = astype(s, given, element_type(s, dtype, floating(given.dtype)))
    axes = fix_axes(s, axis, array.ndim)
    keep = flag(s, keepdims, "keepdims")
    if where is not None:
        return _mean_where(s, array, axes, keep, as_array(s, where))

    count = count_of(s, array, axes)
    return by_lanes(
        s, array, axes, keep, array.dtype,
        lambda part, along: over(s, sums(s, (part,), along)[0], count),
    )  # fmt: skip


def _mean_where(s: Stage, array: Arr, axes: tuple[int, ...], keep: bool, where: Arr) -> Value:
    mask = broadcast_to(s, truth(s, where), array.shape)
    found = total(s, chosen(s, array, mask, 0), axes, keepdims=keep)
    return elementwise(s, "div", found, cast(s, total(s, mask, axes, keepdims=keep), array.dtype))


def cast(s: Stage, count: Value, dtype: str) -> Value:
    """A count converted to divide numbers of ``dtype``."""
    kind = real_dtype(dtype)
    return astype(s, count, kind) if isinstance(count, Arr) else s.cast(count, kind)


# ---- tests and counts: no derivative ------------------------------------------------------------


def truth(s: Stage, array: Arr) -> Arr:
    """``array`` as bools: True where it is not zero."""
    if array.dtype == "bool":
        return array
    found = elementwise(s, "ne", array, 0)
    assert isinstance(found, Arr)
    return found


@TABLE.add(
    "numpy.any ndarray.any",
    "np.any(x > 1.0, axis={axis}, keepdims={keepdims}) * x", "mask.any({axis}) * np.sum(x)",
    "np.where(np.any(x > 2.0), x, -x)",
    axis=AXES, keepdims=FLAGS,
)  # fmt: skip
def any_of(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return folded(s, truth(s, as_array(s, a)), axis, keepdims, "bool", False, "or")


@TABLE.add(
    "numpy.all ndarray.all",
    "np.all(x < 1.0, axis={axis}, keepdims={keepdims}) * x", "mask.all({axis}) * np.sum(x)",
    axis=AXES, keepdims=FLAGS,
)  # fmt: skip
def all_of(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return folded(s, truth(s, as_array(s, a)), axis, keepdims, "bool", True, "and")


@TABLE.add(
    "numpy.count_nonzero",
    "np.count_nonzero(x > 0.5, axis={axis}, keepdims={keepdims}) * x", "np.count_nonzero(x) * a",
    axis=AXES, keepdims=FLAGS,
)  # fmt: skip
def count_nonzero(s: Stage, a: object, axis: object = None, *, keepdims: bool = False) -> Value:
    return folded(s, truth(s, as_array(s, a)), axis, keepdims, "int64", 0, "add")
