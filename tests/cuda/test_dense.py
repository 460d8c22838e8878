"""Hessians and Jacobians: loops of the host over directions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called
from tests.helpers.transpile import gradient_text, module

SOURCE = """import {} as xp
from jaxtyping import Float64

# mooncake: modes=hessian
def squared(x: Float64[xp.ndarray, "n"]) -> {}:
    return xp.sum(xp.sin(x) * x) ** 2

# mooncake: modes=jacobian
def scaled(x: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return xp.sin(x) * xp.sum(x)
"""


@pytest.mark.skipif(compiler.GXX is None, reason="g++, which runs the kernels, is not installed")
@pytest.mark.parametrize("size", [1, 3, 11])
def test_as_on_the_host(size: int) -> None:
    x = np.random.default_rng(0).normal(size=size)
    host = module(gradient_text(SOURCE.format("numpy", "float")), "dense_host")
    text = gradient_text(SOURCE.format("cupy", 'Float64[xp.ndarray, ""]'))
    with standin.installed() as counts:
        device = module(text, "dense_device")
        assert_equal(*called((device, host), "squared_hessian", x), 1e-12)
        assert_equal(*called((device, host), "scaled_jacobian", x), 1e-12)
        assert counts["synchronisations"] == 0
