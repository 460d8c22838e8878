"""Polynomials as vectors of coefficients, that of the highest power first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, combine
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import holds, number, whole_number
from mooncake_rules.library.linalg import Bars, Results
from mooncake_rules.library.matrices import conjugate
from mooncake_rules.library.support import as_array, as_floats, astype, is_complex, is_float
from mooncake_rules.library.views import flattened, plus

TABLE = Table()

Number = Num | complex
Size = Num | int


def coefficients(s: Stage, p: object, what: str) -> Arr:
    """The coefficients as a vector, which has one item for a number."""
    array = as_array(s, p)
    if array.ndim > 1:
        raise s.refuse(f"{what}: coefficients are a vector", None, "MK214")
    return flattened(s, array)


# ---- values -------------------------------------------------------------------------------------


@TABLE.add(
    "numpy.polyval",
    "np.polyval(v, a)", "np.polyval(v, x)", "np.polyval((a, b, 2.0), x)", "np.polyval([a, 3], b)",
    "np.polyval(v, np.sin(t))", "np.polyval(np.exp(v), 2)", "np.polyval(idx, x)",
    "np.polyval((1, 2), x)", "np.polyval((a, v[0]), idx)", "np.polyval(z[0], a)",
    "np.polyval(v, z)", "np.polyval((a, 1j), np.sin(x))", "np.polyval(v[:1], x)",
    "np.polyval((a,), x) * x", "np.polyval(v[:0], x) + x", "np.polyval(idx, idx) * a",
)  # fmt: skip
def polyval(s: Stage, p: object, x: object) -> Value:
    """``numpy.polyval`` by Horner's scheme; unrolled if the coefficients are a tuple or list."""
    point = as_array(s, x)
    if isinstance(p, tuple | list) and p and not any(isinstance(c, Arr | tuple) for c in p):
        found = _unrolled(s, [as_array(s, c) for c in p], point)
        return found if found.ndim else found.at()
    factors = coefficients(s, p, "polyval")
    dtype = s.promote(factors, point)
    factors, point = astype(s, factors, dtype), astype(s, point, dtype)
    if not is_float(dtype):
        factors = s.keep(factors)
        return point.lazy(point.shape, lambda *i: _horner(s, factors, point.at(*i)), cheap=False)
    if not point.ndim:
        return s.rule("polyval_number", _polyval_number, factors, point.at())[0]
    (out,) = s.rule("polyval", _polyval, factors, point)
    assert isinstance(out, Arr)
    return s.shaped(out, point.shape)


def _unrolled(s: Stage, factors: Sequence[Arr], point: Arr) -> Arr:
    kind = s.promote(*factors)
    numbers = [s.cast(factor.at(), kind) for factor in factors]
    dtype = s.promote(point, Arr(s, kind, (), lambda: 0))

    def value(x: Number) -> Number:
        found, at = numbers[0], x if dtype != "int64" else s.cast(x, dtype)
        for factor in numbers[1:]:
            found = s.op("add", s.op("mul", found, at), factor)
        return s.cast(found, dtype)

    return combine(s, dtype, point.cheap, value, point)


def _horner(s: Stage, factors: Arr, x: Number) -> Number:
    def step(accs: Sequence[Number], k: Size) -> tuple[Number]:
        return (s.op("add", s.op("mul", accs[0], x), factors.at(k)),)

    return s.fold(factors.shape, (s.cast(0, factors.dtype),), step)[0]


def _slope(s: Stage, factors: Arr, x: Number) -> Number:
    """The derivative of the polynomial."""

    def step(accs: Sequence[Number], k: Size) -> tuple[Number, Number]:
        slope = s.op("add", s.op("mul", accs[0], x), accs[1])
        return slope, s.op("add", s.op("mul", accs[1], x), factors.at(k))

    zero = s.cast(0, factors.dtype)
    return s.fold(factors.shape, (zero, zero), step)[0]


def _add_powers(s: Stage, target: Arr, x: Number, factor: Number) -> None:
    """``target += factor * [..., x**2, x, 1]``, where ``factor`` is a cotangent."""
    last = size_op(s, "sub", target.shape[0], 1)

    def step(accs: Sequence[Number], k: Size) -> tuple[Number]:
        s.add(target, (size_op(s, "sub", last, k),), accs[0])
        return (s.op("strong", accs[0], x),)

    s.fold(target.shape, (factor,), step)


