"""Helpers as functions of their own: every one that can be, in all modes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mooncake_transpiler.passes import shared_helpers

from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "forward", "hvp", "hessian", "jacobian"]\n'
THEMES = ("called_helpers", "calls", "callbacks")
PROGRAMS = [name for name in programs() if name.partition(".")[0] in THEMES]
JITTED = (
    "arrays_in_loops", "at_a_pole", "in_while", "of_helpers", "raises", "results_written",
    "structs", "tuples_in_loops",
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    """The catalogue, where nothing is put in line that can be a function."""
    with pytest.MonkeyPatch.context() as patch, open_catalogue(CONFIG) as made:
        patch.setattr(shared_helpers, "COPIED", 0)
        patch.setattr(shared_helpers, "SHORT", 0)
        yield made


@for_each(PROGRAMS)
def test_plain(name: str, catalogue: Catalogue) -> None:
    catalogue.check(name)


@pytest.mark.parametrize("name", JITTED)
def test_jitted(name: str, catalogue: Catalogue) -> None:
    catalogue.check(f"called_helpers.{name}", jit=True)
