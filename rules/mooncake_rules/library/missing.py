"""Reductions that take NaN for missing: it counts as neutral, and carries no derivative."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Stage, Table, Value, elementwise, fix_axes
from mooncake_rules.library.arguments import as_value, element_type, flag, no_out
from mooncake_rules.library.lanes import Body, back, by_lanes, detached, over, repeatable, sums
from mooncake_rules.library.reductions import AXES, AXES_3, FLAGS, cast, folded, total
from mooncake_rules.library.statistics import rooted, squares
from mooncake_rules.library.support import as_array, astype, floating, is_float, real_dtype

TABLE = Table()

HOLES = "np.where(x < 1.0, x, np.nan)"


def filled(s: Stage, array: Arr, neutral: int) -> Arr:
    """``array`` with ``neutral`` in place of NaN."""
    if not is_float(array.dtype):
        return array
    found = elementwise(s, "where", absent(s, array), s.cast(neutral, array.dtype), array)
    assert isinstance(found, Arr)
    return found


def absent(s: Stage, array: Arr) -> Arr:
    found = elementwise(s, "np.isnan", array)
    assert isinstance(found, Arr)
    return found


def present(s: Stage, array: Arr) -> Arr:
    """1 where there is a number, 0 where there is NaN."""
    if not is_float(array.dtype):
        return array.lazy(array.shape, lambda *_: 1, "int64")
    found = elementwise(s, "not", absent(s, array))
    assert isinstance(found, Arr)
    return astype(s, found, "int64")


@TABLE.add(
    "numpy.nansum", "np.nansum(x, axis={axis}, keepdims={keepdims})",
    f"np.nansum({HOLES}, axis={{axis}})", "np.nansum(t, axis={axes})", "np.nansum(idx) * a",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def nansum(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    keepdims: bool = False, initial: object = 0, where: object = None,
) -> Value:  # fmt: skip
    return total(s, filled(s, as_array(s, a), 0), axis, dtype, out, keepdims, initial, where)


@TABLE.add(
    "numpy.nanprod", "np.nanprod(x, axis={axis}, keepdims={keepdims})",
    f"np.nanprod({HOLES}, axis={{axis}})", "np.nanprod(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def nanprod(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    no_out(s, out)
    kind = element_type(s, dtype, "") or None
    return folded(s, filled(s, as_array(s, a), 1), axis, keepdims, kind, 1, "mul")


@TABLE.add(
    "numpy.nanmean", "np.nanmean(x, axis={axis}, keepdims={keepdims})",
    f"np.nanmean({HOLES}, axis={{axis}})", "np.nanmean(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def nanmean(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    no_out(s, out)

    def body(part: Arr, along: tuple[int, ...]) -> Value:
        return _mean(s, part, along)[0]

    return _reduced(s, a, axis, dtype, keepdims, body, real=False)


def _reduced(
    s: Stage, a: object, axis: object, dtype: object, keep: object, body: Body, *, real: bool
) -> Value:
    """``body`` over ``axis``; ``real``: the result is, even of complex numbers."""
    given = as_array(s, a)
    array = repeatable(s, astype(s, given, element_type(s, dtype, floating(given.dtype))))
    axes, kind = fix_axes(s, axis, array.ndim), array.dtype
    keepdims = flag(s, keep, "keepdims")
    return by_lanes(s, array, axes, keepdims, real_dtype(kind) if real else kind, body)


def _mean(s: Stage, array: Arr, axes: tuple[int, ...]) -> tuple[Value, Value]:
    """The mean of what is there, and how much that is."""
    found, count = sums(s, (filled(s, array, 0), present(s, array)), axes)
    count = cast(s, count, array.dtype)
    return over(s, found, count), count


def _spread(
    s: Stage, a: object, axis: object, dtype: object, ddof: object, keep: object, root: bool
) -> Value:
    """As ``statistics.spread``: no derivative flows through the mean."""

    def body(part: Arr, along: tuple[int, ...]) -> Value:
        mean, count = _mean(s, part, along)
        shift = back(s, detached(s, mean), part.shape, along)
        shifted = elementwise(s, "sub", part, shift)
        known = elementwise(s, "where", absent(s, part), 0, shifted)
        assert isinstance(known, Arr)
        terms = squares(s, known)
        assert isinstance(terms, Arr)
        rest, found = sums(s, (known, terms), along)
        less = elementwise(s, "div", squares(s, rest), count)
        free = elementwise(s, "sub", count, as_value(s, ddof, "ddof"))
        none = elementwise(s, "le", free, 0)
        divisor = elementwise(s, "select", none, float("nan"), free)
        variance = over(s, elementwise(s, "sub", found, less), divisor)
        return rooted(s, variance) if root else variance

    return _reduced(s, a, axis, dtype, keep, body, real=True)


@TABLE.add(
    "numpy.nanvar", "np.nanvar(x, axis={axis}, ddof={ddof}, keepdims={keepdims})",
    f"np.nanvar({HOLES}, axis={{axis}}, ddof={{ddof}})", "np.nanvar(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS, ddof=(0, 1),
)  # fmt: skip
def nanvar(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    ddof: object = 0, keepdims: bool = False,
) -> Value:  # fmt: skip
    no_out(s, out)
    return _spread(s, a, axis, dtype, ddof, keepdims, root=False)


@TABLE.add(
    "numpy.nanstd", "np.nanstd(x, axis={axis}, ddof={ddof}, keepdims={keepdims})",
    f"np.nanstd({HOLES}, axis={{axis}}, ddof={{ddof}})", "np.nanstd(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS, ddof=(0, 1),
)  # fmt: skip
def nanstd(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None,
    ddof: object = 0, keepdims: bool = False,
) -> Value:  # fmt: skip
    no_out(s, out)
    return _spread(s, a, axis, dtype, ddof, keepdims, root=True)
