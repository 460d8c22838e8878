"""Partials of powers whose exponent is a literal: cheaper, but with the same values everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mooncake_rules.expr import Arg, Number, Term, Y, fold
from mooncake_rules.scalar import OPS

from tests.rules.test_scalar import python

EXPONENTS = (-0.25, -0.5, -1.5, -2.5, -17.25, -100.5, -1.0, -2.0)
POINTS = (0.0, 5e-324, 1e-308, 1e-200, 1e-20, 0.3, 1.0, 2.5, 1e20, 1e200, 1e308, math.inf, math.nan)


def _ops(term: Term) -> list[str]:
    return fold(term, lambda _: [], lambda op, args: [op, *(o for a in args for o in a)])


def _value(term: Term, x: np.float64, p: float) -> float:
    env: dict[int, Number] = {0: x, 1: p, Y.index: x**p}
    return float(
        fold(
            term,
            lambda t: env[t.index] if isinstance(t, Arg) else t,
            lambda op, args: python(OPS[op])(*args),
        )
    )


@pytest.mark.parametrize("name", ["pow", "np.power", "np.float_power", "math.pow"])
def test_a_negative_exponent_takes_no_second_power(name: str) -> None:
    term = OPS[name].partial(0, {1: -1.5})
    assert term is not None
    assert "pow" not in _ops(term)


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("point", [*POINTS, *(-x for x in POINTS)])
def test_the_partial_is_what_it_is_for_a_variable_exponent(exponent: float, point: float) -> None:
    simple, general = OPS["pow"].partial(0, {1: exponent}), OPS["pow"].partial(0)
    assert simple is not None
    assert general is not None
    with np.errstate(all="ignore"):
        got, want = (_value(term, np.float64(point), exponent) for term in (simple, general))
    assert got == pytest.approx(want, rel=1e-12, abs=1e-307, nan_ok=True)
    assert math.isnan(want) or math.copysign(1.0, got) == math.copysign(1.0, want)
