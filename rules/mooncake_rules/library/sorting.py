"""Sorting: the order carries no derivative, what is gathered by it does."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, common_size, fix_axis, product
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds
from mooncake_rules.library.cumulative import at_axis, flat
from mooncake_rules.library.lanes import ravel, repeatable
from mooncake_rules.library.support import as_array, astype, is_complex, is_float, without

TABLE = Table()

Size = Num | int
AXES = (0, 1, -1, None)


def order_along(s: Stage, array: Arr, k: int) -> Arr:
    """The places along axis ``k`` of the elements in increasing order; equal ones as they come."""
    if is_complex(array.dtype):
        raise s.refuse("complex numbers can't be sorted", "sort by np.abs or np.real of them")
    if array.dtype == "bool":
        array = astype(s, array, "int64")
    rest = without(array.shape, (k,))
    axes = [m for m in range(array.ndim) if m != k]
    rows = s.view(array, (), (*axes, k))
    if array.ndim > 2:
        rows = s.reshape(rows, (product(s, rest), array.shape[k]))
    (order,) = s.primitive("argsort", (rows,), (("int64", rows.ndim),))
    assert isinstance(order, Arr)
    order = s.shaped(order, rows.shape)

    def at(*index: Size) -> Num | complex:
        row = [ravel(s, without(index, (k,)), rest, range(len(rest)))] if rest else []
        return order.at(*row, index[k])

    return order.lazy(array.shape, at)


def sorted_along(s: Stage, array: Arr, k: int) -> Arr:
    order = order_along(s, array, k)
    found = array.lazy(
        array.shape,
        lambda *i: array.at(*at_axis(i, k, order.at(*i))),  # type: ignore[arg-type]
        cheap=False,
    )
    return Arr(s, found.dtype, found.shape, found.at, None, False, array.reads | order.reads)


def _along(s: Stage, a: object, axis: object) -> tuple[Arr, int]:
    """The array to be sorted, flattened for the axis None, and the axis."""
    array = as_array(s, a)
    if axis is None:
        return repeatable(s, flat(s, array)), 0
    return repeatable(s, array), fix_axis(s, axis, array.ndim)


@TABLE.add(
    "numpy.sort", "np.sort(x, axis={axis})", "np.sort(t, {axes})", "np.sort(np.sin(v))",
    "np.sort(v, kind='stable')[::-1]", "np.sort(idx) * a", "np.sort(mask, axis=0) * x",
    axis=AXES, axes=(0, 1, 2),
)  # fmt: skip
def sort(
    s: Stage, a: object, axis: object = -1, kind: object = None, order: None = None, *,
    stable: object = None,
) -> Arr:  # fmt: skip
    _no_fields(s, order)
    return sorted_along(s, *_along(s, a, axis))


@TABLE.add("ndarray.sort")
def sort_in_place(
    s: Stage, a: Arr, axis: object = -1, kind: object = None, order: None = None
) -> None:
    _no_fields(s, order)
    target = s.writable(a)
    found = s.keep(sorted_along(s, target, fix_axis(s, axis, a.ndim)))
    s.nest(target.shape, lambda *i: s.store(target, i, found.at(*i)))


def _no_fields(s: Stage, order: object) -> None:
    if order is not None:
        raise s.refuse("there are no arrays with fields here")


@TABLE.add(
    "numpy.argsort ndarray.argsort",
    "np.argsort(x, axis={axis}) * a", "v[np.argsort(u)]", "x[np.argsort(x[:, 1])]",
    "x[:, v.argsort()]", "np.argsort(t, {axes}) * a", "w[np.argsort(-w)]",
    axis=AXES, axes=(0, 1, 2),
)  # fmt: skip
def argsort(
    s: Stage, a: object, axis: object = -1, kind: object = None, order: None = None, *,
    stable: object = None,
) -> Arr:  # fmt: skip
    """``numpy.argsort``; equal elements keep their order, whatever ``kind`` is."""
    _no_fields(s, order)
    return order_along(s, *_along(s, a, axis))


@TABLE.add(
    "numpy.partition", "np.partition(v, 2)[2]", "np.sort(np.partition(x, 1, axis=1)[:, :2])",
    "np.partition(x, 1, axis=0)[1]", "np.partition(x, (0, 2), axis=None)[0]",
)  # fmt: skip
def partition(
    s: Stage, a: object, kth: object, axis: object = -1, kind: object = None, order: None = None
) -> Arr:
    """``numpy.partition``, as a full sort, which is one of the possible results."""
    _no_fields(s, order)
    array, k = _along(s, a, axis)
    _require_places(s, kth, array.shape[k])
    return sorted_along(s, array, k)


def _require_places(s: Stage, kth: object, size: Size) -> None:
    """Raise a ValueError unless there are places ``kth`` in a row of so many."""
    for place in kth if isinstance(kth, tuple | list) else (kth,):
        if isinstance(place, Num | int):
            below = holds(s, "lt", place, size)
            above = holds(s, "ge", place, size_op(s, "neg", size))
            s.require(holds(s, "and", below, above), "kth out of bounds")


@TABLE.add("numpy.argpartition ndarray.argpartition", "v[np.argpartition(v, 2)[2]]")
def argpartition(
    s: Stage, a: object, kth: object, axis: object = -1, kind: object = None, order: None = None
) -> Arr:
    _no_fields(s, order)
    array, k = _along(s, a, axis)
    _require_places(s, kth, array.shape[k])
    return order_along(s, array, k)


@TABLE.add("numpy.lexsort", "v[np.lexsort((u, v > 0.5))]", "v[np.lexsort((v, u, np.sin(v)))]")
def lexsort(s: Stage, keys: object, axis: object = -1) -> Arr:
    """``numpy.lexsort``: the order by the last key, then by the one before, and so on."""
    if not isinstance(keys, tuple | list) or not keys:
        raise s.refuse("the keys of lexsort must be a tuple of vectors")
    vectors = [as_array(s, key) for key in keys]
    if any(vector.ndim != 1 for vector in vectors):
        raise s.refuse("the keys of lexsort must be a tuple of vectors")
    fix_axis(s, axis, 1)
    order = order_along(s, repeatable(s, vectors[0]), 0)
    for vector in vectors[1:]:
        common_size(s, vector.shape[0], order.shape[0], "lexsort")
        order = _refined(s, repeatable(s, vector), s.keep(order))
    return order


def _refined(s: Stage, key: Arr, order: Arr) -> Arr:
    """``order``, sorted by ``key`` without changing it where that is equal."""
    found = order_along(s, key.lazy(key.shape, lambda i: key.at(order.at(i))), 0)
    return order.lazy(order.shape, lambda i: order.at(found.at(i)), cheap=False)


# ---- sets ---------------------------------------------------------------------------------------


@TABLE.add(
    "numpy.unique", "np.unique(x)", "np.unique(np.round(x) + 0.0 * x)",
    "v[np.unique(idx[:2], return_index=True)[1]]",
    "np.unique(x, return_index=True, return_inverse=True, return_counts=True)",
    "np.unique(x, return_counts=True)", "np.unique(np.array([a, b, a]))",
)  # fmt: skip
def unique(
    s: Stage, ar: object, return_index: bool = False, return_inverse: bool = False,
    return_counts: bool = False, axis: None = None, *, equal_nan: bool = True, sorted: bool = True,
) -> object:  # fmt: skip
    """``numpy.unique``; of equal elements the first is kept, and has the derivative."""
    if axis is not None:
        raise s.refuse("unique: axis is not supported")
    given = as_array(s, ar)
    array = repeatable(s, flat(s, given) if given.ndim else given.lazy((1,), lambda _: given.at()))
    order = order_along(s, array, 0)
    new = _changes(s, array, order, flag(s, equal_nan, "equal_nan"))
    starts = s.call("numpy.flatnonzero", s.keep(new))
    assert isinstance(starts, Arr)
    starts = s.keep(starts)
    first = order.lazy(starts.shape, lambda i: order.at(starts.at(i)))
    results: list[Arr] = [array.lazy(starts.shape, lambda i: array.at(first.at(i)), cheap=False)]
    if flag(s, return_index, "return_index"):
        results.append(first)
    if flag(s, return_inverse, "return_inverse"):
        results.append(_inverse(s, order, new, given.shape))
    if flag(s, return_counts, "return_counts"):
        results.append(_lengths(s, starts, array.shape[0]))
    return tuple(results) if len(results) > 1 else results[0]


def _changes(s: Stage, array: Arr, order: Arr, equal_nan: bool) -> Arr:
    """True where an element differs from the one before it; ``equal_nan``: NaNs are equal."""

    def later(i: Size) -> tuple[Num | complex]:
        item, before = (array.at(order.at(j)) for j in (i, size_op(s, "sub", i, 1)))
        differs = s.op("ne", item, before)
        if is_float(array.dtype) and equal_nan:
            differs = s.op("and", differs, s.op("not", s.op("np.isnan", before)))
        return (differs,)

    def at(i: Size) -> Num | complex:
        return s.choose(holds(s, "gt", i, 0), lambda: later(i), lambda: (True,))[0]

    return Arr(s, "bool", array.shape, at, None, False, array.reads | order.reads)


def _inverse(s: Stage, order: Arr, new: Arr, shape: Sequence[Size]) -> Arr:
    """For each element the place of its equal in the result."""
    out = s.new(order.shape, "int64")

    def step(accs: Sequence[Num | complex], i: Size) -> Sequence[Num | complex]:
        place = s.op("add", accs[0], s.cast(new.at(i), "int64"))
        s.store(out, (order.at(i),), place)  # type: ignore[arg-type]
        return (place,)

    s.fold(order.shape, (-1,), step)
    return s.reshape(out, shape) if len(shape) != 1 else out


def _lengths(s: Stage, starts: Arr, size: Size) -> Arr:
    last = size_op(s, "sub", starts.shape[0], 1)

    def at(i: Size) -> Num | complex:
        (end,) = s.choose(
            holds(s, "lt", i, last),
            lambda: (starts.at(size_op(s, "add", i, 1)),), lambda: (size,),
        )  # fmt: skip
        return s.op("sub", end, starts.at(i))

    return starts.lazy(starts.shape, at, cheap=False)
