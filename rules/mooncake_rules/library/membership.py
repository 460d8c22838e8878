"""Tests of elements: whether they are among others, and whether they are real. No derivatives."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import as_value, flag, holds
from mooncake_rules.library.choosing import dtype_of
from mooncake_rules.library.support import as_array, astype, call, is_complex
from mooncake_rules.library.views import flattened

TABLE = Table()

FEW = 8  # so many are compared one by one


@TABLE.add(
    "numpy.isin", "np.isin(x, y) * x", "np.isin(x, x[:, 1]) * x", "np.isin(idx, [0, 2]) * a",
    "np.isin(idx, idx[1:3], invert=True) * a", "np.where(np.isin(x, x[::2]), x, y)",
    "np.isin(x, [np.nan, 1.0]) * a", "np.isin(idx, v[:0]) * a",
    "np.isin(a, [0.5, 2.0], invert=True) * b",
    "np.isin(idx, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) * a", "np.isin(z, z[0]) * x",
)  # fmt: skip
def isin(
    s: Stage, element: object, test_elements: object, assume_unique: bool = False,
    invert: bool = False, *, kind: object = None,
) -> Value:  # fmt: skip
    given = as_value(s, element, "element")
    tests = flattened(s, as_array(s, test_elements))
    dtype = s.promote(as_array(s, given), tests)
    tests = s.keep(astype(s, tests, dtype))
    count = tests.shape[0]
    if is_complex(dtype) or (isinstance(count, int) and count <= FEW):
        among = tests

        def found(x: Num | complex) -> Num | bool:
            return _any_equal(s, among, x)
    else:
        tests = s.keep(as_array(s, call(s, "numpy.sort", tests)))

        def found(x: Num | complex) -> Num | bool:
            return _in_order(s, tests, x)

    turned = flag(s, invert, "invert")

    def at(x: Num | complex) -> Num | complex:
        inside = found(s.cast(x, dtype))
        return s.op("not", inside) if turned else inside

    if not isinstance(given, Arr):
        return at(given)
    array = given
    return Arr(s, "bool", array.shape, lambda *i: at(array.at(*i)), None, False,
               array.reads | tests.reads)  # fmt: skip


def _any_equal(s: Stage, tests: Arr, x: Num | complex) -> Num | bool:
    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        return (s.op("or", accs[0], s.op("eq", tests.at(i), x)),)

    found = s.fold(tests.shape, (False,), step)[0]
    assert isinstance(found, Num | bool)
    return found


def _in_order(s: Stage, tests: Arr, x: Num | complex) -> Num | bool:
    """True if ``x`` is among ``tests``, which are sorted: by bisection."""

    def step(low: Num | complex, high: Num | complex) -> tuple[Num | complex, Num | complex]:
        middle = s.op("floordiv", s.op("add", low, high), 2)
        assert isinstance(middle, Num | int)
        below = s.op("lt", tests.at(middle), x)
        after = s.op("add", middle, 1)
        return s.op("select", below, after, low), s.op("select", below, high, middle)

    low, _ = s.loop((0, tests.shape[0]), lambda low, high: holds(s, "lt", low, high), step)
    assert isinstance(low, Num | int)
    place = low
    inside = holds(s, "lt", place, tests.shape[0])
    (found,) = s.choose(inside, lambda: (s.op("eq", tests.at(place), x),), lambda: (False,))
    assert isinstance(found, Num | bool)
    return found


@TABLE.add("numpy.isreal", "np.isreal(z) * x", "np.isreal(x) * x", "np.isreal(a) * b",
           "np.where(np.isreal(z * 0.0), x, y)")  # fmt: skip
def isreal(s: Stage, x: object) -> Value:
    return _imaginary(s, x, "eq", True)


@TABLE.add("numpy.iscomplex", "np.iscomplex(z) * x", "np.iscomplex(x) * x", "np.iscomplex(a) * b")
def iscomplex(s: Stage, x: object) -> Value:
    return _imaginary(s, x, "ne", False)


def _imaginary(s: Stage, x: object, op: str, of_reals: bool) -> Value:
    """The imaginary part compared to 0 by ``op``; ``of_reals`` for real numbers."""
    value = as_value(s, x, "x")
    if is_complex(dtype_of(s, value)):
        return elementwise(s, op, elementwise(s, "np.imag", value), 0.0)
    return (
        value.lazy(value.shape, lambda *_: of_reals, "bool") if isinstance(value, Arr) else of_reals
    )


@TABLE.add("numpy.isrealobj", "a if np.isrealobj(x) else b")
def isrealobj(s: Stage, x: object) -> bool:
    return not iscomplexobj(s, x)


@TABLE.add("numpy.iscomplexobj", "a if np.iscomplexobj(z) else b")
def iscomplexobj(s: Stage, x: object) -> bool:
    return is_complex(dtype_of(s, as_value(s, x, "x")))


@TABLE.add("numpy.real_if_close", "np.real_if_close(x) * x", "np.real_if_close(a)")
def real_if_close(s: Stage, a: object, tol: object = 100) -> Value:
    """``numpy.real_if_close``: for real numbers the array itself."""
    value = as_value(s, a, "a")
    if is_complex(dtype_of(s, value)):
        message = "whether real_if_close gives real numbers depends on values"
        raise s.refuse(message, "take .real, or leave it out")
    return value
