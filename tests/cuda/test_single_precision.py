"""Python's numbers beside float32 arrays: they take single precision, as in Python and CuPy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from tests.cuda import backend, compiler, standin
from tests.cuda.comparing import on_device, on_host, tangents
from tests.helpers.transpile import Refusal, gradient_text, module

HEAD = """import cupy as cp
from jaxtyping import Complex64, Float32, Float64

Vec = Float32[cp.ndarray, "n"]
Number = Float32[cp.ndarray, ""]

"""
SOURCE = """
def adam(w: Vec, g: Float32[cp.ndarray, "t n"], lr: float) -> Vec:
    m = cp.zeros_like(w)
    v = cp.zeros_like(w)
    for t in range(g.shape[0]):
        m = 0.9 * m + 0.1 * g[t]
        v = 0.999 * v + 0.001 * g[t] ** 2
        scale = 1 - 0.9 ** (t + 1)
        w = w - lr * m / scale / (cp.sqrt(v / (1 - 0.999 ** (t + 1))) + 1e-1)
    return w

def operators(w: Vec, a: float, k: int) -> Vec:
    y = w * 0.9**k + k * w - w / k + w**k + a / (1 + w * w) + cp.maximum(w, a)
    return y + cp.where(w > a, w, a) + cp.clip(w, -a, a) + cp.hypot(w, a) + w.shape[0] * w

def helped(w: Vec, a: float) -> Number:
    return _scaled(cp.sum(w), a) / float(w.shape[0]) + _scaled(w, a).mean()

def _scaled(x, a):
    return a * x * x

def turned(w: Vec, z: Complex64[cp.ndarray, "n"], a: float) -> Complex64[cp.ndarray, "n"]:
    return z * a + 1j * w * a

def stepped(u: Vec, dt: float, steps: int) -> Number:
    u = u.copy()
    t = 0.0
    for i in range(steps):
        u += dt * cp.sin(t * u)
        u[1:-1] += dt * i * (u[2:] - u[:-2])
        t += dt
    return u.mean() + dt * u[0]

def of_a_tuple(w: Vec, pair: tuple[float, float]) -> Vec:
    return pair[0] * w + pair[1]

def halved(w: Vec, a: float, k: int) -> Vec:
    s = a
    for i in range(k):
        s = s * 0.5
    return w * s
"""
ARGS = {
    "adam": ((6,), (4, 6), 0.1), "operators": ((6,), 0.3, 3), "helped": ((6,), 0.3),
    "turned": ((6,), "z", 0.4), "stepped": ((6,), 0.3, 4),
    "halved": ((6,), 0.3, 4),
}  # fmt: skip


def _arguments(name: str) -> list[object]:
    draw = np.random.default_rng(1)
    found: list[object] = []
    for arg in ARGS[name]:
        if isinstance(arg, tuple):
            found.append(draw.normal(size=arg).astype(np.float32))
        elif arg == "z":
            z = draw.normal(size=6) + 1j * draw.normal(size=6)
            found.append(z.astype(np.complex64))
        else:
            found.append(arg)
    return found


@pytest.fixture(scope="module")
def text() -> str:
    return gradient_text(HEAD + SOURCE)


@pytest.fixture(scope="module")
def device(text: str) -> Iterator[ModuleType]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    with standin.installed():
        yield module(text, "single_grad")


@pytest.fixture(scope="module")
def primal() -> ModuleType:
    """The same in Python, over NumPy's arrays, and in double precision where these are."""
    return module("from __future__ import annotations\nimport numpy as cp\n" + SOURCE, "single")


@pytest.mark.parametrize("name", ARGS)
def test_results_have_the_dtype_that_python_gives(
    device: ModuleType, primal: ModuleType, name: str
) -> None:
    args = _arguments(name)
    found, _ = getattr(device, f"{name}_fwd")(*map(on_device, args))
    wanted = getattr(primal, name)(*args)
    assert backend.held(found).dtype == wanted.dtype
    np.testing.assert_allclose(backend.held(found), wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("name", ARGS)
def test_derivatives(device: ModuleType, primal: ModuleType, name: str) -> None:
    """Against differences in double precision; cotangents of Python's floats are float64."""
    args = _arguments(name)
    moved = list(tangents(tuple(args), np.random.default_rng(2)))
    dots = iter(moved)
    given = [(a, next(dots) if np.asarray(a).dtype.kind in "fc" else 0) for a in args]

    def at(h: float) -> np.ndarray:
        wide = [a if isinstance(a, int) else np.asarray(a, _wide(a)) + h * dot for a, dot in given]
        return np.asarray(getattr(primal, name)(*wide))

    wanted = (8 * (at(1e-4) - at(-1e-4)) - (at(2e-4) - at(-2e-4))) / 12e-4
    y, y_dot = getattr(device, f"{name}_jvp")(*map(on_device, [*args, *moved]))
    np.testing.assert_allclose(on_host(y_dot), wanted, rtol=1e-3, atol=1e-3)
    y_bar = on_device(np.ones(y.shape, y.dtype))
    _, bars = getattr(device, f"{name}_vjp")(*map(on_device, args), y_bar)
    pairs = zip(bars if isinstance(bars, tuple) else (bars,), moved, strict=True)
    backwards = sum(np.sum((backend.held(bar).conj() * dot).real) for bar, dot in pairs)
    np.testing.assert_allclose(backwards, np.sum(wanted.real), rtol=1e-3)


def _wide(value: object) -> type:
    return complex if np.asarray(value).dtype.kind == "c" else float


def test_nothing_is_computed_in_double_precision(text: str) -> None:
    """Forwards; sums, and so cotangents of Python's floats, are added up in float64."""
    kernels = re.findall(r"ElementwiseKernel\(\n(.*?)\n\)\n", text, re.DOTALL)
    found = [kernel for kernel in kernels if '"turned_fwd' in kernel]
    assert found
    assert not any(word in kernel for kernel in found for word in ("double", "float64"))


def test_arrays_of_double_precision_are_strong() -> None:
    """Python's numbers are arrays behind functions of CuPy's."""
    for value in ("cp.sqrt(a) * w", "s * w", "cp.array([0.5]) * w"):
        text = f'def f(w: Vec, a: float, s: Float64[cp.ndarray, ""]) -> Vec:\n    return {value}\n'
        with pytest.raises(Refusal, match="MK213"):
            gradient_text(HEAD + text)
