"""Devices and streams: work is done where the arguments are, on the stream that is current."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import mooncake_runtime
import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import on_device, tangents
from tests.cuda.programs import INPUTS, named, spelled
from tests.helpers.transpile import gradient_text, module

NAMES = ("sum_sin", "softmax", "columns", "several", "two_sums", "chain")
RUNTIME = Path(mooncake_runtime.__file__).parent


TEXT = named(*NAMES)


@pytest.fixture(scope="module")
def device() -> Iterator[ModuleType]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        yield module(gradient_text(spelled(TEXT, "cupy")), "devices")


def _arrays(value: Any) -> Iterator[standin.ndarray]:
    if isinstance(value, tuple):
        for part in value:
            yield from _arrays(part)
    elif isinstance(value, standin.ndarray):
        yield value


@pytest.mark.parametrize("name", NAMES)
def test_results_are_on_the_device_of_the_arguments(device: ModuleType, name: str) -> None:
    """Nothing is left over from another device, on which the module was imported or called."""
    args = INPUTS[name](np.random.default_rng(1))
    draw = np.random.default_rng(2)
    moved = tangents(args, draw)
    for number in (0, 1):
        with standin.on_device(number):
            fwd = device.__dict__[f"{name}_fwd"](*map(on_device, args))
            bars = device.__dict__[f"{name}_pullback"](fwd[1], fwd[0])
            dots = device.__dict__[f"{name}_jvp"](*map(on_device, (*args, *moved)))
            found = list(_arrays((fwd, bars, dots)))
        assert found
        assert {array.device.id for array in found} == {number}


MODES = {"grad": 0, "value_and_grad": 0, "fwd": 0, "vjp": 1, "jvp": 2, "hvp": 2}


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("mode", MODES)
def test_an_array_of_another_device_is_named(device: ModuleType, mode: str, place: int) -> None:
    given = [standin.ndarray(np.ones(3)) for _ in range(2)]
    more = {0: [], 1: [1.0], 2: [standin.ndarray(np.ones(3)) for _ in range(2)]}[MODES[mode]]
    with standin.on_device(1):
        given[place] = standin.ndarray(np.ones(3))
    message = (
        f"sum_sin_{mode}: parameter '{'xy'[place]}' is on device 1, but the current device is 0"
    )
    with pytest.raises(ValueError, match=message):
        device.__dict__[f"sum_sin_{mode}"](*given, *more)


def test_so_are_tangents_cotangents_and_residuals(device: ModuleType) -> None:
    x = standin.ndarray(np.ones(3))
    with standin.on_device(1):
        other = standin.ndarray(np.ones(3))
        residuals = device.__dict__["chain_fwd"](other)[1]
    with pytest.raises(ValueError, match="'x_dot' is on device 1"):
        device.__dict__["chain_jvp"](x, other)
    with pytest.raises(ValueError, match="'y_bar' is on device 1"):
        device.__dict__["chain_vjp"](x, other)
    with pytest.raises(ValueError, match=r"'residuals\[0\]' is on device 1"):
        device.__dict__["chain_pullback"](residuals, x)


@pytest.mark.parametrize("name", NAMES)
def test_all_is_launched_on_the_current_stream(device: ModuleType, name: str) -> None:
    args = INPUTS[name](np.random.default_rng(1))
    given = tuple(map(on_device, args))
    moved = tuple(map(on_device, tangents(args, np.random.default_rng(2))))
    with standin.on_stream(7):
        standin.counts.clear()
        y, residuals = device.__dict__[f"{name}_fwd"](*given)
        device.__dict__[f"{name}_pullback"](residuals, y)
        device.__dict__[f"{name}_vjp"](*given, y)
        device.__dict__[f"{name}_jvp"](*given, *moved)
    assert standin.counts["launches"] > 0
    assert dict(standin.streams) == {7: standin.counts["launches"]}


def test_a_kernel_on_another_stream_is_noticed() -> None:
    text = gradient_text(spelled(named("sum_sin"), "cupy"))
    assert "block_size=256)" in text
    x = np.ones(3)
    with standin.installed(), standin.on_stream(7):
        other = module(text.replace("block_size=256)", "block_size=256, stream=0)"), "streams")
        other.__dict__["sum_sin_grad"](on_device(x), on_device(x))
    assert standin.streams[0] == 1


# CuPy launches on the current stream unless it is told otherwise; the default one has these names.
TOLD = re.compile(r"\bstream\s*=|\bStream\b|\bsynchronize\b|\.null\b|\bptds\b|\.use\(\)")


def test_no_stream_but_the_current_one() -> None:
    emitted = gradient_text(spelled(TEXT, "cupy"))
    for text in (emitted, *(path.read_text() for path in RUNTIME.glob("device*.py"))):
        assert not TOLD.search(text)
