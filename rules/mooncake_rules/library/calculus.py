"""Integrals, interpolation, convolutions, cross products."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, common_size, elementwise, fix_axis
from mooncake_rules.arrays.elementwise import broadcast_shape, expand
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import as_value, holds, number, one_of
from mooncake_rules.library.cumulative import at_axis, running
from mooncake_rules.library.differences import AXES, plus, steps
from mooncake_rules.library.lanes import repeatable, require_some
from mooncake_rules.library.reductions import total
from mooncake_rules.library.searching import position
from mooncake_rules.library.support import as_array, astype, is_complex
from mooncake_rules.library.views import part

TABLE = Table()

Size = Num | int


# ---- integrals ----------------------------------------------------------------------------------


def _areas(s: Stage, y: object, x: object, dx: object, axis: object) -> tuple[Arr, int]:
    """The area between each two neighbours along an axis, and that axis."""
    array = repeatable(s, as_array(s, y))
    k = fix_axis(s, axis, array.ndim)
    shape = at_axis(array.shape, k, s.shrunk(array.shape[k], 1))
    heights = array.lazy(
        shape, lambda *i: s.op("add", array.at(*at_axis(i, k, plus(s, i[k], 1))), array.at(*i))
    )
    width = as_value(s, dx, "dx") if x is None else _widths(s, as_array(s, x), array.ndim, k)
    found = elementwise(s, "div", elementwise(s, "mul", width, heights), 2.0)
    assert isinstance(found, Arr)
    return found, k


def _widths(s: Stage, x: Arr, ndim: int, k: int) -> Arr:
    if x.ndim != 1:
        return steps(s, repeatable(s, x), k)
    gaps = steps(s, repeatable(s, x), 0)
    shape = tuple(gaps.shape[0] if m == k else 1 for m in range(ndim))
    return gaps.lazy(shape, lambda *i: gaps.at(i[k]))


@TABLE.add(
    "numpy.trapezoid numpy.trapz scipy.integrate.trapezoid",
    "np.trapezoid(x, axis={axis})", "np.trapezoid(x, dx=0.3, axis={axis})", "np.trapezoid(v, u)",
    "np.trapezoid(x, y, axis={axis})", "np.trapezoid(x, w, axis=0)", "np.trapezoid(t, v)",
    "np.trapezoid(np.sin(v) * u)",
    axis=AXES,
)  # fmt: skip
def trapezoid(s: Stage, y: object, x: object = None, dx: object = 1.0, axis: int = -1) -> Value:
    areas, k = _areas(s, y, x, dx, axis)
    return total(s, areas, k)


@TABLE.add(
    "scipy.integrate.cumulative_trapezoid",
    "scipy.integrate.cumulative_trapezoid(x, axis={axis}, initial={initial})",
    "scipy.integrate.cumulative_trapezoid(v, u)",
    "scipy.integrate.cumulative_trapezoid(x, w, axis=0, initial=0)",
    axis=AXES, initial=(None, 0),
)  # fmt: skip
def cumulative_trapezoid(
    s: Stage, y: object, x: object = None, dx: object = 1.0, axis: int = -1, initial: object = None
) -> Arr:
    areas, k = _areas(s, y, x, dx, axis)
    require_some(s, as_array(s, y), (k,), "At least one point is required along `axis`.")
    found = running(s, areas, k, None, None, "add")
    if initial is None:
        return found
    if initial != 0 or isinstance(initial, Num):
        raise s.refuse("initial must be None or 0")
    head = found.lazy(at_axis(found.shape, k, 1), lambda *_: s.cast(0, found.dtype))
    joined = s.call("numpy.concatenate", (head, found), axis=k)
    assert isinstance(joined, Arr)
    return joined


# ---- interpolation ------------------------------------------------------------------------------


@TABLE.add(
    "numpy.interp",
    "np.interp(x, np.cumsum(pos[0]) - 1.0, v)", "np.interp(a, np.cumsum(pos[0]), v)",
    "np.interp(x, np.cumsum(pos[0]) - 1.0, v, a, right=b)", "np.interp(v, [-1.0, 0.0, 1.0], w)",
    "np.interp(w, np.cumsum(pos[0]), pos[1], left=0.0)", "np.interp(x, [0.1], [a])",
    "np.interp(x, pos[0], v, period=1.7)", "np.interp(a, v, w[0] * v, period=b)",
    "np.interp([1, 7], v, v + 1j * u, left=a, period=-2)",
)  # fmt: skip
def interp(
    s: Stage, x: object, xp: object, fp: object, left: object = None, right: object = None,
    period: object = None,
) -> Value:  # fmt: skip
    """Piecewise linear, constant outside; at a point of ``xp`` the derivative of the right side."""
    if period is not None:
        return interp(s, *_periodic(s, x, xp, fp, number(s, period, "period")))
    points = repeatable(s, astype(s, as_array(s, xp), "float64"))
    given = as_array(s, fp)
    values = repeatable(s, astype(s, given, "complex128" if is_complex(given.dtype) else "float64"))
    if points.ndim != 1 or values.ndim != 1:
        raise s.refuse("interp: xp and fp must be vectors", None, "MK216")
    size = common_size(s, points.shape[0], values.shape[0], "interp")
    s.require(holds(s, "gt", size, 0), "array of sample points is empty")
    last = size_op(s, "sub", size, 1)
    below = values.at(0) if left is None else as_array(s, left).at()
    above = values.at(last) if right is None else as_array(s, right).at()

    def beyond(q: Num | complex) -> Sequence[Num | complex]:
        at_last = holds(s, "eq", q, points.at(last))
        return s.choose(at_last, lambda: (values.at(last),), lambda: (above,))

    def not_below(q: Num | complex) -> Sequence[Num | complex]:
        past = holds(s, "ge", q, points.at(last))
        return s.choose(past, lambda: beyond(q), lambda: (_between(s, points, values, last, q),))

    def one(q: Num | complex) -> Num | complex:
        q = s.cast(q, "float64")
        before = holds(s, "lt", q, points.at(0))
        return s.choose(before, lambda: (below,), lambda: not_below(q))[0]

    if not isinstance(x, Arr | tuple | list):
        return one(as_array(s, x).at())
    at = as_array(s, x)
    dtype = s.promote(values, below, above)
    reads = at.reads | points.reads | values.reads
    return Arr(s, dtype, at.shape, lambda *i: one(at.at(*i)), None, False, reads)


def _between(s: Stage, points: Arr, values: Arr, last: Size, q: Num | complex) -> Num | complex:
    """The value at ``q``, which is on the line between its neighbours among ``points``."""
    after = position(s, points, q, "le")
    j = size_op(s, "np.maximum", size_op(s, "sub", after, 1), 0)
    k = size_op(s, "np.minimum", plus(s, j, 1), last)
    start, end = values.at(j), values.at(k)
    slope = s.op("div", s.op("sub", end, start), s.op("sub", points.at(k), points.at(j)))

    def of(i: Size, value: Num | complex) -> Num | complex:
        return s.op("add", s.op("mul", slope, s.op("sub", q, points.at(i))), value)

    def beside_infinity() -> Sequence[Num | complex]:
        """The value at ``q`` where the line to its right may have none."""
        found = of(j, start)
        found = s.op("where", s.op("np.isnan", found), of(k, end), found)
        number = s.op("or", s.op("eq", q, q), s.op("eq", last, 0))
        level = s.op("and", s.op("eq", start, end), s.op("and", number, s.op("np.isnan", found)))
        return (s.op("where", s.op("or", s.op("eq", q, points.at(j)), level), start, found),)

    tame = holds(s, "np.isfinite", s.op("add", slope, s.op("add", points.at(j), start)))
    return s.choose(tame, lambda: (of(j, start),), beside_infinity)[0]


def _periodic(
    s: Stage, x: object, xp: object, fp: object, period: Num | complex
) -> tuple[Value, Arr, Arr]:
    """Places, points and values within the first period, and a neighbour at each end of these."""
    s.require(holds(s, "ne", period, 0), "period must be a non-zero value")
    size = s.cast(s.op("np.abs", period), "float64")
    at = as_value(s, x, "x")
    at = astype(s, at, "float64") if isinstance(at, Arr) else s.cast(at, "float64")
    places = elementwise(s, "mod", astype(s, as_array(s, xp), "float64"), size)
    order = s.call("numpy.argsort", places)
    points, values = (as_array(s, s.call("numpy.take", one, order)) for one in (places, fp))
    first, last = (slice(0, 1), slice(-1, None))
    before, after = (part(s, s.keep(points), (one,)) for one in (last, first))
    ends = elementwise(s, "sub", before, size), elementwise(s, "add", after, size)
    around = s.call("numpy.concatenate", (ends[0], points, ends[1]))
    parts = [part(s, s.keep(values), (one,)) for one in (last, first)]
    shown = s.call("numpy.concatenate", (parts[0], values, parts[1]))
    return elementwise(s, "mod", at, size), as_array(s, around), as_array(s, shown)


# ---- convolutions -------------------------------------------------------------------------------

MODES = ("full", "same", "valid")


def _full(s: Stage, a: Arr, v: Arr) -> Arr:
    """Every product of an element of ``a`` and one of ``v``, added at the sum of their indices."""
    for vector, name in ((a, "a"), (v, "v")):
        if vector.ndim != 1:
            raise s.refuse("convolutions are of vectors", None, "MK216")
        s.require(holds(s, "gt", vector.shape[0], 0), f"{name} cannot be empty")
    n, m = a.shape[0], v.shape[0]
    a, v = repeatable(s, a), repeatable(s, v)
    out = s.new((plus(s, n, size_op(s, "sub", m, 1)),), s.promote(a, v), 0)
    s.nest((m, n), lambda j, i: s.add(out, (plus(s, i, j),), s.op("mul", a.at(i), v.at(j))))
    return out


def _part(s: Stage, full: Arr, sizes: Sequence[Size], mode: str, start: Size) -> Arr:
    """The part of the full convolution that ``mode`` selects; "same" begins at ``start``."""
    if mode == "full":
        return full
    large = size_op(s, "np.maximum", *sizes)
    small = size_op(s, "np.minimum", *sizes)
    if mode == "same":
        return s.view(full, (slice(start, plus(s, start, large)),))
    return s.view(full, (slice(size_op(s, "sub", small, 1), large),))


@TABLE.add(
    "numpy.convolve", "np.convolve(v, w, {mode})", "np.convolve(w, v, mode={mode})",
    "np.convolve(w, w, {mode})", "np.convolve(np.exp(v), x[0], {mode})", "np.convolve(z[0], z[1])",
    "np.convolve(v, [1.0, -2.0, 1.0], {mode})", "np.convolve(v, [0.5, 0.5], {mode})", mode=MODES,
)  # fmt: skip
def convolve(s: Stage, a: object, v: object, mode: str = "full") -> Arr:
    left, right = as_array(s, a), as_array(s, v)
    mode = one_of(s, mode, "mode", MODES)
    full = _full(s, left, right)
    sizes = (left.shape[0], right.shape[0])
    small = size_op(s, "np.minimum", *sizes)
    start = size_op(s, "floordiv", size_op(s, "sub", small, 1), 2)
    return _part(s, full, sizes, mode, start)


@TABLE.add(
    "numpy.correlate", "np.correlate(v, w, {mode})", "np.correlate(w, v, mode={mode})",
    "np.correlate(v, x[0], {mode})", "np.correlate(z[0], z[1], {mode})",
    "np.correlate(v, [0.5, 2.5], {mode})", "np.correlate([0.5, 2.5], v, {mode})", mode=MODES,
)  # fmt: skip
def correlate(s: Stage, a: object, v: object, mode: str = "valid") -> Arr:
    left, right = as_array(s, a), as_array(s, v)
    mode = one_of(s, mode, "mode", MODES)
    n, m = left.shape[0], right.shape[0]
    turned = right.lazy((m,), lambda i: right.at(size_op(s, "sub", size_op(s, "sub", m, 1), i)))
    if is_complex(right.dtype):
        conj = elementwise(s, "np.conj", turned)
        assert isinstance(conj, Arr)
        turned = conj
    full = _full(s, left, turned)
    small = size_op(s, "np.minimum", n, m)
    swapped = s.op("lt", n, m)  # NumPy then turns the result round
    odd = s.op("select", swapped, small, size_op(s, "sub", small, 1))
    start = s.op("floordiv", odd, 2)
    assert isinstance(start, Num | int)
    return _part(s, full, (n, m), mode, start)


# ---- cross products -----------------------------------------------------------------------------


@TABLE.add(
    "numpy.cross", "np.cross(w, np.exp(w))", "np.cross(x, y, axis=0)",
    "np.cross(t, x[:, :1], axis=1)",
    "np.cross(x, y, axisa=0, axisb=0)", "np.cross(x, y, 0, 0, 0)", "np.cross(m, w)",
    "np.cross(w, m)",
)  # fmt: skip
def cross(
    s: Stage, a: object, b: object, axisa: int = -1, axisb: int = -1, axisc: int = -1,
    axis: int | None = None,
) -> Arr:  # fmt: skip
    if axis is not None:
        axisa = axisb = axisc = axis
    left, right = _vectors(s, as_array(s, a), axisa), _vectors(s, as_array(s, b), axisb)
    rest = broadcast_shape(s, (left.shape[:-1], right.shape[:-1]), "cross")
    left, right = repeatable(s, left), repeatable(s, right)
    parts = [expand(array, (*rest, 3)) for array in (left, right)]
    k = fix_axis(s, axisc, len(rest) + 1)
    out = s.new((*rest[:k], 3, *rest[k:]), s.promote(left, right))

    def one(*index: Size) -> None:
        x, y = ([part(*index, m) for m in range(3)] for part in parts)
        for m in range(3):
            n, o = (m + 1) % 3, (m + 2) % 3
            value = s.op("sub", s.op("mul", x[n], y[o]), s.op("mul", x[o], y[n]))
            s.store(out, (*index[:k], m, *index[k:]), value)

    s.nest(rest, one)
    return out


@TABLE.add(
    "numpy.linalg.cross", "np.linalg.cross(x, y, axis=0)", "np.linalg.cross(m, w)",
    "np.linalg.cross(w, 2.0 * m)", "np.linalg.cross(t, x[:, :1], axis=1)",
)  # fmt: skip
def cross_along(s: Stage, x1: object, x2: object, /, *, axis: int = -1) -> Arr:
    return cross(s, x1, x2, axis=axis)


def _vectors(s: Stage, array: Arr, axis: object) -> Arr:
    """``array`` with the axis of the vectors, of size 3, last."""
    k = fix_axis(s, axis, array.ndim)
    size = array.shape[k]
    if isinstance(size, int) and size != 3:
        raise s.refuse(f"cross takes vectors of 3 components, got {size}", None, "MK216")
    if isinstance(size, Num):
        s.require(holds(s, "eq", size, 3), "cross takes vectors of 3 components")
    shape = (*array.shape[:k], *array.shape[k + 1 :], 3)
    return array.lazy(shape, lambda *i: array.at(*i[:k], i[-1], *i[k:-1]))
