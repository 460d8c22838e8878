"""Indices of iterations: by 32 bits where these are enough, by 64 bits behind that."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from mooncake_runtime.device_indices import INDEX

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called
from tests.cuda.conftest import Programs
from tests.cuda.programs import INPUTS, spelled
from tests.cuda.standin import ElementwiseKernel
from tests.helpers.transpile import gradient_text, module

LIMIT = 2**31  # iterations that CuPy counts by 32 bits
OF_AXES = """
def of_axes(
    x: Float64[xp.ndarray, "n m k"], y: Float64[xp.ndarray, "n m k"],
    z: Float64[xp.ndarray, "n m k"]
) -> Number:
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for l in range(x.shape[2]):
                x[i, j, l] = x[i, j, l] * i
                y[i, j, l] = y[i, j, l] * j
                z[i, j, l] = z[i, j, l] * l
    return 0.0 * x[0, 0, 0]
"""


@pytest.mark.parametrize("limit", [0, LIMIT], ids=["64 bits", "32 bits"])
@pytest.mark.parametrize("name", ["logistic", "labelled", "reaction", "filtered", "columns_taken"])
def test_either_width(
    both: Programs, monkeypatch: pytest.MonkeyPatch, name: str, limit: int
) -> None:
    """Kernels compute the same by 32 and by 64 bits."""
    args = INPUTS[name](np.random.default_rng(1))
    monkeypatch.setattr(compiler, "NARROW", limit)
    mode = "jvp" if name == "columns_taken" else "value_and_grad"
    moved = args[:1] if mode == "jvp" else ()
    assert_equal(*called((both.device, both.host), f"{name}_{mode}", *args, *moved), 1e-12)


# Up to the limit, and beyond it, where products of sizes need more than 32 bits.
SIZES = [
    (LIMIT, 1, 1), (1, LIMIT, 1), (1, 1, LIMIT), (2**11, 2**10, 2**10), (3, 5, 143165576),
    (LIMIT + 7, 1, 1), (1, LIMIT + 7, 1), (1, 1, LIMIT + 7), (2**11 + 1, 2**10, 2**10),
]  # fmt: skip


@pytest.fixture(scope="module")
def of_axes() -> ElementwiseKernel:
    """A kernel that multiplies elements by their indices."""
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        made = module(gradient_text(spelled(OF_AXES, "cupy")), "of_axes_grad")
    kernel = made.__dict__["_of_axes_fwd_result"]
    assert isinstance(kernel, ElementwiseKernel)
    assert INDEX in kernel.text
    return kernel


@pytest.mark.parametrize("sizes", SIZES)
def test_last_iteration(
    of_axes: ElementwiseKernel, monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...]
) -> None:
    """The last of so many iterations knows its indices."""
    monkeypatch.setattr(compiler, "NARROW", LIMIT)
    numbers = dict(zip(("n", "m", "k"), sizes, strict=True))
    places = [np.ones(1) for _ in sizes]  # that all iterations share
    arrays = iter(places)
    args = [numbers.get(name) or np.broadcast_to(next(arrays), sizes)
            for _, _, name in of_axes.params]  # fmt: skip
    with np.errstate(all="ignore"):
        compiler.run_kernel(of_axes, args, sizes, 1, first=prod(sizes) - 1)
    assert [int(place[0]) for place in places] == [size - 1 for size in sizes]
