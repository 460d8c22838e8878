"""Memory: no more is saved, and no more is held at once, than on the host."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.cuda import backend, compiler, standin
from tests.cuda.comparing import on_device, on_host
from tests.cuda.conftest import Programs
from tests.cuda.drawing import Drawn, arrays, with_numbers
from tests.cuda.programs import INPUTS, named, spelled
from tests.helpers.transpile import Modules, gradient_text, module

LONG = 20000
LARGE: dict[str, Drawn] = {
    "sum_sin": arrays((LONG,), (LONG,)), "row": with_numbers(arrays((5000, 4), (4,)), 1.5),
    "logistic": arrays((4,), (5000, 4), (5000,)), "softmax": arrays((400, 50)),
    "two_sums": arrays((LONG,)), "differences": arrays((LONG,)), "helped": arrays((LONG,)),
    "cross_entropy": arrays((400, 50), (400, 50)), "in_place": with_numbers(arrays((LONG,)), 3),
}  # fmt: skip
# What the device takes beyond the host: one array of terms for what was broadcast along rows, which
# are summed afterwards; and a row of each iteration, where the host has one row for all.
MORE = dict.fromkeys(("row", "logistic", "cross_entropy"), 8 * LONG)
NOISE = 100_000  # bytes of Python's objects; a long array takes 160,000


def _parts(value: Any) -> Iterator[Any]:
    """The arrays of NumPy's and the numbers that ``value`` is made of."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from _parts(part)
    elif value is not None:
        yield backend.held(value)


def _memory(array: np.ndarray) -> np.ndarray:
    """The array that owns the memory of ``array``."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _saved(residuals: Any, args: tuple[Any, ...]) -> int:
    """The bytes that residuals take beside the arguments."""
    given = {id(_memory(a)) for a in _parts(args) if isinstance(a, np.ndarray)}
    parts = list(map(np.asarray, _parts(residuals)))
    found = {id(m): m for m in (_memory(a) for a in parts if a.ndim)}
    numbers = sum(part.nbytes for part in parts if not part.ndim)
    return numbers + sum(memory.nbytes for key, memory in found.items() if key not in given)


@pytest.mark.parametrize("name", INPUTS)
def test_saved(both: Programs, name: str) -> None:
    """Numbers of Python's on the host are arrays without axes on the device."""
    there = tuple(map(on_device, INPUTS[name](np.random.default_rng(1))))
    here = tuple(map(on_host, INPUTS[name](np.random.default_rng(1))))
    found = _saved(getattr(both.device, f"{name}_fwd")(*there)[1], there)
    wanted = _saved(getattr(both.host, f"{name}_fwd")(*here)[1], here)
    assert found <= wanted


# ---- what is held at once ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large() -> Iterator[Modules]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    text = named(*LARGE)
    with standin.installed():
        yield (
            module(gradient_text(spelled(text, "cupy")), "large_device"),
            module(gradient_text(spelled(text, "numpy")), "large_host"),
        )


def _peak(function: Callable[..., Any], args: tuple[Any, ...]) -> int:
    """The most bytes that a call holds, its result included."""
    function(*args)  # kernels are compiled by the first one
    tracemalloc.start()
    try:
        function(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", LARGE)
def test_held_at_once(large: Modules, name: str) -> None:
    """By value and gradient."""
    device, host = large
    args = LARGE[name](np.random.default_rng(1))
    mode = "value_and_grad" if hasattr(host, f"{name}_value_and_grad") else "vjp"
    more = (1.0,) if mode == "vjp" else ()
    if mode == "vjp":
        more = (np.ones_like(getattr(host, f"{name}_fwd")(*map(on_host, args))[0]),)
    given = (*args, *more)
    found = _peak(getattr(device, f"{name}_{mode}"), tuple(map(on_device, given)))
    wanted = _peak(getattr(host, f"{name}_{mode}"), tuple(map(on_host, given)))
    assert found <= wanted + NOISE + MORE.get(name, 0)
