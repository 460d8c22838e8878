"""Lists of objects whose fields are assigned: the caller's objects, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text, transpiled

HEAD = """
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


@dataclass
class Body:
    x: float
    v: float
    steps: int = 0


@dataclass
class Particle:
    pos: Vector
    name: str = "p"


@dataclass
class World:
    bodies: list[Body]
    t: float
"""
PROGRAM = """
def moved(bodies: list[Body], dt: float) -> float:
    for b in bodies:
        b.x += dt * b.v
        b.steps += 1
    return sum(b.x * b.x for b in bodies)


def grown(ps: list[Particle], a: float) -> float:
    for p in ps:
        p.pos = np.append(p.pos, a)
    return sum(p.pos @ p.pos for p in ps)


def with_another(bodies: list[Body], other: Body) -> float:
    for b in bodies:
        b.x += other.v
    return sum(b.x * b.v for b in bodies) + other.x


def or_raises(bodies: list[Body], limit: float) -> float:
    for b in bodies:
        b.x *= 2.0
        if b.x > limit:
            raise ValueError(f"too far: {b.x}")
    return sum(b.x for b in bodies)
"""


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(HEAD + PROGRAM)


def test_objects_are_assigned_and_given_back(modules: Modules) -> None:
    program, generated = modules
    bodies = [program.Body(1.0, 2.0), program.Body(3, -1.0, 4)]
    value, residuals = generated.moved_fwd(bodies, 0.5)
    assert value == 4.0 + 6.25
    assert bodies == [program.Body(2.0, 2.0, 1), program.Body(2.5, -1.0, 5)]
    (first, second), dt_bar = generated.moved_pullback(residuals, 1.0)
    assert bodies == [program.Body(1.0, 2.0), program.Body(3, -1.0, 4)]
    assert (first.x, first.v, second.x, second.v) == (4.0, 2.0, 5.0, 2.5)
    assert dt_bar == 4.0 * 2.0 - 5.0


def test_gradients_leave_objects_alone(modules: Modules) -> None:
    program, generated = modules
    bodies = [program.Body(1.0, 2.0), program.Body(3.0, -1.0)]
    generated.moved_value_and_grad(bodies, 0.5)
    generated.moved_grad(bodies, 0.5)
    assert bodies == [program.Body(1.0, 2.0), program.Body(3.0, -1.0)]


def test_tangents_are_assigned(modules: Modules) -> None:
    program, generated = modules
    bodies = [program.Body(1.0, 2.0), program.Body(3.0, -1.0)]
    dots = [program.Body(1.0, 0.0), program.Body(0.0, 1.0)]
    _, y_dot = generated.moved_jvp(bodies, 0.5, dots, 0.0)
    assert y_dot == 2.0 * 2.0 + 5.0 * 0.5
    assert [b.x for b in bodies] == [2.0, 2.5]
    assert [d.x for d in dots] == [1.0, 0.5]


def test_arrays_of_objects_are_replaced(modules: Modules) -> None:
    program, generated = modules
    old = [np.array([1.0]), np.array([2.0, 3.0])]
    ps = [program.Particle(old[0], "a"), program.Particle(old[1])]
    _, residuals = generated.grown_fwd(ps, 4.0)
    np.testing.assert_array_equal(ps[1].pos, [2.0, 3.0, 4.0])
    assert ps[0].name == "a"
    generated.grown_pullback(residuals, 1.0)
    assert ps[0].pos is old[0]
    assert ps[1].pos is old[1]


def test_one_object_twice(modules: Modules) -> None:
    program, generated = modules
    one, other = program.Body(1.0, 2.0), program.Body(0.0, 1.0)
    with pytest.raises(ValueError, match=r"bodies\[0\] and bodies\[2\] are one object"):
        generated.moved_grad([one, other, one], 0.5)
    with pytest.raises(ValueError, match=r"other, which is written, is also bodies\[1\]"):
        generated.with_another_fwd([one, other], other)
    assert one == program.Body(1.0, 2.0)


def test_objects_that_are_no_number(modules: Modules) -> None:
    program, generated = modules
    bodies = [program.Body(1.0, 2.0), program.Body(3.0, -1.0)]
    assert generated.or_raises_value_and_grad(bodies, 10.0)[0] == 8.0
    with pytest.raises(ValueError, match="too far"):
        generated.or_raises_value_and_grad(bodies, 5.0)


REFUSED = {
    "sorted in place": """MK320
def f(bodies: list[Body], k: float) -> float:
    for b in bodies:
        b.x *= k
    bodies.sort(key=lambda b: b.x)
    return bodies[0].x
""",
    "replaced": """MK320|MK331
def f(bodies: list[Body], k: float) -> float:
    bodies[0] = Body(k, k)
    bodies[0].x = 2.0 * k
    return bodies[0].x
""",
    "text of an object": """MK212
def f(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.pos = p.pos * k
        if p.name.center(9) == "a":
            k += 1.0
    return ps[0].pos.sum()
""",
    "part of a struct": """MK320
def f(w: World, k: float) -> float:
    w.bodies[0].x *= k
    return w.bodies[0].x
""",
    "in place": """MK312
def f(ps: list[Particle], k: float) -> float:
    for p in ps:
        p.pos += k
        p.pos = p.pos * k
    return ps[0].pos.sum()
""",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    code, _, text = REFUSED[name].partition("\n")
    with pytest.raises(Refusal, match=code):
        gradient_text(f"{HEAD}\n\n{text}")


def test_copies_of_all_objects() -> None:
    """Their number is known at run time only, whoever made them."""
    for bodies in ("bodies", "[Body(k, k) for _ in range(n)]"):
        text = f"""
import copy

def f(bodies: list[Body], k: float, n: int) -> float:
    twins = copy.deepcopy({bodies})
    for t in twins:
        t.x += k
    bodies[0].x += twins[0].x
    return bodies[0].x
"""
        with pytest.raises(Refusal, match=r"MK343|MK320|MK331"):
            gradient_text(f"{HEAD}\n\n{text}")
