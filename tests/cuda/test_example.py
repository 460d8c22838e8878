"""One text for both libraries: the example of a reaction, and the programs of the benchmark."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called
from tests.helpers.transpile import module

ROOT = Path(__file__).parents[2]
HOST, DEVICE = ROOT / "examples/programs", ROOT / "examples/cuda"


def test_the_texts_differ_in_two_lines() -> None:
    texts = [(folder / "reaction.py").read_text().splitlines() for folder in (HOST, DEVICE)]
    differing = [pair for pair in zip(*texts, strict=True) if pair[0] != pair[1]]
    assert [one.split()[0] for one, _ in differing] == ["import", "Number"]


@pytest.mark.skipif(compiler.GXX is None, reason="g++, which runs the kernels, is not installed")
def test_same_gradients() -> None:
    draw = np.random.default_rng(0)
    u, v, observed = (draw.random((11, 7)) for _ in range(3))
    with standin.installed() as counts:
        made = [
            module((folder / "reaction_grad.py").read_text(), f"reaction_{folder.name}")
            for folder in (DEVICE, HOST)
        ]
        args = u, v, 0.03, 0.06, 5, observed
        assert_equal(*called((made[0], made[1]), "misfit_value_and_grad", *args), 1e-12)
        assert counts["synchronisations"] == 0


def test_handed_over_without_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HOST.parent))
    example = import_module("reaction_fit")
    picture = np.random.default_rng(0).random((3, 4))
    found = example.handed_over(picture)
    assert "numpy" in found
    assert all(np.shares_memory(np.asarray(one), picture) for one in found.values())
