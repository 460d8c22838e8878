"""A generated module once more, without numba."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

SWITCH = "NUMBA_DISABLE_JIT"


def plain_module(module: ModuleType) -> ModuleType:
    """``module`` executed again from its file with compiling switched off.

    Only its own functions are plain; what it imports is as it was.
    """
    assert module.__file__ is not None
    spec = importlib.util.spec_from_file_location(module.__name__, module.__file__)
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    with not_compiling():
        spec.loader.exec_module(fresh)
    return fresh


@contextmanager
def not_compiling() -> Iterator[None]:
    """A context in which decorated functions, also those of numba itself, stay plain Python."""
    numba = sys.modules.get("numba")
    before = os.environ.get(SWITCH)
    was_off = getattr(getattr(numba, "config", None), "DISABLE_JIT", 0)
    os.environ[SWITCH] = "1"
    if numba is not None:
        numba.config.DISABLE_JIT = 1
    try:
        yield
    finally:
        if before is None:
            del os.environ[SWITCH]
        else:
            os.environ[SWITCH] = before
        if numba is not None:
            numba.config.DISABLE_JIT = was_off
