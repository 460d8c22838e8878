"""Helpers as functions of their own: every one that can be, in all modes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from mooncake_transpiler.passes import shared_helpers

from tests.helpers.transpile import transpiled
from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "forward", "hvp", "hessian", "jacobian"]\n'
THEMES = ("called_helpers", "calls", "callbacks")
PROGRAMS = [name for name in programs() if name.partition(".")[0] in THEMES]
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
