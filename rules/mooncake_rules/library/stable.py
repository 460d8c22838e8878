"""Sums of exponentials that neither overflow nor vanish (scipy.special)."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import Arr, Num, Shape, Stage, Table, Value, elementwise, fix_axes
from mooncake_rules.arrays.stage import Rule
from mooncake_rules.library.arguments import flag
from mooncake_rules.library.lanes import back, by_lanes, detached, each_lane, repeatable, sums
from mooncake_rules.library.reductions import AXES, AXES_3, FLAGS
from mooncake_rules.library.support import as_array, astype, floating, without
from mooncake_rules.library.support import keepdims as widened

TABLE = Table()

Index = tuple["Num | int", ...]
INF = float("inf")


def highest(s: Stage, array: Arr, axes: tuple[int, ...]) -> Value:
    """The maximum over ``axes``, 0 where it is infinite; without a derivative.

    It only shifts exponents, and what is computed does not depend on the shift.
    """

    def larger(best: Num | complex, item: Num | complex) -> Num | complex:
        return s.op("select", s.op("gt", item, best), item, best)

    least = s.cast(-INF, array.dtype)
    if len(axes) == array.ndim:
        (found,) = s.fold(array.shape, (least,), lambda accs, *i: (larger(accs[0], array.at(*i)),))
        return _finite(s, found)
    best = s.new(without(array.shape, axes), array.dtype, -INF)

    def one(*index: Num | int) -> None:
        at = without(index, axes)
        s.store(best, at, larger(best.at(*at), array.at(*index)))

    s.nest(array.shape, one)
    return _finite(s, best)


def _finite(s: Stage, shift: Value) -> Value:
    known = elementwise(s, "np.isfinite", shift)
    found = detached(s, elementwise(s, "select", known, shift, 0.0))
    return found.lazy(found.shape, found.at, cheap=False) if isinstance(found, Arr) else found


@TABLE.add(
    "scipy.special.logsumexp",
    "scipy.special.logsumexp(x, axis={axis}, keepdims={keepdims})",
    "scipy.special.logsumexp(t, axis={axes})", "scipy.special.logsumexp(x, axis={axis}, b=pos)",
    "scipy.special.logsumexp(700.0 * x, axis={axis})", "scipy.special.logsumexp(x, 0, pos[0])",
    "x - scipy.special.logsumexp(x, axis=1, keepdims=True)", "scipy.special.logsumexp(idx) * a",
    "scipy.special.logsumexp(np.where(x < 1.0, x, -np.inf), axis={axis})",
    axis=AXES, axes=AXES_3, keepdims=FLAGS,
)  # fmt: skip
def logsumexp(
    s: Stage, a: object, axis: object = None, b: object = None, keepdims: bool = False,
    return_sign: bool = False,
) -> Value:  # fmt: skip
    """The logarithm of a sum of exponentials; the derivative is 0 where that sum is."""
    if flag(s, return_sign, "return_sign"):
        raise s.refuse("return_sign=True is not supported")
    array = as_array(s, a)
    array = repeatable(s, astype(s, array, floating(array.dtype)))
    axes, keep = fix_axes(s, axis, array.ndim), flag(s, keepdims, "keepdims")
    if b is not None:
        return _weighted(s, array, as_array(s, b), axes, keep)

    def body(part: Arr, along: tuple[int, ...]) -> Value:
        shift = highest(s, part, along)
        terms = exponentials(s, part, back(s, shift, part.shape, along))
        return _logarithm(s, sums(s, (terms,), along)[0], shift)

    return by_lanes(s, array, axes, keep, array.dtype, body)


def exponentials(s: Stage, array: Arr, shift: Value) -> Arr:
    found = elementwise(s, "np.exp", elementwise(s, "sub", array, shift))
    assert isinstance(found, Arr)
    return found


def _logarithm(s: Stage, total: Value, shift: Value) -> Value:
    """``log(total) + shift``."""
    nothing = elementwise(s, "eq", total, 0)
    found = elementwise(s, "select", nothing, -INF, elementwise(s, "np.log", total))
    return elementwise(s, "add", found, shift)


def _weighted(s: Stage, array: Arr, weights: Arr, axes: tuple[int, ...], keep: bool) -> Value:
    """Terms of weight zero take no part in the shift; their exponents are bounded."""
    absent = elementwise(s, "eq", weights, 0)
    relevant = elementwise(s, "select", absent, -INF, array)
    assert isinstance(relevant, Arr)
    shift = highest(s, relevant, axes)
    exponents = elementwise(s, "sub", array, back(s, shift, array.shape, axes))
    largest = 88.0 if array.dtype == "float32" else 709.0  # more would overflow, and 0 * inf is NaN
    bounded = elementwise(s, "np.minimum", exponents, largest)
    exponents = elementwise(s, "select", absent, bounded, exponents)
    terms = elementwise(s, "mul", weights, elementwise(s, "np.exp", exponents))
    assert isinstance(terms, Arr)
    found = _logarithm(s, sums(s, (terms,), axes)[0], shift)
    return widened(found, array.shape, axes, s) if keep else found


# ---- softmax ------------------------------------------------------------------------------------


@TABLE.add(
    "scipy.special.softmax",
    "scipy.special.softmax(x, axis={axis})", "scipy.special.softmax(t, axis={axes})",
    "scipy.special.softmax(x + 1000.0, axis={axis})", "scipy.special.softmax(v) * u",
    "np.sum(scipy.special.softmax(x * y, axis=1) * x)", "scipy.special.softmax(idx * 0.1) * a",
    axis=AXES, axes=AXES_3,
)  # fmt: skip
def softmax(s: Stage, x: object, axis: object = None) -> Arr:
    return _ruled(s, "softmax", _softmax, x, axis)


@TABLE.add(
    "scipy.special.log_softmax",
    "scipy.special.log_softmax(x, axis={axis})", "scipy.special.log_softmax(t, axis={axes})",
    "scipy.special.log_softmax(700.0 * x, axis={axis})", "scipy.special.log_softmax(v) * u",
    axis=AXES, axes=AXES_3,
)  # fmt: skip
def log_softmax(s: Stage, x: object, axis: object = None) -> Arr:
    return _ruled(s, "log_softmax", _log_softmax, x, axis)


def _ruled(s: Stage, name: str, rule: Rule, x: object, axis: object) -> Arr:
    array = as_array(s, x)
    array = astype(s, array, floating(array.dtype))
    (found,) = s.rule(name, rule, array, fix_axes(s, axis, array.ndim))
    assert isinstance(found, Arr)
    return s.shaped(found, array.shape)


Pullback = Callable[..., tuple[()]]


def _softmax(s: Stage, x: Arr, axes: tuple[int, ...]) -> tuple[tuple[Arr], Pullback]:
    """``y = exp(x) / sum(exp(x))``, so ``x_bar = y * (y_bar - sum(y * y_bar))``."""
    y = s.new(x.shape, x.dtype)

    def one(shape: Shape, along: tuple[int, ...], full: Callable[..., Index]) -> None:
        part = x.lazy(shape, lambda *i: x.at(*full(*i)))
        terms = exponentials(s, part, back(s, highest(s, part, along), shape, along))

        def noted(*index: Num | int) -> Num | complex:
            item = terms.at(*index)
            s.store(y, full(*index), item)
            return item

        total = back(s, sums(s, (terms.lazy(shape, noted),), along)[0], shape, along)
        scaled = elementwise(s, "div", y.lazy(shape, lambda *i: y.at(*full(*i))), total)
        assert isinstance(scaled, Arr)
        s.nest(shape, lambda *i: s.store(y, full(*i), scaled.at(*i)))

    each_lane(s, x.shape, axes, one)

    def pullback(y_bar: Arr, x_bar: Arr) -> tuple[()]:
        def one(shape: Shape, along: tuple[int, ...], full: Callable[..., Index]) -> None:
            weights = y.lazy(shape, lambda *i: y.at(*full(*i)))
            seeds = y_bar.lazy(shape, lambda *i: y_bar.at(*full(*i)))
            products = elementwise(s, "mul", weights, seeds)
            assert isinstance(products, Arr)
            mean = back(s, sums(s, (products,), along)[0], shape, along)
            change = elementwise(s, "mul", weights, elementwise(s, "sub", seeds, mean))
            assert isinstance(change, Arr)
            s.nest(shape, lambda *i: s.add(x_bar, full(*i), change.at(*i)))

        each_lane(s, x.shape, axes, one)
        return ()

    return (y,), pullback


def _log_softmax(s: Stage, x: Arr, axes: tuple[int, ...]) -> tuple[tuple[Arr], Pullback]:
    """``y = x - log(sum(exp(x)))``, so ``x_bar = y_bar - exp(y) * sum(y_bar)``."""
    y = s.new(x.shape, x.dtype)

    def one(shape: Shape, along: tuple[int, ...], full: Callable[..., Index]) -> None:
        part = x.lazy(shape, lambda *i: x.at(*full(*i)))
        shift = back(s, highest(s, part, along), shape, along)
        shifted = elementwise(s, "sub", part, shift)
        total = sums(s, (exponentials(s, part, shift),), along)[0]
        logarithm = back(s, elementwise(s, "np.log", total), shape, along)
        found = elementwise(s, "sub", shifted, logarithm)
        assert isinstance(found, Arr)
        s.nest(shape, lambda *i: s.store(y, full(*i), found.at(*i)))

    each_lane(s, x.shape, axes, one)

    def pullback(y_bar: Arr, x_bar: Arr) -> tuple[()]:
        def one(shape: Shape, along: tuple[int, ...], full: Callable[..., Index]) -> None:
            seeds = y_bar.lazy(shape, lambda *i: y_bar.at(*full(*i)))
            total = back(s, sums(s, (seeds,), along)[0], shape, along)
            logs = y.lazy(shape, lambda *i: y.at(*full(*i)))
            less = elementwise(s, "mul", elementwise(s, "np.exp", logs), total)
            change = elementwise(s, "sub", seeds, less)
            assert isinstance(change, Arr)
            s.nest(shape, lambda *i: s.add(x_bar, full(*i), change.at(*i)))

        each_lane(s, x.shape, axes, one)
        return ()

    return (y,), pullback
