"""Arguments that overlap: where one is mutated, each slot holds the whole derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.differences import richardson
from numpy.typing import NDArray

from tests.ad.deriving import HEADER
from tests.helpers.transpile import gradient_text, module, transpiled

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
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

# What the pullbacks of calls read is there again where it has been wound back, or was kept.
MATRICES = {
    "mvt": """
def f(x: Vec, y: Vec, m: Mat) -> float:
    x += m @ y
    y += x @ m
    return x @ m @ y
""",
    "nothing else": """
def f(x: Vec, y: Vec, m: Mat) -> None:
    x[:] = m.T @ (m @ y)
    y[1:] = np.cumsum(x)[1:]
    m[0] = np.sort(y)
    x += m @ x
""",
    "loop": """
def f(x: Vec, y: Vec, m: Mat) -> float:
    s = 0.0
    for _ in range(3):
        x[:] = m @ (x * y)
        s += np.prod(y) + x[0]
        x[1:] = np.cumsum(x)[1:]
        if x[0] > 0.5:
            y[:] = np.sort(x) @ m
        elif s > 0.1:
            m[:, 1] += np.convolve(x, y)[1:5]
    return s + np.sum(x * y)
""",
    "unknown trips": """
def f(x: Vec, y: Vec, m: Mat) -> float:
    s, k = 0.0, 1
    while s < 9.0:
        x[:k] = (m @ x)[:k] + 0.1
        s += np.sum(np.sort(y) * x) + 1.0
        m[1:, k] += np.cumsum(x)[:3] * s
        k = k % 3 + 1
    return s * x[1] + np.sum(m @ y)
""",
    "buffered": """
def f(x: Vec, y: Vec, m: Mat) -> float:
    w = y.copy()
    s = 0.0
    for k in range(4):
        w[:] = np.tanh(m @ w)
        x[:] = w
        m[k] = w * y[k]
        s += np.sum(np.outer(w, x) @ y)
        w[:] += x
    return s + w[0] * np.sum(m)
""",
    "given on": """
def _step(x: Vec, m: Mat) -> float:
    x += 0.2 * (m @ x)
    m[:, 2] = 1.0 * x
    return 0.1 * (x @ m @ x)


def f(x: Vec, y: Vec, m: Mat) -> float:
    s = _step(x, m)
    s += _step(y, m.T)
    return s * _step(y, m) + np.sum(x * y)
""",
}
ROW, COLUMN, DIAGONAL, REVERSED = slice(0, 4), slice(1, 14, 4), slice(0, 16, 5), slice(9, 5, -1)
WINDOWS = {
    "apart": (slice(16, 20), slice(20, 24)),
    "row and column": (ROW, COLUMN),
    "diagonal and row": (DIAGONAL, ROW),
    "same row": (ROW, ROW),
    "reversed and column": (REVERSED, COLUMN),
    "reversed and its row": (REVERSED, slice(6, 10)),
    "shifted": (slice(2, 6), slice(3, 7)),
    "half outside": (slice(14, 18), slice(1, 5)),
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


@pytest.mark.parametrize("program", MATRICES)
def test_overlapping_vectors_and_matrix(program: str) -> None:
    primal, generated = transpiled(HEADER + MATRICES[program])
    for name, views in WINDOWS.items():
        _check_matrix(primal, generated, views, name)


def _check_matrix(primal: ModuleType, generated: ModuleType, views: Views, name: str) -> None:
    """Check the value, the gradient, and that memory is left as it was."""
    rng = np.random.default_rng(2)
    base, direction = rng.uniform(0.1, 0.9, 24), rng.normal(size=24)
    bars = tuple(rng.normal(size=shape) for shape in (4, 4, (4, 4)))

    def arguments(memory: Vector) -> tuple[Vector, Vector, Matrix]:
        x, y = (memory[view] for view in views)
        return x, y, memory[:16].reshape(4, 4)

    def along(t: float) -> Vector:
        args = arguments(base + t * direction)
        value = primal.f(*args)
        return np.array([_dot(args, bars) if value is None else value])

    expected, error = richardson(along)
    memory = base.copy()
    if hasattr(generated, "f_value_and_grad"):
        value, slots = generated.f_value_and_grad(*arguments(memory))
    else:
        results, slots = generated.f_vjp(*arguments(memory), bars)
        value = _dot(results, bars)
    gradient = np.zeros(24)
    for part, slot in zip(arguments(gradient), slots, strict=True):
        part[:] = slot
    assert np.array_equal(memory, base), name
    assert value == pytest.approx(along(0.0)[0], rel=1e-12), name
    assert gradient @ direction == pytest.approx(expected[0], rel=1e-7, abs=4 * error[0]), name
    tangent = arguments(direction.copy())
    _, along_it = generated.f_jvp(*arguments(memory), *tangent)
    by_forward = _dot(along_it, bars) if isinstance(along_it, tuple) else along_it
    assert by_forward == pytest.approx(expected[0], rel=1e-7, abs=4 * error[0]), name


def _dot(arrays: Sequence[Vector], bars: Sequence[Vector]) -> float:
    return sum(float(np.sum(array * bar)) for array, bar in zip(arrays, bars, strict=True))


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
