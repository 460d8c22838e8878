"""Programs about Python's own objects: each is right, or refused with the code that it names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.conformance.python_programs import (
    THEMES,
    Written,
    accepted,
    check,
    codes,
    forget,
    gradient,
    programs,
)

SHARE = 12  # of the programs, one in so many is compiled


@pytest.fixture(scope="module", autouse=True)
def _modules() -> Iterator[None]:
    yield
    forget()


def _wrong(written: list[Written], *, jit: bool) -> list[str]:
    found = []
    for program in written:
        try:
            check(program, gradient(program.theme, jit))
        except Exception as error:
            found.append(f"{program}: {error!r}")
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_plain(theme: str) -> None:
    assert not _wrong(accepted(theme), jit=False)


@pytest.mark.parametrize("theme", THEMES)
def test_compiled(theme: str) -> None:
    assert not _wrong(accepted(theme)[::SHARE], jit=True)


@pytest.mark.parametrize("theme", THEMES)
def test_refused(theme: str) -> None:
    refused = [program for program in programs(theme) if program.code is not None]
    assert {str(p): codes(p) for p in refused} == {str(p): {p.code} for p in refused}


def test_refusals_are_few() -> None:
    """Fewer than a fifth of the programs are refused; their codes are counted (``pytest -s``)."""
    every = [program for theme in THEMES for program in programs(theme)]
    refused = Counter(program.code for program in every if program.code is not None)
    print(f"\n{len(every)} programs, refused:", *(f"{c}: {n}" for c, n in refused.most_common()))
    assert refused.total() < len(every) / 5
