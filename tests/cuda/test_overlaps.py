"""Arguments that share memory: as on the host, but for some loops over elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.cuda import backend, compiler, standin
from tests.cuda.comparing import assert_equal, on_host
from tests.cuda.programs import spelled
from tests.helpers.transpile import Modules, gradient_text, module

VECTORS = 'x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]'
SOURCE = f"""
def added({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    x += z * y
    return xp.sum(x * y * z)

def read_again({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    x += xp.sin(z) * y
    x[1:] *= y[:-1]
    return xp.sum(x * y * z) + z[0] * y[2]

def stepped({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    for k in range(3):
        x[:] = xp.sin(y) + x * z
    return xp.sum(x * y)

def both_written({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    x *= z
    y += x
    return xp.sum(x * y) + xp.sum(z)

def of_matrix(x: Float64[xp.ndarray, "2 k"], y: Float64[xp.ndarray, "n"]) -> Number:
    first = y[0] * 2.0
    x *= 3.0
    y[1:] += x[0, 0] * y[:-1]
    return first * xp.sum(x) + xp.sum(y) * y[1]

def element_kept({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    first = y[0] * z[1]
    x[:] = x * z
    z[1] = y[2] * 2.0
    return first * y[0] + xp.sum(x * z)
"""
OF_ELEMENTS = f"""
def each({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    for i in range(x.shape[0]):
        x[i] = x[i] * y[i] + xp.sin(y[i])
    return xp.sum(x * y * z)

def both_summed({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    for i in range(x.shape[0]):
        x[i] += z[i]
        y[i] += z[i] * 2.0
    return xp.sum(x * y)

def next_one({VECTORS}, z: Float64[xp.ndarray, "n"]) -> Number:
    for i in range(x.shape[0] - 1):
        x[i + 1] = x[i + 1] + y[i] * z[i]
    return xp.sum(x * y * z)
"""
NAMES = ("added", "read_again", "stepped", "both_written", "element_kept")
MODES = ("value_and_grad", "vjp", "jvp", "hvp")
Layout = Callable[[np.ndarray], tuple[np.ndarray, ...]]  # three arrays within one

APART: dict[str, Layout] = {
    "columns": lambda b: (b.reshape(4, 3)[:, 0], b.reshape(4, 3)[:, 1], b.reshape(4, 3)[:, 2]),
    "interleaved backwards": lambda b: (b[::3][:4], b[10::-3], b[2::3][:4]),
    "parts": lambda b: (b[:4], b[4:8], b[11:7:-1]),
}
ONE_READ_TWICE: dict[str, Layout] = {
    "one array": lambda b: (b[:4], b[5:9], b[5:9]),
    "backwards": lambda b: (b[:4], b[8:4:-1], b[8:4:-1]),
    "column": lambda b: (b[::3][:4], b[1::3][:4], b[1::3][:4]),
}
OVERLAPPING: dict[str, Layout] = {
    "twice": lambda b: (b[:4], b[:4], b[6:10]),
    "all one": lambda b: (b[3:7], b[3:7], b[3:7]),
    "shifted": lambda b: (b[:4], b[1:5], b[6:10]),
    "in a chain": lambda b: (b[:4], b[3:7], b[5:9]),
    "backwards over it": lambda b: (b[:4], b[3::-1], b[6:10]),
    "strided": lambda b: (b[:8:2], b[2:6], b[8:12]),
    "read ones in part": lambda b: (b[:4], b[5:9], b[6:10]),
}
LAYOUTS = {**APART, **ONE_READ_TWICE, **OVERLAPPING}


@pytest.fixture(scope="module")
def modules() -> Iterator[Modules]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        yield (
            module(gradient_text(spelled(SOURCE + OF_ELEMENTS, "cupy")), "overlaps_device"),
            module(gradient_text(spelled(SOURCE + OF_ELEMENTS, "numpy")), "overlaps_host"),
        )


def _called(found: ModuleType, name: str, mode: str, layout: Layout, made: Any) -> Any:
    """The result of a mode, and what it leaves in the memory of arguments and tangents."""
    memory = [made(np.random.default_rng(k).normal(size=12)) for k in (1, 2)]
    args, moved = map(layout, memory)
    further = moved if mode in ("jvp", "hvp") else (1.5,) if mode == "vjp" else ()
    return on_host((getattr(found, f"{name}_{mode}")(*args, *further), *memory))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", [0, 1, 3, 6])
def test_a_matrix_and_a_part_of_it(modules: Modules, start: int, mode: str) -> None:
    _compare(modules, "of_matrix", mode, lambda b: (b[:8].reshape(2, 4), b[start : start + 5]))


def _compare(modules: Modules, name: str, mode: str, layout: Layout) -> None:
    device, host = modules
    found = _called(device, name, mode, layout, backend.array)
    assert_equal(found, _called(host, name, mode, layout, np.asarray), 1e-12)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "how"), [*product(NAMES, LAYOUTS)])
def test_arrays_within_one_memory(modules: Modules, name: str, how: str, mode: str) -> None:
    """Work with whole arrays is done as NumPy does it; equal addresses have equal shadows."""
    _compare(modules, name, mode, LAYOUTS[how])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["twice", "all one", *APART])
def test_iterations_with_elements_of_their_own(modules: Modules, how: str, mode: str) -> None:
    """An array that is given twice has the same element in each iteration."""
    _compare(modules, "each", mode, LAYOUTS[how])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["twice", "shifted", "backwards over it", *APART])
def test_iterations_that_only_add(modules: Modules, how: str, mode: str) -> None:
    _compare(modules, "both_summed", mode, LAYOUTS[how])


@pytest.mark.parametrize(("name", "how"), [
    ("each", "shifted"), ("each", "backwards over it"), ("next_one", "twice"),
    ("next_one", "shifted"), ("next_one", "strided"), ("both_summed", "in a chain"),
])  # fmt: skip
@pytest.mark.parametrize("mode", MODES)
def test_others_are_refused_before_anything_is_written(
    modules: Modules, name: str, how: str, mode: str
) -> None:
    """Iterations would need one another."""
    memory = np.arange(12.0)
    args = OVERLAPPING[how](memory)
    given: list[Any] = [1.0] if mode == "vjp" else []
    given += [backend.array(np.ones(4)) for _ in range(3) if mode in ("jvp", "hvp")]
    message = "parameter [xy], which is written, shares memory with [yz]: pass a copy"
    with pytest.raises(ValueError, match=message):
        getattr(modules[0], f"{name}_{mode}")(*map(standin.ndarray, args), *given)
    assert memory.tolist() == np.arange(12.0).tolist()
