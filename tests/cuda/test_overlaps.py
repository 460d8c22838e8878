"""Arguments that share memory: read ones as on the host; written ones are refused by name."""

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
from tests.helpers.transpile import gradient_text, module

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
"""
NAMES = ("added", "read_again", "stepped", "both_written")
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
TAKEN = [
    *product(NAMES, APART),
    *product(NAMES[:3], ONE_READ_TWICE),  # the fourth writes one of these two
]
OVERLAPPING: dict[str, Layout] = {
    "one array": lambda b: (b[:4], b[:4], b[6:10]),
    "shifted": lambda b: (b[:4], b[1:5], b[6:10]),
    "backwards": lambda b: (b[:4], b[3::-1], b[6:10]),
    "strided": lambda b: (b[:8:2], b[2:6], b[8:12]),
}


@pytest.fixture(scope="module")
def modules() -> Iterator[tuple[ModuleType, ModuleType]]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        yield (
            module(gradient_text(spelled(SOURCE, "cupy")), "overlaps_device"),
            module(gradient_text(spelled(SOURCE, "numpy")), "overlaps_host"),
        )


def _called(found: ModuleType, name: str, mode: str, layout: Layout, made: Any) -> Any:
    """The result of a mode, and what it leaves in the memory of arguments and tangents."""
    memory = [made(np.random.default_rng(k).normal(size=12)) for k in (1, 2)]
    args, moved = map(layout, memory)
    further = moved if mode in ("jvp", "hvp") else (1.5,) if mode == "vjp" else ()
    return on_host((getattr(found, f"{name}_{mode}")(*args, *further), *memory))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "how"), TAKEN)
def test_arrays_within_one_memory(
    modules: tuple[ModuleType, ModuleType], name: str, how: str, mode: str
) -> None:
    """Beside one that is written, equal addresses have equal shadows."""
    device, host = modules
    layout = {**APART, **ONE_READ_TWICE}[how]
    found = _called(device, name, mode, layout, backend.array)
    assert_equal(found, _called(host, name, mode, layout, np.asarray), 1e-12)


@pytest.mark.parametrize("how", OVERLAPPING)
@pytest.mark.parametrize("mode", MODES)
def test_written_ones_are_refused_before_anything_is_written(
    modules: tuple[ModuleType, ModuleType], mode: str, how: str
) -> None:
    memory = np.arange(12.0)
    args = OVERLAPPING[how](memory)
    given: list[Any] = [1.0] if mode == "vjp" else []
    given += [backend.array(np.ones(4)) for _ in range(3) if mode in ("jvp", "hvp")]
    message = "parameter x, which is written, shares memory with y: pass a copy"
    with pytest.raises(ValueError, match=message):
        getattr(modules[0], f"added_{mode}")(*map(standin.ndarray, args), *given)
    assert memory.tolist() == np.arange(12.0).tolist()


def test_shadows_that_overlap_in_part_are_refused(modules: tuple[ModuleType, ModuleType]) -> None:
    """One kernel would add to both; jvp needs none of them."""
    memory = standin.ndarray(np.arange(12.0))
    args = memory[:4], memory[5:9], memory[6:10]
    with pytest.raises(ValueError, match="share memory in part"):
        modules[0].__dict__["added_grad"](*args)
    dots = [standin.ndarray(np.ones(4)) for _ in args]
    assert modules[0].__dict__["added_jvp"](*args, *dots)
