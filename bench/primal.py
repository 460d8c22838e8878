"""Load a program's module afresh and compile all of its functions."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import FunctionType, ModuleType

from numba import njit

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples" / "programs"
PROGRAMS = ROOT / "bench" / "programs"


def load(folder: Path, name: str) -> ModuleType:
    """The module ``folder/name.py``, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"_bench_{name}", folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def jitted(folder: Path, name: str) -> ModuleType:
    """The module with each function replaced by its compiled form, helpers included.

    Division is that of the generated code (no test for zero), so that ratios compare like with
    like.
    """
    module = load(folder, name)
    for key, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            setattr(module, key, njit(value, error_model="numpy"))
    return module
