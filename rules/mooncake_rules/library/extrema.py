"""The largest and smallest elements, and where they are: the first of them, as ``argmax`` says.

The search yields positions, and positions carry no derivative; the value is then loaded from the
position found. So the derivative is that of one load per result.
"""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise, fix_axes, fix_axis
from mooncake_rules.library.arguments import flag, holds, no_out, number
from mooncake_rules.library.cumulative import along_axis
from mooncake_rules.library.lanes import NaN, by_lanes, positions, ravel, repeatable, require_some
from mooncake_rules.library.reductions import AXES, AXES_3, FLAGS, any_of, chosen
from mooncake_rules.library.support import as_array, is_float, reduce_axes, without

TABLE = Table()

EMPTY = "zero-size array to reduction operation {} which has no identity"


def extremum(
    s: Stage, a: object, axis: object, keepdims: object, op: str, nan: NaN = "furthest",
    initial: object = None, where: object = None,
) -> Value:  # fmt: skip
    name = "maximum" if op == "gt" else "minimum"
    array = as_array(s, a)
    axes = fix_axes(s, axis, array.ndim)
    if initial is not None:
        return _beyond(s, array, axes, flag(s, keepdims, "keepdims"), f"np.{name}", initial, where)
    if where is not None:
        message = f"reduction operation '{name}' does not have an identity, so it needs initial="
        raise s.refuse(message)
    require_some(s, array, axes, EMPTY.format(name))
    return by_lanes(
        s, array, axes, flag(s, keepdims, "keepdims"), array.dtype,
        lambda part, along: outermost(s, part, along, op, nan),
    )  # fmt: skip


def _beyond(
    s: Stage, array: Arr, axes: tuple[int, ...], keep: bool, op: str, initial: object, where: object
) -> Value:  # fmt: skip
    """The extremum of ``initial`` and what ``where`` selects: all if there is nothing."""
    start = s.cast(number(s, initial, "initial"), array.dtype)
    return reduce_axes(s, chosen(s, array, where, start), axes, keep, array.dtype, start, op)


def outermost(s: Stage, array: Arr, axes: tuple[int, ...], op: str, nan: NaN = "furthest") -> Value:
    """The extremum over ``axes``: a number, or an array over the other axes."""
    where = positions(s, array, axes, op, nan)
    rest = without(array.shape, axes)
    if not rest:
        return array.at(*where())
    return array.lazy(rest, lambda *i: array.at(*where(*i)), cheap=False)


