"""Text of the caller's that may be None or empty: ``zone: str | None = None``, ``if not zone:``."""

from __future__ import annotations

from types import ModuleType

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, transpiled

SOURCE = """
from typing import Optional


class Site:
    def __init__(self, zone: Optional[str] = None):
        self.zone = zone


def is_none(x: float, zone: str | None = None) -> float:
    return x * x if zone is None else x * 3.0


def compared(x: float, zone: Optional[str] = None) -> float:
    if zone is None:
        return x * x
    if zone == "north":
        return x * 3.0
    return x * 4.0


def truth(x: float, zone: str | None = None) -> float:
    if not zone and x > 0.0:
        return x**3
    if zone and x > 1.0:
        return x * x
    return x * 3.0


def default(x: float, zone: str | None = None) -> float:
    zone = zone or "north"
    return x * 3.0 if zone == "north" else x


def turned(x: float, zone: str | None = None) -> float:
    if zone and zone.lower() in ("north", "n"):
        return x * x
    return x * 3.0


def _weight(x, zone):
    return x * x if zone else x


def handed_on(x: float, zone: str | None = None) -> float:
    return _weight(x, zone)


def in_an_object(x: float, zone: str | None = None) -> float:
    site = Site(zone)
    return x * 2.0 if site.zone else x * x


def of_text(x: float, zone: str = "") -> float:
    return x * x if zone else x


def in_list(x: float, zone: str | None = None) -> float:
    total = x
    for one in [zone, "north", None]:
        if one:
            total += x * x
    return total


def in_a_tuple(t: tuple[float, str | None], y: float) -> float:
    value, name = t
    if name is None:
        return value * y
    if not name:
        return value
    return value * value if name == "north" else y


def in_listed_tuples(ts: list[tuple[float, Optional[str]]], y: float) -> float:
    total = 0.0
    for value, name in ts:
        total += value if name is None else value * y
    return total


def handed_back(x: float, zone: str | None) -> tuple[float, str | None]:
    return x * x, zone
"""
NAMES = (
    "is_none", "compared", "truth", "default", "turned", "handed_on", "in_an_object", "of_text",
    "in_list",
)  # fmt: skip


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "compiled"])
def made(request: pytest.FixtureRequest) -> tuple[ModuleType, ModuleType]:
    return transpiled(SOURCE, jit=request.param)


@pytest.mark.parametrize("name", NAMES)
def test_gradients(name: str, made: tuple[ModuleType, ModuleType]) -> None:
    primal, generated = made
    for text in (None, "", "north", "North", "elsewhere"):
        if text is not None or name != "of_text":
            check_gradients(getattr(primal, name), generated, (1.5, text))


def test_in_tuples(made: tuple[ModuleType, ModuleType]) -> None:
    primal, generated = made
    for text in (None, "", "north", "elsewhere"):
        check_gradients(primal.in_a_tuple, generated, ((1.5, text), 0.7))
        check_gradients(primal.in_listed_tuples, generated, ([(1.5, text), (0.5, None)], 0.7))
        value, _ = generated.handed_back_fwd(1.5, text)
        assert value == (2.25, text)


@pytest.mark.parametrize(
    "body", ['return x, "high" if x > 1.0 else None', 'return x, "high" if x > 1.0 else "low"']
)
def test_results_that_the_run_chooses_are_refused(body: str) -> None:
    with pytest.raises(Refusal, match="MK363"):
        gradient_text(f"def f(x: float) -> tuple[float, str | None]:\n    {body}\n")
