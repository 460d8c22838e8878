"""Discrete cosine and sine transforms, of SciPy, by complex transforms.

Types 2 and 3: J. Makhoul, "A fast cosine transform in one and two dimensions", IEEE Trans. ASSP 28
(1980) 27-34. The pullback of a type of transform is the transposed matrix: a type, up to its ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, fix_axis
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, one_of
from mooncake_rules.library.fourier import (
    NORMS,
    WIDE,
    along_axis,
    fitted,
    length,
    narrowed,
    real_only,
    sizes_along,
)
from mooncake_rules.library.support import astype

TABLE = Table()

Size = Num | int
Number = Num | complex
Results = tuple[tuple[Arr, ...], Callable[..., tuple[()]]]

EACH_TYPE = (1, 2, 3, 4)
EACH_NORM = (None, "ortho", "forward")
LENGTHS = (None, 2, 3, 5)
ROOT = math.sqrt(2.0)


# ---- transforms of rows of float64 numbers, not scaled -------------------------------------------


def _cosines(s: Stage, x: Arr, kind: int) -> Arr:
    return (_cosines_1, _cosines_2, _cosines_3, _cosines_4)[kind - 1](s, x)


def _fft(s: Stage, rows: Arr, inverse: bool = False) -> Arr:
    (y,) = s.primitive("fft", (rows, inverse), ((WIDE, rows.ndim),))
    assert isinstance(y, Arr)
    return s.shaped(y, rows.shape)


def _turns(s: Stage, n: Size) -> Arr:
    """``exp(-pi i k / 2n)`` for k < n."""
    turns = s.new((n,), WIDE)
    step = s.op("div", -0.5 * math.pi, n)

    def one(k: Size) -> None:
        angle = s.op("mul", step, k)
        s.store(turns, (k,), s.op("complex", s.op("np.cos", angle), s.op("np.sin", angle)))

    s.nest((n,), one)
    return turns


def _cosines_1(s: Stage, x: Arr) -> Arr:
    """``x[0] + (-1)^k x[n-1] + 2 sum(x[j] cos(pi j k / (n-1)))``: of the even extension."""
    *rows, n = x.shape
    rest = size_op(s, "sub", n, 2)
    even = s.new((*rows, size_op(s, "add", n, rest)), WIDE)
    s.nest(x.shape, lambda *i: s.store(even, i, x.at(*i)))

    def mirrored(*index: Size) -> None:
        *row, j = index
        s.store(even, (*row, size_op(s, "add", n, j)), x.at(*row, size_op(s, "sub", rest, j)))

    s.nest((*rows, rest), mirrored)
    y = _fft(s, even)
    return y.lazy(x.shape, lambda *i: s.op("np.real", y.at(*i)), "float64")


def _cosines_2(s: Stage, x: Arr) -> Arr:
    """``2 sum(x[j] cos(pi k (2j + 1) / 2n))``: of the even items, then the odd ones backwards."""
    v = s.new(x.shape, WIDE)
    _folded(s, x.shape, lambda row, j, k: s.store(v, (*row, k), x.at(*row, j)))
    turns, y = _turns(s, x.shape[-1]), _fft(s, v)

    def at(*index: Size) -> Number:
        return s.op("mul", 2.0, s.op("np.real", s.op("mul", turns.at(index[-1]), y.at(*index))))

    return y.lazy(x.shape, at, "float64")


def _cosines_3(s: Stage, x: Arr) -> Arr:
    """``x[0] + 2 sum(x[j] cos(pi j (2k + 1) / 2n))``: ``_cosines_2`` backwards."""
    *rows, n = x.shape
    turns, v = _turns(s, n), s.new(x.shape, WIDE)
    s.nest(rows, lambda *row: s.store(v, (*row, 0), x.at(*row, 0)))

    def one(*index: Size) -> None:
        *row, j = index
        k = size_op(s, "add", j, 1)
        other = s.op("neg", x.at(*row, size_op(s, "sub", n, k)))
        both = s.op("complex", x.at(*row, k), other)
        s.store(v, (*row, k), s.op("mul", both, s.op("np.conj", turns.at(k))))

    s.nest((*rows, size_op(s, "sub", n, 1)), one)
    y, out = _fft(s, v, True), s.new(x.shape, "float64")
    _folded(s, x.shape, lambda row, j, k: s.store(out, (*row, j), s.op("np.real", y.at(*row, k))))
    return out


def _folded(
    s: Stage, shape: Sequence[Size], body: Callable[[Sequence[Size], Size, Size], None]
) -> None:
    """``body(row, j, k)`` where the k-th place has the item j: 0, 2, 4, ... 5, 3, 1."""
    *rows, n = shape

    def even(*index: Size) -> None:
        *row, k = index
        body(row, size_op(s, "mul", 2, k), k)

    def odd(*index: Size) -> None:
        *row, k = index
        j = size_op(s, "add", size_op(s, "mul", 2, k), 1)
        body(row, j, size_op(s, "sub", last, k))

    last = size_op(s, "sub", n, 1)
    s.nest((*rows, size_op(s, "floordiv", size_op(s, "add", n, 1), 2)), even)
    s.nest((*rows, size_op(s, "floordiv", n, 2)), odd)


def _cosines_4(s: Stage, x: Arr) -> Arr:
    """``2 sum(x[j] cos(pi (2j + 1) (2k + 1) / 4n))``: of twice as many, turned before and after."""
    *rows, n = x.shape
    turns, v = _turns(s, n), s.new((*rows, size_op(s, "mul", 2, n)), WIDE, 0)
    s.nest(x.shape, lambda *i: s.store(v, i, s.op("mul", x.at(*i), turns.at(i[-1]))))
    y, angle = _fft(s, v), s.op("div", -0.25 * math.pi, n)
    half = s.op("complex", s.op("np.cos", angle), s.op("np.sin", angle))

    def at(*index: Size) -> Number:
        turn = s.op("mul", half, turns.at(index[-1]))
        return s.op("mul", 2.0, s.op("np.real", s.op("mul", turn, y.at(*index))))

    return y.lazy(x.shape, at, "float64")


def _sines_1(s: Stage, x: Arr) -> Arr:
    """``2 sum(x[j] sin(pi (j + 1) (k + 1) / (n + 1)))``: of the odd extension."""
    *rows, n = x.shape
    after = size_op(s, "add", n, 1)
    odd = s.new((*rows, size_op(s, "mul", 2, after)), WIDE, 0)

    def one(*index: Size) -> None:
        *row, j = index
        item = x.at(*index)
        s.store(odd, (*row, size_op(s, "add", j, 1)), item)
        mirror = size_op(s, "sub", size_op(s, "add", after, n), j)
        s.store(odd, (*row, mirror), s.op("neg", item))

    s.nest(x.shape, one)
    y = _fft(s, odd)

    def at(*index: Size) -> Number:
        *row, k = index
        return s.op("neg", s.op("np.imag", y.at(*row, size_op(s, "add", k, 1))))

    return y.lazy(x.shape, at, "float64")


# ---- rules ---------------------------------------------------------------------------------------


def _cosine_rule(s: Stage, x: Arr, kind: int) -> Results:
    """The transpose of type 1 is type 1, and that of 2 is 3, but for factors 2 at the ends."""

    def pullback(y_bar: Arr, x_bar: Arr) -> tuple[()]:
        match kind:
            case 1:
                doubled = _with_ends(s, y_bar, x.shape, 2.0, (0, -1))
                bar = _with_ends(s, _cosines_1(s, doubled), x.shape, 0.5, (0, -1))
            case 2:
                bar = _cosines_3(s, _with_ends(s, y_bar, x.shape, 2.0, (0,)))
            case 3:
                bar = _with_ends(s, _cosines_2(s, y_bar), x.shape, 0.5, (0,))
            case _:
                bar = _cosines_4(s, y_bar)
        s.nest(x.shape, lambda *i: s.add(x_bar, i, bar.at(*i)))
        return ()

    return (_cosines(s, x, kind),), pullback


def _sine_rule(s: Stage, x: Arr) -> Results:
    """The pullback of the sine transform of type 1, whose matrix is symmetric."""

    def pullback(y_bar: Arr, x_bar: Arr) -> tuple[()]:
        bar = _sines_1(s, y_bar)
        s.nest(x.shape, lambda *i: s.add(x_bar, i, bar.at(*i)))
        return ()

    return (_sines_1(s, x),), pullback


def _with_ends(
    s: Stage, array: Arr, shape: Sequence[Size], factor: float, ends: Sequence[int]
) -> Arr:
    """``array``, of this ``shape``, with the items at ``ends`` of rows times ``factor``."""
    *rows, n = shape
    out = s.new(shape, "float64")
    s.nest(shape, lambda *i: s.store(out, i, array.at(*i)))

    def one(*row: Size) -> None:
        for end in ends:
            at = (*row, end if end >= 0 else size_op(s, "sub", n, -end))
            s.store(out, at, s.op("mul", factor, out.at(*at)))

    s.nest(rows, one)
    return out


# ---- what users call -----------------------------------------------------------------------------


def cosine(
    s: Stage, a: object, kind: object, n: object, axis: object, norm: object, ortho: object,
    inverse: bool, sine: bool,
) -> Arr:  # fmt: skip
    """A cosine or sine transform along one axis, scaled."""
    if isinstance(kind, bool) or kind not in EACH_TYPE:
        raise s.refuse("the type of a transform must be 1, 2, 3 or 4", None, "MK310")
    kind = {2: 3, 3: 2}.get(kind, kind) if inverse else kind
    array = real_only(s, a, "dst" if sine else "dct")
    k = fix_axis(s, axis, array.ndim)
    size = length(s, n, array.shape[k])
    scale = "backward" if norm is None else one_of(s, norm, "norm", NORMS)
    even = scale == "ortho" if ortho is None else flag(s, ortho, "orthogonalize")
    given = fitted(s, array, [(size, k)])

    def rule(rows: Arr) -> Arr:
        before, after = _ends(kind, sine) if even else ((), ())
        x = _with_ends(s, rows, rows.shape, ROOT, before) if before else rows
        y = _transform(s, x, kind, sine)
        return _with_ends(s, y, rows.shape, 1.0 / ROOT, after) if after else y

    found = along_axis(s, astype(s, given, "float64"), k, rule)
    return narrowed(s, _scaled(s, found, size, kind, sine, scale, inverse), array)


def _ends(kind: int, sine: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The items multiplied by sqrt(2) before an orthonormal transform, and divided by it after."""
    end = -1 if sine else 0
    match kind:
        case 1:
            return ((), ()) if sine else ((0, -1), (0, -1))
        case 2:
            return (), (end,)
        case 3:
            return (end,), ()
        case _:
            return (), ()


