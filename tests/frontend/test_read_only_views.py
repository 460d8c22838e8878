"""Views that are copies here: a write that NumPy would show in them is refused."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, transpiled

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
"""

REFUSED = {
    "a call that may write": "d = np.diagonal(y)\n    double(y)\n    return d[0]",
    "carried by a loop": (
        "d = np.diagonal(x)\n    s = 0.0\n    for k in range(3):\n        s += d[0]\n"
        "        y[0, 0] = s\n        d = np.diagonal(y)\n    return s"
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    body = f"def f(x: M) -> float:\n    y = x.copy()\n    {REFUSED[name]}\n"
    with pytest.raises(Refusal) as refused:
        gradient_text(HEADER + body)
    assert [d.code for d in refused.value.diagnostics] == ["MK312"]


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
