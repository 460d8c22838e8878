"""Constants beside float32 arrays keep single precision, in helpers that are given them, too."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients, returning

from tests.helpers.transpile import transpiled

HEAD = """
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float32], "n"]
Wide = Annotated[NDArray[np.float64], "n"]
Images = Annotated[NDArray[np.float32], "b h w c"]
One = Annotated[NDArray[np.float32], "1 1 c d"]
Three = Annotated[NDArray[np.float32], "3 3 d d"]
Back = Annotated[NDArray[np.float32], "1 1 d c"]
"""

# Convolutions with batch normalisation, written as loops over places.
BLOCK = """
def filtered(images, filters):
    k = filters.shape[0]
    height, width = images.shape[1] - k + 1, images.shape[2] - k + 1
    out = np.empty((images.shape[0], height, width, filters.shape[3]), dtype=np.float32)
    for i in range(height):
        for j in range(width):
            window = images[:, i : i + k, j : j + k, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * filters[np.newaxis], axis=(1, 2, 3))
    return out


def normalised(x, eps=1e-5):
    center = np.mean(x, axis=0, keepdims=True)
    spread = np.std(x, axis=0, keepdims=True)
    return (x - center) / np.sqrt(spread + eps)


def block(images: Images, one: One, three: Three, back: Back) -> Images:
    count, height, width, _ = images.shape
    wide = np.zeros((count, height + 2, width + 2, one.shape[3]))
    wide[:, 1:-1, 1:-1, :] = filtered(images, one)
    x = np.maximum(normalised(wide), 0)
    x = np.maximum(normalised(filtered(x, three)), 0)
    x = normalised(filtered(x, back))
    return np.maximum(x + images, 0)
"""

# A helper, a function of it, and the annotation of its result.
HELPED = [
    ("def h(x, eps=1e-5):\n    return x + eps", "h(x)", "Vec"),
    ("def h(x, eps: float = 1e-5):\n    return x + eps", "h(x)", "Vec"),
    ("def h(x, eps):\n    return x + eps", "h(x, 1e-5) * h(x, 0.5)", "Vec"),
    ("def h(x, eps):\n    return x + eps", "h(x, np.float64(1e-5))", "Wide"),
    ("def h(x, s):\n    return np.copysign(x, s)", "h(x, 0.0) * 2 + h(x, -0.0)", "Vec"),
    ("def h(x, s):\n    return x if s != s else x * s", "h(x, float('nan')) * h(x, 0.3)", "Vec"),
]


@pytest.mark.parametrize(("helper", "value", "kind"), HELPED)
def test_constants_for_helpers(helper: str, value: str, kind: str) -> None:
    source = f"{HEAD}\n{helper}\n\ndef f(x: Vec) -> {kind}:\n    return {value}\n"
    primal, generated = transpiled(source)
    x = np.array([0.7, 1.25, 3.0], np.float32)
    found, wanted = generated.f_fwd(x)[0], primal.f(x)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.wide("True")
def test_convolutions(jit: bool) -> None:
    primal, generated = transpiled(HEAD + BLOCK, jit=jit)
    rng = np.random.default_rng(0)
    shapes = ((4, 5, 6, 2), (1, 1, 2, 3), (3, 3, 3, 3), (1, 1, 3, 2))
    args = [rng.random(shape, dtype=np.float32) for shape in shapes]
    value = primal.block(*args)
    bar = rng.random(value.shape, dtype=np.float32)
    found, grad = generated.block_vjp(*args, bar)
    assert found.dtype == value.dtype == np.float32
    np.testing.assert_allclose(found, value, rtol=1e-5, atol=1e-5)
    double = [arg.astype(float) for arg in args]
    for k, one in enumerate(grad):
        assert one.dtype == np.float32
        along = rng.normal(size=one.shape)

        def at(step: float, k: int = k, along: np.ndarray = along) -> float:
            moved = [arg + step * along if n == k else arg for n, arg in enumerate(double)]
            return float(np.sum(primal.block(*moved) * bar))

        difference = (at(1e-4) - at(-1e-4)) / 2e-4
        assert np.sum(one * along) == pytest.approx(difference, rel=5e-3, abs=5e-3)


def test_a_float_of_single_precision_is_a_double() -> None:
    source = HEAD + (
        "\n\ndef f(x: Vec, s: float) -> float:\n"
        "    wide = x.astype(np.float64)\n"
        "    return (float(x[0]) - float(x[1]) + np.sum(wide[:1] - wide[1:])) * s\n"
    )
    x = np.array([1.1, 0.1], np.float32)
    for jit in (False, True):  # numba's float() keeps single precision
        primal, grad = transpiled(source, jit=jit)
        value, (_, s_bar) = grad.f_value_and_grad(x, 0.4)
        assert value == primal.f(x, 0.4) == 0.4 * s_bar
        assert s_bar != 2.0


LAYERS = """
M = NDArray[np.float32]

def layers(
    x: Annotated[M, "n a"], v: Annotated[M, "a b"], w: Annotated[M, "b c"], out: Annotated[M, "n c"]
) -> None:
    z = np.maximum(x @ v, 0) @ w
    out[:] = np.exp(z) / np.sum(np.exp(z), axis=1, keepdims=True)
"""


@pytest.mark.parametrize("seed", [9, 19])
def test_what_is_written_is_compared_in_double_precision(seed: int) -> None:
    module, made = transpiled(HEAD + LAYERS, jit=False)
    rng = np.random.default_rng(seed)
    shapes = (3, 4), (4, 5), (5, 3), (3, 3)
    args = tuple(rng.normal(size=shape).astype(np.float32) for shape in shapes)
    check_gradients(returning(module.layers, "out"), made, args)
