"""Dense derivatives with respect to arrays of a small declared size: one pass for all columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.ad.deriving import HEADER
from tests.helpers.transpile import gradient_text, module

SOURCE = """
Three = Annotated[NDArray[np.float64], "3"]
Box = Annotated[NDArray[np.float64], "2 2"]
Ten = Annotated[NDArray[np.float64], "10"]


# mooncake: wrt=theta modes=reverse,hessian,jacobian
def elements(theta: Three, x: Vec) -> float:
    return theta[0] * np.sum(np.exp(theta[1] * x)) + math.sqrt(theta[2]) * theta[-1] ** 2


# mooncake: modes=reverse,hessian
def in_loops(theta: Three) -> float:
    total = theta[0]
    for i in range(len(theta)):
        total = total * theta[i] + math.sin(theta[2] * total)
    return total + np.sum(theta[1:] ** 3)


# mooncake: modes=reverse,hessian
def written(theta: Three) -> float:
    theta[1] = theta[0] * math.sin(theta[1])
    theta[0] += theta[1] * theta[2]
    return theta[0] * theta[1] ** 2


# mooncake: wrt=m modes=reverse,jacobian
def of_matrix(m: Box, v: Vec) -> tuple[Vec, float]:
    return m[0, 1] * v + m[1, 1] ** 2, m[0, 0] * m[1, 0]


# mooncake: modes=reverse,jacobian
def written_map(m: Box) -> Box:
    m[0, 0] *= m[1, 1]
    return m @ m


# mooncake: modes=reverse,jacobian
def by_rows(theta: Three) -> Box:
    out = np.zeros((2, 2))
    out[0, 1] = theta[2] * theta[0]
    out[1, 1] = theta[1] ** 2
    return out


# mooncake: modes=reverse,hessian
def ten(x: Ten) -> float:
    return np.sum(x) * x[3] * x[7]
"""

Maker = Callable[[np.random.Generator], tuple[object, ...]]
ARGS: dict[str, Maker] = {
    "elements": lambda r: (r.uniform(0.5, 1.5, size=3), r.normal(size=4)),
    "in_loops": lambda r: (r.normal(size=3),),
    "written": lambda r: (r.normal(size=3),),
    "of_matrix": lambda r: (r.normal(size=(2, 2)), r.normal(size=3)),
    "written_map": lambda r: (r.normal(size=(2, 2)),),
    "by_rows": lambda r: (r.normal(size=3),),
    "ten": lambda r: (r.normal(size=10),),
}


@pytest.fixture(scope="module")
def text() -> str:
    return gradient_text(HEADER + SOURCE)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "jitted"])
def test_values(text: str, jit: bool) -> None:
    primal, generated = module(HEADER + SOURCE, "program"), module(text, "program_grad", jit=jit)
    for name in ARGS if not jit else ("elements", "written", "of_matrix"):
        args = ARGS[name](np.random.default_rng(7))
        check_gradients(getattr(primal, name), generated, args)


def test_one_pass(text: str) -> None:
    found = re.findall(r"def _(\w+)_(?:hessian|jacobian)_columns\((.*?)\) ->", text, re.DOTALL)
    assert {name: "start" in params for name, params in found} == {
        "elements": False, "in_loops": False, "written": False, "of_matrix": False,
        "written_map": False, "by_rows": False, "ten": True,
    }  # fmt: skip


def test_elements_of_unit_vectors_are_numbers(text: str) -> None:
    _, _, body = text.partition("def _elements_jacobian_columns(")
    assert "theta_dot" not in body.partition("\n\n\n")[0]


@pytest.fixture(scope="module")
def plain(text: str) -> ModuleType:
    return module(text, "program_grad")


def test_other_sizes_are_refused(plain: ModuleType) -> None:
    for size in (2, 4):
        with pytest.raises(ValueError, match="theta"):
            plain.in_loops_hessian(np.ones(size))
        with pytest.raises(ValueError, match="theta"):
            plain.by_rows_jacobian(np.ones(size), mode="forward")
    with pytest.raises(ValueError, match="parameter m must have the shape"):
        plain.written_map_jacobian(np.ones((2, 3)))
