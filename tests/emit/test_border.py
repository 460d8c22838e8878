"""Functions in plain Python in front of compiled ones: what they take, give, check and assign."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients
from numpy.typing import NDArray

from tests.helpers.transpile import Modules, Refusal, gradient_text, module

ROOT = Path(__file__).parents[2]
SOURCE = """\
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


class Side(Enum):
    LEFT = 0
    RIGHT = 1


@dataclass
class State:
    x: Vector
    t: float
    label: str = "new"


@dataclass
class Pair:
    first: State
    second: State


@dataclass
class Disc:
    r: float

    def area(self) -> float:
        return np.pi * self.r * self.r


@dataclass
class Half(Disc):
    def area(self) -> float:
        return 0.5 * np.pi * self.r * self.r


DISC = Disc(2.0)


def energy(state: State, k: float) -> float:
    return k * float(np.sum(state.x * state.x)) * state.t


def advanced(state: State, dt: float) -> State:
    return State(state.x * dt, state.t + dt, state.label)


def steps(state: State, dt: float) -> float:
    state.x[0] += dt
    state.x = state.x * dt
    state.t += dt
    return float(np.sum(state.x)) * state.t


def fails_after(state: State, dt: float) -> float:
    state.t += dt
    if dt < 0.0:
        raise ValueError("backwards")
    return state.t


def exchanged(pair: Pair, dt: float) -> float:
    pair.first.t += dt * pair.second.t
    return pair.first.t * pair.second.t


def wave(x: float, kind: Literal["sin", "cos"], *, side: Side = Side.LEFT) -> float:
    y = np.sin(x) if kind == "sin" else np.cos(x)
    return y if side is Side.LEFT else -y


def weighted(x: Vector, w: Vector | None = None) -> float:
    return float(np.sum(x * x)) if w is None else float(np.sum(w * x))


def area(disc: Disc, h: float) -> float:
    return disc.area() * h


def area_of_any(disc: Disc | Half, h: float) -> float:
    return disc.area() * h


def with_default(h: float, disc: Disc = DISC) -> float:
    return disc.r * h


class Span(NamedTuple):
    lo: float
    hi: float = 2.0


def within_span(
    x: float, span: Span = Span(0.5), more: tuple[Span, int] = (Span(1.0), 3)
) -> float:
    return (x - span.lo) * (span.hi - x) * more[0].hi * more[1]
