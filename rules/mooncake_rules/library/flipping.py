"""Flipped and turned arrays, and arrays in parts."""

from __future__ import annotations

from itertools import pairwise

from mooncake_rules.arrays import Arr, Num, Stage, Table, fix_axes, fix_axis
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds, integer, one_of
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import REVERSED, WHOLE, along, part, shown, transposed

TABLE = Table()


@TABLE.add(
    "numpy.lib.stride_tricks.sliding_window_view",
    "np.lib.stride_tricks.sliding_window_view(v, 2)",
    "np.lib.stride_tricks.sliding_window_view(x, (2, 2))",
    "np.lib.stride_tricks.sliding_window_view(x * y, 2, axis={axis})",
    axis=(0, -1, (1,)),
)
def sliding_window_view(
    s: Stage, x: object, window_shape: object, axis: object = None,
    subok: bool = False, writeable: bool = False,
) -> Arr:  # fmt: skip
    """All windows of a shape along some axes; the axes of the windows are the last ones."""
    array = as_array(s, x)
    flag(s, subok, "subok")  # of arrays that are no subclass it makes no difference
    if flag(s, writeable, "writeable"):
        raise s.refuse("windows that are written to overlap: that is not supported")
    given = window_shape if isinstance(window_shape, tuple | list) else (window_shape,)
    if axis is None and len(given) != array.ndim:
        raise s.refuse("a window needs a size for each axis", "give axis=", "MK214")
    chosen = range(array.ndim) if axis is None else axis
    wanted = chosen if isinstance(chosen, tuple | list | range) else (chosen,)
    axes = [fix_axis(s, k, array.ndim) for k in wanted]
    if len(given) != len(axes) or len(set(axes)) != len(axes):
        raise s.refuse("a window needs one size for each axis", None, "MK214")
    sizes = [integer(s, size, "a window") for size in given]
    shape = list(array.shape)
    for k, size in zip(axes, sizes, strict=True):
        fits = holds(s, "le", size, shape[k])
        s.require(fits, "window shape cannot be larger than input array shape")
        shape[k] = size_op(s, "sub", shape[k], s.shrunk(size, 1))

    def at(*index: Num | int) -> Num | complex:
        place = list(index[: array.ndim])
        for k, inner in zip(axes, index[array.ndim :], strict=True):
            place[k] = size_op(s, "add", place[k], inner)
        return array.at(*place)

    return shown(array.lazy((*shape, *sizes), at), array)


@TABLE.add("numpy.trim_zeros", "np.trim_zeros(np.pad(v, 2), {trim})", "np.trim_zeros(v) * a",
           trim=("fb", "f", "b"))  # fmt: skip
def trim_zeros(s: Stage, filt: object, trim: str = "fb") -> Arr:
    """A vector without the zeros at its ends."""
    trim = one_of(s, trim, "trim", ("fb", "f", "b", "bf"))
    array = s.keep(as_array(s, filt))
    if array.ndim != 1:
        raise s.refuse("trim_zeros takes a vector here", None, "MK214")
    size = array.shape[0]

    def first(lo: Num | int) -> Num | bool:
        return holds(s, "eq", array.at(lo), 0)

    def is_zero(lo: Num | int) -> Num | bool:
        (found,) = s.choose(holds(s, "lt", lo, size), lambda: (first(lo),), lambda: (False,))
        assert isinstance(found, Num | bool)
        return found

    lo: Num | int = 0
    if "f" in trim:
        lo = _only(s.loop((0,), is_zero, lambda i: (size_op(s, "add", i, 1),)))
    hi = size
    if "b" in trim:
        start = lo

        def is_zero_before(end: Num | int) -> Num | bool:
            (found,) = s.choose(
                holds(s, "gt", end, start),
                lambda: (first(size_op(s, "sub", end, 1)),),
                lambda: (False,),
            )
            assert isinstance(found, Num | bool)
            return found

        hi = _only(s.loop((size,), is_zero_before, lambda i: (size_op(s, "sub", i, 1),)))
    return s.view(array, (slice(lo, hi),))


