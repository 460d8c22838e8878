"""Finite where the result of an op is: some of its partials, and divisors that are not 0."""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_rules.expr import SEED, Arg, Number, Term, Y
from mooncake_rules.op_names import bare

_POWERS = frozenset({"pow", "power", "float_power"})
_GROWING = frozenset({"exp", "exp2", "expm1", "sinh", "cosh", "square"})
_POLES = {"div": 1, "reciprocal": 0, "log": 0, "log2": 0, "log10": 0}


def pole_of(op: str, literals: Mapping[int, Number]) -> int | None:
    """The argument that is not 0 where the result of ``op`` is finite, if there is one."""
    name = bare(op)
    if name in _POWERS:
        return 0 if literals.get(1, 0) < 0 else None
    return _POLES.get(name)


def grows_sooner(op: str, literals: Mapping[int, Number]) -> bool:
    """True if the partials of ``op`` are finite where the result is."""
    name = bare(op)
    return name in _GROWING or (name in _POWERS and literals.get(1, 0) >= 1)


def finite_product(op: str, k: int, literals: Mapping[int, Number]) -> Term | None:
    """SEED times a partial of a quotient, from factors that are finite where the result is.

    None for other ops.
    """
    name = bare(op)
    if k != pole_of(op, literals):
        return None
    if name in ("div", "reciprocal"):
        return -(SEED / Arg(k) * Y)
    if name in _POWERS:
        return SEED / Arg(k) * (literals[1] * Y)
    return None
