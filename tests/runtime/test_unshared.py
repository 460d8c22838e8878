"""Arrays in lists of objects that are written in place: they must share memory with no others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from mooncake_runtime.lists import unshared, write_items
from numpy.typing import NDArray

from tests.helpers.transpile import transpiled

Array = NDArray[np.float64]


def numbers(n: int = 12) -> Array:
    return np.arange(float(n))


COLUMNS = numbers().reshape(4, 3)
APART: dict[str, tuple[Sequence[Array], ...]] = {
    "none": ([],),
    "of their own": ([numbers(), numbers()], [numbers()]),
    "halves": ([COLUMNS[:2], COLUMNS[2:]],),
    "columns": ([COLUMNS[:, 0], COLUMNS[:, 1]], [COLUMNS[:, 2]]),
    "reversed": ([COLUMNS[1::-1]], [COLUMNS[2:]]),
    "empty": ([COLUMNS[:0], COLUMNS], [COLUMNS[1:1]]),
    "others that are one": ([numbers()], [COLUMNS, COLUMNS], [COLUMNS[0]]),
}
SHARED: dict[str, tuple[Sequence[Array], ...]] = {
    "twice": ([COLUMNS, COLUMNS],),
    "views": ([COLUMNS, COLUMNS[:]],),
    "rows that meet": ([COLUMNS[:3], numbers(), COLUMNS[2:]],),
    "the same as another": ([COLUMNS], [numbers(), COLUMNS]),
    "a part of another": ([COLUMNS[:, 0]], [COLUMNS[2]]),
    "behind one that ends early": ([COLUMNS], [COLUMNS[0, :1], COLUMNS[3]]),
    "reversed": ([COLUMNS[::-1]], [COLUMNS[3:]]),
}


@pytest.mark.parametrize("name", APART)
def test_apart(name: str) -> None:
    unshared("bodies[{}].pos", *APART[name])


@pytest.mark.parametrize("name", SHARED)
def test_shared(name: str) -> None:
    with pytest.raises(ValueError, match=r"bodies\[i\]\.pos is written in place, and shares"):
        unshared("bodies[{}].pos", *SHARED[name])


def test_contents_are_written() -> None:
    class Body:
        def __init__(self, pos: Array) -> None:
            self.pos = pos

    bodies = [Body(COLUMNS[:, 0].copy()), Body(numbers(2))]
    before = [body.pos for body in bodies]
    write_items([body.pos for body in bodies], [np.ones(4), np.zeros(2)])
    assert all(body.pos is pos for body, pos in zip(bodies, before, strict=True))
    assert [list(pos) for pos in before] == [[1.0] * 4, [0.0] * 2]


SOURCE = """
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], "n"]

@dataclass
class Body:
    pos: Vec
    vel: Vec

def moved(bodies: list[Body], wind: Vec) -> float:
    total = 0.0
    for body in bodies:
        body.pos += body.vel * wind
        total += np.sum(body.pos ** 2)
    return total

def scaled(ws: list[Vec], rate: float) -> float:
    for w in ws:
        w *= rate
    return sum(np.sum(w) for w in ws)
"""


def test_what_a_call_changes() -> None:
    """``f_fwd`` and ``f_jvp`` change contents, and ``f_pullback`` changes them back."""
    primal, grad = transpiled(SOURCE)
    wind = np.array([1.0, 2.0])
    bodies = [primal.Body(np.ones(2) * k, np.arange(2.0)) for k in range(3)]
    arrays = [body.pos for body in bodies]
    value, gradient = grad.moved_value_and_grad(bodies, wind)
    assert [list(a) for a in arrays] == [[0, 0], [1, 1], [2, 2]]
    y, residuals = grad.moved_fwd(bodies, wind)
    assert y == value
    assert all(body.pos is a for body, a in zip(bodies, arrays, strict=True))
    assert [list(a) for a in arrays] == [[0, 2], [1, 3], [2, 4]]
    slots = grad.moved_pullback(residuals, 1.0)
    assert [list(a) for a in arrays] == [[0, 0], [1, 1], [2, 2]]
    assert np.array_equal(slots[1], gradient.wind)
    dots = [primal.Body(np.zeros(2), np.ones(2)) for _ in bodies]
    moving = [dot.pos for dot in dots]
    grad.moved_jvp(bodies, wind, dots, np.zeros(2))
    assert [list(a) for a in arrays] == [[0, 2], [1, 3], [2, 4]]
    assert [list(a) for a in moving] == [[1, 2]] * 3


def test_what_a_call_changes_in_a_list() -> None:
    _, grad = transpiled(SOURCE)
    arrays = [np.ones(2), np.ones(3)]
    value, gradient = grad.scaled_value_and_grad(arrays, 2.0)
    assert (value, gradient.rate) == (10.0, 5.0)
    assert [list(bar) for bar in gradient.ws] == [[2, 2], [2, 2, 2]]
    assert [list(a) for a in arrays] == [[1, 1], [1, 1, 1]]
    _, residuals = grad.scaled_fwd(arrays, 2.0)
    assert [list(a) for a in arrays] == [[2, 2], [2, 2, 2]]
    grad.scaled_pullback(residuals, 1.0)
    assert [list(a) for a in arrays] == [[1, 1], [1, 1, 1]]
    with pytest.raises(ValueError, match=r"ws\[i\] is written in place"):
        grad.scaled_value_and_grad([arrays[0], arrays[0]], 2.0)


def test_what_is_shared_is_refused() -> None:
    primal, grad = transpiled(SOURCE)
    shared = np.ones(2)
    for bodies, wind in (
        ([primal.Body(shared, np.ones(2)), primal.Body(shared, np.ones(2))], np.ones(2)),
        ([primal.Body(shared, shared)], np.ones(2)),
        ([primal.Body(shared, np.ones(2))], shared),
    ):
        with pytest.raises(ValueError, match=r"bodies\[i\]\.pos is written in place"):
            grad.moved_value_and_grad(bodies, wind)
    bodies = [primal.Body(np.ones(2), np.ones(2)), primal.Body(np.ones(2), np.ones(2))]
    same = [primal.Body(shared, np.ones(2)), primal.Body(shared, np.ones(2))]
    with pytest.raises(ValueError, match=r"bodies_dot\[i\]\.pos is written in place"):
        grad.moved_jvp(bodies, np.ones(2), same, np.ones(2))
