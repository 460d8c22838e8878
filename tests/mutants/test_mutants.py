"""No program makes the transpiler crash or hang: mutants of the catalogue, most of them wrong."""

from __future__ import annotations

import pytest

from tests.mutants.search import examine


@pytest.mark.parametrize("seed", range(1000, 1030))
def test_mutant(seed: int) -> None:
    _, failure = examine(seed)
    assert failure is None, str(failure)
