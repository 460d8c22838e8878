"""Random programs of the idioms: some plain, half as many compiled."""

from __future__ import annotations

import pytest

from tests.conformance.generator import IDIOMS
from tests.property.log import summary
from tests.property.search import search

PLAIN, COMPILED, CHUNKS = 16, 8, 4
SEED = 500_000


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_plain(chunk: int) -> None:
    examine(range(SEED + chunk, SEED + PLAIN, CHUNKS), jit=False)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_compiled(chunk: int) -> None:
    start = SEED + PLAIN
    examine(range(start + chunk, start + COMPILED, CHUNKS), jit=True)


def examine(seeds: range, *, jit: bool) -> None:
    found, kinds = search(seeds, IDIOMS, jit=jit)
    for finding in found:
        pytest.fail(finding.reduced().text())
    refused = sum(count for kind, count in kinds.items() if kind.startswith("refused"))
    assert refused <= 0.5 * len(seeds), f"too few programs say something: {summary(kinds)}"
