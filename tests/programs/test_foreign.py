"""Tests for classes of libraries that need not be there: nothing is an instance of them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.helpers.transpile import transpiled

PROGRAM = """
from typing import Annotated
import numpy as np
import pandas as pd
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

def loss(aoi: Vec, b: float = 0.05) -> Vec:
    out = 1 - b * (1 / np.cos(aoi) - 1)
    if isinstance(aoi, pd.Series):
        out = pd.Series(out, index=aoi.index)
    if not isinstance(b, (float, pd.Series, pd.DataFrame)):
        raise TypeError("b must be a number")
    return out
"""


@pytest.fixture
def pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = ModuleType("pandas")
    made.Series, made.DataFrame = type("Series", (), {}), type("DataFrame", (), {})
    monkeypatch.setitem(sys.modules, "pandas", made)


@pytest.mark.usefixtures("pandas")
@pytest.mark.parametrize("jit", [False, True], ids=["plain", "jitted"])
def test_arrays_are_no_series(jit: bool) -> None:
    primal, generated = transpiled(PROGRAM, jit=jit)
    x = np.array([0.2, 0.9])
    y, (x_bar, b_bar) = generated.loss_vjp(x, 0.05, np.ones(2))
    np.testing.assert_allclose(y, primal.loss(x, 0.05), rtol=1e-15)
    np.testing.assert_allclose(x_bar, -0.05 * np.sin(x) / np.cos(x) ** 2, rtol=1e-13)
    assert b_bar == pytest.approx(-np.sum(1 / np.cos(x) - 1), rel=1e-13)
