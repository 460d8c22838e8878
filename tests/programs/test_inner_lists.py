"""Lists in lists at their ends: errors of Python's, and loops over lists that get longer."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import transpiled

SOURCE = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


def emptied(x: Vec, n: int) -> float:
    rows = [[v] for v in x]
    total = 0.0
    for _ in range(n):
        total += rows[1].pop()
    return total


def beyond(x: Vec, n: int) -> float:
    rows = [[] for _ in range(n)]
    rows[0].append(x[0])
    return rows[0][1]


def longer(x: Vec, n: int) -> float:
    rows = [[v] for v in x]
    total = 0.0
    for v in rows[0]:
        total += v
        if len(rows[0]) < n:
            rows[0].append(0.5 * v)
    return total


def others(x: Vec, n: int) -> float:
    rows = [[v] for v in x]
    for v in rows[0]:
        rows[1].append(v * n)
    return sum(rows[1])
"""
X = np.array([0.4, 0.7, 1.1])


@pytest.mark.parametrize("jit", [False, True])
def test_errors(jit: bool) -> None:
    primal, made = transpiled(SOURCE, jit=jit)
    for name, n, error in (
        ("emptied", 2, (IndexError, "pop from empty list")),
        ("beyond", 2, (IndexError, "list index out of range")),
    ):
        for function in (getattr(primal, name), getattr(made, f"{name}_grad")):
            with pytest.raises(error[0], match=error[1]):
                function(X, n)
    assert np.array_equal(made.emptied_grad(X, 1), [0.0, 1.0, 0.0])
    with pytest.raises(RuntimeError, match="list changed size during iteration"):
        made.longer_grad(X, 3)  # Python goes on with the new items
    assert np.array_equal(made.longer_grad(X, 1), [1.0, 0.0, 0.0])
    assert np.array_equal(made.others_grad(X, 3), [3.0, 1.0, 0.0])
