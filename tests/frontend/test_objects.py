"""Objects of which it is not known ahead of time which one is changed."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text, refusals

HEADER = """
from dataclasses import dataclass


@dataclass
class Cell:
    t: float

"""
REBOUND = {
    "in a branch": """
def f(o: Cell, a: float) -> float:
    if a > 0.0:
        o = Cell(a)
    o.t = 3.0 * a
    return o.t
""",
    "in a for loop": """
def f(o: Cell, a: float, n: int) -> float:
    for _ in range(n):
        o.t = a
        o = Cell(2.0)
    return o.t
""",
    "in a while loop": """
def f(o: Cell, a: float) -> float:
    while o.t < 3.0:
        o.t = 0.5 + o.t
        o = Cell(o.t * a)
    return o.t
""",
}


@pytest.mark.parametrize("source", REBOUND.values(), ids=list(REBOUND))
def test_the_caller_holds_the_argument(source: str) -> None:
    """Python would change the caller's object on some paths, and a new one on the others."""
    with pytest.raises(Refusal, match=r"MK320|of the caller's"):
        gradient_text(HEADER + source)


def test_rebinding_alone_is_fine() -> None:
    source = """
def f(o: Cell, a: float) -> float:
    for _ in range(3):
        o = Cell(o.t * a)
    return o.t
"""
    assert "def f_value_and_grad" in gradient_text(HEADER + source)


@pytest.mark.parametrize(("param", "code"), [("", "MK321"), (", n: Node", "MK204")])
def test_a_class_of_an_unknown_decorator_that_refers_to_itself(param: str, code: str) -> None:
    text = (
        "@unknown\nclass Node:\n    value: float\n    left: 'Node | None' = None\n\n"
        f"def f(x: float{param}) -> float:\n    return Node(x).value\n"
    )
    (found,) = refusals(text)
    assert found.code == code
