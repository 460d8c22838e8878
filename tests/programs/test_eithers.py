"""Variables that are numbers or arrays, where they are what a function can't go on with."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import transpiled

SOURCE = """
import numpy as np
from typing import Annotated
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

def added(x: Vec, n: int) -> Vec:
    total = 0.0
    for k in range(n):
        total = total + x * (k + 1.0)
    return total

def first(x: Vec, n: int) -> float:
    total = 2.0
    for k in range(n):
        total = total * x
    return total[0]
"""


@pytest.mark.parametrize("jit", [False, True])
def test_numbers_where_arrays_are_needed(jit: bool) -> None:
    _, made = transpiled(SOURCE, jit=jit)
    x = np.array([0.5, 2.0])
    assert np.array_equal(made.added_vjp(x, 2, np.ones(2))[1], [3.0, 3.0])
    assert np.array_equal(made.first_grad(x, 2), [2.0, 0.0])
    with pytest.raises(TypeError, match="the result is float64, not"):
        made.added_vjp(x, 0, np.ones(2))
    with pytest.raises(TypeError, match="total is float64 here, not float64"):
        made.first_grad(x, 0)
