"""Flags with defaults that choose the kind of the result: derivatives are those of the default."""

from __future__ import annotations

from types import ModuleType

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, transpiled

SOURCE = """
def with_state(xs: list[float], rate: float, return_state: bool = False):
    state = 0.0
    found = []
    for x in xs:
        state += rate * x
        found.append(state * x)
    if return_state:
        return found, {"state": state}
    else:
        return found


def with_gradient(x: float, y: float, value_only: bool = True, verbose: bool = False):
    r = x * y - 1.0
    if verbose:
        print(r)
    if value_only:
        return r * r
    return r * r, [2.0 * r * y, 2.0 * r * x]


def _inner(x, full=False):
    return (x, {"x": x}) if full else x * x


def called(x: float) -> float:
    return _inner(x, full=True)[1]["x"] * _inner(x)
"""


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "compiled"])
def made(request: pytest.FixtureRequest) -> tuple[ModuleType, ModuleType]:
    return transpiled(SOURCE, jit=request.param)


def test_gradients(made: tuple[ModuleType, ModuleType]) -> None:
    primal, generated = made
    check_gradients(primal.with_state, generated, ([1.0, 2.0], 0.5, False))
    check_gradients(primal.with_gradient, generated, (1.5, 0.7, True, False))
    check_gradients(primal.called, generated, (1.5,))
    assert generated.with_gradient_grad(1.5, 2.0) == (8.0, 6.0)


def test_the_other_kind_has_none(made: tuple[ModuleType, ModuleType]) -> None:
    _, generated = made
    with pytest.raises(NotImplementedError, match="for return_state=False only"):
        generated.with_state_fwd([1.0, 2.0], 0.5, True)
    with pytest.raises(NotImplementedError, match="for value_only=True only"):
        generated.with_gradient_value_and_grad(1.5, 2.0, False)
    assert generated.with_gradient_grad(1.5, 2.0, True, True) == (8.0, 6.0)


def test_flags_without_a_default_are_refused() -> None:
    source = "def f(x: float, full: bool):\n    return (x, {'x': x}) if full else [x]\n"
    with pytest.raises(Refusal, match="MK212"):
        gradient_text(source)
