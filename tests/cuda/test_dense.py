"""Hessians and Jacobians, loops of the host over directions; derivatives of derivatives."""

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


COMPOSED = """import {} as xp
from jaxtyping import Float64
from mooncake_runtime import stop_gradient

# mooncake: modes={}
def weighted(x: Float64[xp.ndarray, "n"], a: float) -> {}:
    w = stop_gradient(xp.exp(x))
    return xp.sum(w * x**3) * a + xp.sum(xp.sin(x) * xp.cumsum(x))
"""
MODES = "forward-over-reverse,reverse-over-forward,reverse-over-reverse,forward-over-forward"


@pytest.mark.skipif(compiler.GXX is None, reason="g++, which runs the kernels, is not installed")
def test_derivatives_of_derivatives() -> None:
    draw = np.random.default_rng(0)
    x, x_dot, x_more = draw.normal(size=(3, 40))
    host = module(gradient_text(COMPOSED.format("numpy", MODES, "float")), "composed_host")
    text = gradient_text(COMPOSED.format("cupy", MODES, 'Float64[xp.ndarray, ""]'))
    with standin.installed():
        device = module(text, "composed_device")
        first = x, 0.7
        moved = x, 0.7, x_dot, 0.3
        for name, args in (
            ("grad_jvp", moved),
            ("jvp_jvp", (*moved, x_more, 0.2, x_dot, 0.1)),
            ("grad_vjp", (*first, (x_more, 0.5))),
            ("jvp_vjp", (*moved, (0.4, 0.6))),
        ):
            assert_equal(*called((device, host), f"weighted_{name}", *args), 1e-12)