def _only(found: tuple[Num | complex, ...]) -> Num | int:
    assert isinstance(found[0], Num | int)
    return found[0]


@TABLE.add(
    "numpy.flip",
    "np.flip(x, {axis})",
    "np.flip(v * 2.0)",
    "np.flip(t, (0, 2))",
    axis=(None, 0, 1, -1, (0, 1)),
)
def flip(s: Stage, m: object, axis: object = None) -> Arr:
    array = as_array(s, m)
    axes = fix_axes(s, axis, array.ndim)
    return part(s, array, [REVERSED if k in axes else WHOLE for k in range(array.ndim)])


@TABLE.add("numpy.fliplr", "np.fliplr(x)", "np.fliplr(t)")
def fliplr(s: Stage, m: object) -> Arr:
    return flip(s, m, 1)


@TABLE.add("numpy.flipud", "np.flipud(x)", "np.flipud(v + 1.0)")
def flipud(s: Stage, m: object) -> Arr:
    return flip(s, m, 0)


@TABLE.add(
    "numpy.rot90",
    "np.rot90(x, {k}, axes={axes})",
    "np.rot90(t, {k}, (0, 2))",
    "np.rot90(x)",
    k=(0, 1, 2, 3, -1),
    axes=((0, 1), (1, 0)),
)
def rot90(s: Stage, m: object, k: object = 1, axes: object = (0, 1)) -> Arr:
    array = as_array(s, m)
    if not isinstance(k, int):
        raise s.refuse("the number of quarter turns must be constant", None, "MK310")
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        raise s.refuse("rot90 turns a plane of two axes", None, "MK214")
    first, second = (fix_axis(s, axis, array.ndim) for axis in axes)
    if first == second:
        raise s.refuse("rot90: an axis is given twice", None, "MK214")
    order = list(range(array.ndim))
    order[first], order[second] = second, first
    match k % 4:
        case 0:
            return flip(s, array, ())
        case 1:
            return transposed(s, flip(s, array, second), order)
        case 2:
            return flip(s, array, (first, second))
        case _:
            return flip(s, transposed(s, array, order), second)


@TABLE.add(
    "numpy.array_split",
    "tuple(np.array_split(x, {parts}, axis={axis}))",
    "tuple(np.array_split(v, (1, -1)))",
    parts=(1, 2, 3, 5),
    axis=(0, 1, -1),
)
def array_split(s: Stage, ary: object, indices_or_sections: object, axis: object = 0) -> object:
    """Views of ``ary``, as many as are asked for, of sizes that differ by one at most."""
    array = as_array(s, ary)
    k = fix_axis(s, axis, array.ndim)
    if isinstance(indices_or_sections, tuple | list):
        return _split_at(s, array, indices_or_sections, k)
    parts = _sections(s, indices_or_sections)
    size = array.shape[k]
    each, more = size_op(s, "floordiv", size, parts), size_op(s, "mod", size, parts)
    bounds: list[Num | int] = [
        size_op(s, "add", size_op(s, "mul", each, n), size_op(s, "np.minimum", more, n))
        for n in range(parts + 1)
    ]
    return tuple(
        _between(s, array, k, bounds[n], bounds[n + 1], size_op(s, "sub", bounds[n + 1], bounds[n]))
        for n in range(parts)
    )


