"""Programs of the catalogue with one float as their result: ``f_hvp``, ``f_jacobian`` and so on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "hvp", "hessian", "jacobian"]\n'
THEMES = ("aliasing", "structs", "whiles")  # a sample: each has its own difficulties
JITTED = ("aliasing", "whiles")
PROGRAMS = [name for name in programs() if name.partition(".")[0] in THEMES]


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    with open_catalogue(CONFIG) as made:
        yield made


@for_each(PROGRAMS)
def test_plain(name: str, catalogue: Catalogue) -> None:
    catalogue.check(name)


@pytest.mark.parametrize("theme", JITTED)
@pytest.mark.wide("aliasing")
def test_jitted(theme: str, catalogue: Catalogue) -> None:
    catalogue.check(next(name for name in PROGRAMS if name.startswith(theme)), jit=True)


@for_each(THEMES)
def test_most_have_second_derivatives(name: str, catalogue: Catalogue) -> None:
    count = sum(one.startswith(f"{name}.") for one in PROGRAMS)
    assert catalogue.text(name).count("_hvp(") > count / 2