"""


@pytest.fixture(scope="module")
def text() -> str:
    return gradient_text(SOURCE)


@pytest.fixture(scope="module")
def modules(text: str) -> Modules:
    return module(SOURCE, "program"), module(text, "program_grad")


def vector(*numbers: float) -> NDArray[np.float64]:
    return np.array(numbers)


# ---- what is taken -------------------------------------------------------------------------------


@dataclass
class Lookalike:
    x: object
    t: object = 1.0
    label: str = ""


class Given(NamedTuple):
    x: NDArray[np.float64]
    t: float


def test_any_object_with_the_attributes(modules: Modules) -> None:
    primal, grad = modules
    mine = primal.State(vector(1.0, 2.0), 0.5)
    expected = grad.energy_grad(mine, 3.0)
    found = grad.energy_grad(Lookalike(mine.x, mine.t), 3.0)
    assert found.k == expected.k
    assert np.array_equal(found.state.x, expected.state.x)


@pytest.mark.parametrize("kind", ["own", "derivative", "other"])
def test_cotangents_by_name(modules: Modules, kind: str) -> None:
    primal, grad = modules
    state = primal.State(vector(1.0, 2.0), 0.5)
    x_bar = vector(3.0, 4.0)
    y_bar = {
        "own": primal.State(x_bar, 5.0),
        "derivative": grad.StateBar(x_bar, 5.0, None),
        "other": Given(x_bar, 5.0),
    }[kind]
    y, found = grad.advanced_vjp(state, 0.1, y_bar)
    assert (type(y), y.label) == (primal.State, "new")
    assert np.allclose(found.state.x, 0.1 * x_bar)
    assert np.isclose(found.dt, 11.0 + 5.0)


BAD = [
    (1.0, "energy_grad: parameter 'state' must have an attribute 'x', got float"),
    (Given(vector(1.0), 2), None),
    (Lookalike([1.0]), "parameter 'state.x' must be a float64 array of rank 1, got list"),
    (Lookalike(vector(1.0), "t"), "parameter 'state.t' must be a float64 scalar, got str"),
]


@pytest.mark.parametrize(("state", "message"), BAD)
def test_messages(modules: Modules, state: object, message: str | None) -> None:
    _, grad = modules
    if message is None:
        grad.energy_grad(state, 1.0)
        return
    with pytest.raises(TypeError, match="energy") as caught:
        grad.energy_grad(state, 1.0)
    assert message in str(caught.value)


def test_attribute_of_inner_object(modules: Modules) -> None:
    primal, grad = modules
    pair = primal.Pair(primal.State(vector(1.0), 2.0), None)
    with pytest.raises(TypeError, match=r"'pair\.second' must have an attribute 'x', got None"):
        grad.exchanged_grad(pair, 0.1)


# ---- what is assigned ----------------------------------------------------------------------------


def test_assigned_and_undone(modules: Modules) -> None:
    primal, grad = modules
    x = vector(1.0, 2.0)
    state, copy = primal.State(x, 0.5), primal.State(x.copy(), 0.5)
    value = primal.steps(copy, 0.1)
    y, residuals = grad.steps_fwd(state, 0.1)
    assert np.isclose(y, value)
    assert np.allclose(state.x, copy.x)
    assert (state.t, state.x is x) == (copy.t, False)
    grad.steps_pullback(residuals, 1.0)
    assert state.x is x
    assert (state.t, list(x)) == (0.5, [1.0, 2.0])


def test_gradients_leave_objects_alone(modules: Modules) -> None:
    primal, grad = modules
    state = primal.State(vector(1.0, 2.0), 0.5)
    grad.steps_value_and_grad(state, 0.1)
    grad.steps_vjp(state, 0.1, 1.0)
    assert (state.t, list(state.x)) == (0.5, [1.0, 2.0])


def test_one_object_twice(modules: Modules) -> None:
    primal, grad = modules
    state = primal.State(vector(1.0), 2.0)
    for name in ("fwd", "grad", "value_and_grad"):
        with pytest.raises(ValueError, match=r"pair\.first and pair\.second are one object"):
            getattr(grad, f"exchanged_{name}")(primal.Pair(state, state), 0.1)
    check_gradients(primal.exchanged, grad, (primal.Pair(state, replace(state)), 0.1))


# ---- alternatives --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sin", "cos"])
@pytest.mark.parametrize("side", [0, 1])
def test_selectors(modules: Modules, kind: str, side: int) -> None:
    primal, grad = modules
    x, chosen = 0.3, primal.Side(side)
    derivative = np.cos(x) if kind == "sin" else -np.sin(x)
    expected = derivative if side == 0 else -derivative
    assert np.isclose(grad.wave_grad(x, kind, side=chosen), expected)


def test_unknown_selectors(modules: Modules) -> None:
    _, grad = modules
    with pytest.raises(ValueError, match="'kind' must be one of 'sin', 'cos', got 'tan'"):
        grad.wave_grad(0.3, "tan")
    with pytest.raises(TypeError, match=r"'side' must be one of Side\.LEFT, Side\.RIGHT, got int"):
        grad.wave_grad(0.3, "sin", side=1)


def test_none_has_the_gradient_none(modules: Modules) -> None:
    primal, grad = modules
    x, w = vector(1.0, 2.0), vector(3.0, 4.0)
    check_gradients(primal.weighted, grad, (x, None))
    check_gradients(primal.weighted, grad, (x, w))
    assert grad.weighted_grad(x).w is None
    assert np.array_equal(grad.weighted_grad(x, w).w, x)
    with pytest.raises(TypeError, match="'w' must be a float64 array of rank 1, got str"):
        grad.weighted_grad(x, "w")
    with pytest.raises(ValueError, match="parameter w: axis 0 must have the size n"):
        grad.weighted_grad(x, vector(1.0))


def test_derived_classes(modules: Modules) -> None:
    primal, grad = modules
    check_gradients(primal.area, grad, (primal.Disc(0.4), 2.0))
    with pytest.raises(TypeError, match="'disc' must be a Disc, got Half, whose methods are"):
        grad.area_grad(primal.Half(0.4), 2.0)
    for cls in (primal.Disc, primal.Half):
        check_gradients(primal.area_of_any, grad, (cls(0.4), 2.0))


def test_default_of_the_source(modules: Modules) -> None:
    primal, grad = modules
    primal.DISC.r = 3.0
    assert grad.with_default_grad(0.5).h == 3.0
    primal.DISC.r = 2.0


def test_default_that_is_a_named_tuple(modules: Modules) -> None:
    primal, grad = modules
    y, found = grad.within_span_value_and_grad(0.75)
    assert y == primal.within_span(0.75)
    assert (found.x, found.span.lo, found.span.hi) == (6.0, -7.5, 1.5)
    spans = primal.Span(0.4, 1.9), primal.Span(1.0, 2.5)
    check_gradients(primal.within_span, grad, (0.75, spans[0], (spans[1], 3)))


# ---- the text ------------------------------------------------------------------------------------

TOOLS = [
    ("ruff", "format", "--isolated", "--diff"),
    ("ruff", "check", "--isolated"),
    ("mypy", "--config-file=", "--explicit-package-bases"),
]


@pytest.mark.parametrize("command", TOOLS)
def test_tools_find_nothing(text: str, tmp_path: Path, command: tuple[str, ...]) -> None:
    tmp_path.joinpath("program.py").write_text(SOURCE)
    tmp_path.joinpath("program_grad.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", *command, "program_grad.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": os.pathsep.join((str(tmp_path), str(ROOT / "runtime")))},
    )
    assert done.returncode == 0, done.stdout + done.stderr


REFUSED = {
    "MK361": "def f(a: Pair) -> float:\n    a.first = a.second\n    a.second.t = 1.0\n"
    "    return a.first.t\n",
    "MK305": "def f(a: State) -> float:\n    return a.t if a.label.endswith('w') else 1.0\n",
    "MK366": "def f(a: float, w: Vector = np.ones(2)) -> float:\n    return a * w[0]\n",
}


@pytest.mark.parametrize("code", REFUSED)
def test_refused(code: str) -> None:
    head, *_ = SOURCE.partition("DISC = ")
    with pytest.raises(Refusal, match=code):
        gradient_text(head + REFUSED[code])
