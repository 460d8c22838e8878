"""Tests of zero cotangents in generated code: there where they are needed, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.transpile import function_text, gradient_text

ROOT = Path(__file__).parents[2]
HEADER = """
import math
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
"""


def asked(text: str) -> int:
    """The number of comparisons with zero, and of products that a zero masks."""
    return sum(text.count(found) for found in ("== 0.0", "rt.times(", "rt.over("))


@pytest.mark.parametrize(
    "file",
    [
        "examples/programs/rosenbrock.py",
        "examples/programs/rk4.py",
        "examples/programs/gauss_seidel.py",
        "examples/programs/network.py",
        "bench/programs/stencil.py",
        "bench/programs/branchy.py",
        "bench/programs/block.py",
        "bench/programs/sums.py",
    ],
)
def test_programs_without_poles(file: str) -> None:
    assert asked(gradient_text((ROOT / file).read_text())) == 0


@pytest.mark.parametrize(
    "expression",
    [
        "np.sum(np.sin(x))",
        "np.sum(x * x * np.tanh(x))",
        "np.mean(x**2)",
        "np.sum(np.exp(-x * x) + np.exp(-0.5 * x * x) + np.exp(-0.5 * (x - 1.0) ** 2))",
        "np.sum(np.sqrt(1.0 + x**2))",
        "np.sum(1.0 / (1.0 + x * x))",
        "np.sum(np.log(1.0 + x**2) + np.log1p(np.abs(x)))",
        "np.sum(x / (2.0 + np.cos(x) ** 2))",
        "np.sum(np.hypot(x, 1.0) * np.arctan(x))",
        "np.sum(np.maximum(x, 2.0) * np.clip(x, -1.0, 1.0))",
        "np.sum(np.log(np.exp(np.minimum(x, 5.0)) + 1.0))",
    ],
)
def test_finite_partials(expression: str) -> None:
    source = f"{HEADER}def f(x: Vec) -> float:\n    return {expression}\n"
    assert asked(function_text(gradient_text(source), "f_pullback")) <= expression.count("np.hypot")


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("np.sum(1.0 / (1.0 + np.exp(-x)))", 1),  # exp alone can be infinite here
        ("np.sum(np.exp(x))", 1),  # and here
        ("np.sum(x**3)", 1),  # the power alone can be infinite
        ("np.sum(np.sqrt(x * x))", 1),  # the root at rest
        ("np.linalg.norm(x)", 1),
        ("np.sum(np.sin(x)) / 3.0", 0),
    ],
)
def test_vjp(expression: str, times: int) -> None:
    source = f"{HEADER}def f(x: Vec) -> float:\n    return {expression}\n"
    assert asked(function_text(gradient_text(source), "f_vjp")) == times


GUARDED = """
def f(x: Vec, a: float) -> float:
    e = 0.0
    for i in range(x.shape[0]):
        GUARD
            e += a / SIZE
    return np.tanh(e)  # hides infinities
"""


@pytest.mark.parametrize(
    ("guard", "size", "times"),
    [
        ("if x[i] >= -9.0:", "x[i]", 1),
        ("v = x[i]\n        if v > 0.0:", "v", 0),
        ("v = x[i]\n        if v != 0.0 and a > 1.0:", "v", 0),
        ("v = x[i]\n        if not v <= 0.5:", "v", 0),
        ("v = x[i]\n        if abs(v) > 1e-3:", "v", 0),
        ("v = x[i]\n        if v < 2.0:", "v", 1),
        ("v = x[i]\n        if v != 0.0 or a > 1.0:", "v", 1),
    ],
)
def test_conditions_are_used(guard: str, size: str, times: int) -> None:
    source = HEADER + GUARDED.replace("GUARD", guard).replace("SIZE", size)
    text = function_text(gradient_text(source), "f_pullback")
    assert bool(asked(text)) == bool(times), text


def test_adjoints_stand_in_the_arm_that_uses_the_value() -> None:
    source = """
def f(x: Vec) -> float:
    e = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            d = x[i] - x[j]
            inv = 1.0 / (d * d)
            if i != j:
                e += inv * inv
    return e
"""
    text = function_text(gradient_text(HEADER + source), "f_vjp")
    _, branch, arm = text.partition("            if i != j:\n")
    assert branch
    assert " / " not in _
    assert "x_bar[i] +=" in arm
    assert "else:" not in arm