def _polyval(s: Stage, p: Arr, x: Arr) -> Results:
    """The pullback of ``polyval``: powers of x for the coefficients, the derivative for x."""
    out = s.new(x.shape, x.dtype)
    s.nest(x.shape, lambda *i: s.store(out, i, _horner(s, p, x.at(*i))))

    def pullback(out_bar: Arr, p_bar: Arr, x_bar: Arr) -> Bars:
        def one(*i: Size) -> None:
            seed, at = out_bar.at(*i), x.at(*i)
            _add_powers(s, p_bar, conjugate(s, at, x.dtype), seed)
            s.add(x_bar, i, s.op("strong", seed, conjugate(s, _slope(s, p, at), x.dtype)))

        s.nest(x.shape, one)
        return ()

    return (out,), pullback


def _polyval_number(s: Stage, p: Arr, x: Num | complex) -> Results:
    def pullback(y_bar: Num, p_bar: Arr) -> Bars:
        _add_powers(s, p_bar, conjugate(s, x, p.dtype), y_bar)
        return None, s.op("strong", y_bar, conjugate(s, _slope(s, p, x), p.dtype))

    return (_horner(s, p, x),), pullback


# ---- sums and products --------------------------------------------------------------------------


@TABLE.add(
    "numpy.polyadd", "np.polyadd(v, w)", "np.polyadd(w, v)", "np.polyadd(v, u)", "np.polyadd(v, a)",
    "np.polyadd(z[0], w)", "np.polyadd(v, (a, 1))", "np.polyadd(idx, v)",
)  # fmt: skip
def polyadd(s: Stage, a1: object, a2: object) -> Arr:
    return _aligned(s, coefficients(s, a1, "polyadd"), coefficients(s, a2, "polyadd"), "add")


@TABLE.add(
    "numpy.polysub", "np.polysub(v, w)", "np.polysub(w, v)", "np.polysub(v, u)", "np.polysub(v, a)",
    "np.polysub(z[0], w)", "np.polysub(b, w)",
)  # fmt: skip
def polysub(s: Stage, a1: object, a2: object) -> Arr:
    return _aligned(s, coefficients(s, a1, "polysub"), coefficients(s, a2, "polysub"), "sub")


def _aligned(s: Stage, one: Arr, other: Arr, op: str) -> Arr:
    """``op`` of two vectors that are aligned at their ends."""
    dtype = s.promote(one, other)
    if s.same(one.shape[0], other.shape[0]):
        return combine(s, dtype, one.cheap and other.cheap, lambda p, q: s.op(op, p, q), one, other)
    size = size_op(s, "np.maximum", one.shape[0], other.shape[0])
    out = s.new((size,), dtype, 0)
    for array, sign in ((one, "pos"), (other, "neg" if op == "sub" else "pos")):
        start = size_op(s, "sub", size, array.shape[0])

        def step(i: Size, array: Arr = array, sign: str = sign, start: Size = start) -> None:
            item = array.at(i)
            s.add(out, (plus(s, start, i),), s.op("neg", item) if sign == "neg" else item)

        s.nest(array.shape, step)
    return out


def _trimmed(s: Stage, a: Arr) -> tuple[Arr, Size, Size]:
    """``a`` in memory, where its first coefficient is that is not zero, and how many there are.

    Of zeros, the last one.
    """
    kept = s.keep(a)
    start = _first(s, kept, lambda item: s.op("eq", item, 0))
    return kept, start, size_op(s, "sub", kept.shape[0], start)


def _first(s: Stage, array: Arr, is_zero: Callable[[Number], Number]) -> Size:
    """The position of the first element that is not zero; the last position if all are."""

    def step(accs: Sequence[Number], i: Size) -> Sequence[Number]:
        leading = holds(s, "and", accs[1], is_zero(array.at(i)))
        return s.op("select", leading, s.op("add", i, 1), accs[0]), leading

    zeros = s.fold(array.shape, (0, True), step)[0]
    assert isinstance(zeros, Num | int)
    return size_op(s, "np.minimum", zeros, s.shrunk(array.shape[0], 1))


