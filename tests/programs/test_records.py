"""Dicts as parameters: keys that are missing, more keys than are asked for, what is refused."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text

SOURCE = """
import numpy as np
from typing import TypedDict

class Rates(TypedDict):
    k1: float
    k2: float

def decay(t: float, params: dict[str, float]) -> float:
    return params["k1"] * np.exp(-params["k2"] * t) + params.get("shift", 0.5)

def branch(t: float, params: dict[str, float]) -> float:
    if "k3" in params:
        return params["k3"] * t
    return params["k3"] if t > 1.0 else t

def typed(t: float, rates: Rates) -> float:
    return rates["k1"] * t
"""


def test_gradients_have_the_keys_that_are_looked_up(modules: Modules) -> None:
    primal, generated = modules
    params = {"k1": 0.4, "k2": 0.8, "other": 3.0}
    value, grad = generated.decay_value_and_grad(1.5, params)
    assert value == pytest.approx(primal.decay(1.5, params), rel=1e-15)
    decayed = np.exp(-0.8 * 1.5)
    assert grad.params == pytest.approx({"k1": decayed, "k2": -0.4 * 1.5 * decayed}, rel=1e-14)
    more = generated.decay_grad(1.5, {**params, "shift": 2.0}).params
    assert more == pytest.approx({**grad.params, "shift": 1.0}, rel=1e-14)


def test_tangents_are_dicts(modules: Modules) -> None:
    _, generated = modules
    _, slope = generated.decay_jvp(1.5, {"k1": 0.4, "k2": 0.8}, 0.0, {"k1": 1.0, "k2": 0.0})
    assert slope == pytest.approx(np.exp(-0.8 * 1.5), rel=1e-14)


@pytest.mark.parametrize(
    ("name", "args"),
    [("decay", (1.5, {"k1": 0.4})), ("branch", (2.0, {})), ("typed", (0.3, {"k2": 1.0}))],
)
def test_missing_keys(modules: Modules, name: str, args: tuple[Any, ...]) -> None:
    primal, generated = modules
    with pytest.raises(KeyError) as expected:
        getattr(primal, name)(*args)
    with pytest.raises(KeyError, match=re.escape(str(expected.value))):
        getattr(generated, f"{name}_value_and_grad")(*args)


def test_keys_that_are_asked_for_may_be_missing(modules: Modules) -> None:
    primal, generated = modules
    for t, params in ((0.5, {}), (2.0, {"k3": 0.3})):
        value, grad = generated.branch_value_and_grad(t, params)
        assert value == primal.branch(t, params)
        assert grad.params == ({"k3": 2.0} if params else {})


def test_annotations_say_what_is_given() -> None:
    text = gradient_text(SOURCE)
    assert "t: float, params: dict[str, float]) -> tuple[float, DecayGrad]:" in text
    assert "t: float, rates: Rates) -> tuple[float, TypedGrad]:" in text


@pytest.mark.parametrize(
    "body",
    [
        "return params['a'] * (params == {'a': 1.0})",
        "return params['a'] * {**params}['a']",
    ],
)
def test_other_uses_are_refused(body: str) -> None:
    source = f"def f(params: dict[str, float]) -> float:\n    {body}\n"
    with pytest.raises(Refusal, match=r"MK33[35]"):
        gradient_text(source)