@TABLE.add(
    "numpy.split",
    "tuple(np.split(x, {parts}, axis=1))",
    "tuple(np.split(x, {at}, axis={axis}))",
    "tuple(np.split(x[:, :2] * v[:2], 2, 1))",
    parts=(1, 2, 4),
    at=((1,), (1, 3), (2, 2, 5), (-1,), ()),
    axis=(0, -1),
)
def split(s: Stage, ary: object, indices_or_sections: object, axis: object = 0) -> object:
    """Views of ``ary``: as many equal parts as are asked for, or cut at the indices given."""
    array = as_array(s, ary)
    k = fix_axis(s, axis, array.ndim)
    if isinstance(indices_or_sections, tuple | list):
        return _split_at(s, array, indices_or_sections, k)
    parts = _sections(s, indices_or_sections)
    size = array.shape[k]
    even = s.op("eq", size_op(s, "mod", size, parts), 0)
    assert isinstance(even, Num | bool)
    s.require(even, "array split does not result in an equal division")
    each = size_op(s, "floordiv", size, parts)
    bounds = [size_op(s, "mul", each, n) for n in range(parts + 1)]
    return tuple(_between(s, array, k, bounds[n], bounds[n + 1], each) for n in range(parts))


@TABLE.add(
    "numpy.unstack", "np.unstack(np.stack((v, u)))", "np.unstack(x.reshape(2, 6), axis=0)",
    "np.unstack(np.stack((v, u), -1), axis={axis})", "np.unstack(np.stack((x * y, x)), axis=0)",
    axis=(1, -1),
)  # fmt: skip
def unstack(s: Stage, x: object, /, *, axis: object = 0) -> tuple[Arr, ...]:
    """The parts along an axis, of which the length is known."""
    array = as_array(s, x)
    k = fix_axis(s, axis, array.ndim)
    size = array.shape[k]
    if not isinstance(size, int):
        help_ = "write the number into the annotation, or loop over the parts"
        raise s.refuse("how many parts unstack gives is not known ahead of time", help_, "MK310")
    return tuple(part(s, array, (*(WHOLE,) * k, n)) for n in range(size))


def _sections(s: Stage, sections: object) -> int:
    if isinstance(sections, bool) or not isinstance(sections, int):
        help_ = "give a number, or a tuple of indices to cut at"
        raise s.refuse("the number of parts must be constant", help_, "MK310")
    if sections <= 0:
        raise s.refuse("the number of parts must be positive", None, "MK216")
    return sections


def _between(s: Stage, array: Arr, k: int, lo: Num | int, hi: Num | int, size: Num | int) -> Arr:
    found = s.view(array, along(array.ndim, k, slice(lo, hi)))
    return s.shaped(found, (*array.shape[:k], size, *array.shape[k + 1 :]))


def _split_at(s: Stage, array: Arr, at: object, k: int) -> tuple[Arr, ...]:
    assert isinstance(at, tuple | list)
    array = s.keep(array)
    bounds = (None, *at, None)
    return tuple(s.view(array, along(array.ndim, k, slice(lo, hi))) for lo, hi in pairwise(bounds))


@TABLE.add(
    "numpy.vsplit", "tuple(np.vsplit(x, {by}))", "tuple(np.vsplit(t, 2))", by=(1, 3, (1,), (1, 2))
)
def vsplit(s: Stage, ary: object, indices_or_sections: object) -> object:
    return _split_axis(s, ary, indices_or_sections, 0, 2)


@TABLE.add(
    "numpy.hsplit", "tuple(np.hsplit(x, {by}))", "tuple(np.hsplit(v, {by}))", by=(1, 2, 4, (1, 2))
)
def hsplit(s: Stage, ary: object, indices_or_sections: object) -> object:
    array = as_array(s, ary)
    return _split_axis(s, array, indices_or_sections, min(1, array.ndim - 1), 1)


@TABLE.add("numpy.dsplit", "tuple(np.dsplit(t, {by}))", by=(2, 4, (1,)))
def dsplit(s: Stage, ary: object, indices_or_sections: object) -> object:
    return _split_axis(s, ary, indices_or_sections, 2, 3)


def _split_axis(s: Stage, ary: object, sections: object, axis: int, least: int) -> object:
    array = as_array(s, ary)
    if array.ndim < least:
        raise s.refuse(f"an array of rank {array.ndim} can't be split so", None, "MK214")
    return split(s, array, sections, axis)
