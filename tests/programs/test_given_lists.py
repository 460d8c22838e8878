"""Errors about lists that are parameters: in the program, and where it is called."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text, transpiled

HEAD = """
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass
class P:
    x: float
    m: float

    def area(self) -> float:
        return self.x * self.m


@dataclass
class Q(P):
    def area(self) -> float:
        return self.x
"""

PROGRAM = """
def total(xs: list[float]) -> float:
    return sum(xs)


def ragged(xs: list[Vector]) -> float:
    s = 0.0
    for x in xs:
        s += np.sum(x * x)
    return s


def areas(ps: list[P]) -> float:
    s = 0.0
    for p in ps:
        s += p.area()
    return s


def corner(t: list[list[float]]) -> float:
    return t[0][0]


def changes(xs: list[float], ys: list[float], a: float) -> float:
    xs.append(a)
    return sum(ys) * a


def beside(xs: list[Vector], y: Vector) -> float:
    y[0] = 2.0
    return xs[0][0] * y[1]


def holds(p: P, ps: list[P]) -> float:
    p.x = 3.0
    return ps[0].x * p.m
"""


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(HEAD + PROGRAM)


WRONG = {
    "text": ("total", [1.0, "a"], r"xs\[1\]: expected float64, got str"),
    "complex": ("total", [1.0, 1j], r"xs\[1\]: expected float64, got complex"),
    "nested": ("total", [1.0, [2.0]], r"xs\[1\]: expected float64, got list"),
    "none": ("total", [1.0, None], r"xs\[1\]: expected float64, got NoneType"),
    "number": ("total", 3.0, "xs: expected a list, got float"),
    "rank": ("ragged", [np.ones(2), np.ones((2, 2))], r"xs\[1\]: .*rank 1, got rank 2"),
    "integers": ("ragged", [np.ones(2, int)], r"xs\[0\]: expected float64, got int64"),
    "masked": ("ragged", [np.ma.masked_array([1.0])], r"xs\[0\]: .* got MaskedArray"),
    "no array": ("ragged", [3.0], r"xs\[0\]: expected an array of rank 1, got float"),
    "attribute": ("areas", [3.0], r"ps\[0\]' must have an attribute 'x', got float"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_items(modules: Modules, case: str) -> None:
    name, argument, message = WRONG[case]
    with pytest.raises(TypeError, match=message):
        getattr(modules[1], f"{name}_grad")(argument)


def test_other_methods(modules: Modules) -> None:
    program, generated = modules
    with pytest.raises(TypeError, match=r"ps\[1\]' must be a P, got Q"):
        generated.areas_grad([program.P(1.0, 2.0), program.Q(1.0, 2.0)])


def test_empty_lists(modules: Modules) -> None:
    _, generated = modules
    assert generated.total_value_and_grad([]) == (0.0, [])
    assert generated.ragged_grad([]) == []
    assert generated.areas_grad([]) == []


def test_arrays_of_any_layout(modules: Modules) -> None:
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    first, second = modules[1].ragged_grad([np.arange(6.0)[::2], fixed])
    np.testing.assert_array_equal(first, [0.0, 4.0, 8.0])
    np.testing.assert_array_equal(second, [0.0, 2.0, 4.0])


def test_one_list_twice(modules: Modules) -> None:
    xs = [1.0, 2.0]
    for suffix in ("grad", "fwd"):
        with pytest.raises(ValueError, match="xs and ys are one list"):
            getattr(modules[1], f"changes_{suffix}")(xs, xs, 2.0)
    assert xs == [1.0, 2.0]


def test_written_array_in_list(modules: Modules) -> None:
    y = np.ones(4)
    for suffix, more in (("grad", ()), ("fwd", ()), ("jvp", ([y], y))):
        with pytest.raises(ValueError, match=r"y, which is written, is also xs\[0\]"):
            getattr(modules[1], f"beside_{suffix}")([y[1:]], y, *more)


def test_changed_object_in_list(modules: Modules) -> None:
    program, generated = modules
    p = program.P(1.0, 2.0)
    with pytest.raises(ValueError, match=r"p, which is written, is also ps\[0\]"):
        generated.holds_grad(p, [p])


def test_tangents_of_other_shapes(modules: Modules) -> None:
    two, three = np.ones(2), np.ones(3)
    with pytest.raises(ValueError, match="xs_dot must have the shape of xs"):
        modules[1].ragged_jvp([two, three], [three, two])
    with pytest.raises(ValueError, match="xs_dot must have the shape of xs"):
        modules[1].total_jvp([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0.3], "ab"], r"t\[1\]: expected a list, got str"),
        ([0.3], r"t\[0\]: expected a list, got float"),
        ([[0.3], ["a"]], r"t\[1\]\[0\]: expected float64, got str"),
        ([[0.3], [1.0, [1.0]]], r"t\[1\]\[1\]: expected float64, got list"),
        ([[0.3, 1j]], r"t\[0\]\[1\]: expected float64, got complex"),
    ],
)
def test_wrong_rows(modules: Modules, table: list[object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        modules[1].corner_grad(table)


REFUSED = {
    "MK312": (
        (
            "def f(xs: list[Vector]) -> float:\n    y = xs[0]\n    for x in xs:\n"
            "        x += 1.0\n        y = x\n    return y[0]"
        ),
        (
            "def f(xs: list[tuple[Vector, Vector]]) -> float:\n"
            "    for x, y in xs:\n        x += y\n    return xs[0][0][0]"
        ),
    ),
    "MK371": (
        "def f(xs: list[Vector], y: Vector) -> float:\n    xs.append(y)\n    return xs[0][0]",
        "def f(xs: list[Vector], y: Vector) -> float:\n    xs[0] = y\n    return xs[0][0]",
        "def f(xs: list[list[float]]) -> float:\n    xs.pop()\n    return xs[0][0]",
    ),
    "MK320": (
        "def f(xs: list[list[float]]) -> float:\n    xs[0][0] = 1.0\n    return xs[0][0]",
        "def f(xs: list[list[float]]) -> float:\n    xs[0].append(1.0)\n    return xs[0][0]",
    ),
    "MK204": (
        "def f(xs: list[list[list[float]]]) -> float:\n    return xs[0][0][0]",
        "def f(xs: list[tuple[float, float] | None]) -> float:\n    return 1.0",
    ),
    "MK361": (
        (
            "def f(xs: list[float] | None, a: float) -> float:\n"
            "    if xs is not None:\n        xs.append(a)\n    return a"
        ),
    ),
    "MK213": ("def f(x: float) -> list[Vector]:\n    return [x]",),
}


@pytest.mark.parametrize("code", REFUSED)
def test_refused(code: str) -> None:
    for program in REFUSED[code]:
        with pytest.raises(Refusal, match=code):
            gradient_text(HEAD + program)


GAPS = """
def total(xs: list[float | None]) -> float:
    return sum(x for x in xs if x is not None)


@dataclass
class Job:
    work: float
    due: float | None = None


def late(jobs: list[Job]) -> float:
    return sum(job.work * job.due for job in jobs if job.due is not None)
"""


def test_what_may_be_none_in_lists_is_a_number_or_none() -> None:
    module, made = transpiled(HEAD + GAPS)
    value, gradient = made.total_value_and_grad([1.5, None, 2])
    assert (value, gradient) == (3.5, [1.0, None, 1.0])
    assert made.total_value_and_grad([]) == (0.0, [])
    assert made.total_jvp([1.5, None], [2.0, None]) == (1.5, 2.0)
    with pytest.raises(TypeError, match=r"parameter xs\[1\]: expected float64, got str"):
        made.total_value_and_grad([1.5, "2"])
    with pytest.raises(TypeError, match="is not iterable"):
        made.total_value_and_grad(None)
    value, (late, whole) = made.late_value_and_grad([module.Job(2.0, 3.0), module.Job(1.0)])
    assert (value, late.due, whole.due, whole.work) == (6.0, 2.0, None, 0.0)
    with pytest.raises(TypeError, match=r"parameter jobs\[0\].due: expected float64, got str"):
        made.late_value_and_grad([module.Job(1.0, "soon")])