@TABLE.add(
    "numpy.polymul", "np.polymul(v, w)", "np.polymul(v, v)", "np.polymul(a, v)",
    "np.polymul((1, -1), v)", "np.polymul(z[0], w)", "np.polymul(np.where(v < 0.5, 0.0, v), w)",
    "np.polymul(0.0 * v, w)", "np.polymul(v, (0.0, a, b))",
)  # fmt: skip
def polymul(s: Stage, a1: object, a2: object) -> Arr:
    """``numpy.polymul``: leading zeros of the factors are dropped, as by NumPy."""
    (x, i0, n), (y, j0, m) = (_trimmed(s, coefficients(s, a, "polymul")) for a in (a1, a2))
    longest = [size_op(s, "np.maximum", size, 1) for size in (n, m)]
    out = s.new((plus(s, longest[0], size_op(s, "sub", longest[1], 1)),), s.promote(x, y), 0)

    def one(i: Size, j: Size) -> None:
        term = s.op("mul", x.at(plus(s, i0, i)), y.at(plus(s, j0, j)))
        s.add(out, (plus(s, i, j),), term)

    s.nest((n, m), one)
    return out


@TABLE.add("numpy.poly", "np.poly(v)", "np.poly(v * u)", "np.poly((a, b))", "np.poly([a, 2, 1])")
def poly(s: Stage, seq_of_zeros: object) -> Arr:
    """The coefficients of the polynomial with these roots, of which the first is 1."""
    roots = as_array(s, seq_of_zeros)
    if roots.ndim > 1:
        raise s.refuse(
            "poly of a matrix needs its eigenvalues, which may be complex", None, "MK303"
        )
    if is_complex(roots.dtype):
        raise s.refuse("the coefficients for complex roots may be real or not", None, "MK303")
    roots = s.keep(flattened(s, roots))
    size = roots.shape[0]
    s.require(holds(s, "gt", size, 0), "np.poly of no roots is a number, not an array")
    out = s.new((plus(s, size, 1),), roots.dtype, 0)
    s.store(out, (0,), s.cast(1, roots.dtype))

    def one(k: Size) -> None:
        root = roots.at(k)

        def step(j: Size) -> None:
            at = size_op(s, "sub", k, j)
            after = plus(s, at, 1)
            change = s.op("mul", root, out.at(at))
            s.store(out, (after,), s.op("sub", out.at(after), change))

        s.nest((plus(s, k, 1),), step)

    s.nest((size,), one)
    return out


# ---- derivatives and integrals ------------------------------------------------------------------


def _order(s: Stage, m: object, what: str) -> int:
    order = whole_number(s, m, "m")
    if order < 0:
        raise s.refuse(f"{what}: the order must not be negative", None, "MK303")
    return order


@TABLE.add(
    "numpy.polyder", "np.polyder(v, {m})", "np.polyder(np.exp(v))", "np.polyder((a, b, 1.0), {m})",
    "np.polyder(z[0], {m})", "np.polyder(idx) * a", m=(0, 1, 2, 3, 5),
)  # fmt: skip
def polyder(s: Stage, p: object, m: object = 1) -> Arr:
    """The coefficients of the ``m``-th derivative."""
    array, order = coefficients(s, p, "polyder"), _order(s, m, "polyder")
    if not order:
        return array
    size = array.shape[0]
    last = size_op(s, "sub", size, 1)

    def at(i: Size) -> Number:
        found = array.at(i)
        power = size_op(s, "sub", last, i)
        for k in range(order):
            found = s.op("mul", found, size_op(s, "sub", power, k) if k else power)
        return found

    return array.lazy((s.shrunk(size, order),), at, _with_int64(s, array))


