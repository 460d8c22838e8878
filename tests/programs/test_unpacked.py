"""Unpacking into names fails as it does in Python, where the number of values is another one."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules

SOURCE = """
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], "n"]

@dataclass
class State:
    t: float

def mapped(v: Vec) -> float:
    a, b = map(float, v)
    return a * b

def kept(v: Vec) -> float:
    a, b = [x * x for x in v if x > 0.0]
    return a * b

def generated(v: Vec) -> float:
    a, b = (x * x for x in v if x > 0.0)
    return a * b

def caught(v: Vec) -> float:
    try:
        a, b = (x * x for x in v if x > 0.0)
    except ValueError:
        return v[0]
    return a * b

def starred(v: Vec) -> float:
    a, *_, b = (x * x for x in v if x > 0.0)
    return a * b

def array(v: Vec) -> float:
    a, b = v
    return a * b

def made(v: Vec) -> float:
    w = np.sort(v * v)
    a, b = w
    return a * b

def behind_fields(s: State, v: Vec) -> float:
    s.t = v[0] * 2.0
    a, b = map(float, v)
    return a * b * s.t

def rows(m: Annotated[NDArray[np.float64], "n k"]) -> float:
    total = 0.0
    for x, y in m:
        total += x * y
    return total

def pairs_of_rows(m: NDArray[np.float64]) -> float:
    total = 0.0
    for (x1, y1), (x2, y2) in zip(m, np.roll(m, -1, axis=0)):
        total += x1 * y2 - x2 * y1
    return total * total

def numbered_rows(m: NDArray[np.float64]) -> float:
    return sum(k * x * y for k, (x, y) in enumerate(m[:, ::-1], 1))

def row_by_index(m: Annotated[NDArray[np.float64], "n k"]) -> float:
    total = 0.0
    for i in range(len(m) - 1, -1, -1):
        x, y = m[i]
        total += x * y
    return total

def columns(m: Annotated[NDArray[np.float64], "n k"]) -> float:
    x, y = m.T
    return np.sum(x * y)
"""


NAMES = ["mapped", "kept", "generated", "caught", "starred", "array", "made", "behind_fields"]
ROWS = ["rows", "pairs_of_rows", "numbered_rows", "row_by_index", "columns"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_numbers_of_values(name: str, count: int, modules: Modules) -> None:
    program, generated = modules
    primal, gradient = getattr(program, name), getattr(generated, f"{name}_value_and_grad")
    states = [program.State(0.5)] if name == "behind_fields" else []
    args = [np.array([0.5, 1.5, 0.7][:count])]
    if count == 2 or name == "caught" or (name == "starred" and count > 2):
        check_gradients(primal, generated, [*states, *args])
        return
    others = [program.State(0.5) for _ in states]
    with pytest.raises(ValueError, match="values to unpack") as expected:
        primal(*states, *args)
    with pytest.raises(ValueError, match="values to unpack") as raised:
        gradient(*others, *args)
    assert str(raised.value) == str(expected.value)
    assert others == states


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_numbers_of_columns(name: str, count: int, modules: Modules) -> None:
    program, generated = modules
    primal, gradient = getattr(program, name), getattr(generated, f"{name}_value_and_grad")
    m = np.sqrt(np.arange(1.0, 3.0 * count + 1.0)).reshape(3, count)
    if count == 2:
        check_gradients(primal, generated, [m])
        return
    with pytest.raises(ValueError, match="values to unpack") as expected:
        primal(m)
    with pytest.raises(ValueError, match="values to unpack") as raised:
        gradient(m)
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("name", ROWS[:4])
@pytest.mark.parametrize("count", [1, 3])
def test_no_row_is_unpacked(name: str, count: int, modules: Modules) -> None:
    program, generated = modules
    m = np.zeros((0, count))
    value, gradient = getattr(generated, f"{name}_value_and_grad")(m)
    assert value == getattr(program, name)(m) == 0.0
    assert gradient.shape == m.shape
