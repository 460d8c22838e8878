"""The programs with many time steps of `bench/programs/slices.py`, by differences."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime import jit_enabled
from mooncake_runtime.plain import plain_module
from mooncake_runtime.testing import check_gradients

from bench.primal import PROGRAMS, load


def normal(*shapes: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(5)
    return tuple(rng.normal(size=shape) for shape in shapes)


def masses(count: int) -> np.ndarray:
    return np.random.default_rng(6).uniform(0.5, 1.5, size=(count, 1))


INPUTS = {
    "heat": (*normal((5, 6)), 0.2, 4),
    "heat, no steps": (*normal((5, 6)), 0.2, 0),
    "jacobi": (*normal((5, 6), (5, 6)), 0.6, 5),
    "jacobi, even number of sweeps": (*normal((4, 4), (4, 4)), 0.6, 4),
    "fdtd": (*normal((4, 5), (4, 5), (4, 5), (3,)), 0.5),
    # Steps so long that the derivatives are not small beside the rounding of differences.
    "cavity": (*normal((5, 6), (5, 6), (5, 6)), 1.2, 0.1, 0.7, 0.2, 2, 2),
    "nbody": (*normal((4, 3), (4, 3)), masses(4), 0.3, 0.1, 3),
    "nbody, one step": (*normal((3, 3), (3, 3)), masses(3), 0.3, 0.1, 1),
}


@pytest.fixture(scope="module")
def primals() -> ModuleType:
    return load(PROGRAMS, "slices")


@pytest.fixture(scope="module")
def generated() -> ModuleType:
    return load(PROGRAMS, "slices_grad")


@pytest.mark.parametrize("label", INPUTS)
def test_plain(label: str, primals: ModuleType, generated: ModuleType) -> None:
    primal = getattr(primals, label.partition(",")[0])
    check_gradients(primal, plain_module(generated), INPUTS[label])


@pytest.mark.parametrize("label", ["heat", "jacobi"])
@pytest.mark.skipif(not jit_enabled(), reason="numba is switched off")
def test_jitted(label: str, primals: ModuleType, generated: ModuleType) -> None:
    check_gradients(getattr(primals, label), generated, INPUTS[label])


@pytest.mark.parametrize("name", ["fdtd", "cavity"])
@pytest.mark.skipif(not jit_enabled(), reason="numba is switched off")
@pytest.mark.wide("cavity")
def test_jitted_is_as_plain(name: str, generated: ModuleType) -> None:
    def run(module: ModuleType) -> tuple[float, tuple]:
        args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in INPUTS[name]]
        return getattr(module, f"{name}_value_and_grad")(*args)

    value, gradient = run(generated)
    expected, slots = run(plain_module(generated))
    assert value == pytest.approx(expected, rel=1e-12)
    for found, slot in zip(gradient, slots, strict=True):
        np.testing.assert_allclose(found, slot, rtol=1e-9, atol=1e-9 * np.max(np.abs(slot)))


def test_coinciding_bodies_do_not_attract(primals: ModuleType, generated: ModuleType) -> None:
    """Without softening the force of a body on itself is masked, and so is its derivative."""
    args = (*normal((3, 3), (3, 3)), masses(3), 0.0, 0.05, 2)
    _, gradient = plain_module(generated).nbody_value_and_grad(*args)
    assert all(np.all(np.isfinite(slot)) for slot in gradient)
    assert gradient.softening == 0.0
    check_gradients(primals.nbody, plain_module(generated), args)
