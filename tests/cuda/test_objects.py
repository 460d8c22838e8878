"""Classes of the program that hold CuPy's arrays: arguments, what functions make, gradients."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.cuda import backend, comparing, compiler, standin
from tests.cuda.comparing import assert_equal, like
from tests.cuda.programs import spelled
from tests.helpers.transpile import Modules, gradient_text, module

CLASSES = """
from dataclasses import dataclass
from typing import Annotated, NamedTuple

@dataclass
class Layer:
    w: Float64[xp.ndarray, "n m"]
    b: Float64[xp.ndarray, "m"]

@dataclass
class Net:
    first: Layer
    last: Layer
    scale: float

@dataclass
class State:
    x: Float64[xp.ndarray, "n"]
    t: float

class Pair(NamedTuple):
    a: Annotated[xp.typing.NDArray[xp.float64], "n"]  # what fields are is evaluated
    b: Annotated[xp.typing.NDArray[xp.float64], "n"]

def net(net: Net, x: Float64[xp.ndarray, "k n"]) -> Number:
    h = xp.tanh(x @ net.first.w + net.first.b)
    y = h @ net.last.w + net.last.b
    return xp.sum(y * y) * net.scale

def steps(s: State, dt: float, count: int) -> Number:
    for _ in range(count):
        s.x = s.x + dt * xp.sin(s.x)
        s.t += dt
    return xp.sum(s.x) * s.t

def written(s: State) -> Number:
    s.x[:] = xp.sin(s.x) * s.t
    return xp.sum(s.x)

def maybe(s: State | None, x: Float64[xp.ndarray, "n"]) -> Number:
    r = xp.sum(x)
    if s is not None:
        r = r + xp.sum(s.x * x)
    return r

def chosen(s: State, x: Float64[xp.ndarray, "n"]) -> Number:
    if s.t > 0:
        return xp.sum(s.x * x)
    return xp.sum(xp.sin(s.x) * x)

def pair(p: Pair, x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.sin(p.a * x) * p.b)

def plain_pair(
    p: tuple[Float64[xp.ndarray, "n"], Float64[xp.ndarray, "m"]], x: Float64[xp.ndarray, "n"]
) -> Number:
    a, b = p
    return xp.sum(a * x) * xp.sum(b)

def made(w: Float64[xp.ndarray, "n"], x: Float64[xp.ndarray, "n"]) -> Number:
    s = State(xp.sin(w), 2.0)
    p = Pair(s.x * s.t, b=x)
    return xp.sum(p.a * p.b)

def by_key(w: Float64[xp.ndarray, "n"], x: Float64[xp.ndarray, "n"]) -> Number:
    p = {"w": xp.sin(w), "x": x}
    p["w"] = p["w"] * 2
    return xp.sum(xp.exp(p["w"] * p["x"]))

def listed(w: Float64[xp.ndarray, "n"], x: Float64[xp.ndarray, "n"]) -> Number:
    parts = [xp.sin(w), x * w]
    parts.append(w)
    s = xp.zeros(x.shape[0])
    for part in parts:
        s = s + part * part
    return xp.sum(s)

def keyword(x: Float64[xp.ndarray, "n"], *, a: float) -> Number:
    return xp.sum(xp.sin(x * a))
"""


def _layer(of: ModuleType, draw: np.random.Generator, n: int, m: int) -> Any:
    return of.__dict__["Layer"](draw.normal(size=(n, m)), draw.normal(size=m))


def _state(of: ModuleType, draw: np.random.Generator) -> Any:
    return of.__dict__["State"](draw.normal(size=300), 0.5)


def _arguments(name: str, of: ModuleType) -> tuple[Any, ...]:
    """The arguments of a function, with objects of the module ``of``, and arrays of NumPy."""
    draw = np.random.default_rng(1)
    a, b = draw.normal(size=(2, 300))
    match name:
        case "net":
            layers = _layer(of, draw, 5, 5), _layer(of, draw, 5, 5)
            return of.__dict__["Net"](*layers, 0.7), draw.normal(size=(7, 5))
        case "steps":
            return _state(of, draw), 0.1, 3
        case "written":
            return (_state(of, draw),)
        case "maybe" | "chosen":
            return _state(of, draw), a
        case "pair":
            return of.__dict__["Pair"](a, b), draw.normal(size=300)
        case "plain_pair":
            return (a, draw.normal(size=70)), b
        case "keyword":
            return a, 0.7
        case _:
            return a, b


NAMES = (
    "net", "steps", "written", "maybe", "chosen", "pair", "plain_pair", "made", "by_key", "listed",
    "keyword",
)  # fmt: skip


def _mapped(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """``value`` with other numbers and arrays."""
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(_mapped(getattr(value, field.name), leaf) for field in fields(value)))
    if isinstance(value, tuple):
        parts = [_mapped(part, leaf) for part in value]
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return leaf(value)


def _parts(value: Any) -> Any:
    """Objects as tuples, arrays as NumPy's."""
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(_parts(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple):
        return tuple(map(_parts, value))
    return comparing.on_host(value)


@pytest.fixture(scope="module")
def sides() -> Iterator[dict[str, Modules]]:
    """The program and its gradient module: over CuPy's stand-in, and over NumPy's arrays."""
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    made = {}
    with standin.installed(), pytest.MonkeyPatch.context() as patch:
        for library in ("numpy", "cupy"):
            source = spelled(CLASSES, library)
            program = module(source, "program")
            patch.setitem(sys.modules, "program", program)
            made[library] = program, module(gradient_text(source), f"{library}_objects")
        yield made


@pytest.mark.parametrize("mode", ["vjp", "value_and_grad", "jvp", "hvp"])
@pytest.mark.parametrize("name", NAMES)
def test_as_on_the_host(sides: Any, name: str, mode: str) -> None:
    """Values, cotangents and tangents; what objects hold afterwards; and no waiting."""
    found = []
    for library, leaf in (("cupy", comparing.on_device), ("numpy", comparing.on_host)):
        program, gradients = sides[library]
        draw = np.random.default_rng(2)
        args = _arguments(name, program)
        drawn = partial(like, draw=draw)
        tangents = [_mapped(arg, drawn) for arg in args if not isinstance(arg, int)]
        more = {"vjp": [like(1.0, draw)], "value_and_grad": []}.get(mode, tangents)
        given = [_mapped(arg, leaf) for arg in (*args, *more)]
        named = {}
        if name == "keyword":
            named = {"a_dot": given.pop()} if mode in ("jvp", "hvp") else {}
            named["a"] = given.pop(1)
        standin.counts.clear()
        result = getattr(gradients, f"{name}_{mode}")(*given, **named)
        assert standin.counts["synchronisations"] == 0
        found.append((_parts(result), _parts(tuple(given))))
    assert_equal(*found, 1e-12)


def test_fields_are_named_in_errors(sides: Any) -> None:
    program, gradients = sides["cupy"]
    x = np.ones(3)
    with pytest.raises(TypeError, match=r"written_vjp: parameter 's\.x' must be .* of NumPy"):
        gradients.written_grad(program.State(x, 0.5))
    number = backend.array(np.asarray(0.5))
    with pytest.raises(TypeError, match=r"'s\.t' must be a number of Python's, got a float64"):
        gradients.written_grad(program.State(backend.array(x), number))