def _transform(s: Stage, x: Arr, kind: int, sine: bool) -> Arr:
    """Sine transforms but that of type 1 are cosine transforms with signs, backwards."""
    if not sine:
        if kind == 1:
            least = s.op("ge", x.shape[-1], 2)
            assert isinstance(least, Num | bool)
            s.require(least, "zero-length FFT requested", "RuntimeError")  # as SciPy has it
        (y,) = s.rule("dct", _cosine_rule, x, kind)
    elif kind == 1:
        (y,) = s.rule("dst", _sine_rule, x)
    else:
        flipped = _alternating(s, x) if kind == 2 else _backwards(s, x)
        (y,) = s.rule("dct", _cosine_rule, s.keep(flipped), kind)
    assert isinstance(y, Arr)
    y = s.shaped(y, x.shape)
    if not sine or kind == 1:
        return y
    return _backwards(s, y) if kind == 2 else _alternating(s, y)


def _alternating(s: Stage, x: Arr) -> Arr:
    """The array with the sign of every other item changed."""

    def at(*index: Size) -> Number:
        item = x.at(*index)
        even = s.op("eq", s.op("mod", index[-1], 2), 0)
        return s.op("select", even, item, s.op("neg", item))

    return x.lazy(x.shape, at)


def _backwards(s: Stage, x: Arr) -> Arr:
    last = size_op(s, "sub", x.shape[-1], 1)
    return x.lazy(x.shape, lambda *i: x.at(*i[:-1], size_op(s, "sub", last, i[-1])))


