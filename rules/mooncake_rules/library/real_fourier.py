"""Discrete Fourier transforms of real numbers, and to real numbers."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Stage, Table, elementwise
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import no_out
from mooncake_rules.library.fourier import (
    AXES,
    EACH_NORM,
    LENGTHS,
    PAIRS,
    SIZES,
    WIDE,
    fitted,
    length,
    narrowed,
    real_only,
    scaled,
    sizes_along,
    to_real,
    transform,
)
from mooncake_rules.library.support import as_array, astype
from mooncake_rules.library.views import along

TABLE = Table()


def from_reals(s: Stage, a: object, sizes: object, axes: object, norm: object, what: str,
               inverse: bool = False) -> Arr:  # fmt: skip
    """The transform of real numbers, of which the last axis has the half that says all.

    ``inverse`` is about the scale.
    """
    array = real_only(s, a, what)
    asked = sizes_along(s, array, sizes, axes)
    lengths = [(length(s, n, array.shape[k]), k) for n, k in asked]
    found = astype(s, fitted(s, array, lengths), WIDE)
    n, last = lengths[-1]
    found = transform(s, found, last, False)
    shape = (*found.shape[:last], s.half(n), *found.shape[last + 1 :])
    cut = s.view(found, along(found.ndim, last, slice(None, shape[last])))
    found = s.shaped(cut, shape)
    for _, k in reversed(lengths[:-1]):
        found = transform(s, found, k, False)
    return narrowed(s, scaled(s, found, [n for n, _ in lengths], norm, inverse), array)


def to_reals(s: Stage, a: object, sizes: object, axes: object, norm: object,
             inverse: bool = True) -> Arr:  # fmt: skip
    """The inverse of ``from_reals``; ``inverse`` is about the scale."""
    array = as_array(s, a)
    *before, (asked, last) = sizes_along(s, array, sizes, axes)
    lengths = [(length(s, n, array.shape[k]), k) for n, k in before]
    twice = size_op(s, "mul", size_op(s, "sub", array.shape[last], 1), 2)
    n = length(s, asked, twice)
    points = array.shape[last] if asked is None else s.half(n)
    found = astype(s, fitted(s, array, [*lengths, (points, last)]), WIDE)
    for _, k in reversed(lengths):
        found = transform(s, found, k, True)
    found = to_real(s, found, last, n)
    return narrowed(s, scaled(s, found, [*(m for m, _ in lengths), n], norm, inverse), array)


@TABLE.add(
    "numpy.fft.rfft scipy.fft.rfft",
    "np.fft.rfft(x, {n}, {axis}, {norm})", "scipy.fft.rfft(v)", "np.fft.rfft(t, axis={axes})",
    "np.fft.rfft(x[::-1, 1:] * 2.0)", "np.fft.rfft(mask * v)",
    n=LENGTHS, axis=AXES, norm=EACH_NORM, axes=(0, 1, 2),
)  # fmt: skip
def rfft(
    s: Stage, a: object, n: object = None, axis: int = -1, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(s, out)
    return from_reals(s, a, n, axis, norm, "rfft")


@TABLE.add(
    "numpy.fft.irfft scipy.fft.irfft",
    "np.fft.irfft(z, {n}, -1, {norm})", "np.fft.irfft(x, {n})", "np.fft.irfft(t, axis={axes})",
    "np.fft.irfft(np.array([v, u * 1j, u]), {n}, 0)",
    "scipy.fft.irfft(np.fft.rfft(v) * v[0])", "np.fft.irfft(np.fft.rfft(x[:, :3]) * 2.0, 3)",
    "np.fft.irfft(z, len(u))",
    n=LENGTHS, norm=EACH_NORM, axes=(0, 1, 2),
)  # fmt: skip
def irfft(
    s: Stage, a: object, n: object = None, axis: int = -1, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(s, out)
    return to_reals(s, a, n, axis, norm)


@TABLE.add(
    "numpy.fft.hfft scipy.fft.hfft",
    "np.fft.hfft(z, {n}, -1, {norm})", "scipy.fft.hfft(x, {n})", "np.fft.hfft(t, {n}, 0)",
    n=LENGTHS, norm=EACH_NORM,
)  # fmt: skip
def hfft(
    s: Stage, a: object, n: object = None, axis: int = -1, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    """The forward transform to real numbers: that of the conjugate, backwards."""
    no_out(s, out)
    return to_reals(s, conjugate(s, as_array(s, a)), n, axis, norm, False)


@TABLE.add(
    "numpy.fft.ihfft scipy.fft.ihfft",
    "np.fft.ihfft(x, {n}, {axis}, {norm})", "scipy.fft.ihfft(v)",
    n=LENGTHS, axis=AXES, norm=EACH_NORM,
)  # fmt: skip
def ihfft(
    s: Stage, a: object, n: object = None, axis: int = -1, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(s, out)
    return conjugate(s, from_reals(s, a, n, axis, norm, "ihfft", True))


def conjugate(s: Stage, array: Arr) -> Arr:
    found = elementwise(s, "np.conj", array)
    assert isinstance(found, Arr)
    return found


@TABLE.add(
    "numpy.fft.rfft2 scipy.fft.rfft2",
    "np.fft.rfft2(x, {s}, norm={norm})", "np.fft.rfft2(x, axes={axes})",
    "scipy.fft.rfft2(t, axes=(0, 2))",
    s=SIZES, norm=EACH_NORM, axes=PAIRS,
)  # fmt: skip
def rfft2(
    stage: Stage, a: object, s: object = None, axes: object = (-2, -1), norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return from_reals(stage, a, s, axes, norm, "rfft2")


@TABLE.add(
    "numpy.fft.irfft2 scipy.fft.irfft2",
    "np.fft.irfft2(z, {s}, norm={norm})", "np.fft.irfft2(x, axes={axes})",
    "scipy.fft.irfft2(np.fft.rfft2(x) * 2.0)",
    s=SIZES, norm=EACH_NORM, axes=PAIRS,
)  # fmt: skip
def irfft2(
    stage: Stage, a: object, s: object = None, axes: object = (-2, -1), norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return to_reals(stage, a, s, axes, norm)


@TABLE.add(
    "numpy.fft.rfftn scipy.fft.rfftn",
    "np.fft.rfftn(t, norm={norm})", "np.fft.rfftn(t, (3, 2), (2, 0))", "np.fft.rfftn(v)",
    "scipy.fft.rfftn(t, (5, 3))",
    norm=EACH_NORM,
)  # fmt: skip
def rfftn(
    stage: Stage, a: object, s: object = None, axes: object = None, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return from_reals(stage, a, s, axes, norm, "rfftn")


@TABLE.add(
    "numpy.fft.irfftn scipy.fft.irfftn",
    "np.fft.irfftn(t, norm={norm})", "np.fft.irfftn(t, (3, 5), (2, 0))", "np.fft.irfftn(z)",
    norm=EACH_NORM,
)  # fmt: skip
def irfftn(
    stage: Stage, a: object, s: object = None, axes: object = None, norm: object = None,
    out: None = None, *, overwrite_x: bool = False, workers: object = None,
) -> Arr:  # fmt: skip
    no_out(stage, out)
    return to_reals(stage, a, s, axes, norm)
