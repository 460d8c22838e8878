"""Unpacking into names fails as it does in Python, where the number of values is another one."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import transpiled

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

def behind_fields(s: State, v: Vec) -> float:
    s.t = v[0] * 2.0
    a, b = map(float, v)
    return a * b * s.t
"""


NAMES = ["mapped", "kept", "generated", "caught", "starred", "behind_fields"]


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "jit"])
def modules(request: pytest.FixtureRequest) -> tuple[ModuleType, ModuleType]:
    return transpiled(SOURCE, jit=request.param)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_numbers_of_values(name: str, count: int, modules: tuple[ModuleType, ModuleType]) -> None:
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
