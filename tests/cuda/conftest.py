"""The programs, transpiled once: over CuPy's stand-in, and over NumPy's arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import pytest

from tests.cuda import backend, compiler, programs, standin
from tests.helpers.transpile import gradient_text, module


@dataclass(frozen=True, slots=True)
class Programs:
    text: str  # of the gradient module over CuPy's arrays
    device: ModuleType
    host: ModuleType
    primal: ModuleType


@pytest.fixture(scope="session")
def emitted() -> str:
    return gradient_text(programs.source("cupy"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs all that needs the programs, so that these are made once.

    On a GPU what only the stand-in can show is left out.
    """
    for item in items:
        if "emitted" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("device"))
        if backend.on_gpu() and item.path.stem in backend.OF_STANDIN:
            item.add_marker(pytest.mark.skip(reason="it is about the stand-in for CuPy"))


@pytest.fixture(scope="session")
def both(emitted: str) -> Iterator[Programs]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    host = programs.source("numpy")
    with standin.installed():
        device = module(emitted, "device_grad")
        yield Programs(
            emitted, device, module(gradient_text(host), "host_grad"), module(host, "host")
        )
