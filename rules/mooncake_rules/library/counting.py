"""Counts and weights by bins: the weights carry derivatives, the choice of bins does not."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, common_size, elementwise
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds, integer
from mooncake_rules.library.arguments import number as as_number
from mooncake_rules.library.cumulative import flat, running
from mooncake_rules.library.differences import steps
from mooncake_rules.library.extrema import extremum
from mooncake_rules.library.lanes import repeatable
from mooncake_rules.library.reductions import total
from mooncake_rules.library.searching import position
from mooncake_rules.library.support import as_array, astype, floating, is_float

TABLE = Table()

Size = Num | int
Number = Num | complex


@TABLE.add(
    "numpy.bincount", "np.bincount(idx, weights=x[0, idx])", "np.bincount(idx) * a",
    "np.bincount(idx, w[idx], minlength=7) * a", "np.bincount(idx, minlength=2) * a",
)  # fmt: skip
def bincount(s: Stage, x: object, weights: object = None, minlength: object = 0) -> Arr:
    """The number of occurrences of each integer, or the sums of their weights."""
    places = repeatable(s, as_array(s, x))
    if places.ndim != 1 or is_float(places.dtype):
        raise s.refuse("bincount takes a vector of integers", None, "MK213")
    size = places.shape[0]

    def step(accs: tuple[Number, ...], i: Size) -> tuple[Number, ...]:
        item = places.at(i)
        return s.op("np.maximum", accs[0], item), s.op("np.minimum", accs[1], item)

    highest, lowest = s.fold((size,), (-1, 0), step)
    s.require(holds(s, "ge", lowest, 0), "bincount: the numbers must not be negative")
    count = size_op(s, "np.maximum", s.op("add", highest, 1), integer(s, minlength, "minlength"))  # type: ignore[arg-type]
    if weights is None:
        out = s.new((count,), "int64", 0)
        s.nest((size,), lambda i: s.add(out, (places.at(i),), 1))  # type: ignore[arg-type]
        return out
    heavy = as_array(s, weights)
    common_size(s, size, heavy.shape[0], "bincount")
    out = s.new((count,), "float64", 0)
    s.nest((size,), lambda i: s.add(out, (places.at(i),), heavy.at(i)))  # type: ignore[arg-type]
    return out


@TABLE.add(
    "numpy.histogram",
    "np.histogram(x, 3)", "np.histogram(x, bins=4, weights=y)", "np.histogram(v, 3, (-1.0, 1.0))",
    "np.histogram(x, [-1.0, 0.0, 0.5, 2.0], weights=pos)", "np.histogram(x, weights=y)[0]",
    "np.histogram(v, 3, density=True)", "np.histogram(v, 2, weights=np.exp(u), density=True)",
    "np.histogram(v, np.cumsum(pos[0]) - 2.0, density=True)[1]", "np.histogram(x, 5, (a, b))[1]",
)  # fmt: skip
def histogram(
    s: Stage, a: object, bins: object = 10, range: object = None, density: object = None,
    weights: object = None,
) -> tuple[Value, Arr]:  # fmt: skip
    """Counts, or sums of weights, and the edges of the bins."""
    given = as_array(s, a)
    values = repeatable(s, flat(s, given) if given.ndim else given.lazy((1,), lambda _: given.at()))
    heavy = None if weights is None else repeatable(s, flat(s, as_array(s, weights)))
    if heavy is not None:
        common_size(s, values.shape[0], heavy.shape[0], "histogram")
    if isinstance(bins, Num | int):
        count = integer(s, bins, "bins")
        s.require(holds(s, "gt", count, 0), "`bins` must be positive, when an integer")
        edges = _even_edges(s, values, count, range)
    else:
        edges = s.keep(as_array(s, bins))
        count = _bins_between(s, edges)
    out = s.new((count,), "int64" if heavy is None else heavy.dtype, 0)
    even = isinstance(bins, Num | int)

    def one(i: Size) -> None:
        item = values.at(i)

        def known() -> tuple[()]:
            place = _even_place(s, edges, count, item) if even else _place(s, edges, count, item)
            s.add(out, (place,), 1 if heavy is None else heavy.at(i))
            return ()

        above, below = s.op("ge", item, edges.at(0)), s.op("le", item, edges.at(count))
        s.choose(holds(s, "and", above, below), known, tuple)

    s.nest(values.shape, one)
    if not even and heavy is not None and not s.on_device:
        out = _behind_infinity(s, out, values, edges, heavy)
    if density is None or not flag(s, density, "density"):
        return out, edges
    widths = astype(s, steps(s, edges, 0), "float64")
    return elementwise(s, "div", elementwise(s, "div", out, widths), total(s, out)), edges


def _bins_between(s: Stage, edges: Arr) -> Size:
    """The number of bins between ``edges``, which must rise."""
    if edges.ndim != 1:
        raise s.refuse("histogram: the edges must be a vector", None, "MK216")
    count = s.shrunk(edges.shape[0], 1)
    if s.on_device:  # it is not waited for
        return count

    def step(accs: Sequence[Number], i: Size) -> Sequence[Number]:
        falls = s.op("gt", edges.at(i), edges.at(size_op(s, "add", i, 1)))
        return (s.op("or", accs[0], falls),)

    (falls,) = s.fold((count,), (False,), step)
    s.require(holds(s, "not", falls), "`bins` must increase monotonically, when an array")
    return count


def _behind_infinity(s: Stage, out: Arr, values: Arr, edges: Arr, heavy: Arr) -> Arr:
    """NaN for the bins behind a weight that is not finite: NumPy subtracts running sums."""

    def add_below(accs: Sequence[Number], i: Size) -> Sequence[Number]:
        more = s.op("select", s.op("lt", values.at(i), edges.at(0)), heavy.at(i), s.cast(0, dtype))
        return (s.op("add", accs[0], more),)

    dtype = out.dtype
    if not is_float(dtype):
        return out
    (below,) = s.fold(values.shape, (s.cast(0, dtype),), add_below)
    sums = running(s, out, 0, None, None, "add")

    def held(k: Size) -> Number:
        after = sums.at(size_op(s, "np.maximum", size_op(s, "sub", k, 1), 0))
        before = s.op("add", below, s.op("select", s.op("gt", k, 0), after, s.cast(0, dtype)))
        nothing = s.cast(float("nan"), dtype)
        return s.op("select", s.op("np.isfinite", before), out.at(k), nothing)

    return s.keep(out.lazy(out.shape, held))


def _even_edges(s: Stage, values: Arr, count: Size, given: object) -> Arr:
    """``count + 1`` edges at equal distances, from the least to the largest value."""
    dtype = floating(values.dtype)
    if given is not None:
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise s.refuse("histogram: the range must be two numbers")
        low, high = (s.cast(as_number(s, end, "the range"), dtype) for end in given)
        s.require(holds(s, "ge", high, low), "max must be larger than min in range parameter.")
    else:
        low, high = s.choose(
            holds(s, "gt", values.shape[0], 0),
            lambda: [s.cast(_extreme(s, values, op), dtype) for op in ("lt", "gt")],
            lambda: [s.cast(0.0, dtype), s.cast(1.0, dtype)],
        )
    finite = holds(s, "and", s.op("np.isfinite", low), s.op("np.isfinite", high))
    s.require(finite, f"{'autodetected' if given is None else 'supplied'} range is not finite")
    point = s.op("eq", low, high)
    low = s.op("select", point, s.op("sub", low, 0.5), low)
    high = s.op("select", point, s.op("add", high, 0.5), high)
    step = s.op("div", s.op("sub", high, low), s.cast(count, dtype))
    edges = s.new((size_op(s, "add", count, 1),), dtype)
    s.nest((count,), lambda i: s.store(edges, (i,), s.op("add", s.op("mul", i, step), low)))
    s.store(edges, (count,), high)
    return edges


def _extreme(s: Stage, values: Arr, op: str) -> Number:
    found = extremum(s, values, None, False, op)
    assert not isinstance(found, Arr)
    return found


def _even_place(s: Stage, edges: Arr, count: Size, item: Number) -> Size:
    """The bin by division, put right where rounding has missed an edge."""
    low, high = edges.at(0), edges.at(count)
    share = s.op("div", s.op("sub", item, low), s.op("sub", high, low))
    last = size_op(s, "sub", count, 1)
    place = size_op(s, "np.minimum", s.cast(s.op("mul", share, count), "int64"), last)  # type: ignore[arg-type]
    before = s.op("lt", item, edges.at(place))
    place = size_op(s, "sub", place, s.cast(before, "int64"))  # type: ignore[arg-type]
    after = s.op("ge", item, edges.at(size_op(s, "add", place, 1)))
    after = s.op("and", after, s.op("ne", place, last))
    return size_op(s, "add", place, s.cast(after, "int64"))  # type: ignore[arg-type]


def _place(s: Stage, edges: Arr, count: Size, item: Number) -> Size:
    """The bin by halving; the last one includes its upper edge."""
    after = position(s, edges, item, "le")
    last = size_op(s, "sub", count, 1)
    return size_op(s, "np.minimum", size_op(s, "sub", after, 1), last)
