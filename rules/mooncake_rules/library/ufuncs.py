"""``np.add.reduce`` and its relatives: a ufunc of two arguments along an axis, or for all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import flag, no_out
from mooncake_rules.library.cumulative import running
from mooncake_rules.library.extrema import extremum
from mooncake_rules.library.reductions import all_of, any_of, prod, total
from mooncake_rules.library.stable import logsumexp
from mooncake_rules.library.support import as_array

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
           "np.maximum.reduce(t)", **REDUCED)  # fmt: skip
def maximum_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return extremum(s, array, axis, keepdims, "gt")


@TABLE.add("numpy.minimum.reduce", "np.minimum.reduce(x, axis={axis}, keepdims={keepdims})",
           "np.minimum.reduce(t)", **REDUCED)  # fmt: skip
def minimum_reduce(
    s: Stage, array: object, axis: object = 0, dtype: None = None, out: None = None,
    keepdims: bool = False,
) -> Value:  # fmt: skip
    _none_of(s, dtype, out)
    return extremum(s, array, axis, keepdims, "lt")


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
