"""Masks as indices: CuPy finds the places, and nothing else is taken for that."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from tests.cuda import backend, compiler, standin
from tests.cuda.comparing import on_device
from tests.helpers.transpile import Refusal, gradient_text, module

HEAD = """import cupy as cp
from jaxtyping import Float64

def f(x: Float64[cp.ndarray, "n"]) -> Float64[cp.ndarray, ""]:
"""
# The numbers of places are counted by one mask, and these are found by another.
OTHERS = {
    "values": ("x[i] > 0.0", "x[i] > 1.0"),
    "elements": ("x[i] > 0.0", "x[0] > 0.0"),
    "operations": ("x[i] > 0.0", "x[i] >= 0.0"),
    "what is written": ("y[i] > 0.0", "y[i] > 0.0", "y[i] = 1.0"),
}


@pytest.fixture(scope="module")
def gradients() -> Iterator[ModuleType]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        text = gradient_text(f"{HEAD}    return cp.sum(cp.sin(x[x > 0.0]))\n")
        yield module(text, "selections_grad")


def test_one_wait(gradients: ModuleType) -> None:
    x = np.random.default_rng(0).normal(size=300)
    standin.counts.clear()
    value, grad = gradients.f_value_and_grad(on_device(x))
    assert backend.on_gpu() or standin.counts["synchronisations"] == 1
    np.testing.assert_allclose(backend.held(value), np.sum(np.sin(x[x > 0])), rtol=1e-12)
    np.testing.assert_allclose(backend.held(grad), np.where(x > 0, np.cos(x), 0.0), rtol=1e-12)


@pytest.mark.parametrize("what", OTHERS)
def test_other_loops_stay_what_they_are(what: str) -> None:
    counted, found, *more = OTHERS[what]
    before = more[0] if more else "pass"
    body = f"""
    y = x * 2.0
    count = 0
    for i in range(len(x)):
        count += int({counted})
    places = cp.zeros(count, dtype=cp.int64)
    k = 0
    for i in range(len(x)):
        {before}
        if {found}:
            places[k] = i
            k += 1
    return cp.sum(x[places])
"""
    same = body.replace(found, counted).replace(before, "pass")
    assert "flatnonzero" in gradient_text(HEAD + same)
    if more:  # the condition is known: all places are stored, one after the other
        assert "flatnonzero" not in gradient_text(HEAD + body)
        return
    with pytest.raises(Refusal, match="MK60"):
        gradient_text(HEAD + body)
