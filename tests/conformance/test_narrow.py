"""Operators of narrow and unsigned integers: plain some of them, compiled few, as NumPy has them.

All with ``--whole-grid``. Rows may be refused with the codes below, and no others.
"""

from __future__ import annotations

import pytest

from tests.conformance.narrow import themes

CODES = {"MK213", "MK250"}
TESTS = 4
PLAIN, COMPILED = 8, 40  # one theme in so many
ALONE = 8  # and of its rows that have no number somewhere


@pytest.mark.parametrize("at", range(TESTS))
def test_plain(at: int, request: pytest.FixtureRequest) -> None:
    examine(at, 1 if request.config.getoption("--whole-grid") else PLAIN, jit=False)


@pytest.mark.parametrize("at", range(TESTS))
def test_compiled(at: int, request: pytest.FixtureRequest) -> None:
    examine(at, PLAIN if request.config.getoption("--whole-grid") else COMPILED, jit=True)


def examine(at: int, part: int, *, jit: bool) -> None:
    """Judge one theme in ``part``: the share of one test."""
    failures = []
    for theme in [*themes()][at * part // TESTS :: part]:
        for key, outcome in theme.outcomes(part=ALONE, jit=jit).items():
            if outcome.is_wrong or (outcome.is_refusal and outcome.code not in CODES):
                failures.append(f"{theme.name}: {key}: {outcome.kind}: {outcome.message}")
    assert not failures, "\n".join(failures)
