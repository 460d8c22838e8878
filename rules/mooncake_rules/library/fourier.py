"""Discrete Fourier transforms, of NumPy and SciPy.

Two rules make all of them, of rows of numbers and not scaled. A transform ``y = F x`` is linear:
its pullback is the adjoint, ``x_bar += F^H y_bar``, which is the transform in the other direction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, fix_axis, product
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import integer, no_out, one_of
from mooncake_rules.library.support import as_array, astype, is_complex
from mooncake_rules.library.views import transposed

TABLE = Table()

Size = Num | int
Results = tuple[tuple[Arr, ...], Callable[..., tuple[()]]]
Parts = Sequence[tuple[Size, int]]  # axes, and the sizes that transforms along them have

WIDE = "complex128"  # what the kernel takes
NORMS = ("backward", "ortho", "forward")
EACH_NORM = (None, "backward", "ortho", "forward")
LENGTHS = (None, 1, 2, 3, 4, 5, 6, 7)
AXES = (-1, 0)
SIZES = (None, (3, 4), (2, 7), (5, 3))
PAIRS = ((-2, -1), (1, 0), (0,))


# ---- rules ---------------------------------------------------------------------------------------


def fft_rule(s: Stage, x: Arr, inverse: bool) -> Results:
    (y,) = s.primitive("fft", (x, inverse), ((WIDE, x.ndim),))

    def pullback(y_bar: Arr, x_bar: Arr) -> tuple[()]:
        (bar,) = s.primitive("fft", (y_bar, not inverse), ((WIDE, x.ndim),))
        assert isinstance(bar, Arr)
        s.nest(x.shape, lambda *i: s.add(x_bar, i, bar.at(*i)))
        return ()

    assert isinstance(y, Arr)
    return (y,), pullback


def _half_to_real(s: Stage, x: Arr, n: Size) -> Results:
    """The real numbers whose transform begins with ``x``, times ``n``.

    The rest of the transform, which is the conjugate of that beginning, adds its cotangent there.
    """
    *rows, m = x.shape
    rest = size_op(s, "sub", n, m)
    whole = s.new((*rows, n), WIDE)
    s.nest(x.shape, lambda *i: s.store(whole, i, x.at(*i)))

    def mirror(*index: Size) -> None:
        *row, k = index
        source = size_op(s, "sub", rest, k)
        s.store(whole, (*row, size_op(s, "add", m, k)), s.op("np.conj", x.at(*row, source)))

    s.nest((*rows, rest), mirror)
    (y,) = s.primitive("fft", (whole, True), ((WIDE, x.ndim),))
    assert isinstance(y, Arr)
    real = s.shaped(y, whole.shape)

    def pullback(y_bar: Arr, x_bar: Arr) -> tuple[()]:
        (bar,) = s.primitive("fft", (astype(s, y_bar, WIDE), False), ((WIDE, x.ndim),))
        assert isinstance(bar, Arr)
        s.nest(x.shape, lambda *i: s.add(x_bar, i, bar.at(*i)))

        def mirrored(*index: Size) -> None:  # bar is that of real numbers: symmetric, too
            at = (*index[:-1], size_op(s, "add", index[-1], 1))
            s.add(x_bar, at, bar.at(*at))

        s.nest((*rows, rest), mirrored)
        return ()

    return (part_of(s, "np.real", real),), pullback


def part_of(s: Stage, op: str, array: Arr) -> Arr:
    """The real or the imaginary parts of complex128 numbers."""
    return array.lazy(array.shape, lambda *i: s.op(op, array.at(*i)), "float64")


def along_axis(s: Stage, array: Arr, k: int, rule: Callable[[Arr], Arr]) -> Arr:
    """``rule`` of rows, applied along axis ``k``: to a vector or a matrix in memory."""
    axes = [*(m for m in range(array.ndim) if m != k), k]
    moved = transposed(s, array, axes)
    if array.ndim <= 2:
        found = rule(s.keep(moved))
    else:
        rest = moved.shape[:-1]
        found = rule(s.reshape(moved, (product(s, rest), moved.shape[-1])))
        found = s.reshape(found, (*rest, found.shape[-1]))
    return transposed(s, found, [axes.index(m) for m in range(array.ndim)])


def transform(s: Stage, array: Arr, k: int, inverse: bool) -> Arr:
    """The transform of complex128 numbers along axis ``k``, not scaled."""

    def rule(rows: Arr) -> Arr:
        (out,) = s.rule("inverse_fft" if inverse else "fft", fft_rule, rows, inverse)
        assert isinstance(out, Arr)
        return s.shaped(out, rows.shape)

    return along_axis(s, array, k, rule)


def to_real(s: Stage, array: Arr, k: int, n: Size) -> Arr:
    """``_half_to_real`` along axis ``k``."""

    def rule(rows: Arr) -> Arr:
        (out,) = s.rule("irfft", _half_to_real, rows, n)
        assert isinstance(out, Arr)
        return s.shaped(out, (*rows.shape[:-1], n))

    return along_axis(s, array, k, rule)


# ---- lengths and scales --------------------------------------------------------------------------


def length(s: Stage, n: object, default: Size) -> Size:
    """The number of points of a transform: ``n``, or ``default`` if that is None; at least 1."""
    found = default if n is None else integer(s, n, "the number of points")
    positive = s.op("ge", found, 1)
    assert isinstance(positive, Num | bool)
    s.require(positive, "Invalid number of FFT data points")
    return found


def fitted(s: Stage, array: Arr, sizes: Parts) -> Arr:
    """``array`` cut, or filled up with zeros, to these sizes along these axes."""
    shape, filled = list(array.shape), list(array.shape)
    for n, k in sizes:
        if not s.same(n, shape[k]):
            shape[k], filled[k] = n, size_op(s, "np.minimum", n, shape[k])
    if shape == list(array.shape):
        return array
    out = s.new(shape, array.dtype, 0)
    s.nest(filled, lambda *i: s.store(out, i, array.at(*i)))
    return out


def scaled(s: Stage, array: Arr, sizes: Sequence[Size], norm: object, inverse: bool) -> Arr:
    """``array`` divided by the number of points, or its root, as ``norm`` has it."""
    kind = "backward" if norm is None else one_of(s, norm, "norm", NORMS)
    if kind == ("forward" if inverse else "backward"):
        return array
    count = s.cast(product(s, sizes), "float64")
    factor = s.op("div", 1.0, s.op("math.sqrt", count) if kind == "ortho" else count)
    return array.lazy(array.shape, lambda *i: s.op("mul", array.at(*i), factor))


def narrowed(s: Stage, array: Arr, like: Arr) -> Arr:
    """``array`` in the precision of ``like``, the argument."""
    if like.dtype not in ("float32", "complex64"):
        return array
    return astype(s, array, "complex64" if is_complex(array.dtype) else "float32")


def real_only(s: Stage, a: object, what: str) -> Arr:
    array = as_array(s, a)
    if is_complex(array.dtype):
        raise s.refuse(f"{what} takes real numbers", "use the transform of complex ones", "MK213")
    return array


def sizes_along(s: Stage, array: Arr, sizes: object, axes: object) -> list[tuple[object, int]]:
    """The sizes ``s`` and ``axes`` of a transform over several axes: a size, or None, per axis."""
    given = _listed(s, sizes, "s")
    if axes is None:
        first = 0 if given is None else array.ndim - len(given)
        ks = list(range(first, array.ndim))
    else:
        ks = [fix_axis(s, axis, array.ndim) for axis in _listed(s, axes, "axes") or ()]
    if given is not None and len(given) != len(ks):
        raise s.refuse("there must be as many sizes as axes", None, "MK216")
    if len(set(ks)) != len(ks) or any(k < 0 for k in ks):
        raise s.refuse("the axes of a transform must differ", None, "MK214")
    if not ks:
        raise s.refuse("a transform needs an axis", None, "MK214")
    asked = [None] * len(ks) if given is None else given
    whole = isinstance(sizes, tuple | list)  # where -1 stands for all there is
    return [(None if whole and n == -1 else n, k) for n, k in zip(asked, ks, strict=True)]


def _listed(s: Stage, value: object, what: str) -> list[object] | None:
    if value is None:
        return None
    if isinstance(value, tuple | list):
        return list(value)
    if isinstance(value, Num | int):
        return [value]
    raise s.refuse(f"{what} must be a tuple", None, "MK213")


# ---- complex to complex --------------------------------------------------------------------------


def complex_transform(s: Stage, a: object, sizes: object, axes: object, norm: object,
                      inverse: bool) -> Arr:  # fmt: skip
    array = as_array(s, a)
    asked = sizes_along(s, array, sizes, axes)
    lengths = [(length(s, n, array.shape[k]), k) for n, k in asked]
    found = astype(s, fitted(s, array, lengths), WIDE)
    for _, k in reversed(lengths):
        found = transform(s, found, k, inverse)
    return narrowed(s, scaled(s, found, [n for n, _ in lengths], norm, inverse), array)


@TABLE.add(
    "numpy.fft.fft scipy.fft.fft",
    "np.fft.fft(z, {n}, {axis}, {norm})", "np.fft.fft(x, n={n}, axis={axis}, norm={norm})",
    "np.fft.fft(t, axis={axes})", "scipy.fft.fft(v)", "np.fft.fft(z[::-1, 1:] * 2.0)",
    "np.fft.fft(z[0], len(u))", "np.fft.fft(mask * v)",
    n=LENGTHS, axis=AXES, norm=EACH_NORM, axes=(0, 1, 2),
)  # fmt: skip
def fft(
    s: Stage, a: object, n: object = None, axis: int = -1, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(s, out)
    return complex_transform(s, a, n, axis, norm, False)


@TABLE.add(
    "numpy.fft.ifft scipy.fft.ifft",
    "np.fft.ifft(z, {n}, {axis}, {norm})", "np.fft.ifft(x, n={n}, axis={axis}, norm={norm})",
    "np.fft.ifft(t, axis={axes})", "scipy.fft.ifft(np.fft.fft(z) * x)",
    n=LENGTHS, axis=AXES, norm=EACH_NORM, axes=(0, 1, 2),
)  # fmt: skip
def ifft(
    s: Stage, a: object, n: object = None, axis: int = -1, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(s, out)
    return complex_transform(s, a, n, axis, norm, True)


@TABLE.add(
    "numpy.fft.fft2 scipy.fft.fft2",
    "np.fft.fft2(z, {s}, norm={norm})", "np.fft.fft2(x, {s})", "np.fft.fft2(z, axes={axes})",
    "scipy.fft.fft2(t, axes=(0, 2))",
    s=SIZES, norm=EACH_NORM, axes=PAIRS,
)  # fmt: skip
def fft2(
    stage: Stage, a: object, s: object = None, axes: object = (-2, -1), norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return complex_transform(stage, a, s, axes, norm, False)


@TABLE.add(
    "numpy.fft.ifft2 scipy.fft.ifft2",
    "np.fft.ifft2(z, {s}, norm={norm})", "np.fft.ifft2(x, {s})", "np.fft.ifft2(z, axes={axes})",
    s=SIZES, norm=EACH_NORM, axes=PAIRS,
)  # fmt: skip
def ifft2(
    stage: Stage, a: object, s: object = None, axes: object = (-2, -1), norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return complex_transform(stage, a, s, axes, norm, True)


@TABLE.add(
    "numpy.fft.fftn scipy.fft.fftn",
    "np.fft.fftn(t, norm={norm})", "np.fft.fftn(z, (-1, 5), (0, 1))", "np.fft.fftn(v)",
    "np.fft.fftn(t, axes=(0, 2))", "scipy.fft.fftn(t, (3, 2), (2, 1))", "scipy.fft.fftn(t, (2, 3))",
    norm=EACH_NORM,
)  # fmt: skip
def fftn(
    stage: Stage, a: object, s: object = None, axes: object = None, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return complex_transform(stage, a, s, axes, norm, False)


@TABLE.add(
    "numpy.fft.ifftn scipy.fft.ifftn",
    "np.fft.ifftn(t, norm={norm})", "np.fft.ifftn(z, (-1, 5), (0, 1))", "np.fft.ifftn(v)",
    "np.fft.ifftn(t, axes=(0, 2))", "scipy.fft.ifftn(t, (3, 2), (2, 1))",
    norm=EACH_NORM,
)  # fmt: skip
def ifftn(
    stage: Stage, a: object, s: object = None, axes: object = None, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return complex_transform(stage, a, s, axes, norm, True)
