"""Arguments that overlap: where one is mutated, each slot holds the whole derivative."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.differences import richardson
from numpy.typing import NDArray

from tests.ad.deriving import HEADER
from tests.helpers.transpile import gradient_text, module, transpiled

Vector = NDArray[np.float64]
Views = tuple[slice, slice]

PROGRAMS = {
    "store": """
def f(x: Vec, y: Vec) -> float:
    for i in range(len(x)):
        x[i] = x[i] * y[i] + math.sin(y[0])
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i] * (i + 1)
    return s
""",
    "fused": """
def f(x: Vec, y: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        t = x[i]
        x[i] = t * t
        s += y[i] * t + math.sin(x[i])
    return s
""",
    "branch": """
def f(x: Vec, y: Vec) -> float:
    s = 1.0
    for i in range(len(x)):
        if y[i] > 0.5:
            x[i] = x[i] * s
        s = s * y[i] + math.sin(x[i])
    while y[0] < 3.0:
        y[0] = y[0] * 1.3 + x[0] * x[0]
    return s + y[0] * x[1]
""",
    "bulk": """
def f(x: Vec, y: Vec) -> float:
    x[:] = y
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i] * i
    y[1:] = x[:-1]
    x[:] += y
    return s + x[1] * y[2] * x[3]
""",
    "call": """
def _g(x: Vec, z: Vec, n: int) -> float:
    if n == 0:
        return x[0]
    x[n] = z[n - 1] * x[n] + 0.1
    return _g(z, x, n - 1) * z[0]


def f(x: Vec, y: Vec) -> float:
    s = _g(x, y, 3)
    return s * x[1] * y[2]
""",
    "work": """
def f(x: Vec, y: Vec) -> float:
    w = np.zeros(len(x))
    s = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            w[j] = x[j] * y[i]
        for j in range(len(x)):
            s += math.sin(w[j])
        x[i] = s
    return s
""",
}

VIEWS = {
    "shifted": (slice(0, 4), slice(1, 5)),
    "shifted back": (slice(1, 5), slice(0, 4)),
    "same": (slice(0, 4), slice(0, 4)),
    "reversed": (slice(3, None, -1), slice(0, 4)),
    "interleaved": (slice(0, 8, 2), slice(1, 8, 2)),
}
# Not with "bulk": NumPy itself copies wrongly between such vectors.
STRIDED = {"every other": (slice(0, 8, 2), slice(0, 4)), "doubled": (slice(0, 4), slice(0, 8, 2))}


@pytest.mark.parametrize("program", PROGRAMS)
def test_overlapping_arguments(program: str) -> None:
    primal, generated = transpiled(HEADER + PROGRAMS[program])
    cases = VIEWS if program == "bulk" else VIEWS | STRIDED
    for name, views in cases.items():
        _check(primal, generated, views, name)


def _check(primal: ModuleType, generated: ModuleType, views: Views, name: str) -> None:
    base: Vector = np.random.default_rng(0).uniform(0.2, 1.2, 8)
    direction: Vector = np.random.default_rng(1).normal(size=8)

    def along(t: float) -> Vector:
        moved = base + t * direction
        return np.array([primal.f(*(moved[view] for view in views))])

    expected, error = richardson(along)
    ways: tuple[Callable[..., tuple[float, tuple[Vector, Vector]]], ...] = (
        generated.f_value_and_grad,
        lambda x, y: generated.f_vjp(x, y, 1.0),
    )
    for way in ways:
        memory = base.copy()
        value, slots = way(*(memory[view] for view in views))
        gradient = np.zeros(8)
        for view, slot in zip(views, slots, strict=True):
            gradient[view] = slot
        assert np.array_equal(memory, base), name
        assert value == pytest.approx(along(0.0)[0], rel=1e-12), name
        assert gradient @ direction == pytest.approx(expected[0], rel=1e-7, abs=4 * error[0]), name
        for view, slot in zip(views, slots, strict=True):
            assert np.array_equal(gradient[view], slot), name


def test_arguments_that_are_only_read_are_as_if_distinct() -> None:
    source = "def f(x: Vec, y: Vec) -> float:\n    return 2.0 * x[0] + 3.0 * y[0]\n"
    _, generated = transpiled(HEADER + source)
    x = np.ones(2)
    _, (x_bar, y_bar) = generated.f_value_and_grad(x, x)
    assert x_bar.tolist() == [2.0, 0.0]
    assert y_bar.tolist() == [3.0, 0.0]


@pytest.mark.parametrize("jit", [False, True])
def test_sum_of_overlapping_arrays_is_buffered(jit: bool) -> None:
    """Compiled code adds in place without NumPy's buffer."""
    source = f"{HEADER}\ndef f(x: Vec, y: Vec) -> float:\n    x[:] += y\n    return x[3] * x[3]\n"
    generated = module(gradient_text(source), "buffered_grad", jit=jit)
    memory = np.arange(6.0)
    value, grad = generated.f_value_and_grad(memory[1:5], memory[:4])
    assert value == 49.0  # (4 + 3)**2
    np.testing.assert_array_equal(grad.x, [0.0, 0.0, 14.0, 14.0])
    np.testing.assert_array_equal(grad.y, [0.0, 0.0, 0.0, 14.0])
