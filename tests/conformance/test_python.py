"""Programs about Python's own objects: each is right, or refused with the code that it names."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.conformance import python_programs
from tests.conformance.harness import Outcome, outcomes
from tests.conformance.python_programs import THEMES, Written, programs


@pytest.mark.parametrize("theme", THEMES)
def test_plain(theme: str) -> None:
    _check(programs(theme), jit=False)


@pytest.mark.parametrize("theme", THEMES)
def test_compiled(theme: str) -> None:
    accepted = [program for program in programs(theme) if program.code is None]
    _check(accepted[::3], jit=True)


def _check(written: Sequence[Written], *, jit: bool) -> None:
    found = outcomes([python_programs.alone(program) for program in written], jit=jit)
    wrong = [
        f"{program}: {outcome.kind} {outcome.message}"
        for program, outcome in zip(written, found, strict=True)
        if not _is_expected(program, outcome)
    ]
    assert not wrong, "\n".join(wrong)


def _is_expected(program: Written, outcome: Outcome) -> bool:
    return outcome.kind == ("fine" if program.code is None else f"refused {program.code}")


def test_there_are_many() -> None:
    assert sum(len(programs(theme)) for theme in THEMES) >= 600
