"""Elements chosen, bounded, rounded or replaced by conditions."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import Arr, Stage, Table, Value, elementwise
from mooncake_rules.library import indexing
from mooncake_rules.library.applying import function_of
from mooncake_rules.library.arguments import as_value, flag, no_out, number, whole_number
from mooncake_rules.library.reductions import truth
from mooncake_rules.library.support import as_array, astype, is_complex, is_float

TABLE = Table()

INF = float("inf")


def dtype_of(s: Stage, value: Value) -> str:
    return value.dtype if isinstance(value, Arr) else s.promote(value)


@TABLE.add(
    "numpy.clip ndarray.clip",
    "np.clip(x, {low}, {high})", "x.clip({low}, {high})", "np.clip(x, v, None)",
    "np.clip(x, -w[0] * w[0], w[1] * w[1])",
    "x.clip(max=0.2)", "np.clip(x, a_min=-0.1, a_max=pos)", "np.clip(idx, 1, 2) * a",
    "np.clip(a, 0.0, 1.0)", "np.clip(x, min=-0.3)", "np.clip(x, y - 0.5, y + 0.5)",
    low=(None, -0.25), high=(None, 0.75),
)  # fmt: skip
def clip(
    s: Stage, a: object, a_min: object = None, a_max: object = None, out: None = None, *,
    min: object = None, max: object = None,
) -> Value:  # fmt: skip
    """``numpy.clip``: a value at a bound counts as the bound, so a constant bound gives 0."""
    no_out(s, out)
    value = as_value(s, a, "a")
    low = a_min if min is None else min
    high = a_max if max is None else max
    if low is None and high is None:
        return value
    bounds = [as_value(s, bound, "a bound") for bound in (low, high) if bound is not None]
    if not any(is_float(dtype_of(s, one)) for one in (value, *bounds)):
        if low is not None:
            value = elementwise(s, "np.maximum", value, as_value(s, low, "a_min"))
        return (
            value
            if high is None
            else elementwise(s, "np.minimum", value, as_value(s, high, "a_max"))
        )
    for bound, beyond in ((low, "le"), (high, "ge")):
        if isinstance(bound, int | float) and None in (low, high):
            return elementwise(s, "select", elementwise(s, beyond, value, bound), bound, value)
    low = -INF if low is None else as_value(s, low, "a_min")
    high = INF if high is None else as_value(s, high, "a_max")
    return elementwise(s, "np.clip", value, low, high)


@TABLE.add(
    "numpy.where", "np.where(mask, x, y)", "np.where(x > 0.0, x * x, -x)",
    "np.where(mask, v, w[0])",
    "np.where(a > 0.0, x, y)", "x[np.where(x[:, 0] < 9.0)[0]]", "np.where(idx, 1.0, a)",
)  # fmt: skip
def where(s: Stage, condition: object, x: object = None, y: object = None) -> object:
    chosen = as_value(s, condition, "condition")
    if x is None and y is None:
        return s.call("numpy.nonzero", as_array(s, chosen))
    if x is None or y is None:
        raise s.refuse("where takes one argument, or three")
    return elementwise(s, "where", chosen, as_value(s, x, "x"), as_value(s, y, "y"))


@TABLE.add(
    "numpy.round numpy.around ndarray.round numpy.round_",
    "np.round(x, {decimals}) * y", "x.round() * y", "np.round(x) * y", "np.around(a, 1) * b",
    "np.round(z, 1) * z",
    decimals=(0, 1, -1),
)  # fmt: skip
def rounded(s: Stage, a: object, decimals: int = 0, out: None = None) -> Value:
    no_out(s, out)
    value, places = as_value(s, a, "a"), whole_number(s, decimals, "decimals")
    if is_complex(dtype_of(s, value)):
        parts = [rounded(s, elementwise(s, part, value), places) for part in ("np.real", "np.imag")]
        found = elementwise(s, "add", parts[0], elementwise(s, "mul", parts[1], 1j))
        if not isinstance(found, Arr) or places == 0:
            return found
        return s.laid_out(found, s.any_order(found.shape))
    if not is_float(dtype_of(s, value)) and places >= 0:
        return value
    if places == 0:
        return elementwise(s, "np.round", value)
    found = elementwise(s, "np.round_to", value, places)
    if isinstance(found, Arr) and isinstance(value, Arr):
        return s.laid_out(found, s.fortran(value, found.shape))
    return found


@TABLE.add(
    "numpy.nan_to_num",
    "np.nan_to_num(np.where(mask, x, np.nan))",
    "np.nan_to_num(np.where(mask, x, np.inf), posinf=a)",
    "np.nan_to_num(np.where(mask, x, -np.inf), True, 0.0, None, 2.0)",
    "np.nan_to_num(np.where(mask, x, np.nan), nan=a)", "np.nan_to_num(x, nan=1.0, neginf=0.0)",
    "np.nan_to_num(np.where(mask, x, np.nan), copy=False)",
)  # fmt: skip
def nan_to_num(
    s: Stage, x: object, copy: object = True, nan: object = 0.0, posinf: object = None,
    neginf: object = None,
) -> Value:  # fmt: skip
    is_new = flag(s, copy, "copy")
    value = as_value(s, x, "x")
    dtype = dtype_of(s, value)
    if not is_float(dtype):
        return value
    if is_complex(dtype):
        raise s.refuse("nan_to_num of complex numbers is not supported")
    top = 3.4028234663852886e38 if dtype == "float32" else 1.7976931348623157e308
    high = top if posinf is None else number(s, posinf, "posinf")
    low = -top if neginf is None else number(s, neginf, "neginf")
    missing = number(s, nan, "nan")
    found = elementwise(s, "where", elementwise(s, "eq", value, INF), high, value)
    found = elementwise(s, "where", elementwise(s, "eq", value, -INF), low, found)
    found = elementwise(s, "where", elementwise(s, "np.isnan", value), missing, found)
    if not isinstance(found, Arr):
        return found
    found = astype(s, found, dtype)
    if is_new or not isinstance(x, Arr) or (x.memory is None and not x.shows):
        return found  # nobody else has what is computed here
    target = s.writable(x)
    s.nest(target.shape, lambda *i: s.store(target, i, found.at(*i)))
    return target


@TABLE.add(
    "numpy.piecewise",
    "np.piecewise(x, [x < 0.0, x >= 0.0], [lambda q: q * q, lambda q: -3.0 * q])",
    "np.piecewise(v, [v > 0.5], [lambda q: np.exp(q), a])",
    "np.piecewise(x, [mask], [np.exp, np.cumsum])",
    "np.piecewise(x, [mask, x > 1.0], [1.0, lambda q: q / np.sum(q), lambda q: q])",
    "np.piecewise(v, [v < 0.0, v > 0.0], [lambda q, c: c * q, 2.0, a], b)",
)  # fmt: skip
def piecewise(s: Stage, x: object, condlist: object, funclist: object, *args: object) -> Arr:
    """Each function is called once, with a vector of the elements for which its condition holds.

    As NumPy has it: later conditions prevail, a last function without one is for the rest.
    """
    array = s.keep(as_array(s, x))
    conds = condlist if isinstance(condlist, tuple | list) else (condlist,)
    masks = [s.keep(truth(s, as_array(s, cond))) for cond in conds]
    if not isinstance(funclist, tuple | list) or len(funclist) not in (len(masks), len(masks) + 1):
        raise s.refuse("piecewise takes a function for each condition, and one for the rest")
    if len(funclist) == len(masks) + 1:
        seen: Value = masks[0]
        for mask in masks[1:]:
            seen = elementwise(s, "or", seen, mask)
        rest = elementwise(s, "not", seen)
        assert isinstance(rest, Arr)
        masks.append(s.keep(rest))
    out = s.new(array.shape, array.dtype, 0)
    for mask, function in zip(masks, funclist, strict=True):
        _fill(s, out, array, mask, function, args)
    return out


def _fill(
    s: Stage, out: Arr, array: Arr, mask: Arr, function: object, args: tuple[object, ...]
) -> None:
    if isinstance(function, str):
        function = function_of(s, function)
    if not callable(function):
        indexing.put(s, out, (mask,), s.cast(number(s, function, "a function"), out.dtype))
        return
    where = indexing.nonzero(s, mask)
    call: Callable[..., object] = function
    found = as_array(s, call(indexing.select(s, array, where).read(), *args))
    indexing.put(s, out, where, astype(s, s.keep(found) if found.ndim else found, out.dtype))
