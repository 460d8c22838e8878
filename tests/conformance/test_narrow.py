"""Operators of narrow and unsigned integers: plain some of them, compiled few, as NumPy has them.

All with ``--whole-grid``. Rows may be refused with the codes below, and no others.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.conformance.narrow import themes
from tests.conformance.rows import Theme

CODES = {"MK213", "MK250"}
TESTS = 4
PLAIN, COMPILED = 16, 200  # one theme in so many
ALONE = 8  # and of its rows that have no number somewhere


@pytest.mark.parametrize("at", range(TESTS))
def test_plain(at: int, request: pytest.FixtureRequest) -> None:
    examine(at, 1 if request.config.getoption("--whole-grid") else PLAIN, jit=False)


@pytest.mark.parametrize("at", range(TESTS))
def test_compiled(at: int, request: pytest.FixtureRequest) -> None:
    examine(at, PLAIN if request.config.getoption("--whole-grid") else COMPILED, jit=True)


@pytest.mark.parametrize("name", ["whole arrays", "stored: k * 1000", "stored: i[1] * 40000"])
def test_types_of_results_and_stores(name: str) -> None:
    judge([theme for theme in themes() if theme.name == name], jit=False)


def test_compiled_stores() -> None:
    judge([theme for theme in themes() if theme.name == "stored: i[1] * 40000"], jit=True)


def examine(at: int, part: int, *, jit: bool) -> None:
    """Judge one theme in ``part``: the share of one test."""
    judge([*themes()][at * part // TESTS :: part], jit=jit)


def judge(chosen: Sequence[Theme], *, jit: bool) -> None:
    failures = []
    for theme in chosen:
        for key, outcome in theme.outcomes(part=ALONE, jit=jit).items():
            if outcome.is_wrong or (outcome.is_refusal and outcome.code not in CODES):
                failures.append(f"{theme.name}: {key}: {outcome.kind}: {outcome.message}")
    assert not failures, "\n".join(failures)
