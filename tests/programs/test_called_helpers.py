"""Helpers as functions of their own: every one that can be, in all modes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from mooncake_transpiler.passes import shared_helpers

from tests.helpers.transpile import gradient_text, transpiled
from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "forward", "hvp", "hessian", "jacobian"]\n'
OTHERS = ("calls", "callbacks")  # themes; half of their programs
PROGRAMS = [name for name in programs() if name.startswith("called_helpers.")]
PROGRAMS += [name for name in programs() if name.partition(".")[0] in OTHERS][::2]
JITTED = (
    "arrays_in_loops", "raises", "structs",
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    """The catalogue, where nothing is put in line that can be a function."""
    with pytest.MonkeyPatch.context() as patch, open_catalogue(CONFIG) as made:
        for limits in ("OF_NUMBERS", "OTHERS"):
            patch.setattr(shared_helpers, limits, shared_helpers.Limits(0, 0))
        yield made


@for_each(PROGRAMS)
def test_plain(name: str, catalogue: Catalogue) -> None:
    catalogue.check(name)


@pytest.mark.parametrize("name", JITTED)
@pytest.mark.wide("arrays_in_loops")
def test_jitted(name: str, catalogue: Catalogue) -> None:
    catalogue.check(f"called_helpers.{name}", jit=True)


RULED = """
from typing import Annotated

import numpy as np
from mooncake_runtime import rule_for
from numpy.typing import NDArray

def cube(x: float) -> float:
    return x * x * x

@rule_for(cube)
def cube_rule(x: float):
    def pullback(y_bar):
        return y_bar * 3.0 * x * x
    return cube(x), pullback

# mooncake: modes=jacobian
def cubes(x: Annotated[NDArray[np.float64], "n"]) -> Annotated[NDArray[np.float64], "n"]:
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = cube(x[i])
    return y
"""


def test_the_tangents_of_a_rule_in_lanes() -> None:
    x = np.array([0.3, 0.7, -1.1])
    _, made = transpiled(RULED)
    assert np.allclose(made.cubes_jacobian(x), np.diag(3.0 * x * x), rtol=1e-14)


MIXED = """
from math import exp, sin

def wave(x: float) -> float:
    y = sin(x) * exp(-x * x) + 1.0 / (2.0 + sin(x))
    return y * y * exp(y) + sin(y) * x + exp(x) / (1.0 + y * y)

def level(x: float) -> float:
    low = wave(x) * sin(x) + exp(-x) + wave(2.0 * x) + exp(sin(x) * x)
    return low + wave(low) * exp(-low * low)

# mooncake: modes=forward
def misfit(a: float) -> float:
    total = 0.0
    for k in range(3):
        total += (wave(a) - level(0.1 * k) + level(0.2 * k)) ** 2 + level(0.3 * k)
    return total
"""


def test_helpers_without_derivative_call_such() -> None:
    """Calls of constants compute no partials, in any mode."""
    text = gradient_text(MIXED)
    _, _, level = text.partition("def _level(")
    assert level
    assert "_wave(" in level.partition("\n@")[0]
    assert "_partials(" not in level.partition("\n@")[0]
