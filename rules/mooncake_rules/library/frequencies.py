"""The frequencies of discrete Fourier transforms, and their order."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, fix_axes
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import integer, number
from mooncake_rules.library.support import as_array, floating

TABLE = Table()

Size = Num | int
AXES = (None, 0, -1, (0, 1), (1,))


def _rolled(s: Stage, x: object, axes: object, sign: int) -> Arr:
    array = as_array(s, x)
    ks = fix_axes(s, axes, array.ndim)
    halves = [size_op(s, "floordiv", array.shape[k], 2) for k in ks]
    shifts = tuple(h if sign > 0 else size_op(s, "neg", h) for h in halves)
    found = s.call("numpy.roll", array, shifts, ks)
    assert isinstance(found, Arr)
    return found


@TABLE.add(
    "numpy.fft.fftshift scipy.fft.fftshift",
    "np.fft.fftshift(x, {axes})", "np.fft.fftshift(z, axes={axes})", "scipy.fft.fftshift(v)",
    "np.fft.fftshift(t)", "np.fft.fftshift(x[1:, 1:] * 2.0)", "np.fft.fftshift(np.fft.fft(z))",
    axes=AXES,
)  # fmt: skip
def fftshift(s: Stage, x: object, axes: object = None) -> Arr:
    """``fftshift``: the frequency 0 moves to the middle."""
    return _rolled(s, x, axes, 1)


@TABLE.add(
    "numpy.fft.ifftshift scipy.fft.ifftshift",
    "np.fft.ifftshift(x, {axes})", "np.fft.ifftshift(z, axes={axes})", "scipy.fft.ifftshift(v)",
    "np.fft.ifftshift(x[1:, 1:] * 2.0)", "np.fft.ifftshift(np.fft.fftshift(x) * y)",
    axes=AXES,
)  # fmt: skip
def ifftshift(s: Stage, x: object, axes: object = None) -> Arr:
    return _rolled(s, x, axes, -1)


@TABLE.add(
    "numpy.fft.fftfreq scipy.fft.fftfreq",
    "np.fft.fftfreq({n}) * a", "np.fft.fftfreq({n}, a)", "scipy.fft.fftfreq(4, d=a) * b",
    "np.fft.fftfreq(len(v), 0.5) * v", "np.fft.fftfreq(5, b)[2] * a",
    n=(1, 2, 5, 8),
)  # fmt: skip
def fftfreq(s: Stage, n: object, d: object = 1.0, *, device: object = None) -> Arr:
    """``0, 1, ..., -2, -1`` over ``n d``."""
    size, step = integer(s, n, "n"), _step(s, n, d)
    middle = size_op(s, "floordiv", size_op(s, "sub", size, 1), 2)

    def at(i: Size) -> Num | complex:
        behind = s.op("gt", i, middle)
        k = s.op("select", behind, s.op("sub", i, size), i)
        return s.op("mul", k, step)

    return Arr(s, floating(s.promote(step)), (size,), at)


@TABLE.add(
    "numpy.fft.rfftfreq scipy.fft.rfftfreq",
    "np.fft.rfftfreq({n}) * a", "np.fft.rfftfreq({n}, a)", "scipy.fft.rfftfreq(4, d=a) * b",
    "np.fft.rfftfreq(x.shape[1], 0.5) * np.abs(np.fft.rfft(v))",
    n=(1, 2, 5, 8),
)  # fmt: skip
def rfftfreq(s: Stage, n: object, d: object = 1.0, *, device: object = None) -> Arr:
    """``0, 1, ..., n // 2`` over ``n d``."""
    size, step = integer(s, n, "n"), _step(s, n, d)
    shape = (s.half(size),)
    return Arr(s, floating(s.promote(step)), shape, lambda i: s.op("mul", i, step))


def _step(s: Stage, n: object, d: object) -> Num | complex:
    """The distance of two frequencies."""
    points = integer(s, n, "n")
    return s.op("div", 1.0, s.op("mul", points, number(s, d, "d")))
