"""The programs ``SOURCE`` of a module of tests and their gradient module, plain and compiled."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Modules, transpiled


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "jit"])
def modules(request: pytest.FixtureRequest) -> Modules:
    """A module as plain Python, and its gradient module."""
    return transpiled(request.module.SOURCE, jit=request.param)
