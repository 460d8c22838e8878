"""Running sums and products."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from mooncake_rules.arrays import Arr, Num, Stage, Table, fix_axis, product
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import element_type, flag, holds, no_out
from mooncake_rules.library.missing import HOLES, filled
from mooncake_rules.library.support import as_array, astype, dtype_of_sum

TABLE = Table()
Combine = Callable[..., Num | complex]

AXES = (None, 0, 1, -1)
AXES_3 = (0, 1, 2, -3)


def flat(s: Stage, array: Arr) -> Arr:
    """``array`` as a vector, in C order."""
    return array if array.ndim == 1 else s.reshape(array, (product(s, array.shape),))


def running(s: Stage, a: object, axis: object, dtype: object, out: object, op: str) -> Arr:
    """``op`` folded over all elements so far along ``axis``; rows build on the row before."""
    no_out(s, out)
    array = as_array(s, a)
    if axis is None:
        array, k = flat(s, array), 0
    else:
        k = fix_axis(s, axis, array.ndim)
    kind = element_type(s, dtype, dtype_of_sum(array.dtype))
    array, result = astype(s, array, kind), s.new(array.shape, kind)
    if k == array.ndim - 1:
        first = s.cast(0 if op == "add" else 1, kind)
        s.nest(array.shape[:-1], lambda *i: _scan(s, array, result, i, op, first))
        return result
    along_axis(s, array, result, k, partial(s.op, op))
    return result


def along_axis(s: Stage, array: Arr, result: Arr, k: int, op: Combine) -> None:
    """``result``: ``array`` folded along the axis ``k``, each element with the result before it."""
    size = array.shape[k]

    def start() -> tuple[()]:
        s.nest(at_axis(array.shape, k, 1), lambda *i: s.store(result, i, array.at(*i)))
        return ()

    def one(*index: Num | int) -> None:
        at = at_axis(index, k, size_op(s, "add", index[k], 1))
        s.store(result, at, op(result.at(*index), array.at(*at)))

    s.choose(holds(s, "gt", size, 0), start, tuple)
    s.nest(at_axis(array.shape, k, s.shrunk(size, 1)), one)


def at_axis(index: Sequence[Num | int], k: int, i: Num | int) -> tuple[Num | int, ...]:
    """``index``, or a shape, with ``i`` at axis ``k``."""
    return (*index[:k], i, *index[k + 1 :])


def _scan(
    s: Stage, array: Arr, result: Arr, at: Sequence[Num | int], op: str, first: Num | complex
) -> None:
    """The running fold along the last axis, at ``at`` of the others, with a carried value."""

    def step(accs: Sequence[Num | complex], i: Num | int) -> Sequence[Num | complex]:
        found = s.op(op, accs[0], array.at(*at, i))
        s.store(result, (*at, i), found)
        return (found,)

    s.fold(array.shape[-1:], (first,), step)


@TABLE.add(
    "numpy.cumsum ndarray.cumsum", "np.cumsum(x, axis={axis})", "x.cumsum({axis})",
    "np.cumsum(t, axis={axes})", "np.cumsum(v * u)", "np.cumsum(z, axis=0)",
    "np.cumsum(mask, axis=1) * x", "np.cumsum(v, dtype=np.float64)",
    axis=AXES, axes=AXES_3,
)  # fmt: skip
def cumsum(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None
) -> Arr:
    return running(s, a, axis, dtype, out, "add")


@TABLE.add(
    "numpy.cumprod ndarray.cumprod", "np.cumprod(x, axis={axis})", "x.cumprod({axis})",
    "np.cumprod(t, axis={axes})", "np.cumprod(x * (x > x[0, 1]), axis={axis})",
    "np.cumprod(z, axis=1)",
    axis=AXES, axes=AXES_3,
)  # fmt: skip
def cumprod(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None
) -> Arr:
    """``numpy.cumprod``, without quotients: the derivative is right where factors are zero."""
    return running(s, a, axis, dtype, out, "mul")


@TABLE.add("numpy.nancumsum", f"np.nancumsum({HOLES}, axis={{axis}})", axis=AXES)
def nancumsum(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None
) -> Arr:
    return running(s, filled(s, as_array(s, a), 0), axis, dtype, out, "add")


@TABLE.add("numpy.nancumprod", f"np.nancumprod({HOLES}, axis={{axis}})", axis=AXES)
def nancumprod(
    s: Stage, a: object, axis: object = None, dtype: str | None = None, out: None = None
) -> Arr:
    return running(s, filled(s, as_array(s, a), 1), axis, dtype, out, "mul")


@TABLE.add(
    "numpy.cumulative_sum",
    "np.cumulative_sum(x, axis={axis}, include_initial={initial})", "np.cumulative_sum(v)",
    axis=(0, 1, -1), initial=(False, True),
)  # fmt: skip
def cumulative_sum(
    s: Stage, x: object, *, axis: object = None, dtype: str | None = None, out: None = None,
    include_initial: bool = False,
) -> Arr:  # fmt: skip
    return _cumulative(s, x, axis, dtype, out, include_initial, "add", 0)


@TABLE.add(
    "numpy.cumulative_prod",
    "np.cumulative_prod(x, axis={axis}, include_initial={initial})", "np.cumulative_prod(v)",
    axis=(0, 1, -1), initial=(False, True),
)  # fmt: skip
def cumulative_prod(
    s: Stage, x: object, *, axis: object = None, dtype: str | None = None, out: None = None,
    include_initial: bool = False,
) -> Arr:  # fmt: skip
    return _cumulative(s, x, axis, dtype, out, include_initial, "mul", 1)


def _cumulative(
    s: Stage, x: object, axis: object, dtype: object, out: object, initial: object, op: str,
    first: int,
) -> Arr:  # fmt: skip
    array = as_array(s, x)
    if axis is None and array.ndim != 1:
        raise s.refuse("axis must be given for arrays of other ranks than 1")
    k = fix_axis(s, 0 if axis is None else axis, array.ndim)
    found = running(s, array, k, dtype, out, op)
    if not flag(s, initial, "include_initial"):
        return found
    head = found.lazy(at_axis(found.shape, k, 1), lambda *_: first)
    joined = s.call("numpy.concatenate", (head, found), axis=k)
    assert isinstance(joined, Arr)
    return joined
