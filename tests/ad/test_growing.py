"""Derivatives through arrays that grow, by hand-made normal forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ad.viewing import Programs

PROGRAMS = Programs(Path(__file__).with_name("growing_programs.py").read_text())
JITTED = ["adaptive", "many", "nested", "overwritten", "rows"]


@pytest.mark.parametrize("name", PROGRAMS.functions)
def test_derivatives_agree_with_differences(name: str) -> None:
    PROGRAMS.check(name, jit=False, layouts=False)


@pytest.mark.parametrize("name", JITTED)
def test_compiled_derivatives_agree_with_differences(name: str) -> None:
    PROGRAMS.check(name, jit=True, layouts=False)
