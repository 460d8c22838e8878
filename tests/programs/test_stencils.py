"""Tests for numba's stencils beyond the catalogue: all modes, and arrays that do not fit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.helpers.transpile import transpiled
from tests.programs.catalogue import Catalogue, open_catalogue

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "forward", "hvp", "hessian", "jacobian"]\n'


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    with open_catalogue(CONFIG) as made:
        yield made


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "jitted"])
def test_all_modes(catalogue: Catalogue, jit: bool) -> None:
    catalogue.check("numba_stencils.into_arrays", jit=jit)


PAIRS = """
from typing import Annotated
import numpy as np
from numba import stencil
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Other = Annotated[NDArray[np.float64], "m"]

@stencil
def product(a, b):
    return a[-1] * b[0]

@stencil
def sums(a):
    return a[0] + a[1]

def of_two(x: Vec, y: Other) -> float:
    return float(np.sum(product(x, y)))

def into(x: Vec, out: Other) -> float:
    sums(x, out=out)
    return float(np.sum(out))
"""


def test_sizes_that_do_not_fit() -> None:
    primal, made = transpiled(PAIRS)
    x = np.array([0.5, -1.0, 2.0])
    longer = np.array([1.0, 3.0, 0.5, 7.0])
    assert made.of_two_value_and_grad(x, longer)[0] == primal.of_two(x, longer)
    with pytest.raises(ValueError, match="Secondary stencil array has some dimension smaller"):
        made.of_two_value_and_grad(x, longer[:2])
    assert made.into_value_and_grad(x, longer.copy())[0] == primal.into(x, longer.copy())
    with pytest.raises(ValueError, match="smaller"):  # numba writes behind the end
        made.into_value_and_grad(x, longer[:2].copy())


@pytest.mark.parametrize("size", [0, 1])
def test_arrays_smaller_than_the_kernel(size: int) -> None:
    primal, made = transpiled(PAIRS)
    x, out = np.ones(size), np.full(size, 4.0)
    value, (x_bar, out_bar) = made.into_value_and_grad(x, out.copy())
    assert value == primal.into(x, out.copy()) == 4.0 * size
    assert np.all(x_bar == 0.0)
    assert np.all(out_bar == 1.0)
