"""Arrays as sets: sorted, without repetitions. And arrays compared as a whole."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import flag, holds, number
from mooncake_rules.library.support import as_array, as_floats, call, is_float
from mooncake_rules.library.views import flattened

TABLE = Table()

Number = Num | complex


def _unique(s: Stage, a: object) -> Arr:
    return as_array(s, call(s, "numpy.unique", flattened(s, as_array(s, a))))


@TABLE.add("numpy.union1d", "np.union1d(v, x)", "np.union1d(idx, [0, 7]) * a", "np.union1d(v, v)")
def union1d(s: Stage, ar1: object, ar2: object) -> Arr:
    """``numpy.union1d``; of equal elements that of the first array is kept, with its derivative."""
    parts = tuple(flattened(s, as_array(s, a)) for a in (ar1, ar2))
    return _unique(s, s.call("numpy.concatenate", parts))


@TABLE.add(
    "numpy.intersect1d", "np.intersect1d(v, v[1:])", "np.intersect1d(x, np.stack((v, x[1])))",
    "np.intersect1d(idx, [0, 1]) * a",
)  # fmt: skip
def intersect1d(s: Stage, ar1: object, ar2: object, assume_unique: bool = False) -> Arr:
    """The elements of the first that are in the second, too."""
    return _chosen(s, ar1, ar2, False)


@TABLE.add(
    "numpy.setdiff1d", "np.setdiff1d(x, v)", "np.setdiff1d(x, x[1])", "np.setdiff1d(idx, [0]) * a"
)
def setdiff1d(s: Stage, ar1: object, ar2: object, assume_unique: bool = False) -> Arr:
    if flag(s, assume_unique, "assume_unique"):
        raise s.refuse("setdiff1d sorts: assume_unique=True is not supported")
    return _chosen(s, ar1, ar2, True)


def _chosen(s: Stage, ar1: object, ar2: object, invert: bool) -> Arr:
    own = _unique(s, ar1)
    mask = s.call("numpy.isin", own, ar2, invert=invert)
    return as_array(s, call(s, "numpy.compress", mask, own))


@TABLE.add("numpy.setxor1d", "np.setxor1d(x, v)", "np.setxor1d(x, np.concatenate((x[1], v)))")
def setxor1d(s: Stage, ar1: object, ar2: object) -> Arr:
    one, other = (s.keep(flattened(s, as_array(s, a))) for a in (ar1, ar2))
    parts = _chosen(s, one, other, True), _chosen(s, other, one, True)
    return as_array(s, call(s, "numpy.sort", s.call("numpy.concatenate", parts)))


# ---- comparisons --------------------------------------------------------------------------------


@TABLE.add(
    "numpy.allclose", "np.allclose(x, x + 1e-9) * a", "np.allclose(x, y, 0.1, atol=5.0) * a",
    "np.allclose(x, v) * a", "a if np.allclose(v, 1e9) else b", "np.allclose(z, z) * a",
    "np.allclose(np.where(mask, np.nan, x), np.where(mask, np.nan, x), equal_nan=True) * a",
)  # fmt: skip
def allclose(
    s: Stage, a: object, b: object, rtol: object = 1e-05, atol: object = 1e-08,
    equal_nan: bool = False,
) -> Value:  # fmt: skip
    return call(s, "numpy.all", isclose(s, a, b, rtol, atol, equal_nan))


@TABLE.add(
    "numpy.isclose", "np.where(np.isclose(x, y, rtol={rtol}, atol=0.5, equal_nan={flag}), x, a)",
    "np.isclose(a, b, atol=1.0) * a", "a if np.isclose(a, b) else b",
    "np.where(np.isclose(z, z + 1e-3, 1e-2), z, 2.0)", "np.where(np.isclose(x, v, a), x, y)",
    "np.where(np.isclose([1, 2, 3], [1, 2, 4]), w, 1.0)",
    rtol=(0.1, 1e-5), flag=(False, True),
)  # fmt: skip
def isclose(
    s: Stage, a: object, b: object, rtol: object = 1e-05, atol: object = 1e-08,
    equal_nan: bool = False,
) -> Value:  # fmt: skip
    """True where ``|a - b| <= atol + rtol |b|``; it has no derivative."""
    x, y = (as_floats(s, as_array(s, one)) for one in (a, b))
    bounds = number(s, rtol, "rtol"), number(s, atol, "atol")
    gap = elementwise(s, "np.abs", elementwise(s, "sub", x, y))
    size = elementwise(s, "mul", bounds[0], elementwise(s, "np.abs", y))
    near = elementwise(s, "le", gap, elementwise(s, "add", bounds[1], size))
    close = elementwise(s, "and", near, elementwise(s, "np.isfinite", y))
    close = elementwise(s, "or", close, elementwise(s, "eq", x, y))
    if flag(s, equal_nan, "equal_nan"):
        close = elementwise(s, "or", close, _both_nan(s, x, y))
    return close


@TABLE.add(
    "numpy.array_equal", "np.array_equal(x, x) * a", "np.array_equal(v, w) * a",
    "np.array_equal(x, v) * a", "np.array_equal(idx, [1, 2]) * a", "np.array_equal(z, x) * a",
    "np.array_equal(np.where(mask, np.nan, x), np.where(mask, np.nan, x), equal_nan=True) * a",
)  # fmt: skip
def array_equal(s: Stage, a1: object, a2: object, equal_nan: bool = False) -> Number:
    x, y = as_array(s, a1), as_array(s, a2)
    nan_too = flag(s, equal_nan, "equal_nan") and is_float(x.dtype) and is_float(y.dtype)
    if x.ndim != y.ndim:
        return False
    fits: Num | bool = True
    for one, other in zip(x.shape, y.shape, strict=True):
        if not s.same(one, other):
            fits = holds(s, "and", fits, s.op("eq", one, other))

    def step(accs: Sequence[Number], *index: Num | int) -> tuple[Number]:
        one, other = x.at(*index), y.at(*index)
        equal = s.op("eq", one, other)
        if nan_too:
            both = s.op("and", s.op("np.isnan", one), s.op("np.isnan", other))
            equal = s.op("or", equal, both)
        return (s.op("and", accs[0], equal),)

    return s.choose(fits, lambda: s.fold(x.shape, (True,), step), lambda: (False,))[0]


def _both_nan(s: Stage, x: Arr, y: Arr) -> Value:
    return elementwise(s, "and", elementwise(s, "np.isnan", x), elementwise(s, "np.isnan", y))


@TABLE.add("numpy.isscalar", "a if np.isscalar(x) else b", "a if np.isscalar(a) else b")
def isscalar(s: Stage, element: object) -> bool:
    return not isinstance(element, Arr | tuple | list) and element is not None
