"""Peak memory of calls: what they allocate at once, beyond what was there before.

tracemalloc sees NumPy's arrays. It sees those of compiled code when numba's runtime is told to
take memory from CPython's allocator. What BLAS keeps to itself is not seen.
"""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import dataclass
from importlib import import_module

from bench.clock import Thunk


@dataclass(frozen=True, slots=True)
class Peaks:
    """Bytes, of one call each."""

    primal: int
    gradient: int


def peak(thunk: Thunk) -> int:
    """The most bytes that are allocated at once in a call; it is called once before."""
    import_module("numba.core.runtime._nrt_python").memsys_use_cpython_allocator()
    thunk()
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        result = thunk()
        _, most = tracemalloc.get_traced_memory()
        del result
    finally:
        tracemalloc.stop()
    return most - before
