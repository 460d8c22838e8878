"""Random programs compute what Python computes, however their control flow is nested."""

from __future__ import annotations

import pytest

from tests.frontend.lowering import X, compare
from tests.frontend.random_source import Generator

ARGUMENTS = ((X, 3, 0.7), (-X, 0, -1.2), (X * 0.3, 5, 2.5))


@pytest.mark.parametrize("first", range(0, 60, 10))
@pytest.mark.filterwarnings("ignore")
def test_random_programs(first: int) -> None:
    for seed in range(first, first + 10):
        compare(Generator(seed).program(), *ARGUMENTS)
