"""Functions of Python's library that are written out do what Python's do."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable

import pytest
from mooncake_transpiler.frontend.lower.builtin import library_source, written_out

NUMBERS = (0.0, -0.0, 1.5, -2.0, 1e-300, 1e300, math.inf, -math.inf, math.nan)
SORTED = (-1.0, 0.0, 0.0, 2.0, 2.0, 7.5)


def test_every_function_has_a_case() -> None:
    assert set(library_source.functions()) == {
        "bisect.bisect_left", "bisect.bisect_right", "math.dist", "math.isclose", "math.gcd",
        "math.lcm", "math.hypot", "math.fsum",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["bisect_left", "bisect_right"])
@pytest.mark.parametrize("x", [-3.0, -1.0, 0.0, 1.0, 2.0, 9.0])
def test_bisection(name: str, x: float) -> None:
    own: Callable[..., int] = getattr(written_out, f"bisect_{name}")
    theirs: Callable[..., int] = getattr(bisect, name)
    for lo, hi in ((0, None), (2, 5), (1, 1)):
        assert own(SORTED, x, lo, hi) == theirs(SORTED, x, lo, hi)
    by_key = sorted(SORTED, key=abs)
    assert own(by_key, x, key=abs) == theirs(by_key, x, key=abs)


@pytest.mark.parametrize("name", ["bisect_left", "bisect_right"])
def test_bisection_from_before_the_start(name: str) -> None:
    for function in (getattr(written_out, f"bisect_{name}"), getattr(bisect, name)):
        with pytest.raises(ValueError, match="lo must be non-negative"):
            function(SORTED, 1.0, -1)


@pytest.mark.parametrize("a", NUMBERS)
@pytest.mark.parametrize("b", NUMBERS)
def test_closeness(a: float, b: float) -> None:
    for rel, absolute in ((1e-9, 0.0), (0.5, 0.0), (0.0, 1.0), (2.0, 3.0)):
        given = {"rel_tol": rel, "abs_tol": absolute}
        assert written_out.math_isclose(a, b, **given) == math.isclose(a, b, **given)


def test_negative_tolerance() -> None:
    for function in (written_out.math_isclose, math.isclose):
        with pytest.raises(ValueError, match="tolerances must be non-negative"):
            function(1.0, 1.0, rel_tol=-1.0)


def test_distance() -> None:
    for p, q in (((1.0, 2.0), (4.0, 6.0)), ((1e200,), (-1e200,)), ((), ()), ((1, 2, 3), (0, 0, 1))):
        assert written_out.math_dist(p, q) == pytest.approx(math.dist(p, q), rel=1e-15)
    with pytest.raises(ValueError, match="same number of dimensions"):
        written_out.math_dist((1.0,), (1.0, 2.0))


def test_divisors_and_lengths() -> None:
    for integers in ((), (4,), (-6,), (12, 18, 8), (0, 0, 5), (3, 0, 2, 9)):
        assert written_out.math_gcd(*integers) == math.gcd(*integers)
        assert written_out.math_lcm(*integers) == math.lcm(*integers)
    for lengths in ((), (-2.0,), (1.0, 2.0, 3.0, 4.0), (1e200, 1e200, 1e200, 1e200)):
        assert written_out.math_hypot(*lengths) == pytest.approx(math.hypot(*lengths), rel=1e-15)


@pytest.mark.parametrize(
    "numbers",
    [(), (0.1,) * 10, (1e16, 1.0, -1e16), (1.0, 1e100, 1.0, -1e100), (math.inf, 1.0), (1, 2, 3)],
)
def test_full_precision_sum(numbers: tuple[float, ...]) -> None:
    assert written_out.math_fsum(numbers) == math.fsum(numbers)
    assert math.isnan(written_out.math_fsum((*numbers, math.nan)))
