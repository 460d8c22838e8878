"""Making arrays of numbers and arrays, copies, conversions."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Stage, Table, common_size
from mooncake_rules.library.arguments import element_type
from mooncake_rules.library.support import as_array, astype

TABLE = Table()


@TABLE.add(
    "numpy.array",
    "np.array(x)",
    "np.array([x[0, 0], 2.0, x[1, 1]])",
    "np.array([x[0], x[1] * 2.0])",
)
def array(s: Stage, a: object, dtype: str | None = None, copy: bool = True) -> Arr:
    if isinstance(a, tuple | list):
        return s.keep(_stacked(s, a, dtype))
    given = as_array(s, a)
    return astype(s, s.copied(given), element_type(s, dtype, given.dtype))


@TABLE.add("numpy.asarray numpy.ascontiguousarray numpy.asanyarray", "np.asarray(x)")
def asarray(s: Stage, a: object, dtype: str | None = None) -> Arr:
    if isinstance(a, tuple | list):
        return s.keep(_stacked(s, a, dtype))
    given = as_array(s, a)
    return astype(s, given, element_type(s, dtype, given.dtype))


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
    return out


@TABLE.add("numpy.copy ndarray.copy", "np.copy(x)", "x.copy()")
def copy(s: Stage, a: object, order: str | None = None) -> Arr:
    return s.copied(as_array(s, a))


@TABLE.add("ndarray.astype", "x.astype(np.float64)")
def as_type(s: Stage, a: Arr, dtype: str, copy: bool = True) -> Arr:
    return astype(s, s.copied(a), element_type(s, dtype, a.dtype))
