"""Values that may be None are those of plain Python on all paths, not at one point alone."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import product

import pytest

from tests.programs.catalogue import Catalogue, open_catalogue, programs

POINTS: Mapping[str, tuple[object, ...]] = {
    "x": (-2.0, -0.7, -0.3, 0.1, 0.4, 0.8, 1.7),
    "y": (-0.7, 0.2, 0.9),
    "n": (0, 3, 4),
    "t": (None, "a", "b"),
    "xs": (
        [0.8, 0.1, -0.7, 1.7, 0.4], [-0.7, -0.7, 0.2, 0.9, 0.9], [0.1, -0.2, 0.1, 0.1],
        [1.7, 1.7, 0.4, -2.0, -0.3],
    ),
}  # fmt: skip
NAMES = [name.partition(".")[2] for name in programs() if name.startswith("members_or_none.")]


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    with open_catalogue() as found:
        yield found


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_values(name: str, jit: bool, catalogue: Catalogue) -> None:
    home = import_module("members_or_none")
    primal = getattr(home, name)
    generated = getattr(catalogue.module("members_or_none", jit=jit), f"{name}_value_and_grad")
    parameters = inspect.signature(primal).parameters
    points = {**POINTS, "s": (None, *home.Side)}
    for args in product(*(points[param] for param in parameters)):
        value, _ = generated(*args)
        assert value == pytest.approx(primal(*args), rel=1e-12, abs=1e-12)
