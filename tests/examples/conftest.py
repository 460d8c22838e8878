"""Loading of primals, generated modules and data files."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from adbench_data import data_folder

from bench.primal import EXAMPLES, jitted


@pytest.fixture(scope="session")
def primal() -> Callable[[str, str], Callable]:
    """``primal(module, function)``: the example itself, compiled."""
    modules = {}

    def get(module: str, function: str) -> Callable:
        if module not in modules:
            modules[module] = jitted(EXAMPLES, module)
        return getattr(modules[module], function)

    return get


@pytest.fixture(scope="session")
def generated() -> Callable[[str, str], Callable]:
    """``generated(module, name)``: a function of ``module_grad``."""
    return lambda module, name: getattr(importlib.import_module(f"{module}_grad"), name)


@pytest.fixture(scope="session")
def adbench() -> Path:
    """The folder of ADBench's files; tests that ask for it are skipped where it is absent."""
    folder = data_folder()
    if folder is None:
        pytest.skip("no ADBench files: set MOONCAKE_ADBENCH to their folder")
    return folder
