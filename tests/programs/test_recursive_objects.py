"""Refusals of functions that call themselves on objects that the run makes."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import refusals

CLASSES = """
from __future__ import annotations
from dataclasses import dataclass
import numpy as np

@dataclass
class Cell:
    x: float
    pos: np.ndarray
    inner: Cell | None = None

def _made(x: float, n: int) -> Cell | None:
    head: Cell | None = None
    for i in range(n):
        head = Cell(x * i, np.zeros(2), head)
    return head

def _total(c: Cell | None) -> float:
    return 0.0 if c is None else c.x + _total(c.inner)
"""

MAKES = """
def _add(c: Cell, x: float) -> None:
    if c.inner is None:
        c.inner = Cell(x, np.zeros(2))
    else:
        _add(c.inner, x)

def f(x: float, n: int) -> float:
    head = _made(x, n)
    if head is not None:
        _add(head, x)
    return _total(head)
"""

FILLS = """
def _collect(c: Cell | None, out: list[float]) -> None:
    if c is not None:
        out.append(c.x)
        _collect(c.inner, out)

def f(x: float, n: int) -> float:
    out: list[float] = []
    _collect(_made(x, n), out)
    return sum(out)
"""

MOVES = """
def _move(c: Cell | None, a: float) -> None:
    if c is not None:
        c.pos += a
        _move(c.inner, a)

def f(x: float, n: int) -> float:
    head = _made(x, n)
    _move(head, x)
    return 0.0 if head is None else head.pos[0]
"""


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (MAKES, "MK304", "can't make objects"),
        (FILLS, "MK304", "how deep"),
        (MOVES, "MK312", "can't be written to"),
    ],
    ids=("makes", "fills", "moves"),
)
def test_refused(text: str, code: str, message: str) -> None:
    refusal = refusals(CLASSES + text)
    assert {one.code for one in refusal} == {code}
    assert any(message in one.message for one in refusal)
