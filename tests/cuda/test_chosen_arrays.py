"""Arrays that branches and loops choose: whether two of them are one is asked at run time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called
from tests.cuda.programs import spelled
from tests.helpers.transpile import Modules, gradient_text, module

SOURCE = """
def chosen(x: Float64[xp.ndarray, "n"], same: bool) -> float:
    a = x * 2.0
    b = a if same else x * 3.0
    for i in range(a.shape[0] - 1):
        b[i + 1] = a[i] * 2.0
    return xp.sum(a * b)

def followed(x: Float64[xp.ndarray, "n"], steps: int) -> float:
    a = x * 2.0
    b = x * 3.0
    for _ in range(steps):
        for i in range(a.shape[0] - 2):
            b[i + 1] = a[i] + xp.sin(a[i + 1]) + a[i + 2]
        a = b
    return xp.sum(a * a)

def copied_on(x: Float64[xp.ndarray, "n"], k: int) -> float:
    y = x * 1.0
    a = y[k:]
    b = y[: y.shape[0] - k]
    for i in range(a.shape[0]):
        a[i] = xp.sin(b[i])
    return xp.sum(y)

def exchanged(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    a = x * 2.0
    b = xp.zeros_like(a)
    for _ in range(steps):
        for i in range(a.shape[0] - 2):
            b[i + 1] = a[i] + xp.sin(a[i + 1]) + a[i + 2]
        a, b = b, a
    return xp.sum(a * a)

def made_anew(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    a = x * 2.0
    for _ in range(steps):
        b = xp.zeros_like(a)
        for i in range(a.shape[0] - 2):
            b[i + 1] = a[i] + xp.sin(a[i + 1]) + a[i + 2]
        a = b
    return xp.sum(a * a)
"""


def _source(library: str) -> str:
    text = spelled(SOURCE, library)
    forward = text.replace("-> float:", f"-> {'Number' if library == 'cupy' else 'float'}:")
    number = 'Float64[xp.ndarray, ""]'
    for name in ("chosen", "followed", "copied_on"):
        forward = forward.replace(
            f"modes=reverse,forward\ndef {name}", f"modes=forward\ndef {name}"
        )
    return forward.replace("Number", number)


@pytest.fixture(scope="module")
def both() -> Iterator[Modules]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        device = module(gradient_text(_source("cupy")), "device_grad")
        yield device, module(gradient_text(_source("numpy")), "host_grad")


@pytest.mark.parametrize("steps", [0, 1, 4])
@pytest.mark.parametrize("size", [0, 1, 2, 7, 300])
@pytest.mark.parametrize("name", ["exchanged", "made_anew"])
def test_never_one(both: Modules, name: str, size: int, steps: int) -> None:
    x, v = np.random.default_rng(1).normal(size=(2, size))
    assert_equal(*called(both, f"{name}_value_and_grad", x, steps), 1e-12)
    assert_equal(*called(both, f"{name}_hvp", x, steps, v), 1e-12)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [("chosen", False, True), ("followed", 1, 2), ("copied_on", 150, 149)],
)
def test_one_on_some_paths(both: Modules, name: str, right: int, wrong: int) -> None:
    """Iterations would need one another there: Python's order is not that of a kernel."""
    x, v = np.random.default_rng(1).normal(size=(2, 300))
    assert_equal(*called(both, f"{name}_jvp", x, right, v), 1e-12)
    with pytest.raises(ValueError, match="share memory"):
        called(both, f"{name}_jvp", x, wrong, v)
