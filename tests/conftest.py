"""The choice of tests, and the golden fixture: text compared with a committed file.

Garbage is collected rarely.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.sampling import is_sampled

Golden = Callable[[Path, str], None]
ON_GPU = "MOONCAKE_TESTS_ON_GPU"  # the variable that tells it


def pytest_configure(config: pytest.Config) -> None:
    """Collect garbage rarely: searching all that numba, jax and the transpiler hold takes long."""
    gc.set_threshold(50_000, 20, 20)
    if config.getoption("--on-gpu"):
        os.environ[ON_GPU] = "1"  # before modules of tests are imported


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write what the golden tests find"
    )
    parser.addoption(
        "--whole-grid", action="store_true", help="all examples of the library, not some of each"
    )
    parser.addoption(
        "--sample", action="store_true", help="a third of the cases of what has very many"
    )
    parser.addoption(
        "--on-gpu", action="store_true", help="tests/cuda on CuPy itself, not on a stand-in"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked ``wide``, but for a run of the whole grid, and what is no sample."""
    if config.getoption("--whole-grid"):
        return
    left_out = {
        item for item in items for mark in item.iter_markers("wide") if _is_meant(mark, item)
    }
    if config.getoption("--sample"):
        left_out |= {item for item in items if not is_sampled(item.nodeid)}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


def _is_meant(mark: pytest.Mark, item: pytest.Item) -> bool:
    """True if ``item`` has all the parameters that ``mark`` names, if any."""
    parameters = item.name.partition("[")[2].rstrip("]").split("-")
    return set(mark.args).issubset(parameters)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Fails unless a file holds the text; with ``--update-goldens`` it will."""
    update: bool = request.config.getoption("--update-goldens")

    def compare(file: Path, text: str) -> None:
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        assert file.exists(), f"{file.name} is missing: run pytest --update-goldens"
        assert text == file.read_text(), f"{file.name} differs: see pytest --update-goldens"

    return compare