def _scaled(s: Stage, array: Arr, n: Size, kind: int, sine: bool, norm: str, inverse: bool) -> Arr:
    if norm == ("forward" if inverse else "backward"):
        return array
    points = size_op(s, "add", n, (1 if sine else -1) if kind == 1 else 0)
    count = s.op("mul", 2.0, points)
    factor = s.op("div", 1.0, s.op("math.sqrt", count) if norm == "ortho" else count)
    return array.lazy(array.shape, lambda *i: s.op("mul", array.at(*i), factor))


def _enter(name: str, inverse: bool, sine: bool) -> None:
    """Enter a transform along one axis, and that along several."""
    full = f"scipy.fft.{name}"

    @TABLE.add(
        full, f"{full}(x, {{type}}, {{n}}, -1, {{norm}})", f"{full}(v)",
        f"{full}(pos, {{type}}, 3, axis=0, orthogonalize={{flag}})", f"{full}(t, axis={{axis}})",
        f"{full}(np.append(v, u), {{type}}, norm='ortho') * v[0]",
        type=EACH_TYPE, n=LENGTHS, norm=EACH_NORM, axis=(0, 1), flag=(True, False),
    )  # fmt: skip
    def along_one(
        s: Stage, x: object, type: object = 2, n: object = None, axis: object = -1,
        norm: object = None, overwrite_x: bool = False, workers: object = None, *,
        orthogonalize: object = None,
    ) -> Arr:  # fmt: skip
        return cosine(s, x, type, n, axis, norm, orthogonalize, inverse, sine)

    @TABLE.add(
        f"{full}n", f"{full}n(x, norm={{norm}})", f"{full}n(x, 3, (3, 5))",
        f"{full}n(t, axes=(2, 0))",
        norm=EACH_NORM,
    )  # fmt: skip
    def along_several(
        stage: Stage, x: object, type: object = 2, s: object = None, axes: object = None,
        norm: object = None, overwrite_x: bool = False, workers: object = None, *,
        orthogonalize: object = None,
    ) -> Arr:  # fmt: skip
        found = real_only(stage, x, full)
        for n, k in sizes_along(stage, found, s, axes):
            found = cosine(stage, found, type, n, k, norm, orthogonalize, inverse, sine)
        return found


_enter("dct", inverse=False, sine=False)
_enter("idct", inverse=True, sine=False)
_enter("dst", inverse=False, sine=True)
_enter("idst", inverse=True, sine=True)
