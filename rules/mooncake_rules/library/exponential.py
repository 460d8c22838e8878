"""The exponential of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.library.linalg import Bars, Results, by_factors, each_square, factored
from mooncake_rules.library.matrices import conjugate, eye, floats, square
from mooncake_rules.library.support import real_dtype

TABLE = Table()

# Padé coefficients of degree 13 (Higham 2005).
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0,
    960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_LARGEST = 5.371920351148152


@TABLE.add("scipy.linalg.expm", "scipy.linalg.expm(m)", "scipy.linalg.expm(0.1 * p)",
           "scipy.linalg.expm(np.stack((m, 0.1 * p)))",
           "scipy.linalg.expm(0.3 * m + 1j * p)")  # fmt: skip
def expm(s: Stage, a: object) -> Arr:
    given = floats(s, square(s, a, "expm"))
    return each_square(s, lambda matrix: s.rule("expm", _expm, matrix), given, "expm")


def _expm(s: Stage, a: Arr) -> Results:
    """The upper right block of the exponential of ``[[A^H, out_bar], [0, A^H]]`` (Mathias 1996)."""
    size = a.shape[0]

    def pullback(out_bar: Arr) -> Bars:
        double = s.op("mul", size, 2)
        assert isinstance(double, Num | int)
        block = s.new((double, double), a.dtype, 0)

        def one(i: Num | int, j: Num | int) -> None:
            low_i, low_j = s.op("add", i, size), s.op("add", j, size)
            assert isinstance(low_i, Num | int)
            assert isinstance(low_j, Num | int)
            item = conjugate(s, a.at(j, i), a.dtype)
            s.store(block, (i, j), item)
            s.store(block, (low_i, low_j), item)
            s.store(block, (i, low_j), out_bar.at(i, j))

        s.nest((size, size), one)
        whole = exponential(s, block)
        return (s.view(whole, (slice(None, size), slice(size, None))),)

    return (exponential(s, a),), pullback


def exponential(s: Stage, a: Arr) -> Arr:
    """Scaling and squaring with the Padé approximant of degree 13 (Higham 2005)."""
    size, dtype = a.shape[0], a.dtype

    def column(accs: Sequence[Num | complex], j: Num | int) -> tuple[Num | complex]:
        def item(sums: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
            return (s.op("add", sums[0], s.op("np.abs", a.at(i, j))),)

        return (s.op("np.maximum", accs[0], s.fold((size,), (zero,), item)[0]),)

    zero = s.cast(0, real_dtype(dtype))
    norm_1 = s.fold((size,), (zero,), column)[0]
    over = s.op("np.maximum", s.op("div", norm_1, _LARGEST), 1.0)
    squarings = s.cast(s.op("np.ceil", s.op("np.log2", over)), "int64")
    assert isinstance(squarings, Num | int)
    factor = s.op("np.exp2", s.op("neg", s.cast(squarings, real_dtype(dtype))))
    x = s.keep(a.lazy(a.shape, lambda i, j: s.op("mul", a.at(i, j), factor)))
    unit = eye(s, size, dtype)
    x2 = product(s, x, x)
    x4 = product(s, x2, x2)
    x6 = product(s, x4, x2)
    c = _PADE
    odd = _combined(s, (c[13], c[11], c[9]), (x6, x4, x2))
    odd = _combined(s, (1.0, c[7], c[5], c[3], c[1]), (product(s, x6, odd), x6, x4, x2, unit))
    u = product(s, x, odd)
    even = _combined(s, (c[12], c[10], c[8]), (x6, x4, x2))
    v = _combined(s, (1.0, c[6], c[4], c[2], c[0]), (product(s, x6, even), x6, x4, x2, unit))
    above, below = _combined(s, (1.0, 1.0), (v, u)), _combined(s, (1.0, -1.0), (v, u))
    result = by_factors(s, *factored(s, below), above, trans=False)

    def again(_: Num | int) -> None:
        squared = product(s, result, result)
        s.nest(a.shape, lambda i, j: s.store(result, (i, j), squared.at(i, j)))

    s.nest((squarings,), again)
    return result


def product(s: Stage, a: Arr, b: Arr) -> Arr:
    """A matrix product that is not to be differentiated itself."""
    (out,) = s.primitive("matmul", (a, b), ((a.dtype, 2),))
    assert isinstance(out, Arr)
    return s.shaped(out, (a.shape[0], b.shape[1]))


def _combined(s: Stage, factors: Sequence[float], arrays: Sequence[Arr]) -> Arr:
    """A linear combination of matrices, in memory."""

    def at(i: Num | int, j: Num | int) -> Num | complex:
        total: Num | complex | None = None
        for factor, array in zip(factors, arrays, strict=True):
            item = array.at(i, j) if factor == 1.0 else s.op("mul", array.at(i, j), factor)
            total = item if total is None else s.op("add", total, item)
        assert total is not None
        return total

    return s.keep(arrays[0].lazy(arrays[0].shape, at))
