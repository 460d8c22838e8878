"""Making arrays of numbers and arrays, copies, conversions."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Stage, Table, common_size
from mooncake_rules.library.arguments import element_type, flag
from mooncake_rules.library.support import as_array, astype
from mooncake_rules.library.views import part as part_of

TABLE = Table()


@TABLE.add(
    "numpy.array",
    "np.array(x)",
    "np.array([x[0, 0], 2.0, x[1, 1]])",
    "np.array([x[0], x[1] * 2.0])", "np.array(x, copy=False) * y", "np.array(x, copy=None)",
    "np.array(x.T, order='C')", "np.array(x, order='F') * y",
)  # fmt: skip
def array(
    s: Stage, a: object, dtype: str | None = None, copy: object = True, order: str | None = "K"
) -> Arr:
    if order == "F" and isinstance(a, Arr) and copy is not None and flag(s, copy, "copy"):
        made = s.copied(a, "F")
        return s.laid_out(astype(s, made, element_type(s, dtype, a.dtype)), made.layout)
    kept = _order(s, order)
    if kept == "C" and isinstance(a, Arr):
        return astype(s, s.copied(a, "C"), element_type(s, dtype, a.dtype))
    if isinstance(a, tuple | list):
        if copy is not None and not flag(s, copy, "copy"):
            raise s.refuse("a list or tuple has to be copied")
        return s.keep(_stacked(s, a, dtype))
    given = as_array(s, a)
    if copy is None:
        return asarray(s, given, dtype)
    kind = element_type(s, dtype, given.dtype)
    if not flag(s, copy, "copy") and kind != given.dtype:
        raise s.refuse(f"an array of {given.dtype} has to be copied for {kind}")
    return _of_type(s, given, kind, copy)


def _of_type(s: Stage, a: Arr, dtype: str, copy: object) -> Arr:
    """``a`` itself where no copy is asked for or needed."""
    if a.dtype == dtype and not flag(s, copy, "copy"):
        return a
    return astype(s, s.copied(a, "K"), dtype)


def _order(s: Stage, order: str | None) -> str:
    if order not in ("C", "K", "A", None):
        raise s.refuse("only the orders 'C' and 'K' are supported")
    return "C" if order == "C" else "K"


@TABLE.add("numpy.asarray numpy.asanyarray", "np.asarray(x)", "np.asarray(x.T, order='C')")
def asarray(s: Stage, a: object, dtype: str | None = None, order: str | None = "K") -> Arr:
    if _order(s, order) == "C":
        return s.contiguous(asarray(s, a, dtype))
    if isinstance(a, tuple | list):
        return s.keep(_stacked(s, a, dtype))
    given = as_array(s, a)
    return astype(s, given, element_type(s, dtype, given.dtype))


@TABLE.add("numpy.ascontiguousarray", "np.ascontiguousarray(x.T)", "np.ascontiguousarray(x)")
def ascontiguousarray(s: Stage, a: object, dtype: str | None = None) -> Arr:
    return s.contiguous(asarray(s, a, dtype))


def _stacked(s: Stage, items: Sequence[object], dtype: str | None) -> Arr:
    """``items`` along a new first axis."""
    if not items:
        return s.new((0,), element_type(s, dtype, "float64"), 0.0)
    parts = [
        _stacked(s, i, dtype) if isinstance(i, tuple | list) else as_array(s, i) for i in items
    ]
    if any(part.ndim != parts[0].ndim for part in parts):
        raise s.refuse("the items have different ranks", None, "MK216")
    inner = parts[0].shape
    for part in parts[1:]:
        pairs = zip(inner, part.shape, strict=True)
        inner = tuple(common_size(s, a, b, "np.array") for a, b in pairs)
    kind = element_type(s, dtype, s.promote(*parts))  # that of a number counts, too
    out = s.new((len(parts), *inner), kind)
    for k, part in enumerate(parts):
        s.nest(inner, lambda *i, k=k, part=part: s.store(out, (k, *i), part.at(*i)))
    return s.in_order(out)


@TABLE.add("numpy.copy", "np.copy(x)", "np.copy(x, order='C')",
           "np.copy(x, order='F').ravel(order='F')")  # fmt: skip
def copy(s: Stage, a: object, order: str = "K") -> Arr:
    if order not in ("C", "F", "K"):
        raise s.refuse("only the orders 'C', 'F' and 'K' are supported")
    return s.copied(as_array(s, a), order)


@TABLE.add("ndarray.copy", "x.copy()", "x.copy('K')")
def copy_method(s: Stage, a: Arr, order: str = "C") -> Arr:
    return copy(s, a, order)


@TABLE.add("ndarray.view", "x.view() * a", "(x * y).view()[0]", "x.T.view()", "z[::2].view()")
def view(s: Stage, a: Arr, dtype: object = None) -> Arr:
    if dtype is not None:
        raise s.refuse("a view with another dtype is not supported", "convert: x.astype(...)")
    return part_of(s, a, ())


@TABLE.add(
    "ndarray.astype numpy.astype",
    "x.astype(np.float64)", "x.astype(float, copy=False) * y", "np.astype(v, np.complex128) * a",
)  # fmt: skip
def as_type(s: Stage, a: Arr, dtype: str, copy: object = True) -> Arr:
    return _of_type(s, a, element_type(s, dtype, a.dtype), copy)
