"""Views that are copies here: a write that NumPy would show in them is refused."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, refusals, transpiled

HEADER = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
M = Annotated[NDArray[np.float64], "n n"]
V = Annotated[NDArray[np.float64], "n"]

def double(y: M) -> None:
    y *= 2.0

def first(y: V) -> float:
    return y[0]

def same(y):
    if y[0, 0] > 0:
        y[0, 0] *= y.shape[0]
    return y

def scaled(y, v):
    for i in range(len(y)):
        y[i] *= v
    return y[0]

def grown(y, k):
    z = np.zeros(len(y))
    for i in range(len(y)):
        z[i] = y[i] * k
    return z

def later(y, n):
    if n < 1:
        return y
    z = later(y, n - 1)
    return later(z, n - 2)

def trace(y):
    s = 0.0
    for i in range(len(y)):
        s += y[i, i]
    return s
"""

REFUSED = {
    "a call that may write": "d = np.diagonal(y)\n    double(y)\n    return d[0]",
    "carried by a loop": (
        "d = np.diagonal(x)\n    s = 0.0\n    for k in range(3):\n        s += d[0]\n"
        "        y[0, 0] = s\n        d = np.diagonal(y)\n    return s"
    ),
    "of one of two": (
        "r = y if x[0, 0] > 0 else x * 2.0\n    d = np.diagonal(y)\n    r[0, 0] = 5.0\n"
        "    return d[0]"
    ),
    "made of one of two": (
        "r = y if x[0, 0] > 0 else x * 2.0\n    d = np.diagonal(r)\n    y[0, 0] = 5.0\n"
        "    return d[0]"
    ),
    "of what a function returns": (
        "r = same(y)\n    d = np.diagonal(y)\n    r[0, 0] = 5.0\n    return d[0]"
    ),
    "made of what a function returns": (
        "r = same(y)\n    d = np.diagonal(r)\n    y[0, 0] = 5.0\n    return d[0]"
    ),
    "of what a loop has swapped": (
        "w, z = y, x * 2.0\n    for _ in range(3):\n        w, z = z, w\n"
        "    d = np.diagonal(w)\n    y[0, 0] = 5.0\n    return d[0]"
    ),
    "in the next iteration": (
        "w, z, s = x * 2.0, y, 0.0\n    d = np.diagonal(y)\n    for _ in range(3):\n"
        "        w[0, 0] += 1.0\n        s += d[0]\n        w, z = z, w\n    return s"
    ),
    "before it is appended again": (
        "z, rows = x[0] * 2.0, []\n    for v in x[1]:\n        z[0] += v\n        rows.append(z)\n"
        "    return rows[0][0]"
    ),
    "of a chosen item": (
        "z = x[1] * 2.0\n    rows = [z if v > 0 else z[:] for v in x[0]]\n    z[0] = 3.0\n"
        "    return rows[0][0]"
    ),
    "of what two calls give": (
        "r = later(y, int(x[0, 0]))\n    d = later(r, int(x[0, 0]))\n    r = x * 2.0\n"
        "    y[0, 0] = 5.0\n    return d[0, 0] + r[0, 0]"
    ),
    "by a call for an item": (
        "rows = [(y[k], scaled(y[0], 2.0)) for k in range(len(y))]\n    return rows[0][0][0]"
    ),
}

ALLOWED = {
    "it is read by a call": "d = np.diagonal(y)\n    return trace(y) * np.sum(d)",
    "what a function makes": (
        "rows = [grown(y[0], k) for k in range(len(y))]\n    y[0, 0] = 3.0\n    return rows[2][1]"
    ),
    "it is made anew": (
        "w, z, s = y, x * 2.0, 0.0\n    for _ in range(3):\n        d = np.diagonal(w)\n"
        "        s += np.sum(d * d)\n        w, z = z, w + 1.0\n    w[0, 0] += 1.0\n"
        "    return s + np.sum(w)"
    ),
    "a helper makes each state": (
        "z, rows = y[0], []\n    for k in range(3):\n        z = grown(z, k + 1)\n"
        "        z[0] += 1.0\n"
        "        rows.append(z.copy())\n    return np.sum(rows[0] * rows[1] * rows[2]) + np.sum(z)"
    ),
    "called again with what it gives": (
        "r = later(y, int(x[0, 0]))\n    d = later(r, int(x[0, 0]))\n    return d[0, 0] * r[0, 1]"
    ),
    "another array is written": (
        "d = np.diagonal(y)\n    out = np.zeros(3)\n    for i in range(3):\n"
        "        out[i] = d[i] * d[0]\n    return np.sum(out)"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body = f"def f(x: M) -> float:\n    y = x.copy()\n    {REFUSED[name]}\n"
    refused = refusals(HEADER + body)
    assert [d.code for d in refused] == ["MK312"]


@pytest.mark.parametrize("name", ALLOWED)
def test_allowed(name: str) -> None:
    body = f"def f(x: M) -> float:\n    y = x.copy()\n    {ALLOWED[name]}\n"
    module, generated = transpiled(HEADER + body)
    check_gradients(module.f, generated, (np.arange(1.0, 10.0).reshape(3, 3),))


def test_arguments_may_overlap() -> None:
    source = "def f(x: V, y: V) -> float:\n    d = [x[1:] for v in y]\n"
    source += "    y[1] = 3.0\n    return d[0][0]\n"
    with pytest.raises(Refusal, match="MK312"):
        gradient_text(HEADER + source)


def test_may_be_passed_on() -> None:
    source = HEADER + "def f(x: M) -> float:\n    d = np.diagonal(x)\n    return first(d) * d[1]\n"
    module, generated = transpiled(source)
    check_gradients(module.f, generated, (np.arange(1.0, 10.0).reshape(3, 3),))


def test_lists_that_loops_carry_stay_lists() -> None:
    """``x[[0, 1]]`` are two rows, ``x[0, 1]`` is an element."""
    source = (
        HEADER
        + """
def f(x: M) -> float:
    i = [0, 1]
    s = 0.0
    for k in range(3):
        i = [i[1], i[0]]
        s += np.sum(x[i] * (k + 1.0)) * x[i][0, 0]
    return s
"""
    )
    module, generated = transpiled(source)
    check_gradients(module.f, generated, (np.arange(1.0, 10.0).reshape(3, 3),))
