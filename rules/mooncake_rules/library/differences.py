"""Differences and derivatives along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    common_size,
    elementwise,
    fix_axes,
    fix_axis,
)
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import as_value, holds, whole_number
from mooncake_rules.library.cumulative import at_axis, flat, running
from mooncake_rules.library.lanes import detached, repeatable
from mooncake_rules.library.support import as_array, astype, floating

TABLE = Table()

Size = Num | int
AXES = (0, 1, -1)


def plus(s: Stage, i: Size, by: Size) -> Size:
    return size_op(s, "add", i, by)


def steps(s: Stage, array: Arr, k: int) -> Arr:
    """The difference of each element along axis ``k`` and the next one."""
    op = "ne" if array.dtype == "bool" else "sub"
    shape = at_axis(array.shape, k, s.shrunk(array.shape[k], 1))
    return array.lazy(
        shape,
        lambda *i: s.op(op, array.at(*at_axis(i, k, plus(s, i[k], 1))), array.at(*i)),
    )


@TABLE.add(
    "numpy.diff", "np.diff(x, n={n}, axis={axis})", "np.diff(t, axis={axes})", "np.diff(np.exp(v))",
    "np.diff(x, axis=1, prepend=0.0)", "np.diff(x, 1, 0, y, pos)", "np.diff(v, append=a)",
    "np.diff(x, axis=0, prepend=x[:1])", "np.diff(idx) * a", "np.diff(z)",
    n=(0, 1, 2, 3), axis=AXES, axes=(0, 1, 2),
)  # fmt: skip
def diff(
    s: Stage, a: object, n: int = 1, axis: int = -1, prepend: object = None, append: object = None
) -> Arr:
    array = as_array(s, a)
    k, times = fix_axis(s, axis, array.ndim), whole_number(s, n, "n")
    if times < 0:
        raise s.refuse("n must not be negative")
    if times and (prepend is not None or append is not None):
        ends = [_end(s, end, array, k) for end in (prepend, append)]
        parts = [part for part in (ends[0], array, ends[1]) if part is not None]
        joined = s.call("numpy.concatenate", tuple(parts), axis=k)
        assert isinstance(joined, Arr)
        array = joined
    for turn in range(times):
        array = steps(s, repeatable(s, array) if turn % 2 == 0 else s.keep(array), k)
    return array


def _end(s: Stage, end: object, array: Arr, k: int) -> Arr | None:
    if end is None:
        return None
    found = as_array(s, end)
    if found.ndim:
        return found
    return array.lazy(at_axis(array.shape, k, 1), lambda *_: found.at(), found.dtype)


@TABLE.add(
    "numpy.ediff1d", "np.ediff1d(x)", "np.ediff1d(v, to_end=a)", "np.ediff1d(v, w, [1.0, 2.0])",
    "np.ediff1d(x, to_begin=v)",
)  # fmt: skip
def ediff1d(s: Stage, ary: object, to_end: object = None, to_begin: object = None) -> Arr:
    array = flat(s, as_array(s, ary))
    found = steps(s, repeatable(s, array), 0)
    ends = [None if end is None else _vector(s, end) for end in (to_begin, to_end)]
    if ends == [None, None]:
        return found
    parts = [part for part in (ends[0], found, ends[1]) if part is not None]
    joined = s.call("numpy.concatenate", tuple(parts))
    assert isinstance(joined, Arr)
    return astype(s, joined, array.dtype)


def _vector(s: Stage, a: object) -> Arr:
    array = as_array(s, a)
    return flat(s, array) if array.ndim else array.lazy((1,), lambda _: array.at())


# ---- gradient -----------------------------------------------------------------------------------


@TABLE.add(
    "numpy.gradient",
    "np.gradient(x, axis={axis}, edge_order={order})", "np.gradient(x)",
    "np.gradient(x, a, edge_order={order})", "np.gradient(x, a, b, axis=(1, 0))",
    "np.gradient(x, np.cumsum(pos[0]), axis=1, edge_order={order})", "np.gradient(v)",
    "np.gradient(x, w, a)", "np.gradient(v, np.exp(u), edge_order={order})",
    "np.gradient(t, axis=(1, 2))", "np.gradient(np.sin(x), 0.5, axis=0)",
    axis=(None, 0, 1, -1, (0, 1)), order=(1, 2),
)  # fmt: skip
def gradient(
    s: Stage, f: object, *varargs: object, axis: object = None, edge_order: int = 1
) -> object:
    """Central differences, one-sided at the ends: an array per axis."""
    array = as_array(s, f)
    array = repeatable(s, astype(s, array, floating(array.dtype)))
    given = axis if isinstance(axis, tuple | list) else None
    axes = (
        [fix_axis(s, k, array.ndim) for k in given]
        if given is not None
        else list(fix_axes(s, axis, array.ndim))
    )
    spacings = list(varargs) or [1.0]
    spacings = spacings * len(axes) if len(spacings) == 1 else spacings
    if len(spacings) != len(axes):
        raise s.refuse("gradient takes no spacing, one for all axes, or one for each")
    order = whole_number(s, edge_order, "edge_order")
    if order not in (1, 2):
        raise s.refuse("edge_order must be 1 or 2")
    found = tuple(
        _gradient(s, array, k, as_array(s, h), order) for k, h in zip(axes, spacings, strict=True)
    )
    return found if len(found) > 1 else found[0]


@dataclass(frozen=True, slots=True)
class Stencil:
    """Weights of an element and those after it, and what their sum is divided by."""

    weights: Sequence[Num | complex]
    scale: Num | complex = 1.0

    def of(self, s: Stage, f: Callable[[int], Num | complex]) -> Num | complex:
        found: Num | complex | None = None
        for m, weight in reversed(list(enumerate(self.weights))):
            known = 0.5 if isinstance(weight, Num) else weight
            if known == 0:
                continue
            term = f(m) if abs(known) == 1 else s.op("mul", weight, f(m))
            if found is None:
                found = s.op("neg", term) if known == -1 else term
            else:
                found = s.op("sub" if known == -1 else "add", found, term)
        assert found is not None
        whole = not isinstance(self.scale, Num) and self.scale == 1
        return found if whole else s.op("div", found, self.scale)


# For an edge order: the stencil about a place, that of the first, and that of the last place.
Stencils = Callable[[int], tuple[Callable[["Num | int"], Stencil], Stencil, Stencil]]


def _gradient(s: Stage, f: Arr, k: int, spacing: Arr, order: int) -> Arr:
    size = f.shape[k]
    s.require(holds(s, "gt", size, order), "gradient: too few elements for this edge_order")
    out = s.new(f.shape, f.dtype)
    stencils = _even(s, spacing.at()) if spacing.ndim == 0 else _uneven(s, spacing, size)

    def line(count: Size, first: Size, stencil: Callable[[Size], Stencil], left: int) -> None:
        """``out`` at ``count`` places from ``first`` on, of what begins ``left`` places before."""

        def one(*index: Size) -> None:
            at = plus(s, index[k], first)
            value = stencil(at).of(s, lambda m: f.at(*at_axis(index, k, plus(s, at, m - left))))
            s.store(out, at_axis(index, k, at), s.cast(value, f.dtype))

        s.nest(at_axis(f.shape, k, count), one)

    inner, start, end = stencils(order)
    line(1, 0, lambda _: start, 0)
    line(s.shrunk(size, 2), 1, inner, 1)
    line(1, size_op(s, "sub", size, 1), lambda _: end, order)
    return out


def _even(s: Stage, h: Num | complex) -> Stencils:
    """The weights for neighbours at a distance of ``h`` each."""
    twice = s.op("mul", 2.0, h) if isinstance(h, Num) else 2.0 * h

    def of(order: int) -> tuple[Callable[[Size], Stencil], Stencil, Stencil]:
        inner = Stencil((-1.0, 0.0, 1.0), twice)
        if order == 1:
            return lambda _: inner, Stencil((-1.0, 1.0), h), Stencil((-1.0, 1.0), h)
        first, last = (-3.0, 4.0, -1.0), (1.0, -4.0, 3.0)
        return lambda _: inner, Stencil(first, twice), Stencil(last, twice)

    return of


def _uneven(s: Stage, x: Arr, size: Size) -> Stencils:
    """Weights of neighbours at the places ``x``, of second order inside (Fornberg, 1988)."""
    if x.ndim != 1:
        raise s.refuse("gradient: the coordinates of an axis must be a vector", None, "MK216")
    common_size(s, x.shape[0], size, "gradient")
    x = s.keep(x) if not x.cheap else x

    def gap(i: Size) -> Num | complex:
        return s.op("sub", x.at(plus(s, i, 1)), x.at(i))

    def weights(of: Callable[..., Stencil], i: Size) -> Stencil:
        return of(s, gap(i), gap(plus(s, i, 1)))

    def inner(i: Size) -> Stencil:
        return _inner(s, gap(size_op(s, "sub", i, 1)), gap(i))

    def slope(i: Size) -> Stencil:
        return Stencil((-1.0, 1.0), gap(i))

    def of(order: int) -> tuple[Callable[[Size], Stencil], Stencil, Stencil]:
        end = size_op(s, "sub", size, order + 1)
        if order == 1:
            return inner, slope(0), slope(end)
        return inner, weights(_first, 0), weights(_last, end)

    return of


def _inner(s: Stage, d1: Num | complex, d2: Num | complex) -> Stencil:
    """The weights of three places, ``d1`` and ``d2`` apart, for the slope at the second."""
    both = s.op("add", d1, d2)
    return Stencil([
        s.op("neg", s.op("div", d2, s.op("mul", d1, both))),
        s.op("div", s.op("sub", d2, d1), s.op("mul", d1, d2)),
        s.op("div", d1, s.op("mul", d2, both)),
    ])  # fmt: skip


def _first(s: Stage, d1: Num | complex, d2: Num | complex) -> Stencil:
    """The weights of three such places, for the slope at the first."""
    both = s.op("add", d1, d2)
    return Stencil([
        s.op("neg", s.op("div", s.op("add", s.op("add", d1, d1), d2), s.op("mul", d1, both))),
        s.op("div", both, s.op("mul", d1, d2)),
        s.op("neg", s.op("div", d1, s.op("mul", d2, both))),
    ])  # fmt: skip


def _last(s: Stage, d1: Num | complex, d2: Num | complex) -> Stencil:
    """The weights of three such places, for the slope at the third."""
    both = s.op("add", d1, d2)
    return Stencil([
        s.op("div", d2, s.op("mul", d1, both)),
        s.op("neg", s.op("div", both, s.op("mul", d1, d2))),
        s.op("div", s.op("add", s.op("add", d2, d2), d1), s.op("mul", d2, both)),
    ])  # fmt: skip


@TABLE.add(
    "numpy.unwrap", "np.unwrap(4.0 * x, axis={axis})", "np.unwrap(9.0 * v, period=4.0)",
    "np.unwrap(5.0 * v, discont=3.5)", axis=AXES,
)  # fmt: skip
def unwrap(
    s: Stage,
    p: object,
    discont: object = None,
    axis: int = -1,
    *,
    period: object = 2 * math.pi,
) -> Arr:
    """``numpy.unwrap``: jumps beyond half a period are undone by periods, which are constant."""
    array = as_array(s, p)
    array = repeatable(s, astype(s, array, floating(array.dtype)))
    k, span = fix_axis(s, axis, array.ndim), as_value(s, period, "period")
    jumps = steps(s, array, k)
    half = elementwise(s, "div", span, 2)
    low = elementwise(s, "neg", half)
    rest = elementwise(s, "mod", elementwise(s, "sub", jumps, low), span)
    short = elementwise(s, "add", rest, low)
    top = elementwise(s, "and", elementwise(s, "eq", short, low), elementwise(s, "gt", jumps, 0))
    fix = elementwise(s, "sub", elementwise(s, "select", top, half, short), jumps)
    least = half
    if discont is not None:
        least = elementwise(s, "np.maximum", as_value(s, discont, "discont"), half)
    small = elementwise(s, "lt", elementwise(s, "np.abs", jumps), least)
    shifts = detached(s, elementwise(s, "select", small, 0.0, fix))
    total = running(s, shifts, k, None, None, "add")

    def at(*index: Size) -> Num | complex:
        before = at_axis(index, k, size_op(s, "sub", index[k], 1))
        later = holds(s, "gt", index[k], 0)
        (shift,) = s.choose(
            later, lambda: (total.at(*before),), lambda: (s.cast(0.0, total.dtype),)
        )
        return s.op("add", array.at(*index), shift)

    return Arr(s, array.dtype, array.shape, at, None, False, array.reads | total.reads)
