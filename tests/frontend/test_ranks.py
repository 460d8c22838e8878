"""Refusals that ranks which were inferred may be the reason for say so."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text

HEAD = (
    "import numpy as np\nfrom numpy.typing import NDArray\n"
    "Vec = np.ndarray[tuple[int], np.dtype[np.float64]]\n"
)


def test_inferred_ranks_are_told() -> None:
    text = (
        "def f(q: NDArray[np.float64]) -> float:\n"
        "    return np.trace(np.exp(q)) + np.exp(q)[:, 0]\n"
    )
    with pytest.raises(Refusal) as refused:
        gradient_text(HEAD + text)
    (found,) = refused.value.diagnostics
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
    with pytest.raises(Refusal) as refused:
        gradient_text(HEAD + text)
    assert {found.code for found in refused.value.diagnostics} == {"MK305"}


def test_functions_by_other_names_have_the_ranks_that_fit() -> None:
    """Other names of a function stand for it as it is read in the end."""
    text = (
        "def f(q: NDArray[np.float64]) -> float:\n    return np.trace(np.exp(q))\n"
        "g = f\n"
        "def h(q: NDArray[np.float64]) -> float:\n    return g(q) + q[0, 0]\n"
    )
    assert "def h_value_and_grad" in gradient_text(HEAD + text)


def test_results_of_several_ranks() -> None:
    """A vector at first, then a number: no result (an internal error once)."""
    text = (
        "def f(m: Vec, d: float, k: int) -> NDArray[np.float64]:\n"
        "    v = np.ones(m.shape[0])\n"
        "    for _ in range(k):\n        v = d * (m @ v)\n    return v\n"
    )
    with pytest.raises(Refusal, match=r"MK213 .*on some paths only"):
        gradient_text(HEAD + text)


def test_few_factors_are_tried_as_vectors_and_matrices() -> None:
    """Five are 32 ways to take them; of more, ranks must be said."""

    def text(names: str) -> str:
        params = ", ".join(f"{name}: NDArray[np.float64]" for name in names)
        return f"def f({params}) -> float:\n    return {' + '.join(f'{n} @ {n}' for n in names)}\n"

    assert "a: Vector, b: Vector" in gradient_text(HEAD + text("abcde"))
    with pytest.raises(Refusal, match="MK203"):
        gradient_text(HEAD + text("abcdef"))
