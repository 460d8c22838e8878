"""Partners of lines, words about lines, rules behind calls."""

from __future__ import annotations

from pathlib import Path

from mooncake_transpiler.report.findings import FunctionFacts, WrittenLine
from mooncake_transpiler.report.report_command import facts

from tests.report.conftest import Report
from tests.report.programs import NEWTON, WAVE

ROOT = Path(__file__).parents[2]

FUSED = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Field = Annotated[NDArray[np.float64], "n"]


def loss(x: Field, seen: Field, count: int) -> float:
    scale = float(np.sum(seen)) + count
    inside = np.sin(x)
    return float(np.sum(inside * inside)) * scale
"""


def partners(lines: tuple[WrittenLine, ...], number: int) -> list[str]:
    return [line.text.strip() for line in lines if ("program.py", number) in line.spots]


def tags(facts: FunctionFacts) -> dict[int, tuple[str, ...]]:
    lines = (line for section in facts.sections for line in section.lines)
    return {line.number: line.tags for line in lines if line.tags}


def test_partners_of_lines(report: Report) -> None:
    facts = report(WAVE, "wave")
    assert [section.name for section in facts.sections] == ["wave", "damped"]
    starts = {line.number: line.start for line in facts.sections[0].lines}
    loop, added, inside, damped = 18, 19, 20, 11
    assert (starts[loop], starts[added], starts[inside], starts[21]) == (18, 19, 19, 19)
    assert "for i in range(n):" in partners(facts.forward, loop)
    assert any(
        text.startswith("for i in range(n - 1, -1, -1)") for text in partners(facts.pullback, loop)
    )
    assert any(text.startswith("total") for text in partners(facts.forward, added))
    assert any(text.startswith("# total = ") for text in partners(facts.pullback, added))
    assert any("math.exp" in text for text in partners(facts.forward, damped))
    assert "# return math.exp(-x * x)" in partners(facts.pullback, damped)
    assert not partners(facts.forward, inside)


def test_each_line_of_a_body_has_partners(report: Report) -> None:
    """Besides what is there for the function as a whole: its signature, its return, its ends."""
    for name in ("root", "smooth", "inplace"):
        facts = report(NEWTON, name)
        for line in (*facts.forward, *facts.pullback, *facts.sweep):
            computes = any(sign in line.text for sign in ("_bar * ", "np.tanh(", "np.exp("))
            assert line.spots or not computes, line


def test_tags(report: Report) -> None:
    assert not any("inactive" in words for words in tags(report(FUSED, "loss")).values())
    only_x = FUSED.replace("def loss", "# mooncake: wrt=x\ndef loss")
    found = report(only_x, "loss")
    assert tags(found)[11] == ("inactive",)
    assert "inactive" not in tags(found).get(12, ())
    assert dict(found.remarks)["inactive"].startswith("seen, count")


def test_rules(report: Report) -> None:
    rules = {rule.call: rule for rule in report(FUSED, "loss").rules}
    assert rules["np.sin"].formula == "x_bar += f_bar * (np.cos(x))"
    assert rules["np.sin"].home == "mooncake_rules/elementary.py"
    assert rules["np.sum"].home == "mooncake_rules/library/reductions.py"
    own = {rule.call: rule for rule in report(WAVE, "wave").rules}
    assert own["damped"].home == "program:damped"
    assert own["math.exp"].formula == "x_bar += f_bar * (f)"


def test_what_is_not_emitted(report: Report) -> None:
    source = WAVE.replace("def damped", "def _damped").replace("+ damped(", "+ _damped(")
    assert report(source, "_damped").state == "helper"
    assert report(source, "_damped").sections == ()


def test_functions_on_the_gpu() -> None:
    (module,) = facts(ROOT / "examples/cuda/reaction.py", (), None, "misfit").modules
    (misfit,) = module.functions
    assert dict(misfit.remarks)["parallel"].startswith("on the GPU")
    assert any("Kernel(" in line.text for line in misfit.forward)
