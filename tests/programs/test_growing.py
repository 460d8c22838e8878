"""Exceptions of lists that grow, raised when the program runs."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import numpy as np
import pytest

from tests.helpers.transpile import Refusal, compiled, gradient_body, gradient_text, module

HEADER = """\
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vector = Annotated[NDArray[np.float64], "n"]
"""


def _value_and_grad(body: str, *, jit: bool = False) -> Callable[..., object]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"{HEADER}\ndef f(x: float, v: Vector, n: int) -> float:\n{lines}"
    product = compiled({"program.py": source})["program"]
    made = module(gradient_body(product), "program_grad", jit=jit)
    found: Callable[..., object] = made.f_value_and_grad
    return found


GROWN = "xs = [x]\nfor i in range(n):\n    xs.append(x * i)\n"


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(
    ("use", "message"),
    [
        ("return xs[n + 1]", "list index out of range"),
        ("return xs[-n - 2]", "list index out of range"),
        ("return xs[9]", "list index out of range"),
        ("xs[n + 1] = x\nreturn xs[0]", "list index out of range"),
        ("for _ in range(n + 2):\n    xs.pop()\nreturn x", "pop from empty list"),
        ("for _ in range(n + 2):\n    xs.pop(0)\nreturn x", "pop from empty list"),
        ("xs.pop(n + 1)\nreturn x", "pop index out of range"),
    ],
)
def test_index_errors(use: str, message: str, jit: bool) -> None:
    with pytest.raises(IndexError, match=message):
        _value_and_grad(GROWN + use, jit=jit)(0.5, np.ones(3), 4)


def test_indices_from_either_end() -> None:
    function = _value_and_grad(GROWN + "return xs[-n - 1] + 10.0 * xs[n] + 100.0 * xs[-1]")
    value, (x_bar, *_) = function(0.5, np.ones(3), 4)  # type: ignore[misc]
    assert value == 0.5 + 10.0 * 1.5 + 100.0 * 1.5
    assert x_bar == 1.0 + 10.0 * 3.0 + 100.0 * 3.0


def test_arrays_of_other_shapes() -> None:
    body = "xs = [v]\nfor i in range(n):\n    xs.append(v[i:] * x)\n"
    function = _value_and_grad(body + "return np.sum(np.array(xs))")
    assert function(0.5, np.ones(3), 1)[0] == 4.5  # type: ignore[index]
    with pytest.raises(ValueError, match="the sizes of an axis differ"):  # as NumPy can't, too
        function(0.5, np.ones(3), 2)


def test_lists_that_stay_empty() -> None:
    body = "xs = []\nfor i in range(n):\n    xs.append(x * i)\n"
    function = _value_and_grad(body + "return sum(xs) + (x if xs else 2.0 * x) * len(xs) + x")
    value, (x_bar, *_) = function(0.5, np.ones(3), 0)  # type: ignore[misc]
    assert (value, x_bar) == (0.5, 1.0)


def test_long_lists() -> None:
    body = "xs = [x]\nwhile len(xs) < n:\n    xs.append(xs[-1] * 0.999 + 0.001)\nreturn xs[-1]"
    _, (x_bar, *_) = _value_and_grad(body, jit=True)(0.5, np.ones(3), 5000)  # type: ignore[misc]
    assert np.isclose(x_bar, 0.999**4999, rtol=1e-12)


HELPERS = """
import copy

def _twice(x, n):
    row = [x for _ in range(n)]
    return row, row

def _table(x, n):
    return [[x] * n for _ in range(n)]
"""
REFUSED = {
    "t = _table(x, n)\nt[0] = t[1]\nt[0][::2] = t[2][::2]\nreturn sum(t[1])": "MK317",
    "t = [[0] * n for _ in range(n)]\nt[0] = t[1]\nt[0][0] = x\nreturn t[1][0]": "MK370",
    "t = [[x > 1.0] * n for _ in range(n)]\nt[0] = t[1]\nt[0][0] = x\nreturn x": "MK370",
    "t = _table(x, n)\nt[0] = t[1]\nu = copy.deepcopy(t)\nu[0][0] = x\nreturn u[1][0]": "MK343",
    "a, b, t = [x], xs, [[x] * i for i in range(n)]\nc = a if x > 1 else b\nt.append(c)\n"
    "t[-1][0] = 2.0\nreturn a[0]": "MK370",
    "t = _table(x, n)\nt[0] = xs\nt[0][0] = x\nreturn xs[0]": "MK370",
    "t = []\nfor _ in range(n):\n    t.append(xs)\nt[0][0] = x\nreturn xs[0]": "MK330",
    "t = _table(x, n)\nt[0] = t[1]\nif n > 2:\n    t[0] = [xs]\nreturn t[0][0]": "MK370",
}


@pytest.mark.parametrize("body", REFUSED)
def test_rows_that_are_refused(body: str) -> None:
    head = "def f(x: float, n: int, xs: list[float]) -> float:"
    with pytest.raises(Refusal, match=REFUSED[body]):
        gradient_text(f"{HELPERS}{head}\n{indent(body, '    ')}")
