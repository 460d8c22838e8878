"""Arrays with borders."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import number, one_of
from mooncake_rules.library.joining import place
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import plus

TABLE = Table()

Size = Num | int
Pair = tuple["Num | int", "Num | int"]
Source = Callable[["Num | int", "Num | int"], "Num | int"]  # of a position and a size

WIDTHS = (0, 2, (1, 2), ((0, 1), (2, 0)), ((1,), (7,)))
RAMP = "linear_ramp"
MODES = ("edge", "reflect", "symmetric", "wrap")


@TABLE.add(
    "numpy.pad",
    "np.pad(x, {width})",
    "np.pad(x, {width}, mode={mode})",
    "np.pad(v * 2.0, (3, 9), {mode})",
    "np.pad(t, ((1, 0), (0, 2), (1, 1)), {mode})",
    "np.pad(x, {width}, constant_values=a)",
    "np.pad(x, {width}, constant_values=((a, 1.0), (b, 2)))",
    "np.pad(x, {width}, {ramp}, end_values=a)",
    "np.pad(x, {width}, mode={ramp}, end_values=((a, 1.0), (b, 2)))",
    "np.pad([7, 2], 3, {ramp}) * a",
    width=WIDTHS,
    mode=MODES,
    ramp=(RAMP,),
)
def pad(
    s: Stage, array: object, pad_width: object, mode: str = "constant", *,
    constant_values: object = 0, end_values: object = 0,
) -> Arr:  # fmt: skip
    """``numpy.pad``, one axis after the other, so that corners are NumPy's."""
    given = as_array(s, array)
    mode = one_of(s, mode, "the mode of pad", ("constant", RAMP, *MODES))
    if mode != "constant" and constant_values != 0:
        raise s.refuse("constant_values are for the mode 'constant'")
    if mode != RAMP and end_values != 0:
        raise s.refuse("end_values are for the mode 'linear_ramp'")
    widths = [_width(s, pair) for pair in _pairs(s, pad_width, given.ndim)]
    values = _pairs(s, end_values if mode == RAMP else constant_values, given.ndim)
    shape = tuple(
        plus(s, plus(s, lo, n), hi) for n, (lo, hi) in zip(given.shape, widths, strict=True)
    )
    out = s.new(shape, given.dtype)
    place(s, out, given, given.shape, [lo for lo, _ in widths])
    for k, (width, size) in enumerate(zip(widths, given.shape, strict=True)):
        if width == (0, 0):
            continue
        if mode != "constant":
            enough = s.op("gt", size, 0)
            assert isinstance(enough, Num | bool)
            s.require(enough, "can't extend an empty axis")
        for side in (0, 1):
            _border(s, out, given, widths, k, side, mode, values[k][side])
    return out


def _border(
    s: Stage, out: Arr, given: Arr, widths: list[Pair], k: int, side: int, mode: str, value: object
) -> None:
    """Store the border at one end of axis ``k``: earlier axes with borders, later ones without."""
    lo, size = widths[k][0], given.shape[k]
    count = widths[k][side]
    if isinstance(count, int) and count == 0:
        return
    first = plus(s, lo, size) if side else 0
    starts = [0] * k + [first] + [lo_ for lo_, _ in widths[k + 1 :]]
    is_first = all(width == (0, 0) for width in widths[:k])

    def one(*index: Num | int) -> None:
        to = [plus(s, start, i) for start, i in zip(starts, index, strict=True)]
        if mode == "constant":
            s.store(out, to, value)  # type: ignore[arg-type]
            return
        inside = _inside(s, mode, size_op(s, "sub", to[k], lo), size, side)
        if is_first:
            found = given.at(*index[:k], inside, *index[k + 1 :])
        else:
            found = out.at(*to[:k], plus(s, lo, inside), *to[k + 1 :])
        if mode == RAMP:
            steps = size_op(s, "sub", count, plus(s, index[k], 1)) if side else index[k]
            found = _on_ramp(s, number(s, value, "end_values"), found, steps, count, out.dtype)
        s.store(out, to, found)

    s.nest((*out.shape[:k], count, *given.shape[k + 1 :]), one)


def _on_ramp(
    s: Stage,
    end: Num | complex,
    edge: Num | complex,
    steps: Num | int,
    count: Num | int,
    dtype: str,
) -> Num | complex:
    """The number ``steps`` of ``count`` behind ``end`` on the way to ``edge``."""
    share = s.op("div", s.op("sub", edge, end), count)
    found = s.op("add", s.op("mul", steps, share), end)
    return s.cast(s.op("np.floor", found), dtype) if "int" in dtype else s.cast(found, dtype)


def _inside(s: Stage, mode: str, at: Num | int, size: Num | int, side: int) -> Num | int:
    """The position in an axis of ``size`` that ``at``, before or behind it, shows."""
    last = size_op(s, "sub", size, 1)
    if mode in ("edge", RAMP):
        return last if side else 0
    if mode == "wrap":
        return size_op(s, "mod", at, size)
    if mode == "symmetric":
        period = size_op(s, "mul", 2, size)
        end = size_op(s, "sub", period, 1)
    else:
        end = size_op(s, "mul", 2, last)
        period = size_op(s, "np.maximum", end, 1)
    back = size_op(s, "mod", at, period)
    return size_op(s, "np.minimum", back, size_op(s, "sub", end, back))


def _pairs(s: Stage, given: object, ndim: int) -> list[tuple[object, object]]:
    """A pair for each axis, from a value, a pair, or such pairs."""
    items = given if isinstance(given, tuple | list) else ((given,),)
    nested = items if any(isinstance(one, tuple | list) for one in items) else (items,)
    pairs = []
    for one in nested:
        pair = tuple(one) if isinstance(one, tuple | list) else (one,)
        if len(pair) not in (1, 2) or not all(
            isinstance(n, Num | int | float | complex) for n in pair
        ):
            raise s.refuse("pad takes numbers, or a pair of them for each axis", None, "MK213")
        pairs.append((pair[0], pair[-1]))
    if len(pairs) not in (1, ndim):
        raise s.refuse(f"pad: {len(pairs)} pairs for an array of rank {ndim}", None, "MK216")
    return pairs * ndim if len(pairs) == 1 else pairs


def _width(s: Stage, pair: tuple[object, object]) -> Pair:
    for width in pair:
        if isinstance(width, bool) or not isinstance(width, Num | int):
            raise s.refuse("the width of a border must be an integer", None, "MK213")
        fine = s.op("ge", width, 0)
        assert isinstance(fine, Num | bool)
        s.require(fine, "index can't contain negative values")
    return pair  # type: ignore[return-value]
