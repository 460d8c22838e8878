"""Repeated and rolled arrays."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, as_size, common_size, fix_axis
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import holds
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import flattened, part, plus

TABLE = Table()


@TABLE.add(
    "numpy.tile",
    "np.tile(x, {reps})",
    "np.tile(v, {reps})",
    "np.tile(a, 3)",
    reps=(2, (2,), (2, 3), (3, 1), (2, 1, 2), 0),
)
def tile(s: Stage, A: object, reps: object) -> Arr:
    counts = list(reps) if isinstance(reps, tuple | list) else [reps]
    array = as_array(s, A)
    ndim = max(array.ndim, len(counts))
    array = part(s, array, (None,) * (ndim - array.ndim))
    times = [1] * (ndim - len(counts)) + [_count(s, one) for one in counts]
    shape = tuple(_times(s, n, size) for n, size in zip(times, array.shape, strict=True))
    out = s.new(shape, array.dtype)

    def one(*index: Num | int) -> None:
        """The index alternates: which repetition, and where in it."""
        which, where = index[::2], index[1::2]
        to = [
            plus(s, _times(s, r, size), i)
            for r, size, i in zip(which, array.shape, where, strict=True)
        ]
        s.store(out, to, array.at(*where))

    s.nest([size for pair in zip(times, array.shape, strict=True) for size in pair], one)
    if all(isinstance(n, int) and n == 1 for n in times):  # a copy
        return s.laid_out(out, s.elementwise([array], shape))
    known = any(isinstance(n, int) and n != 1 for n in times)
    return s.laid_out(out, s.c_order(shape) if known else s.any_order(shape))


def _times(s: Stage, a: Num | int, b: Num | int) -> Num | int:
    if isinstance(a, int) and a in (0, 1):
        return b if a else 0
    if isinstance(b, int) and b in (0, 1):
        return a if b else 0
    return size_op(s, "mul", a, b)


def _count(s: Stage, count: object) -> Num | int:
    if isinstance(count, bool) or not isinstance(count, Num | int):
        raise s.refuse("a number of repetitions must be an integer", None, "MK213")
    _not_negative(s, count)
    return count


def _not_negative(s: Stage, count: Num | int) -> None:
    fine = s.op("ge", count, 0)
    assert isinstance(fine, Num | bool)
    s.require(fine, "negative numbers of repetitions are not allowed")


@TABLE.add(
    "numpy.repeat ndarray.repeat",
    "np.repeat(x, {n}, axis={axis})",
    "np.repeat(w, idx[:3])",
    "np.repeat(x, (1, 0, 2), axis=0)",
    "np.repeat(a, 3)",
    "x.repeat(2, axis=-1)",
    n=(0, 1, 3),
    axis=(None, 0, 1),
)
def repeat(s: Stage, a: object, repeats: object, axis: object = None) -> Arr:
    """Each slice ``repeats`` times: as often as any other, or by an array of counts."""
    array = as_array(s, a)
    array = flattened(s, array) if axis is None else array
    k = 0 if axis is None else fix_axis(s, axis, array.ndim)
    if isinstance(repeats, Arr | tuple | list):
        counts = as_array(s, repeats)
        if counts.ndim == 1 and not (isinstance(counts.shape[0], int) and counts.shape[0] == 1):
            return _repeat_each(s, array, counts, k)
        repeats = counts.at(*(0,) * counts.ndim)
    return _repeat_all(s, array, _count(s, repeats), k)


def _repeat_all(s: Stage, array: Arr, n: Num | int, k: int) -> Arr:
    before, size, after = array.shape[:k], array.shape[k], array.shape[k + 1 :]
    array = array if array.cheap else s.keep(array)
    out = s.new((*before, _times(s, n, size), *after), array.dtype)

    def one(*index: Num | int) -> None:
        i, r = index[k], index[k + 1]
        to = plus(s, _times(s, i, n), r)
        s.store(out, (*index[:k], to, *index[k + 2 :]), array.at(*index[: k + 1], *index[k + 2 :]))

    s.nest((*before, size, n, *after), one)
    return s.in_order(out)


def _repeat_each(s: Stage, array: Arr, counts: Arr, k: int) -> Arr:
    size = common_size(s, array.shape[k], counts.shape[0], "repeat")
    array, counts = s.keep(array), s.keep(counts)

    def count(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, ...]:
        n = as_size(counts.at(i))
        _not_negative(s, n)
        return (s.op("add", accs[0], n),)

    total = as_size(s.fold((size,), (0,), count)[0])
    before, after = array.shape[:k], array.shape[k + 1 :]
    out = s.new((*before, total, *after), array.dtype)

    def slices(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, ...]:
        start, n = as_size(accs[0]), as_size(counts.at(i))

        def one(r: Num | int, *rest: Num | int) -> None:
            to = (*rest[:k], plus(s, start, r), *rest[k:])
            s.store(out, to, array.at(*rest[:k], i, *rest[k:]))

        s.nest((n, *before, *after), one)
        return (plus(s, start, n),)

    s.fold((size,), (0,), slices)
    return out


@TABLE.add(
    "numpy.roll",
    "np.roll(x, {shift}, axis={axis})",
    "np.roll(x, ({shift}, 2), axis=(1, 0))",
    "np.roll(t, 3, axis=(0, 1))",
    "np.roll(v, {shift}) - 2.0 * v + np.roll(v, 1)",
    shift=(1, -2, 0, 9),
    axis=(None, 0, -1),
)
def roll(s: Stage, a: object, shift: object, axis: object = None) -> Arr:
    """``numpy.roll``, delayed; indices wrap by a comparison, far cheaper than a remainder."""
    array = given = as_array(s, a)
    if axis is None:
        if array.ndim == 1:
            return roll(s, array, shift, 0)
        return s.reshape(roll(s, flattened(s, array), shift, 0), array.shape)
    axes = list(axis) if isinstance(axis, tuple | list) else [axis]
    shifts = list(shift) if isinstance(shift, tuple | list) else [shift]
    if len(axes) == 1:
        axes *= len(shifts)
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(axes) != len(shifts):
        raise s.refuse("roll: there must be as many shifts as axes", None, "MK216")
    for one, by in zip(axes, shifts, strict=True):
        array = _roll(s, array, by, fix_axis(s, one, array.ndim))
    return s.laid_out(array, s.elementwise([given], array.shape)) if array is not given else array


def _roll(s: Stage, array: Arr, shift: object, k: int) -> Arr:
    if isinstance(shift, bool) or not isinstance(shift, Num | int):
        raise s.refuse("a shift must be an integer", None, "MK213")
    if isinstance(shift, int) and shift == 0:
        return array.lazy(array.shape, array.at)
    size = array.shape[k]
    one_on = isinstance(shift, int) and shift == 1  # at most the size, if there is an element
    by = 1 if one_on else size_op(s, "mod", shift, size_op(s, "np.maximum", size, 1))

    def at(*index: Num | int) -> Num | complex:
        back = size_op(s, "sub", index[k], by)
        outside = s.op("lt", back, 0)
        from_ = (
            back
            if isinstance(outside, bool)
            else s.op("select", outside, plus(s, back, size), back)
        )
        return array.at(*index[:k], as_size(from_), *index[k + 1 :])

    return array.lazy(array.shape, at)


@TABLE.add(
    "numpy.resize", "np.resize(x, {shape})", "np.resize(v, (2, len(w)))", "np.resize(a, (2, 2))",
    "np.resize(x * y, (3,))", "np.resize(v[:0], (2, 2)) + a", "np.resize(z, 7)",
    shape=(5, 30, (2, 3), (7, 4), (0,), (), (2, 2, 3)),
)  # fmt: skip
def resize(s: Stage, a: object, new_shape: object) -> Arr:
    """The elements in C order, as often as needed; zeros if there are none."""
    array = s.keep(flattened(s, as_array(s, a)))
    sizes = new_shape if isinstance(new_shape, tuple | list) else (new_shape,)
    shape = tuple(_count(s, size) for size in sizes)
    count = array.shape[0]
    some = holds(s, "gt", count, 0)
    if not shape:
        first = s.choose(some, lambda: (array.at(0),), lambda: (s.cast(0, array.dtype),))[0]
        return array.lazy((), lambda: first)
    out = s.new(shape, array.dtype, 0)

    def one(*index: Num | int) -> None:
        place: Num | int = 0
        for i, size in zip(index, shape, strict=True):
            place = plus(s, _times(s, place, size), i)
        s.store(out, index, array.at(size_op(s, "mod", place, count)))

    def fill() -> tuple[()]:
        s.nest(shape, one)
        return ()

    s.choose(some, fill, tuple)
    return out
