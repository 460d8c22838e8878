"""``np.add.reduce`` and its relatives: a ufunc of two arguments along an axis, or for all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, as_size, elementwise, fix_axis
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds, no_out
from mooncake_rules.library.cumulative import along_axis, at_axis, running
from mooncake_rules.library.extrema import extremum
from mooncake_rules.library.reductions import all_of, any_of, prod, total
from mooncake_rules.library.stable import logsumexp
from mooncake_rules.library.support import as_array, astype, dtype_of_sum

TABLE = Table()

AXES, FLAGS = (None, 0, 1, -1, (0, 1)), (False, True)
REDUCED: Mapping[str, Sequence[object]] = {"axis": AXES, "keepdims": FLAGS}


@TABLE.add("numpy.add.reduce", "np.add.reduce(x, axis={axis}, keepdims={keepdims})",
           "np.add.reduce(x)", **REDUCED)  # fmt: skip
def add_reduce(
    s: Stage, array: object, axis: object = 0, dtype: str | None = None, out: None = None,
    keepdims: bool = False, initial: object = 0, where: object = None,
) -> Value:  # fmt: skip
    return total(s, array, axis, dtype, out, keepdims, initial, where)


@TABLE.add("numpy.multiply.reduce", "np.multiply.reduce(x, axis={axis}, keepdims={keepdims})",
           "np.multiply.reduce(x)", **REDUCED)  # fmt: skip
def multiply_reduce(
    s: Stage, array: object, axis: object = 0, dtype: str | None = None, out: None = None,
    keepdims: bool = False, initial: object = 1, where: object = None,
) -> Value:  # fmt: skip
    return prod(s, array, axis, dtype, out, keepdims, initial, where)


def _none_of(s: Stage, dtype: object, out: object) -> None:
    no_out(s, out)
    if dtype is not None:
        raise s.refuse("dtype= of this is not supported", "convert the result: .astype(dtype)")


@TABLE.add("numpy.maximum.reduce", "np.maximum.reduce(x, axis={axis}, keepdims={keepdims})",
           "np.maximum.reduce(t)", "np.maximum.reduce(v, initial=0.3)", **REDUCED)  # fmt: skip
def maximum_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False, initial: object = None, where: object = None,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return extremum(s, array, axis, keepdims, "gt", initial=initial, where=where)


@TABLE.add("numpy.minimum.reduce", "np.minimum.reduce(x, axis={axis}, keepdims={keepdims})",
           "np.minimum.reduce(t)", **REDUCED)  # fmt: skip
def minimum_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False, initial: object = None, where: object = None,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return extremum(s, array, axis, keepdims, "lt", initial=initial, where=where)


@TABLE.add("numpy.logaddexp.reduce", "np.logaddexp.reduce(x, axis={axis}, keepdims={keepdims})",
           "np.logaddexp.reduce(900.0 * x)", **REDUCED)  # fmt: skip
def logaddexp_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return logsumexp(s, array, axis, None, flag(s, keepdims, "keepdims"))


@TABLE.add("numpy.logical_and.reduce", "np.logical_and.reduce(mask, axis=1) * w")
def and_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return all_of(s, array, axis, None, keepdims)


@TABLE.add("numpy.logical_or.reduce", "np.logical_or.reduce(mask, axis=1) * w")
def or_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return any_of(s, array, axis, None, keepdims)


@TABLE.add("numpy.add.accumulate", "np.add.accumulate(x, axis={axis})", "np.add.accumulate(x)",
           axis=(0, 1, -1))  # fmt: skip
def add_accumulate(
    s: Stage, array: object, axis: int = 0, dtype: str | None = None, out: None = None
) -> Arr:
    return running(s, array, axis, dtype, out, "add")


@TABLE.add("numpy.multiply.accumulate", "np.multiply.accumulate(x, axis={axis})",
           "np.multiply.accumulate(v)", axis=(0, 1, -1))  # fmt: skip
def multiply_accumulate(
    s: Stage, array: object, axis: int = 0, dtype: str | None = None, out: None = None
) -> Arr:
    return running(s, array, axis, dtype, out, "mul")


# What ufuncs with other names do to numbers. Each result is made of the one before.
STEPS: Mapping[str, str] = {
    "subtract": "sub", "divide": "div", "true_divide": "div", "maximum": "np.maximum",
    "minimum": "np.minimum", "fmax": "np.fmax", "fmin": "np.fmin", "hypot": "np.hypot",
    "logaddexp": "np.logaddexp", "logaddexp2": "np.logaddexp2",
}  # fmt: skip


def _enter_running(name: str, op: str) -> None:
    @TABLE.add(f"numpy.{name}.accumulate", f"np.{name}.accumulate(pos, axis={{axis}})",
               f"np.{name}.accumulate(v)", axis=(0, 1, -1))  # fmt: skip
    def accumulate(
        s: Stage, array: object, axis: int = 0, dtype: None = None, out: None = None
    ) -> Arr:
        _none_of(s, dtype, out)
        given = as_array(s, array)
        found = s.new(given.shape, s.result(op, given, given))
        k = fix_axis(s, axis, given.ndim)
        along_axis(s, astype(s, given, found.dtype), found, k, partial(s.op, op))
        return found


for _name, _op in STEPS.items():
    _enter_running(_name, _op)


def reduceat(s: Stage, a: object, indices: object, axis: object, op: str) -> Arr:
    """``op`` folded from each index to the next one, or to the end; alone if that is smaller."""
    array, marks = as_array(s, a), s.keep(as_array(s, indices))
    k = fix_axis(s, axis, array.ndim)
    if marks.ndim != 1 or "int" not in marks.dtype:
        raise s.refuse("reduceat takes a vector of integers", None, "MK213")
    size, count = array.shape[k], marks.shape[0]
    kind = dtype_of_sum(array.dtype) if op in ("add", "mul") else array.dtype
    array = s.keep(astype(s, array, kind))

    def inside(j: Num | int) -> None:
        at = marks.at(j)
        fits = s.op("and", s.op("ge", at, 0), s.op("lt", at, size))
        s.require(fits, "index out of bounds in reduceat", "IndexError")  # type: ignore[arg-type]

    s.nest((count,), inside)
    shape = at_axis(array.shape, k, count)
    found = s.new(shape, kind)

    def one(*index: Num | int) -> None:
        j = index[k]
        lo = marks.at(j)
        is_last = holds(s, "ge", size_op(s, "add", j, 1), count)
        (hi,) = s.choose(is_last, lambda: (size,), lambda: (marks.at(size_op(s, "add", j, 1)),))
        more = s.shrunk(as_size(s.op("sub", hi, lo)), 1)

        def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, ...]:
            place = as_size(s.op("add", s.op("add", lo, 1), i))
            return (s.op(op, accs[0], array.at(*at_axis(index, k, place))),)

        first = array.at(*at_axis(index, k, as_size(lo)))
        s.store(found, index, s.fold((more,), (first,), step)[0])

    s.nest(shape, one)
    return found


def _enter_at(name: str, op: str) -> None:
    @TABLE.add(f"numpy.{name}.reduceat", f"np.{name}.reduceat(x, {{indices}}, axis={{axis}})",
               f"np.{name}.reduceat(v, idx[:2])", indices=([0, 1], [1, 0, 2]),
               axis=(0, 1))  # fmt: skip
    def from_indices(
        s: Stage, array: object, indices: object, axis: int = 0, dtype: None = None,
        out: None = None,
    ) -> Arr:  # fmt: skip
        _none_of(s, dtype, out)
        return reduceat(s, array, indices, axis, op)


for _name, _op in {"add": "add", "multiply": "mul", "maximum": "np.maximum",
                   "minimum": "np.minimum"}.items():  # fmt: skip
    _enter_at(_name, _op)

# ---- all pairs ----------------------------------------------------------------------------------

OUTER: Mapping[str, str] = {
    "add": "add", "subtract": "sub", "divide": "div", "true_divide": "div",
    "power": "np.power", "float_power": "np.float_power", "maximum": "np.maximum",
    "minimum": "np.minimum", "fmax": "np.fmax", "fmin": "np.fmin", "arctan2": "np.arctan2",
    "hypot": "np.hypot", "logaddexp": "np.logaddexp", "logaddexp2": "np.logaddexp2",
    "copysign": "np.copysign", "fmod": "np.fmod", "mod": "mod", "remainder": "mod",
    "floor_divide": "floordiv", "greater": "gt", "greater_equal": "ge", "less": "lt",
    "less_equal": "le", "equal": "eq", "not_equal": "ne", "logical_and": "np.logical_and",
    "logical_or": "np.logical_or", "logical_xor": "np.logical_xor", "heaviside": "np.heaviside",
}  # fmt: skip


def outer(s: Stage, op: str, a: object, b: object) -> Value:
    """``op`` of all pairs of elements: the axes of ``a``, then those of ``b``."""
    left, right = as_array(s, a), as_array(s, b)
    ones: tuple[Num | int, ...] = (1,) * right.ndim
    wide = left.lazy((*left.shape, *ones), lambda *i: left.at(*i[: left.ndim]))
    return elementwise(s, op, wide, right)


FLAT = ("floor_divide", "greater", "greater_equal", "less", "less_equal", "equal", "not_equal",
        "logical_and", "logical_or", "logical_xor")  # fmt: skip


def _enter(name: str, op: str, *examples: str) -> None:
    @TABLE.add(f"numpy.{name}.outer", *examples)
    def pairs(s: Stage, A: object, B: object) -> Value:
        return outer(s, op, A, B)


for _name, _op in OUTER.items():
    _enter(_name, _op, f"np.{_name}.outer(pos, v){' * v[0]' if _name in FLAT else ''}"
           if "power" not in _name else f"np.{_name}.outer(pos, u)")  # fmt: skip
_enter("multiply", "mul", "np.multiply.outer(v, w)", "np.multiply.outer(x, t)",
       "np.multiply.outer(a, v)", "np.multiply.outer(v, a)",
       "np.multiply.outer(np.exp(v), np.sin(w))")  # fmt: skip
