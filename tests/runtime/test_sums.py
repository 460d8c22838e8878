"""Sums whose order is left open."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import inner, jit_enabled
from mooncake_runtime import scalar_kernels as rt
from numpy.typing import NDArray

Sum = Callable[[NDArray[np.float64]], float]


@inner
def total(x: NDArray[np.float64]) -> float:
    found = x[0]
    for i in range(1, x.shape[0]):
        found = rt.radd(found, x[i])
    return found


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.int64])
def test_sum(dtype: type) -> None:
    """All numbers are whole: any order gives the same sum."""
    x = np.arange(1, 101).astype(dtype)
    assert total(x) == 5050
    assert np.asarray(total(x)).dtype.kind == x.dtype.kind


def test_called_from_python() -> None:
    assert rt.radd(1.5, 2.0) == 3.5
    assert math.isnan(rt.radd(math.inf, -math.inf))


@pytest.mark.skipif(not jit_enabled(), reason="numba is off")
def test_runs_on_vectors() -> None:
    compiled: object = total
    total(np.ones(3))
    (text,) = (compiled.inspect_llvm(s) for s in compiled.signatures[:1])  # type: ignore[attr-defined]
    assert "fadd reassoc nsz <" in text
