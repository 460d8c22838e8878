"""Elements picked along an axis, by choice, by flat index; and writing them back."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    Value,
    as_size,
    broadcast_to,
    elementwise,
    fix_axis,
    product,
)
from mooncake_rules.arrays.elementwise import broadcast_shape, combine
from mooncake_rules.arrays.sizes import equal, size_op
from mooncake_rules.library.arguments import flag, holds, integer, no_out
from mooncake_rules.library.indexing import (
    as_mask,
    count_true,
    in_mode,
    nonzero,
    operand,
    put_masked,
)
from mooncake_rules.library.support import as_array, astype
from mooncake_rules.library.views import flattened, part

TABLE = Table()


@TABLE.add(
    "numpy.take_along_axis",
    "np.take_along_axis(x, mask.astype(np.int64), axis=1)",
    "np.take_along_axis(x, idx[: v.shape[0]][None, :], axis=0)",
    "np.take_along_axis(x * y, mask.astype(np.int64)[:, 1:], {axis})",
    "np.take_along_axis(x, idx, axis=None)",
    axis=(1, -1),
)
def take_along_axis(s: Stage, arr: object, indices: object, axis: object = -1) -> Arr:
    """``arr[..., indices[..., i, ...], ...]``; the other axes are broadcast."""
    array, index = as_array(s, arr), as_array(s, indices)
    if axis is None:
        array, axis = flattened(s, array), 0
    k, array, index = _along(s, array, index, axis)
    array = s.keep(array)
    shape = _along_shape(s, array, index, k)
    rows = broadcast_to(s, index, shape, "take_along_axis")
    return array.lazy(shape, lambda *i: array.at(*i[:k], as_size(rows.at(*i)), *i[k + 1 :]))


def _along(s: Stage, array: Arr, index: Arr, axis: object) -> tuple[int, Arr, Arr]:
    if index.ndim != array.ndim:
        raise s.refuse("the indices must have as many axes as the array", None, "MK216")
    return fix_axis(s, axis, array.ndim), array, index


def _along_shape(s: Stage, array: Arr, index: Arr, k: int) -> tuple[Num | int, ...]:
    own = (*array.shape[:k], 1, *array.shape[k + 1 :])
    shape = broadcast_shape(s, (own, index.shape), "the indices")
    return (*shape[:k], index.shape[k], *shape[k + 1 :])


@TABLE.add("numpy.put_along_axis")
def put_along_axis(s: Stage, arr: Arr, indices: object, values: object, axis: object) -> None:
    index = s.apart(as_array(s, indices), s.writable(arr))
    k, arr, index = _along(s, arr, index, axis)
    shape = _along_shape(s, arr, index, k)
    rows = broadcast_to(s, index, shape, "put_along_axis")
    source = broadcast_to(s, s.apart(as_array(s, values), arr), shape, "the values")
    s.nest(
        shape, lambda *i: s.store(arr, (*i[:k], as_size(rows.at(*i)), *i[k + 1 :]), source.at(*i))
    )


@TABLE.add(
    "numpy.ix_",
    "x[np.ix_([0, 2], [1, 3, 1])]",
    "x[np.ix_(idx, v > 0.0)]",
    "x[np.ix_(mask[:, 0], [0, 1])]",
)
def ix_(s: Stage, *args: object) -> tuple[Arr, ...]:
    found = []
    for k, arg in enumerate(args):
        array = as_array(s, arg)
        index = nonzero(s, array)[0] if array.dtype == "bool" else array
        if index.ndim != 1:
            raise s.refuse("ix_ takes vectors", None, "MK214")
        found.append(part(s, index, [slice(None) if j == k else None for j in range(len(args))]))
    return tuple(found)


@TABLE.add(
    "numpy.choose",
    "np.choose(idx[: v.shape[0]], (v, u, v * u))",
    "np.choose(idx[: v.shape[0]] + 2, (v, u, 1.0), mode={mode})",
    "np.choose(mask, [x, y])",
    mode=("clip", "wrap"),
)
def choose(s: Stage, a: object, choices: object, out: None = None, mode: str = "raise") -> Value:
    no_out(s, out)
    if not isinstance(choices, tuple | list) or not choices:
        raise s.refuse("the choices must be a tuple or list of arrays", None, "MK213")
    given, index = [operand(s, one) for one in choices], as_array(s, a)
    index = astype(s, index, "int64") if index.dtype == "bool" else index
    index = in_mode(s, index, len(given), mode)
    dtype = s.promote(*given)

    def pick(which: Num | complex, *options: Num | complex) -> Num | complex:
        if mode == "raise":
            inside = s.op("and", s.op("ge", which, 0), s.op("lt", which, len(options)))
            assert isinstance(inside, Num | bool)
            s.require(inside, "invalid entry in choice array")
        found = options[-1]
        for k, option in reversed(list(enumerate(options[:-1]))):
            found = s.op("where", s.op("eq", which, k), option, found)
        return s.cast(found, dtype)

    return combine(s, dtype, False, pick, index, *given)


@TABLE.add(
    "numpy.select",
    "np.select([mask, x > y], [x, y * 2.0])",
    "np.select([v > 0.0], [v], 0.5)",
    "np.select([mask, ~mask], [x, v], default=1.0)",
)
def select_first(s: Stage, condlist: object, choicelist: object, default: object = 0) -> Value:
    """``numpy.select``: of the choices the first whose condition holds."""
    if not isinstance(condlist, tuple | list) or not isinstance(choicelist, tuple | list):
        raise s.refuse("select takes lists of conditions and choices", None, "MK213")
    if len(condlist) != len(choicelist):
        raise s.refuse("select: there must be as many conditions as choices", None, "MK216")
    choices = [operand(s, one) for one in (*choicelist, default)]
    dtype = s.result("where", True, *choices)
    if dtype.startswith("uint") and any(s.promote(one) == "int64" for one in choices[:-1]):
        message = f"select: NumPy does not put integers of Python's into {dtype}"
        raise s.refuse(message, f"write np.{dtype}(...)", "MK213")
    *alike, found = [
        astype(s, one, dtype) if isinstance(one, Arr) else s.cast(one, dtype) for one in choices
    ]
    for condition, choice in reversed(list(zip(condlist, alike, strict=True))):
        found = elementwise(s, "where", operand(s, condition), choice, found)
    return found


@TABLE.add(
    "numpy.unravel_index",
    "x[np.unravel_index(idx, (3, 4))]",
    "np.unravel_index(idx, (2, 3))[1] * a",
    "x[np.unravel_index(5, x.shape)]",
)
def unravel_index(s: Stage, indices: object, shape: object, order: str = "C") -> tuple[Value, ...]:
    """The index in an array of ``shape`` of what is at a place in it, counted in C order."""
    if order != "C":
        raise s.refuse("only the order 'C' is supported")
    given = shape if isinstance(shape, tuple | list) else (shape,)
    sizes = [integer(s, size, "a size") for size in given]
    places = operand(s, indices)
    if not isinstance(places, Arr):
        _require_inside(s, places, sizes)
        return _unravelled(s, places, sizes)
    places = places if places.cheap else s.keep(places)
    if not s.on_device:
        s.nest(places.shape, lambda *i: _require_inside(s, places.at(*i), sizes))
    return _unravelled(s, places, sizes)


def _require_inside(s: Stage, place: Num | complex, sizes: Sequence[Num | int]) -> None:
    size = product(s, sizes)
    inside = holds(s, "and", s.op("ge", place, 0), s.op("lt", place, size))
    message = "index {} is out of bounds for array with size {}"
    s.require(inside, message, "ValueError", place, size)


def _unravelled(s: Stage, rest: Value, sizes: Sequence[Num | int]) -> tuple[Value, ...]:
    found = list[Value]()
    for size in reversed(sizes[1:]):
        found.insert(0, elementwise(s, "mod", rest, size))
        rest = elementwise(s, "floordiv", rest, size)
    return (rest, *found)


@TABLE.add("numpy.ravel_multi_index", "x.ravel()[np.ravel_multi_index((idx, idx), (3, 4))]")
def ravel_multi_index(
    s: Stage, multi_index: tuple[object, ...], dims: tuple[Num | int, ...], mode: str = "raise"
) -> Value:
    if len(multi_index) != len(dims):
        raise s.refuse("there must be as many indices as sizes", None, "MK216")
    found: Value = 0
    for index, size in zip(multi_index, dims, strict=True):
        array = operand(s, index)
        if mode != "raise":
            array = in_mode(s, as_array(s, array), size, mode)
        found = elementwise(s, "add", elementwise(s, "mul", found, size), array)
    return found


@TABLE.add("ndarray.item", "x[:1, :1].item()", "x.item(1, -1)", "x.item(5)", "x.item((1, -1))")
def item(s: Stage, a: object, *args: Num | int | tuple[Num | int, ...]) -> Num | complex:
    array = as_array(s, a)
    index = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    if len(index) == 1 and array.ndim > 1:
        array = flattened(s, array)
    if len(index) not in (0, array.ndim):
        raise s.refuse(f"{len(index)} indices for an array of rank {array.ndim}", None, "MK214")
    if not index:
        one = s.op("eq", product(s, array.shape), 1)
        assert isinstance(one, Num | bool)
        s.require(one, "can only convert an array of size 1 to a scalar")
        index = (0,) * array.ndim
    return s.keep(array).at(*index)


# ---- writing ------------------------------------------------------------------------------------


@TABLE.add("numpy.copyto")
def copyto(
    s: Stage, dst: Arr, src: object, casting: str = "same_kind", where: object = True
) -> None:
    source = broadcast_to(s, s.apart(as_array(s, src), s.writable(dst)), dst.shape, "copyto")
    if where is True:
        s.nest(dst.shape, lambda *i: s.store(dst, i, source.at(*i)))
        return
    mask = broadcast_to(s, s.apart(as_mask(s, where), dst), dst.shape, "the mask")
    put_masked(s, dst, mask, lambda *i: s.store(dst, i, source.at(*i)))


@TABLE.add("numpy.putmask")
def putmask(s: Stage, a: Arr, mask: object, values: object) -> None:
    """``a[mask] = values[mask]``; if these are fewer, they are repeated."""
    chosen = broadcast_to(s, s.apart(as_mask(s, mask), s.writable(a)), a.shape, "the mask")
    source = s.apart(as_array(s, values), a)
    if source.ndim == a.ndim:
        source = broadcast_to(s, source, a.shape, "the values")
        put_masked(s, a, chosen, lambda *i: s.store(a, i, source.at(*i)))
        return
    flat = flattened(s, source)
    put_masked(s, a, chosen, lambda *i: s.store(a, i, flat.at(_cyclic(s, flat, _flat(s, a, i)))))


def _flat(s: Stage, array: Arr, index: Sequence[Num | int]) -> Num | int:
    """The place of an element in C order."""
    found: Num | int = 0
    for i, size in zip(index, array.shape, strict=True):
        found = i if found == 0 else size_op(s, "add", size_op(s, "mul", found, size), i)
    return found


def _cyclic(s: Stage, values: Arr, k: Num | int) -> Num | int:
    """``k`` as an index of ``values``, which are repeated."""
    size = values.shape[0]
    return 0 if isinstance(size, int) and size == 1 else size_op(s, "mod", k, size)


@TABLE.add("numpy.place")
def place(s: Stage, arr: Arr, mask: object, vals: object) -> None:
    """The elements where ``mask`` holds become ``vals``, one after the other, repeated."""
    chosen = broadcast_to(s, s.apart(as_mask(s, mask), s.writable(arr)), arr.shape, "the mask")
    values = s.apart(as_array(s, vals), arr)
    flat = s.keep(flattened(s, values))
    some = s.op("or", s.op("gt", flat.shape[0], 0), s.op("eq", count_true(s, chosen), 0))
    assert isinstance(some, Num | bool)
    s.require(some, "cannot insert from an empty array")

    def step(accs: Sequence[Num | complex], *index: Num | int) -> Sequence[Num | complex]:
        k = as_size(accs[0])

        def then() -> tuple[Num | complex]:
            s.store(arr, index, flat.at(_cyclic(s, flat, k)))
            return (s.op("add", k, 1),)

        holds = chosen.at(*index)
        assert isinstance(holds, Num | bool)
        return s.choose(holds, then, lambda: (k,))

    s.fold(arr.shape, (0,), step)


@TABLE.add("numpy.put ndarray.put")
def put_flat(s: Stage, a: Arr, ind: object, v: object, mode: str = "raise") -> None:
    """``a.flat[ind] = v``; values are repeated."""
    size = product(s, s.writable(a).shape)
    flat = in_mode(s, flattened(s, as_array(s, ind)), size, mode)
    if mode == "raise" and a.ndim > 1:
        given = flat
        flat = given.lazy(
            given.shape,
            lambda i: s.op(
                "select", s.op("lt", given.at(i), 0), s.op("add", given.at(i), size), given.at(i)
            ),
        )
    flat = s.apart(flat, a)
    values = flattened(s, s.apart(as_array(s, v), a))

    def one(i: Num | int) -> None:
        at = _unravelled(s, flat.at(i), a.shape)
        s.store(a, at, values.at(_cyclic(s, values, i)))  # type: ignore[arg-type]

    s.nest(flat.shape, one)


@TABLE.add("numpy.fill_diagonal")
def fill_diagonal(s: Stage, a: Arr, val: object, wrap: bool = False) -> None:
    if flag(s, wrap, "wrap"):
        raise s.refuse("fill_diagonal: wrap is not supported")
    if s.writable(a).ndim < 2:
        raise s.refuse("fill_diagonal needs at least two axes", None, "MK214")
    size = a.shape[0]
    for other in a.shape[1:]:
        if a.ndim > 2:
            s.require(equal(s, size, other), "all dimensions must be of equal length")
        elif not s.same(size, other):
            size = size_op(s, "np.minimum", size, other)
    flat = flattened(s, s.apart(as_array(s, val), a))
    s.nest((size,), lambda i: s.store(a, (i,) * a.ndim, flat.at(_cyclic(s, flat, i))))