@TABLE.add(
    "numpy.polyint", "np.polyint(v, {m})", "np.polyint(np.exp(v), k=a)", "np.polyint(v, 2, (a, b))",
    "np.polyint((a, b, 1.0), {m})", "np.polyint(z[0], 2, v)", "np.polyint(idx, 3, v)",
    "np.polyint(v, 2, a)", "np.polyint(v, 2, z[0])", "np.polyint(v, 1, [a])", "np.polyint(idx) * a",
    m=(0, 1, 2, 3),
)  # fmt: skip
def polyint(s: Stage, p: object, m: object = 1, k: object = None) -> Arr:
    """The coefficients of the ``m``-th integral; ``k`` are the constants, one for each."""
    array, order = coefficients(s, p, "polyint"), _order(s, m, "polyint")
    if not order:
        return array
    dtype = s.promote(s.op("div", 1, 1), Arr(s, _with_int64(s, array), (), lambda: 0))
    constants = _constants(s, k, order)
    dtype = s.promote(Arr(s, dtype, (), lambda: 0), *constants) if k is not None else dtype
    size = array.shape[0]
    out = s.new((plus(s, size, order),), dtype)

    def one(i: Size) -> None:
        found = s.cast(array.at(i), dtype)
        power = size_op(s, "sub", size, i)
        for j in range(order):
            found = s.op("div", found, plus(s, power, j))
        s.store(out, (i,), found)

    s.nest(array.shape, one)
    for j, constant in enumerate(constants):
        found = s.cast(constant, dtype)
        for power in range(1, order - j):
            found = s.op("div", found, power + 0.0)
        s.store(out, (plus(s, size, j),), found)
    return out


def _constants(s: Stage, k: object, order: int) -> list[Number]:
    """``order`` constants of integration: given for each, the same for all, or zeros."""
    if k is None:
        return [0.0] * order
    if isinstance(k, tuple | list) and len(k) == 1:
        k = k[0]
    if not isinstance(k, Arr | tuple | list):
        return [number(s, k, "k")] * order
    array = s.keep(coefficients(s, k, "polyint"))
    size = array.shape[0]
    enough, single = holds(s, "ge", size, order), holds(s, "eq", size, 1)
    s.require(
        holds(s, "or", enough, single), "polyint: k must have a constant for each integration"
    )
    positions = [s.op("select", single, 0, j) for j in range(order)]
    return [array.at(j) for j in positions if isinstance(j, Num | int)]


def _with_int64(s: Stage, array: Arr) -> str:
    """The dtype of a product with an array of integers."""
    return s.promote(array, Arr(s, "int64", (), lambda: 0))


# ---- quotients ----------------------------------------------------------------------------------


@TABLE.add(
    "numpy.polydiv", "np.polydiv(v, w)", "np.polydiv(w, v)", "np.polydiv(v, v[:2])[0] * v[0]",
    "np.polydiv(v, (a, 1))", "np.polydiv(v, b)", "np.polydiv(np.polymul(v[:2], w), x[0, :3])[0]",
    "np.polydiv(z[0], w)", "np.polydiv(v, (a, 1))[1] * a", "np.polydiv(np.polymul(v, w), u)[0]",
)  # fmt: skip
def polydiv(s: Stage, u: object, v: object) -> tuple[Arr, Arr]:
    """Quotient and remainder; this without leading zeros, as NumPy has it."""
    above, below = (s.keep(as_floats(s, coefficients(s, p, "polydiv"))) for p in (u, v))
    for given in (above, below):
        s.require(holds(s, "gt", given.shape[0], 0), "polydiv of no coefficients", "IndexError")
    dtype = s.promote(above, below)
    steps = plus(s, size_op(s, "sub", above.shape[0], below.shape[0]), 1)
    quotient = s.new((size_op(s, "np.maximum", steps, 1),), dtype, 0)
    rest = s.new(above.shape, dtype)
    s.nest(above.shape, lambda i: s.store(rest, (i,), above.at(i)))
    scale = s.op("div", s.cast(1, dtype), s.cast(below.at(0), dtype))

    def one(k: Size) -> None:
        factor = s.op("mul", scale, rest.at(k))
        s.store(quotient, (k,), factor)
        change = s.op("neg", factor)
        s.nest(
            below.shape, lambda j: s.add(rest, (plus(s, k, j),), s.op("mul", change, below.at(j)))
        )

    s.nest((size_op(s, "np.maximum", steps, 0),), one)
    start = _first(s, rest, lambda item: s.op("le", s.op("np.abs", item), 1e-8))
    return quotient, s.view(rest, (slice(start, None),))
