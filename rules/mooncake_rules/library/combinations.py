"""Numbers of combinations, for arrays too: ``scipy.special.comb``."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Num, Stage, Table, Value, combine
from mooncake_rules.library.arguments import as_value, flag

TABLE = Table()


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
