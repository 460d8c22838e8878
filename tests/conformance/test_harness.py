"""The harness sees what it is for: results that are wrong on purpose, refusals, exceptions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance import harness
from tests.conformance.harness import Outcome, Program, judged, outcomes, tally
from tests.conformance.inputs import HEADER, LENGTHS, SPECIAL, arguments
from tests.helpers.transpile import module

PRODUCT = "def f(x: Vec, a: float, k: int) -> float:\n    x *= 2.0\n    return x[k] * a\n"
POINT = (np.array([0.3, -0.7, 1.1]), 0.6, 1)
BROKEN = (  # what is replaced in the gradient module, and how that shows
    ("return t1 * a, ", "return t1 * a + 1e-8, ", "value"),
    ("x_bar[k] += y_bar * a\n", "x_bar[k] += 1.000001 * y_bar * a\n", "gradient"),
    ("a_dot * t2", "a_dot * t2 * 1.000001", "tangent"),
    ("    x[:] = x_entry\n", "", "restore"),
    ("        x[i] = x[i] * 2.0\n        x_dot", "        x_dot", "mutation"),
    ("import numpy as np\n", "import numpy as np, missing\n", "import ModuleNotFoundError"),
    ("return x_bar, t1, None", "return x_bar[:2], t1, None", "error ValueError"),
)


@pytest.mark.parametrize(("old", "new", "kind"), BROKEN)
def test_what_is_wrong(old: str, new: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = harness.transpiled([Program(HEADER + PRODUCT)])[0]
    assert isinstance(text, str)
    assert old in text
    monkeypatch.setattr(harness, "transpiled", lambda programs: [text.replace(old, new)])
    outcome = judged(HEADER + PRODUCT, POINT)
    assert (outcome.kind, outcome.is_wrong) == (kind, True)


@pytest.mark.parametrize("jit", [False, True])
def test_each_program_has_its_outcome(jit: bool) -> None:
    bodies = {
        "    return x[k] * nothing\n": "refused MK210",
        "    return abs(x[1]) * a\n": "discarded",  # the only point is a kink
        "    raise KeyError('no')\n": "fine",
        "    return a / 0\n": "discarded",  # KNOWN_LIMITATIONS.md
        PRODUCT.partition("\n")[2]: "fine",
    }
    head = HEADER + PRODUCT.partition("\n")[0] + "\n"
    point = (np.array([0.3, 0.0, 1.1]), 0.6, 1)
    found = list(outcomes([Program(head + body, (point,)) for body in bodies], jit=jit))
    assert [outcome.kind for outcome in found] == [*bodies.values()]
    assert tally(found) == "5 programs: 2 discarded, 2 fine, 1 refused MK210"


def test_an_exception_that_is_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    text = harness.transpiled([Program(HEADER + PRODUCT)])[0]
    monkeypatch.setattr(harness, "transpiled", lambda programs: [text])
    raising = PRODUCT.replace("return", "raise KeyError('no')\n    return")
    assert judged(HEADER + raising, POINT).kind == "raise"


def test_single_precision_is_compared_in_double() -> None:
    source = "def f(x: Vec32) -> Vec32:\n    return np.sin(x) * np.float32(0.1)\n"
    assert judged(HEADER + source, 0, 1) == Outcome("fine")


def test_points_of_seeds() -> None:
    """Arrays of several items, of one and of none; special numbers and others."""
    f = module(HEADER + "def f(x: Vec, k: Ints) -> float:\n    return x[0]\n", "program").f
    lengths = {seed: len(arguments(f, seed)[0]) for seed in range(14)}
    assert {lengths[0], lengths[6], lengths[13]} == {LENGTHS["n"], 0, 1}
    assert any(number in SPECIAL for number in arguments(f, 2)[0])
