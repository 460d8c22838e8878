"""Methods of text that is a parameter, compared with literals: ``kind.lower() == "call"``."""

from __future__ import annotations

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, refusals

SOURCE = """
class Option:
    def __init__(self, spot: float, strike: float, kind: str = None):
        assert kind.lower() == "call" or kind.lower() == "put"
        self.spot = spot
        self.strike = strike
        self.kind = kind

    def price(self):
        spot, strike, kind = self.spot, self.strike, self.kind
        if kind.lower() == "call":
            return spot**2 - strike
        return strike - spot


def in_an_object(spot: float, strike: float, kind: str) -> float:
    return Option(spot, strike, kind).price()


def beside_itself(x: float, kind: str) -> float:
    if kind == "CALL":
        return x
    if kind.lower() == "call":
        return x * x
    if kind != "put" and kind.lower() == "put":
        return x**3
    return 2.0 * x


def bound_again(x: float, kind: str) -> float:
    kind = kind.strip().lower()
    if kind in ("call", "c"):
        return x * x
    return x**3


def _rate(x, kind):
    match kind:
        case "fast":
            return x * 2.0
        case "slow":
            return x * x
    return 1.0 / x


def passed_on(x: float, kind: str) -> float:
    return _rate(x, kind.casefold())


def in_several_ways(x: float, kind: str) -> float:
    y = x if kind.lower() < "call" else 2.0 * x
    y = y * x if kind.lower() == "fast" or kind.upper() == "PUT" else y
    return y + 1.0 if kind.lower() == kind or kind in "C c" else y * y * x


def letters(x: float, kind: str) -> float:
    y = 1.0
    for c in kind:
        y = y * x if c in ("a", "T") else y + x
    return y if kind[:1] != "S" else y * x
"""
TEXTS = ("call", "CALL", "Call", "put", "PUT", " call", "C ", "Fast", "slow", "straße", "")


@pytest.mark.parametrize(
    "name", ["beside_itself", "bound_again", "passed_on", "in_several_ways", "letters"]
)
def test_gradients(name: str, modules: Modules) -> None:
    primal, generated = modules
    for text in TEXTS:
        check_gradients(getattr(primal, name), generated, (1.5, text))


def test_in_an_object(modules: Modules) -> None:
    primal, generated = modules
    for text in ("Call", "pUT", "put"):
        check_gradients(primal.in_an_object, generated, (1.5, 2.0, text))
    with pytest.raises(AssertionError):
        generated.in_an_object_value_and_grad(1.5, 2.0, "neither")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return x if kind.title() == 'Call' else 2.0 * x", "MK305"),
        ("return x * float(kind)", "MK213"),
    ],
)
def test_refused(body: str, code: str) -> None:
    refused = refusals(f"def f(x: float, kind: str) -> float:\n    {body}\n")
    assert [found.code for found in refused] == [code]
