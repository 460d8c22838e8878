"""Numbers of combinations and factorials, for arrays too, as ``scipy.special`` has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, combine
from mooncake_rules.library.arguments import as_value, flag, holds
from mooncake_rules.library.support import is_complex

TABLE = Table()

LARGEST = 170.6243769563027  # whose factorial is finite


@TABLE.add(
    "scipy.special.comb",
    "scipy.special.comb(5, 2) * x", "scipy.special.comb(5.0 + x, 3)",
    "scipy.special.comb(4, idx) * w[0]", "scipy.special.comb(6, 3, exact=True) * a",
    "scipy.special.comb(4, 2, repetition=True) * a", "scipy.special.comb(2, 5) * a",
)  # fmt: skip
def comb(s: Stage, N: object, k: object, *, exact: bool = False, repetition: bool = False) -> Value:
    """The product of ``(N - k + i) / i`` for ``i`` up to ``k``; ``N`` need not be whole."""
    total, chosen = as_value(s, N, "N"), as_value(s, k, "k")
    if isinstance(chosen, float) and chosen.is_integer():
        chosen = int(chosen)
    if "int" not in s.promote(chosen):
        raise s.refuse("comb takes a whole number k", None, "MK213")
    if flag(s, repetition, "repetition"):
        total = s.broadcast("sub", s.broadcast("add", total, chosen), 1)
    if flag(s, exact, "exact"):
        return s.broadcast("math.comb", total, chosen)
    if not any(hasattr(one, "shape") for one in (total, chosen)):
        assert isinstance(total, Num | bool | int | float | complex)
        assert isinstance(chosen, Num | bool | int | float | complex)
        return _number(s, total, chosen)
    return combine(s, "float64", False, lambda n, m: _number(s, n, m), total, chosen)


def _number(s: Stage, n: Num | complex, k: Num | complex) -> Num | complex:
    """``comb(n, k)`` of two numbers: 0 unless ``0 <= k <= n``."""
    wide = s.cast(n, "float64")

    def factor(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, ...]:
        one = s.op("add", s.op("sub", wide, k), s.op("add", i, 1))
        return (s.op("div", s.op("mul", accs[0], one), s.cast(s.op("add", i, 1), "float64")),)

    def product() -> Sequence[Num | complex]:
        return s.fold((k,), (s.cast(1.0, "float64"),), factor)  # type: ignore[arg-type]

    inside = s.op("and", s.op("ge", k, 0), s.op("ge", n, k))
    return s.choose(inside, product, lambda: (s.cast(0.0, "float64"),))[0]  # type: ignore[arg-type]


@TABLE.add(
    "scipy.special.factorial",
    "x / scipy.special.factorial(3)", "w / scipy.special.factorial(np.arange(3))",
    "scipy.special.factorial(x)", "scipy.special.factorial(pos) * a",
    "scipy.special.factorial(b)", "scipy.special.factorial(4, exact=True) * a",
)  # fmt: skip
def factorial(s: Stage, n: object, exact: bool = False) -> Value:
    """``gamma(n + 1)``, 0 for negative numbers."""
    value = as_value(s, n, "n")
    dtype = s.promote(value)
    if dtype == "bool" or is_complex(dtype):
        raise s.refuse(f"factorial of {dtype} is not supported", None, "MK213")
    if (number := _exact(s, exact, value, "factorial")) is not None:
        product = s.op("math.factorial", _natural(s, number))
        there = s.op("select", s.op("lt", number, 0), 0, product)
        return s.cast(there, "int64")
    out = dtype if "int" not in dtype else "float64"
    return _of_each(s, value, out, _factorial)


def _exact(s: Stage, exact: bool, value: Value, name: str) -> Num | complex | None:
    """``value``, an integer, for ``exact=True``."""
    if not flag(s, exact, "exact"):
        return None
    if isinstance(value, Arr) or "int" not in s.promote(value):
        raise s.refuse(f"{name}(exact=True) takes an integer", "leave exact out", "MK213")
    return value


def _of_each(
    s: Stage, value: Value, dtype: str, of: Callable[[Stage, Num | complex, str], Num | complex]
) -> Value:
    """``of`` a number, or of each item of an array, as a ``dtype``."""
    if isinstance(value, Arr):
        return combine(s, dtype, False, lambda one: of(s, one, dtype), value)
    return of(s, value, dtype)


def _natural(s: Stage, n: Num | complex) -> Num | complex:
    return s.op("np.maximum", n, 0)


def _factorial(s: Stage, n: Num | complex, dtype: str) -> Num | complex:
    wide = s.cast(n, "float64")
    zero, infinite = (s.cast(one, "float64") for one in (0.0, float("inf")))

    def gamma() -> Sequence[Num | complex]:
        return (s.op("math.gamma", s.op("add", wide, 1.0)),)

    def not_negative() -> Sequence[Num | complex]:
        large = holds(s, "gt", wide, LARGEST)
        return s.choose(
            large, lambda: (infinite,), lambda: (s.op("math.gamma", s.op("add", wide, 1.0)),)
        )

    return s.cast(s.choose(holds(s, "lt", wide, 0.0), lambda: (zero,), not_negative)[0], dtype)


@TABLE.add(
    "scipy.special.factorial2",
    "x / scipy.special.factorial2(5)", "scipy.special.factorial2(np.arange(3)) * x[0, 0]",
    "scipy.special.factorial2(idx) * w[0]", "scipy.special.factorial2(6, exact=True) * a",
    "x * scipy.special.factorial2(-1) + a", "x * scipy.special.factorial2(0) + a",
)  # fmt: skip
def factorial2(s: Stage, n: object, exact: bool = False) -> Value:
    """``n * (n - 2) * ...`` down to 1 or 2, 0 for negative numbers."""
    value = as_value(s, n, "n")
    if "int" not in s.promote(value):
        raise s.refuse("factorial2 takes a whole number", None, "MK213")
    dtype = "float64" if _exact(s, exact, value, "factorial2") is None else "int64"
    return _of_each(s, value, dtype, _every_second)


def _every_second(s: Stage, n: Num | complex, dtype: str) -> Num | complex:
    count = s.op("floordiv", s.op("add", n, 1), 2)

    def factor(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex, ...]:
        one = s.op("sub", n, s.op("mul", i, 2))
        return (s.op("mul", accs[0], s.cast(one, dtype)),)

    def product() -> Sequence[Num | complex]:
        return s.fold((count,), (s.cast(1, dtype),), factor)  # type: ignore[arg-type]

    zero = s.cast(0, dtype)
    return s.choose(holds(s, "lt", n, 0), lambda: (zero,), product)[0]
