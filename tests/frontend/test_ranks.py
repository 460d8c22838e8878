"""Refusals that ranks which were inferred may be the reason for say so."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, refusals, transpiled

HEAD = (
    "from dataclasses import dataclass\nimport numpy as np\nfrom numpy.typing import NDArray\n"
    "Vec = np.ndarray[tuple[int], np.dtype[np.float64]]\n"
)


def test_inferred_ranks_are_told() -> None:
    text = (
        "def f(q: NDArray[np.float64]) -> float:\n"
        "    return np.trace(np.add(q, q)) + np.add(q, q)[:, 0]\n"
    )
    (found,) = refusals(HEAD + text)
    assert found.code == "MK214"
    assert "what is taken for q of rank 1" in str(found.help)


def test_ranks_are_those_that_fit() -> None:
    """A matrix, as a vector would give a number for an array."""
    text = (
        "def f(m: NDArray[np.float64], d: float, k: int) -> NDArray[np.float64]:\n"
        "    v = np.ones(m.shape[0])\n"
        "    for _ in range(k):\n        v = d * (m @ v)\n    return v\n"
    )
    assert "m: Matrix" in gradient_text(HEAD + text)


ROWS_IN_OBJECTS = """
class Ball:
    def __init__(self, place, speed):
        self.place, self.speed = np.array(place), np.array(speed)

def f(places: np.ndarray, speeds: np.ndarray) -> float:
    balls = [Ball(p, v) for p, v in zip(places, speeds)]
    for b in balls:
        b.speed += np.ones(2)
        b.place += 0.1 * b.speed
    return sum(np.dot(b.place, b.place) for b in balls)
"""
MOVED_IN_PLACE = """
def f(places: np.ndarray, speeds: np.ndarray) -> float:
    assert places.shape[1] == 3
    v = speeds.copy()
    v += 0.1 * places
    return np.sum(v)
"""


@pytest.mark.parametrize("text", [ROWS_IN_OBJECTS, MOVED_IN_PLACE])
def test_ranks_that_operators_in_place_tell(text: str) -> None:
    """Rows that are numbers can't be changed in place where objects hold them."""
    assert "places: Matrix, speeds: Matrix" in gradient_text(HEAD + text)


def test_other_reasons_are_told() -> None:
    """Of ranks that fit but for something else, that is what is told."""
    text = (
        "def f(q: NDArray[np.float64]) -> float:\n"
        "    q = np.exp(q)\n    q.partition(1)\n    return q[0, 0]\n"
    )
    refused = refusals(HEAD + text)
    assert {found.code for found in refused} == {"MK305"}


def test_functions_by_other_names_have_the_ranks_that_fit() -> None:
    """Other names of a function stand for it as it is read in the end."""
    text = (
        "def f(q: NDArray[np.float64]) -> float:\n    return np.trace(np.exp(q))\n"
        "g = f\n"
        "def h(q: NDArray[np.float64]) -> float:\n    return g(q) + q[0, 0]\n"
    )
    assert "def h_value_and_grad" in gradient_text(HEAD + text)


def test_results_of_several_ranks() -> None:
    """A vector at first, then a number, which is no result (an internal error once)."""
    text = (
        "def f(m: Vec, d: float, k: int) -> NDArray[np.float64]:\n"
        "    v = np.ones(m.shape[0])\n"
        "    for _ in range(k):\n        v = d * (m @ v)\n    return v\n"
    )
    _, made = transpiled(HEAD + text)
    value, _ = made.f_vjp(np.ones(2), 0.5, 0, np.ones(2))
    assert value.tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="the result is float64, not float64"):
        made.f_vjp(np.ones(2), 0.5, 1, np.ones(2))


OBJECTS = """
@dataclass
class Body:
    pos: np.ndarray
    vel: np.ndarray
    mass: float


def center(bodies: list[Body]) -> np.ndarray:
    return sum(b.mass * b.pos for b in bodies) / sum(b.mass for b in bodies)


def total(bodies: list[Body]) -> np.ndarray:
    return sum(b.mass * b.pos for b in bodies)


def energy(bodies: list[Body]) -> float:
    e = 0.0
    for i, a in enumerate(bodies):
        e += 0.5 * a.mass * np.dot(a.vel, a.vel)
        for b in bodies[i + 1 :]:
            e -= a.mass * b.mass / np.linalg.norm(a.pos - b.pos)
    return e
"""


def test_products_that_are_numbers_are_of_vectors() -> None:
    module, made = transpiled(HEAD + OBJECTS)
    rng = np.random.default_rng(3)
    bodies = [module.Body(rng.random(3), rng.random(3), m) for m in (1.0, 2.0, 0.5)]
    check_gradients(module.energy, made, (bodies,))
    check_gradients(module.center, made, (bodies,))
    check_gradients(module.total, made, (bodies,))
    with pytest.raises(TypeError, match="the result is"):
        made.total_vjp([], np.ones(3))


def test_few_factors_are_tried_as_vectors_and_matrices() -> None:
    """Five are 32 ways to take them; of more, ranks must be said."""

    def text(names: str) -> str:
        params = ", ".join(f"{name}: NDArray[np.float64]" for name in names)
        products = " + ".join(f"{n} @ {n}" for n in names)
        return f"def f({params}) -> float:\n    return float({products})\n"

    assert "a: Vector, b: Vector" in gradient_text(HEAD + text("abcde"))
    with pytest.raises(Refusal, match="MK203"):
        gradient_text(HEAD + text("abcdef"))


NUMBER_FOR_AN_ARRAY = """
def f(s: np.ndarray, k: np.ndarray) -> np.ndarray:
    return s @ (k * np.exp(k))
"""
MEANS_OF_COLUMNS = """
def f(a: np.ndarray) -> float:
    b = a - a.mean(axis=0)
    return float(np.sum(np.abs(b)))
"""
ROWS_OF_WEIGHTS = """
def f(a: np.ndarray) -> np.ndarray:
    e = np.exp(a - a.max(axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [(NUMBER_FOR_AN_ARRAY, "s"), (MEANS_OF_COLUMNS, "a"), (ROWS_OF_WEIGHTS, "a")],
)
def test_matrices_among_what_fits(text: str, name: str) -> None:
    assert f"{name}: Matrix" in gradient_text(HEAD + text)
