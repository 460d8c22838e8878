"""The arrays that tests of the device run on: CuPy's stand-in, or (``--on-gpu``) CuPy itself."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tests.conftest import ON_GPU

# What counts launches and waits, breaks kernels on purpose or looks at the stand-in itself.
OF_STANDIN = frozenset(
    {
        "test_axis_sums",
        "test_example",
        "test_memory",
        "test_mutants",
        "test_names",
        "test_streams_and_devices",
        "test_structure",
    }
)
ROUNDING = 100.0  # times the tolerance: functions of a GPU round otherwise than those of the host


def on_gpu() -> bool:
    return ON_GPU in os.environ


def array(value: np.ndarray) -> Any:
    """An array of the device with what ``value`` holds."""
    if on_gpu():
        import cupy

        return cupy.asarray(value)
    from tests.cuda.standin import ndarray

    return ndarray(value)


def is_array(value: Any) -> bool:
    """True for an array of the device."""
    if on_gpu():
        import cupy

        return isinstance(value, cupy.ndarray)
    from tests.cuda.standin import ndarray

    return isinstance(value, ndarray)


def held(value: Any) -> Any:
    """The array of NumPy's with what an array of the device holds; anything else as it is."""
    if not is_array(value):
        return value
    return value.get() if on_gpu() else value.held
