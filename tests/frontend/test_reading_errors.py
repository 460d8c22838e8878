"""Diagnostics of reading: ``tests/errors`` states each in the file where it happens.

A comment ``# error: line:col MKnnn, ...`` announces diagnostics; there must be no others.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mooncake_transpiler.diagnostic.diagnostics import by_place, merge
from mooncake_transpiler.frontend.program import load

CASES = sorted(Path(__file__).parents[1].joinpath("errors").glob("*.txt"))
EXPECTED = re.compile(r"(\d+):(\d+) (MK\d{3})")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_errors(case: Path, tmp_path: Path) -> None:
    text = case.read_text("utf-8")
    module = tmp_path / "module.py"
    module.write_text(text, "utf-8")
    _, diagnostics = load(module)
    comments = (line.partition(" error: ")[2] for line in text.splitlines())
    expected = [match.groups() for comment in comments for match in EXPECTED.finditer(comment)]
    found = [(str(d.place.line), str(d.place.col), d.code) for d in diagnostics]
    assert sorted(found) == sorted(expected)


def test_all_is_reported_in_one_run_in_order(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("def f(x: Real) -> float: ...\ndef g(x: Real) -> float: ...\n")
    (tmp_path / "a.py").write_text("def f(:\n")
    _, diagnostics = load(tmp_path)
    places = [(d.place.path, d.place.line, d.code) for d in diagnostics]
    assert places == [("a.py", 1, "MK003"), ("b.py", 1, "MK202"), ("b.py", 2, "MK202")]


def test_help_shows_the_way_out(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text(
        "import numpy as np\nfrom numpy.typing import NDArray\n"
        "def loss(weights: NDArray[np.float32]) -> float:\n"
        "    n, m = weights.shape\n    return weights[0, 1, 2]\n"
    )
    _, (diagnostic,) = load(module)
    assert diagnostic.message == "parameter weights of loss: the rank of this array is not known"
    assert diagnostic.help is not None
    assert 'Annotated[NDArray[np.float32], "n"]' in diagnostic.help
    assert "# mooncake: skip" in diagnostic.help


def test_a_module_of_the_generated_name(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(x: float) -> float:\n    return x\n")
    (tmp_path / "m_grad.py").write_text("def g():\n    pass\n")
    (tmp_path / "n_grad.py").write_text("def g():\n    pass\n")
    _, diagnostics = load(tmp_path)
    assert [(d.code, d.place.path) for d in diagnostics] == [("MK241", "m_grad.py")]


def test_later_steps_do_not_repeat(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text("def f(x: float) -> float:\n    return {x}\n")
    _, first = load(module)
    assert merge(first, first) == by_place(first) == first
