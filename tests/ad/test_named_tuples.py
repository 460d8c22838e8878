"""NamedTuple parameters: their gradient is a NamedTuple with the same fields."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import gradient_text, module

SOURCE = """
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


class Model(NamedTuple):
    scale: float
    weights: Vec
    power: int


def loss(model: Model, x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += model.scale * model.weights[i] * x[i] ** model.power
    return s
"""


@pytest.mark.parametrize("jit", [False, True])
def test_gradient_has_the_fields_of_the_parameter(jit: bool) -> None:
    primal = module(SOURCE, "program")
    generated = module(gradient_text(SOURCE), "program_grad", jit=jit)
    x = np.linspace(0.3, 1.2, 4)
    value, grad = generated.loss_value_and_grad(primal.Model(2.0, x * x, 2), x)
    assert value == pytest.approx(float(np.sum(2.0 * x**4)))
    assert grad.model.scale == pytest.approx(float(np.sum(x**4)))
    np.testing.assert_allclose(grad.model.weights, 2.0 * x**2)
    assert grad.model.power is None
    np.testing.assert_allclose(grad.x, 4.0 * x**3)
