"""Medians, quantiles and percentiles: elements in their order, interpolated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise, fix_axes, product
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds, no_out, one_of
from mooncake_rules.library.lanes import ravel, require_some
from mooncake_rules.library.reductions import AXES, AXES_3, FLAGS
from mooncake_rules.library.sorting import order_along
from mooncake_rules.library.support import as_array, astype, floating, is_float, kept, without

TABLE = Table()

Size = Num | int
Number = Num | complex
Place = tuple["Num | int", "Num | int", "Num | complex | None"]  # no part: the mean of both

# Hyndman and Fan (1996): the virtual index is n q + alpha + q (1 - alpha - beta) - 1.
CONTINUOUS = {
    "interpolated_inverted_cdf": (0.0, 1.0), "hazen": (0.5, 0.5), "weibull": (0.0, 0.0),
    "linear": (1.0, 1.0), "median_unbiased": (1 / 3, 1 / 3), "normal_unbiased": (3 / 8, 3 / 8),
}  # fmt: skip
AVERAGED = ("averaged_inverted_cdf", "midpoint")
DISCRETE = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
METHODS = (*CONTINUOUS, *AVERAGED, *DISCRETE)


def place(s: Stage, method: str, n: Size, q: Number) -> Place:
    """The two elements in the order between which the quantile ``q`` of ``n`` is, and how far."""
    last = size_op(s, "sub", n, 1)
    if method == "median":
        return size_op(s, "floordiv", last, 2), size_op(s, "floordiv", n, 2), None
    size = s.cast(n, "float64")
    inside = s.op("mul", s.op("sub", size, 1.0), q)
    if method in CONTINUOUS or method == "averaged_inverted_cdf":
        at = inside if method == "linear" else _virtual(s, method, size, q)
        low = s.op("np.floor", at)
        part = s.op("sub", at, low)
        if method not in CONTINUOUS:
            part = s.op("select", s.op("eq", part, 0), 0.5, 1.0)
        return _bounded(s, low, last), _bounded(s, s.op("add", low, 1.0), last), part
    if method == "midpoint":
        low, high = s.op("np.floor", inside), s.op("np.ceil", inside)
        return _bounded(s, low, last), _bounded(s, high, last), 0.5
    one = _bounded(s, _discrete(s, method, size, q, inside), last)
    return one, one, 0.0


def _virtual(s: Stage, method: str, size: Number, q: Number) -> Number:
    alpha, beta = CONTINUOUS.get(method, (0.0, 1.0))
    shift = s.op("add", alpha, s.op("mul", q, 1.0 - alpha - beta))
    return s.op("sub", s.op("add", s.op("mul", size, q), shift), 1.0)


def _discrete(s: Stage, method: str, size: Number, q: Number, inside: Number) -> Number:
    if method in ("lower", "higher", "nearest"):
        name = {"lower": "np.floor", "higher": "np.ceil", "nearest": "np.rint"}[method]
        return s.op(name, inside)
    less = 1.0 if method == "inverted_cdf" else 1.5
    at = s.op("sub", s.op("mul", size, q), less)
    low = s.op("np.floor", at)
    stays = s.op("eq", at, low)
    if method == "closest_observation":
        stays = s.op("and", stays, s.op("eq", s.op("mod", low, 2.0), 1.0))
    return s.op("select", stays, low, s.op("add", low, 1.0))


def _bounded(s: Stage, at: Number, last: Size) -> Size:
    found = size_op(s, "np.maximum", s.cast(at, "int64"), 0)  # type: ignore[arg-type]
    return size_op(s, "np.minimum", found, last)


def quantiles(
    s: Stage, a: object, q: Value, axis: object, keepdims: object, method: str, skip_nan: bool
) -> Value:
    """The quantiles ``q``, a number or a vector, of each lane."""
    given = as_array(s, a)
    array = astype(s, given, floating(given.dtype))
    axes, keep = fix_axes(s, axis, array.ndim), flag(s, keepdims, "keepdims")
    rows, rest = _rows(s, array, axes)
    order = order_along(s, rows, rows.ndim - 1)
    size = rows.shape[-1]

    def value(row: Sequence[Size], where: Callable[[Size], Place]) -> Number:
        return _value(s, rows, order, row, where, skip_nan)

    lead = q.shape if isinstance(q, Arr) else ()
    fixed = None if isinstance(q, Arr) or skip_nan else place(s, method, size, q)

    def where_of(index: Sequence[Size]) -> Callable[[Size], Place]:
        """The place among n elements, for one of ``q``."""
        if fixed is not None:
            return lambda _: fixed
        return lambda n: place(s, method, n, q.at(*index) if isinstance(q, Arr) else q)

    shape = (*lead, *(kept(array.shape, axes) if keep else rest))

    def at(*index: Size) -> Number:
        others = index[len(lead) :]
        if keep:
            others = without(others, axes)
        row = [ravel(s, others, rest, range(len(rest)))] if rest else []
        return s.cast(value(row, where_of(index[: len(lead)])), dtype)

    dtype = s.promote(array, q) if isinstance(q, Arr) else array.dtype
    if not shape:
        return at()
    reads = rows.reads | order.reads | (q.reads if isinstance(q, Arr) else frozenset())
    return Arr(s, dtype, shape, at, None, False, reads)


def _rows(s: Stage, array: Arr, axes: tuple[int, ...]) -> tuple[Arr, tuple[Size, ...]]:
    """``array`` with a row for each lane, and the shape of the other axes."""
    others = [k for k in range(array.ndim) if k not in axes]
    rest = tuple(array.shape[k] for k in others)
    size = product(s, [array.shape[k] for k in axes])
    moved = s.view(array, (), (*others, *axes)) if array.ndim else array
    if array.ndim == 0:
        return s.keep(array.lazy((1,), lambda _: array.at())), ()
    shape = (product(s, rest), size) if rest else (size,)
    return (moved if moved.ndim == len(shape) else s.reshape(moved, shape)), rest


def _between(s: Stage, low: Number, high: Number, part: Number | None) -> Number:
    """The number so far between two, reckoned from the nearer one as in NumPy."""
    if part is None:
        return s.op("mul", s.op("add", low, high), 0.5)
    gap = s.op("sub", high, low)
    above = s.op("add", low, s.op("mul", gap, part))
    below = s.op("sub", high, s.op("mul", gap, s.op("sub", 1.0, part)))
    return s.op("select", s.op("ge", part, 0.5), below, above)


def _value(
    s: Stage, rows: Arr, order: Arr, row: Sequence[Size],
    where: Callable[[Size], Place], skip_nan: bool,
) -> Number:  # fmt: skip
    """The interpolated element of one row, NaN if there is one, or none but such."""
    size = rows.shape[-1]

    def element(i: Size) -> Number:
        return rows.at(*row, order.at(*row, i))

    def interpolated(n: Size) -> tuple[Number]:
        low, high, part = where(n)
        first = element(low)
        if not isinstance(part, Num) and part == 0:
            return (first,)
        return (_between(s, first, element(high), part),)

    if not is_float(rows.dtype):
        return interpolated(size)[0]
    missing = s.cast(float("nan"), rows.dtype)
    if not row:
        return _of_all(s, rows, element, interpolated, missing, skip_nan)
    if skip_nan:
        count = _numbers(s, rows, row)
        some = holds(s, "gt", count, 0)
        return s.choose(some, lambda: interpolated(count), lambda: (missing,))[0]

    def sound() -> tuple[Number]:
        last = element(size_op(s, "sub", size, 1))
        return (s.op("not", s.op("np.isnan", last)),)  # NaN would be last

    (known,) = s.choose(holds(s, "gt", size, 0), sound, lambda: (False,))
    assert isinstance(known, Num | bool)
    return s.choose(known, lambda: interpolated(size), lambda: (missing,))[0]


def _of_all(
    s: Stage, rows: Arr, element: Callable[[Size], Number],
    interpolated: Callable[[Size], tuple[Number]], missing: Number, skip_nan: bool,
) -> Number:  # fmt: skip
    """The same for all elements: on a GPU a branch on one of them would wait for it."""
    size = rows.shape[0]

    def found() -> tuple[Number]:
        if skip_nan:
            count = _numbers(s, rows, ())
            known = s.op("gt", count, 0)
        else:
            count, known = size, s.op("not", s.op("np.isnan", element(size_op(s, "sub", size, 1))))
        return (s.op("select", known, interpolated(count)[0], missing),)

    return s.choose(holds(s, "gt", size, 0), found, lambda: (missing,))[0]


def _numbers(s: Stage, rows: Arr, row: Sequence[Size]) -> Size:
    """The number of elements of the row that are not NaN."""

    def step(accs: Sequence[Number], i: Size) -> Sequence[Number]:
        item = rows.at(*row, i)
        return (s.op("add", accs[0], s.cast(s.op("not", s.op("np.isnan", item)), "int64")),)

    found = s.fold(rows.shape[-1:], (0,), step)[0]
    assert isinstance(found, Num | int)
    return found


def _checked(s: Stage, q: object, by: float) -> Value:
    """``q`` divided by ``by``; it must be a number or a vector, within [0, 1]."""
    given = as_array(s, q)
    if given.ndim > 1:
        raise s.refuse("q must be a number or a vector", None, "MK216")
    scaled = elementwise(s, "div", astype(s, given, "float64"), by)
    kept_ = s.keep(scaled) if isinstance(scaled, Arr) and scaled.ndim else scaled
    if isinstance(kept_, Arr) and kept_.ndim == 0:
        kept_ = kept_.at()
    if _are_fine(q, by):
        return kept_
    low, high = elementwise(s, "ge", kept_, 0.0), elementwise(s, "le", kept_, 1.0)
    fine = s.call("numpy.all", elementwise(s, "and", low, high))
    if isinstance(fine, Arr):
        fine = fine.at()
    assert isinstance(fine, Num | bool)
    what = "Quantiles must be in the range [0, 1]"
    s.require(fine, what if by == 1 else "Percentiles must be in the range [0, 100]")
    return kept_


def _are_fine(q: object, by: float) -> bool:
    """True for several numbers that are known, within the range."""
    items = q if isinstance(q, tuple | list) else ()
    return bool(items) and all(
        isinstance(item, int | float) and 0 <= item / by <= 1 for item in items
    )


GRID: Mapping[str, Sequence[object]] = {
    "axis": AXES, "axes": AXES_3, "keepdims": FLAGS, "method": METHODS, "q": (0.0, 0.3, 0.5, 1.0),
}  # fmt: skip


def _examples(name: str, by: int, skip_nan: bool) -> tuple[str, ...]:
    written = name.replace("numpy", "np")
    of_vectors = (
        f"F(x, [{0.25 * by}, {0.7 * by}], axis={{axis}}, keepdims={{keepdims}})",
        f"F(v, {by} * np.array([a, 0.5 * b]))",
    )  # of nothing NumPy gives results of another rank, if NaN are to be skipped
    examples = (
        f"F(x, {{q}} * {by}, axis=1, method={{method}})", f"F(x, {0.6 * by}, {{axis}})",
        f"F(x, {0.3 * by}, axis={{axis}}, keepdims={{keepdims}})", f"F(t, {0.4 * by}, {{axes}})",
        f"F(x, {by} * 0.5 * a, axis={{axis}})", *(() if skip_nan else of_vectors),
    )  # fmt: skip
    return tuple(example.replace("F(", f"{written}(") for example in examples)


def _quantile(by: float, skip_nan: bool) -> Callable[..., Value]:
    def impl(
        s: Stage, a: object, q: object, axis: object = None, out: None = None,
        overwrite_input: bool = False, method: str = "linear", keepdims: bool = False,
    ) -> Value:  # fmt: skip
        no_out(s, out)
        known, array = one_of(s, method, "method", METHODS), as_array(s, a)
        if not skip_nan:
            empty = "quantiles of an empty array"
            require_some(s, array, fix_axes(s, axis, array.ndim), empty, "IndexError")
        return quantiles(s, array, _checked(s, q, by), axis, keepdims, known, skip_nan)

    return impl


for _name, _by, _skip in (
    ("numpy.quantile", 1, False), ("numpy.percentile", 100, False),
    ("numpy.nanquantile", 1, True), ("numpy.nanpercentile", 100, True),
):  # fmt: skip
    TABLE.add(_name, *_examples(_name, _by, _skip), **GRID)(_quantile(float(_by), _skip))


@TABLE.add(
    "numpy.median", "np.median(x, axis={axis}, keepdims={keepdims})", "np.median(t, axis={axes})",
    "np.median(np.sin(v))", "np.median(w)", "np.median(idx) * a",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def median(
    s: Stage, a: object, axis: object = None, out: None = None, overwrite_input: bool = False,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    no_out(s, out)
    return quantiles(s, a, 0.5, axis, keepdims, "median", skip_nan=False)


@TABLE.add(
    "numpy.nanmedian", "np.nanmedian(x, axis={axis}, keepdims={keepdims})",
    "np.nanmedian(np.where(x < 1.0, x, np.nan), axis={axis})", "np.nanmedian(t, axis={axes})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def nanmedian(
    s: Stage, a: object, axis: object = None, out: None = None, overwrite_input: bool = False,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    no_out(s, out)
    return quantiles(s, a, 0.5, axis, keepdims, "median", skip_nan=True)
