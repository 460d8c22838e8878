"""Arrays at module level that something would write to, in all the ways that lead to one."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import compiled

HEAD = """
from dataclasses import dataclass
from typing import Annotated as A, NamedTuple
import numpy as np
from numpy.typing import NDArray

V = A[NDArray[np.float64], "n"]
TABLE = np.array([1.0, 2.0, 3.0])
MATRIX = np.ones((3, 3))


class Pair(NamedTuple):
    a: V
    b: float


@dataclass
class Box:
    a: V

    def scale(self, x: float) -> None:
        self.a *= x


class Shared:
    ROW = np.array([1.0, 2.0])


def _scale(t, x):
    t *= x


def _inner(t, x):
    _scale(t[1:], x)


def _recursive(t: V, x: float, n: int) -> None:
    if n > 0:
        t[n] *= x
        _recursive(t, x, n - 1)


def _same(t):
    return t


def _table():
    return TABLE


def _first(p, x):
    p.a[0] = x


def _sort(t):
    t.sort()


def _default(x, t=TABLE):
    t[0] = x


def _read(t: V, x: float, n: int) -> float:
    return x if n <= 0 else _read(t, x * t[n], n - 1)


def f(x: float) -> float:
"""
REFUSED = {
    "not read": "_scale(TABLE, x)",
    "read": "_scale(TABLE, x); x += TABLE[0]",
    "a view": "_scale(TABLE[1:], x)",
    "transposed": "_scale(MATRIX.T, x)",
    "reshaped": "_scale(TABLE.reshape(3, 1), x)",
    "rows": "for row in MATRIX: _scale(row, x)",
    "an alias": "t = TABLE; _scale(t, x)",
    "a list": "for t in [TABLE, np.zeros(2)]: _scale(t, x)",
    "a tuple": "a, b = TABLE, x; _scale(a, b)",
    "a field": "_first(Pair(TABLE, x), x)",
    "a field of an object": "b = Box(TABLE); b.a[0] = x",
    "a method": "Box(TABLE).scale(x)",
    "twice": "_inner(TABLE, x)",
    "recursion": "_recursive(TABLE, x, 2)",
    "what a call returns": "t = _same(TABLE); t[0] = x",
    "what is got by a call": "t = _table(); t[0] = x",
    "both": "_scale(_same(_table()), x)",
    "a choice": "t = TABLE if x > 0 else np.zeros(3); t[0] = x",
    "a choice for a call": "t = TABLE if x > 0 else np.zeros(3); _scale(t, x)",
    "sorted": "_sort(TABLE)",
    "out=": "np.multiply(MATRIX[0], x, out=TABLE)",
    "asarray": "_scale(np.asarray(TABLE), x)",
    "a lambda": "g = lambda t: _scale(t, x); g(TABLE)",
    "a default": "_default(x)",
    "of a class": "_scale(Shared.ROW, x)",
    "a view of a class's": "_scale(Shared.ROW[1:], x)",
}
ACCEPTED = {
    "reading": "x = _read(TABLE, x, 2)",
    "a copy": "t = TABLE.copy(); _scale(t, x)",
    "a new one": "t = TABLE * x; _scale(t, x); x = t[0]",
    "a choice that is read": "t = np.zeros(3); t[0] = x; u = t if x > 0 else TABLE; x = np.sum(u)",
}


def codes(ways: dict[str, str]) -> dict[str, list[str]]:
    """The codes of the diagnostics of each program."""
    keys = list(ways)
    sources = {f"m{k}.py": f"{HEAD}    {ways[key]}\n    return x\n" for k, key in enumerate(keys)}
    made = compiled(sources)
    return {key: [d.code for d in made[f"m{k}"].diagnostics] for k, key in enumerate(keys)}


@pytest.mark.parametrize(
    ("ways", "expected"), [(REFUSED, {("MK217",), ("MK341",)}), (ACCEPTED, {()})]
)
def test_writes(ways: dict[str, str], expected: set[tuple[str, ...]]) -> None:
    found = codes(ways)
    assert {key: f for key, f in found.items() if tuple(f) not in expected} == {}


def test_the_call_is_named() -> None:
    made = compiled({"m.py": f"{HEAD}    _scale(TABLE, x)\n    return x\n"})["m"]
    (found,) = made.diagnostics
    assert found.message == "_scale writes to TABLE, an array at module level"
    assert found.place.line == HEAD.count("\n") + 1
