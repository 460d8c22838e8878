"""Lists of CuPy's arrays, and of what holds them, as parameters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.cuda import backend, compiler, standin
from tests.cuda.comparing import assert_equal
from tests.cuda.programs import spelled
from tests.helpers.transpile import Refusal, gradient_text, module

SOURCE = """
from dataclasses import dataclass

@dataclass
class Layer:
    w: Float64[xp.ndarray, "n m"]
    b: Float64[xp.ndarray, "m"]

def total(xs: list[Float64[xp.ndarray, "n"]], w: Float64[xp.ndarray, "n"]) -> Number:
    s = xp.zeros_like(w)
    for x in xs:
        s = s + xp.sin(x) * w
    return xp.sum(s * s)

def mlp(layers: list[Layer], x: Float64[xp.ndarray, "k n"]) -> Number:
    for layer in layers:
        x = xp.tanh(x @ layer.w + layer.b)
    return xp.sum(x * x)

def pairs(
    params: list[tuple[Float64[xp.ndarray, "n m"], Float64[xp.ndarray, "m"]]],
    x: Float64[xp.ndarray, "k n"],
) -> Number:
    for w, b in params[:-1]:
        x = xp.tanh(x @ w + b)
    w, b = params[-1]
    return xp.sum((x @ w + b) ** 2)

def penalty(ws: list[Float64[xp.ndarray, "n m"]]) -> Number:
    return 0.5 * sum(xp.sum(w * w) for w in ws) / len(ws)

def counted(xs: list[Float64[xp.ndarray, "n"]]) -> Number:
    n = 0
    s = 0.0
    for x in xs:
        n += len(x)
        s = s + xp.sum(xp.exp(x))
    return s / n
"""

Convert = Callable[[np.ndarray], Any]


def _arguments(name: str, of: ModuleType, seed: int) -> tuple[Any, ...]:
    draw = np.random.default_rng(seed)
    ws = [draw.normal(size=shape) for shape in ((4, 5), (5, 3), (3, 3))]
    bs = [draw.normal(size=size) for size in (5, 3, 3)]
    layer, x = of.__dict__["Layer"], draw.normal(size=(7, 4))
    made: dict[str, tuple[Any, ...]] = {
        "total": (list(draw.normal(size=(3, 300))), draw.normal(size=300)),
        "mlp": ([layer(w, b) for w, b in zip(ws, bs, strict=True)], x),
        "pairs": (list(zip(ws, bs, strict=True)), x),
        "penalty": (ws,),
        "counted": ([draw.normal(size=size) for size in (3, 300, 0)],),
    }
    return made[name]


NAMES = ("total", "mlp", "pairs", "penalty", "counted")


def _mapped(value: Any, change: Convert) -> Any:
    if isinstance(value, list):
        return [_mapped(item, change) for item in value]
    if isinstance(value, tuple):
        return tuple(_mapped(item, change) for item in value)
    if hasattr(value, "w"):
        return type(value)(change(value.w), change(value.b))
    return change(value)


def _on_device(value: Any) -> Any:
    return backend.array(value) if isinstance(value, np.ndarray) else value


def _on_host(value: Any) -> Any:
    held = backend.held(value)
    return held.item() if isinstance(held, np.ndarray) and held.ndim == 0 else held


def _flat(value: Any) -> Any:
    """Gradients as tuples, whatever their classes."""
    value = _mapped(value, _on_host) if not hasattr(value, "_fields") else value
    return tuple(map(_flat, value)) if isinstance(value, tuple | list) else _on_host(value)


@pytest.fixture(scope="module")
def text() -> str:
    return gradient_text(spelled(SOURCE, "cupy"))


@pytest.fixture(scope="module")
def made(text: str) -> Iterator[tuple[ModuleType, ...]]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    host = spelled(SOURCE, "numpy")
    with standin.installed(), pytest.MonkeyPatch.context() as patch:
        program = module(host, "host")
        patch.setitem(sys.modules, "program", program)
        found = module(gradient_text(host), "host_grad")
        device = module(spelled(SOURCE, "cupy"), "device")
        patch.setitem(sys.modules, "program", device)
        yield device, module(text, "device_grad"), program, found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["value_and_grad", "jvp", "hvp"])
def test_as_on_the_host(made: tuple[ModuleType, ...], name: str, mode: str) -> None:
    device, of_device, host, of_host = made
    seeds = (1,) if mode == "value_and_grad" else (1, 2)
    given = [a for seed in seeds for a in _arguments(name, host, seed)]
    wanted = getattr(of_host, f"{name}_{mode}")(*given)
    there = [_mapped(a, _on_device) for seed in seeds for a in _arguments(name, device, seed)]
    standin.counts.clear()
    found = getattr(of_device, f"{name}_{mode}")(*there)
    assert standin.counts["synchronisations"] == 0
    assert_equal(_flat(found), _flat(wanted), 1e-12)


def test_pullback_waits_for_nothing(made: tuple[ModuleType, ...]) -> None:
    """The host has kept all that it needs to know of the layers."""
    device, of_device, host, of_host = made
    args = [_mapped(a, _on_device) for a in _arguments("mlp", device, 1)]
    standin.counts.clear()
    _, residuals = of_device.__dict__["mlp_fwd"](*args)
    found = of_device.__dict__["mlp_pullback"](residuals, 1.0)
    assert standin.counts["synchronisations"] == 0
    wanted = of_host.__dict__["mlp_grad"](*_arguments("mlp", host, 1))
    assert_equal(_flat(found), _flat(wanted), 1e-12)


def test_numpy_in_a_list(made: tuple[ModuleType, ...]) -> None:
    _, of_device, *_ = made
    with pytest.raises(TypeError, match=r"xs\[0\]: expected an array of CuPy of rank 1"):
        of_device.__dict__["counted_grad"]([np.ones(3)])


def test_lists_of_numbers() -> None:
    source = """
def f(xs: list[float], y: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(y) * xs[0]
"""
    with pytest.raises(Refusal, match="MK604"):
        gradient_text(spelled(source, "cupy"))
