"""Windows: weights for the samples of a signal."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import integer, number

TABLE = Table()

Number = Num | complex
PI = 3.141592653589793
SIZES = (0, 1, 2, 5, 8)


def _window(s: Stage, M: object, weight: Callable[[Number], Number]) -> Arr:
    """``weight`` of ``M`` places from -1 to 1; of a single one, which is 0."""
    count = integer(s, M, "M")
    last = size_op(s, "sub", count, 1)
    steps = size_op(s, "np.maximum", last, 1)

    def at(i: Num | int) -> Number:
        return weight(s.op("div", s.op("sub", s.op("mul", i, 2), last), steps))

    return Arr(s, "float64", (size_op(s, "np.maximum", count, 0),), at, None, False)


def _cosines(s: Stage, x: Number, *factors: float) -> Number:
    total: Number = factors[0]
    for k, factor in enumerate(factors[1:], 1):
        wave = s.op("np.cos", s.op("mul", k * PI, x))
        total = s.op("add", total, s.op("mul", factor, wave))
    return total


@TABLE.add("numpy.hanning", "np.hanning({n}) * a", "np.hanning(len(v)) * v", n=SIZES)
def hanning(s: Stage, M: object) -> Arr:
    return _window(s, M, lambda x: _cosines(s, x, 0.5, 0.5))


@TABLE.add("numpy.hamming", "np.hamming({n}) * a", "np.hamming(len(v)) * v", n=SIZES)
def hamming(s: Stage, M: object) -> Arr:
    return _window(s, M, lambda x: _cosines(s, x, 0.54, 0.46))


@TABLE.add("numpy.blackman", "np.blackman({n}) * a", "np.blackman(len(v)) * v", n=SIZES)
def blackman(s: Stage, M: object) -> Arr:
    return _window(s, M, lambda x: _cosines(s, x, 0.42, 0.5, 0.08))


@TABLE.add("numpy.bartlett", "np.bartlett({n}) * a", "np.bartlett(len(v)) * v", n=SIZES)
def bartlett(s: Stage, M: object) -> Arr:
    return _window(s, M, lambda x: s.op("sub", 1.0, s.op("np.abs", x)))


@TABLE.add(
    "numpy.kaiser", "np.kaiser({n}, b) * b", "np.kaiser({n}, 14) * a", "np.kaiser(len(v), 5.0) * v",
    "np.kaiser(5, a * b) * x[0, 0]", n=SIZES,
)  # fmt: skip
def kaiser(s: Stage, M: object, beta: object) -> Arr:
    """``I0(beta sqrt(1 - x^2)) / I0(beta)``."""
    shape = s.cast(number(s, beta, "beta"), "float64")
    whole = s.op("rt.i0", shape)

    def weight(x: Number) -> Number:
        inside = s.op("np.sqrt", s.op("sub", 1.0, s.op("mul", x, x)))
        return s.op("div", s.op("rt.i0", s.op("mul", shape, inside)), whole)

    return _window(s, M, weight)
