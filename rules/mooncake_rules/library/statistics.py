"""Variances and averages along axes, covariances."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, broadcast_to, elementwise, fix_axes
from mooncake_rules.library.arguments import element_type, flag, holds, no_out
from mooncake_rules.library.lanes import back, by_lanes, detached, over, repeatable, sums
from mooncake_rules.library.reductions import AXES, AXES_3, FLAGS, count_of, total
from mooncake_rules.library.support import as_array, astype, floating, is_complex, kept, real_dtype

TABLE = Table()


def squares(s: Stage, value: Value) -> Value:
    """The squared magnitude of each element."""
    dtype = value.dtype if isinstance(value, Arr) else s.promote(value)
    if not is_complex(dtype):
        return elementwise(s, "mul", value, value)
    return elementwise(s, "np.real", elementwise(s, "mul", value, elementwise(s, "np.conj", value)))


def spread(
    s: Stage, array: Arr, axes: tuple[int, ...], count: Num | complex, divisor: Num | complex
) -> Value:
    """The sum of squared deviations from the mean over ``axes``, divided by ``divisor``.

    The corrected two-pass algorithm (Chan, Golub and LeVeque, 1983). The variance of x - c is that
    of x for any constant c, so no derivative flows through the rough mean c.
    """
    mean = detached(s, over(s, sums(s, (array,), axes)[0], count))
    shifted = elementwise(s, "sub", array, back(s, mean, array.shape, axes))
    assert isinstance(shifted, Arr)
    terms = squares(s, shifted)
    assert isinstance(terms, Arr)
    rest, found = sums(s, (shifted, terms), axes)
    less = elementwise(s, "div", squares(s, rest), count)
    return over(s, elementwise(s, "sub", found, less), divisor)


def _spread(
    s: Stage, a: object, axis: object, dtype: object, ddof: object, keep: object, root: bool
) -> Value:
    """The variance, or its square root, which has the derivative zero where it is zero."""
    given = as_array(s, a)
    array = repeatable(s, astype(s, given, element_type(s, dtype, floating(given.dtype))))
    axes, kind = fix_axes(s, axis, array.ndim), real_dtype(array.dtype)
    count = count_of(s, array, axes)
    divisor = freedom(s, count, ddof, kind)

    def body(part: Arr, along: tuple[int, ...]) -> Value:
        found = spread(s, part, along, count, divisor)
        return rooted(s, found) if root else found

    return by_lanes(s, array, axes, flag(s, keep, "keepdims"), kind, body)


def freedom(s: Stage, count: Num | complex, ddof: object, dtype: str) -> Num | complex:
    """``max(count - ddof, 0)``."""
    if isinstance(ddof, int | float) and ddof == 0:
        return count
    if not isinstance(ddof, Num | int | float):
        raise s.refuse("ddof must be a number", None, "MK213")
    return s.cast(s.op("np.maximum", s.op("sub", count, ddof), 0.0), dtype)


def rooted(s: Stage, variance: Value) -> Value:
    zero = elementwise(s, "eq", variance, 0)
    return elementwise(s, "select", zero, 0.0, elementwise(s, "np.sqrt", variance))


@TABLE.add(
    "numpy.var ndarray.var",
    "np.var(x, axis={axis}, ddof={ddof}, keepdims={keepdims})", "x.var({axis})",
    "np.var(t, axis={axes}, keepdims={keepdims})", "np.var(x, correction=1)",
    "np.var(np.exp(x) * y, axis={axis})", "np.var(z, axis={axis})", "np.var(x, axis=1, ddof=a)",
    "np.var(idx) * a",
    axis=AXES, axes=AXES_3, ddof=(0, 1), keepdims=FLAGS,
)  # fmt: skip
def var(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    ddof: object = 0, keepdims: bool = False, *, correction: object = None,
) -> Value:  # fmt: skip
    no_out(s, out)
    ddof = ddof if correction is None else correction
    return _spread(s, a, axis, dtype, ddof, keepdims, root=False)


@TABLE.add(
    "numpy.std ndarray.std",
    "np.std(x, axis={axis}, ddof={ddof}, keepdims={keepdims})", "x.std({axis})",
    "np.std(t, axis={axes}, keepdims={keepdims})", "np.std(x, axis=0, correction=1)",
    "(x - x.mean({axis}, keepdims=True)) / x.std({axis}, keepdims=True)",
    axis=AXES, axes=AXES_3, ddof=(0, 1), keepdims=FLAGS,
)  # fmt: skip
def std(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    ddof: object = 0, keepdims: bool = False, *, correction: object = None,
) -> Value:  # fmt: skip
    no_out(s, out)
    ddof = ddof if correction is None else correction
    return _spread(s, a, axis, dtype, ddof, keepdims, root=True)


@TABLE.add(
    "numpy.average",
    "np.average(x, axis={axis}, keepdims={keepdims})",
    "np.average(x, axis={axis}, weights=pos, keepdims={keepdims})",
    "np.average(x, axis=0, weights=w * w)", "np.average(x, axis=-1, weights=pos[0])",
    "np.average(t, axis=1, weights=[0.5, 1.5, 2.0])", "np.average(v, weights=pos[0])",
    "np.average(x, weights=pos, returned=True)", "np.average(x, axis=0, returned=True)",
    "np.average(x, axis=1, weights=pos[0], returned=True)",
    axis=AXES, keepdims=FLAGS,
)  # fmt: skip
def average(
    s: Stage, a: object, axis: object = None, weights: object = None, returned: bool = False,
    *, keepdims: bool = False,
) -> object:  # fmt: skip
    array = as_array(s, a)
    keep, both = flag(s, keepdims, "keepdims"), flag(s, returned, "returned")
    axes = fix_axes(s, axis, array.ndim)
    if weights is None:
        found: object = s.call("numpy.mean", array, axes, keepdims=keep)
        count = count_of(s, astype(s, array, floating(array.dtype)), axes)
        return (found, _like(count, found)) if both else found
    heavy = _weights(s, array, axes, as_array(s, weights))
    dtype = floating(s.promote(array, heavy))
    array, heavy = astype(s, array, dtype), astype(s, heavy, dtype)
    scale = total(s, broadcast_to(s, heavy, array.shape), axes, keepdims=keep)
    _require_weight(s, scale)
    found = elementwise(s, "div", total(s, array * heavy, axes, keepdims=keep), scale)
    return (found, scale) if both else found


def _like(number: Num | complex, found: object) -> Value:
    return found.lazy(found.shape, lambda *_: number) if isinstance(found, Arr) else number


def _weights(s: Stage, array: Arr, axes: tuple[int, ...], weights: Arr) -> Arr:
    """``weights`` with an axis for each of ``array``."""
    if weights.ndim == array.ndim:
        return weights
    if weights.ndim != len(axes):
        raise s.refuse(
            "the weights have another rank than the array, and than the axes", None, "MK216"
        )
    shape = kept(array.shape, [k for k in range(array.ndim) if k not in axes])
    sizes = iter(weights.shape)
    full = tuple(next(sizes) if k in axes else size for k, size in enumerate(shape))
    return weights.lazy(full, lambda *i: weights.at(*(i[k] for k in axes)))


def _require_weight(s: Stage, scale: Value) -> None:
    zero = s.call("numpy.any", elementwise(s, "eq", scale, 0))
    assert isinstance(zero, Num | bool)
    s.require(
        holds(s, "not", zero), "Weights sum to zero, can't be normalized", "ZeroDivisionError"
    )