@TABLE.add(
    "numpy.max numpy.amax ndarray.max",
    "np.max(x, axis={axis}, keepdims={keepdims})", "np.amax(x)", "x.max({axis})",
    "np.max(t, axis={axes}, keepdims={keepdims})", "np.max(np.sin(x), axis={axis})",
    "x - x.max(axis={axis}, keepdims=True)", "np.max(-x * y, axis={axis})", "np.max(a)",
    "np.max(x, axis={axis}, initial=0.9)", "np.max(x, axis={axis}, initial=-np.inf, where=x < 1.2)",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def largest(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False,
    initial: object = None, where: object = None,
) -> Value:  # fmt: skip
    no_out(s, out)
    return extremum(s, a, axis, keepdims, "gt", initial=initial, where=where)


@TABLE.add(
    "numpy.min numpy.amin ndarray.min",
    "np.min(x, axis={axis}, keepdims={keepdims})", "np.amin(x)", "x.min({axis})",
    "np.min(t, axis={axes}, keepdims={keepdims})", "np.min(np.exp(x), axis={axis})",
    "np.min(x, axis={axis}, initial=a, where=mask)",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def smallest(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False,
    initial: object = None, where: object = None,
) -> Value:  # fmt: skip
    no_out(s, out)
    return extremum(s, a, axis, keepdims, "lt", initial=initial, where=where)


def _enter_pythons(name: str, op: str) -> None:
    """Python's ``max`` or ``min`` of a vector, and of each of its beginnings."""

    @TABLE.add(f"builtins.{name}", f"{name}(v)", f"{name}(v * np.sin(w))")
    def of_all(s: Stage, a: object) -> Value:
        array = as_array(s, a)
        require_some(s, array, (0,), f"{name}() iterable argument is empty")
        return outermost(s, array, (0,), op, "compared")

    @TABLE.add(f"itertools.accumulate.{name}", f"np.array(list(itertools.accumulate(v, {name})))")
    def of_beginnings(s: Stage, a: object) -> Value:
        array = repeatable(s, as_array(s, a))
        found = s.new(array.shape, array.dtype)
        along_axis(
            s, array, found, 0,
            lambda best, item: s.op("select", s.op(op, item, best), item, best),
        )  # fmt: skip
        return found


_enter_pythons("max", "gt")
_enter_pythons("min", "lt")


@TABLE.add(
    "numpy.nanmax", "np.nanmax(x, axis={axis}, keepdims={keepdims})",
    "np.nanmax(np.where(x < 1.0, x, np.nan), axis={axis})", "np.nanmax(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def nanmax(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return extremum(s, a, axis, keepdims, "gt", nan="nearest")


@TABLE.add(
    "numpy.nanmin", "np.nanmin(x, axis={axis}, keepdims={keepdims})",
    "np.nanmin(np.where(x < 1.0, x, np.nan), axis={axis})", "np.nanmin(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def nanmin(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return extremum(s, a, axis, keepdims, "lt", nan="nearest")


@TABLE.add(
    "numpy.ptp", "np.ptp(x, axis={axis}, keepdims={keepdims})", "np.ptp(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def ptp(
    s: Stage, a: object, axis: object = None, out: None = None, keepdims: bool = False
) -> Value:
    no_out(s, out)
    array = repeatable(s, as_array(s, a))
    axes = fix_axes(s, axis, array.ndim)
    require_some(s, array, axes, EMPTY.format("maximum"))

    def body(part: Arr, along: tuple[int, ...]) -> Value:
        most = outermost(s, part, along, "gt")
        return elementwise(s, "sub", most, outermost(s, part, along, "lt"))

    return by_lanes(s, array, axes, flag(s, keepdims, "keepdims"), array.dtype, body)


# ---- positions ----------------------------------------------------------------------------------


def position(
    s: Stage, a: object, axis: object, keepdims: object, op: str, nan: NaN = "furthest"
) -> Value:
    """The position of the first extremum along ``axis``, or in C order among all elements."""
    array = as_array(s, a)
    axes = fix_axes(s, None, array.ndim) if axis is None else (fix_axis(s, axis, array.ndim),)
    name = "argmax" if op == "gt" else "argmin"
    require_some(s, array, axes, f"attempt to get {name} of an empty sequence")

    def body(part: Arr, along: tuple[int, ...]) -> Value:
        where, shape = positions(s, part, along, op, nan), part.shape
        rest = without(shape, along)
        if not rest:
            return ravel(s, where(), shape, along)
        return part.lazy(rest, lambda *i: ravel(s, where(*i), shape, along), "int64", False)

    return by_lanes(s, array, axes, flag(s, keepdims, "keepdims"), "int64", body)


ARG_AXES = (None, 0, 1, -1)


@TABLE.add(
    "numpy.argmax ndarray.argmax",
    "np.argmax(x, axis={axis}, keepdims={keepdims}) * x", "x.argmax({axis}) * np.sum(x)",
    "np.argmax(t) * v", "np.take(w, np.argmax(x, axis=0))", "np.argmax(mask, axis={axis}) * a",
    axis=ARG_AXES, keepdims=FLAGS,
)  # fmt: skip
def argmax(
    s: Stage, a: object, axis: object = None, out: None = None, *, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return position(s, a, axis, keepdims, "gt")


@TABLE.add(
    "numpy.argmin ndarray.argmin",
    "np.argmin(x, axis={axis}, keepdims={keepdims}) * x", "x.argmin({axis}) * np.sum(x)",
    "v[np.argmin(v)]", "v[np.argmin(v[1:])]",
    axis=ARG_AXES, keepdims=FLAGS,
)  # fmt: skip
def argmin(
    s: Stage, a: object, axis: object = None, out: None = None, *, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return position(s, a, axis, keepdims, "lt")


def _nan_position(s: Stage, a: object, axis: object, keepdims: object, op: str) -> Value:
    array = as_array(s, a)
    if is_float(array.dtype):
        array = repeatable(s, array)
        best = extremum(s, array, axis, False, op, nan="nearest")
        empty = any_of(s, elementwise(s, "np.isnan", best))
        assert isinstance(empty, Num | bool)
        s.require(holds(s, "not", empty), "All-NaN slice encountered")
    return position(s, array, axis, keepdims, op, nan="nearest")


@TABLE.add("numpy.nanargmax", "np.nanargmax(x, axis={axis}) * np.sum(x)", axis=ARG_AXES)
def nanargmax(
    s: Stage, a: object, axis: object = None, out: None = None, *, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return _nan_position(s, a, axis, keepdims, "gt")


@TABLE.add("numpy.nanargmin", "np.nanargmin(x, axis={axis}) * np.sum(x)", axis=ARG_AXES)
def nanargmin(
    s: Stage, a: object, axis: object = None, out: None = None, *, keepdims: bool = False
) -> Value:
    no_out(s, out)
    return _nan_position(s, a, axis, keepdims, "lt")
