"""A generated module once more, without numba."""

from __future__ import annotations

import importlib.util
import os
from types import ModuleType


def plain_module(module: ModuleType) -> ModuleType:
    """``module`` executed again from its file with compiling switched off.

    Only its own functions are plain; what it imports is as it was.
    """
    assert module.__file__ is not None
    spec = importlib.util.spec_from_file_location(module.__name__, module.__file__)
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    before = os.environ.get("NUMBA_DISABLE_JIT")
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        spec.loader.exec_module(fresh)
    finally:
        if before is None:
            del os.environ["NUMBA_DISABLE_JIT"]
        else:
            os.environ["NUMBA_DISABLE_JIT"] = before
    return fresh
