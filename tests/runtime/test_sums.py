"""Sums whose order is left open."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mooncake_runtime import inner, jit_enabled, uncached
from mooncake_runtime import scalar_kernels as rt
from numpy.typing import NDArray


def plain_total(x: NDArray[np.float64]) -> float:
    found = x[0]
    for i in range(1, x.shape[0]):
        found = rt.radd(found, x[i])
    return found


total = inner(plain_total)


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
    compiled: Any = uncached(plain_total)
    compiled(np.ones(3))
    assert "fadd reassoc nsz <" in compiled.inspect_llvm(compiled.signatures[0])
