"""Elements that no later write meets are read again where they are; all others are saved."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.ad.deriving import HEADER, derivatives, new_arrays
from tests.helpers.transpile import transpiled

TRAJECTORY = """
def f(x: Vec, a: float) -> float:
    h = np.zeros((9, len(x)))
    h[0] = x
    for t in range(1, 9):
        {}
    return np.sum(h)
"""


@pytest.mark.parametrize(
    ("step", "is_saved"),
    [
        ("h[t] = a * h[t - 1] ** 2", False),
        ("h[t] = h[t] ** 2 + h[t - 1]", True),
        ("h[t - 1] = h[t] ** 2 + a", True),
        ("h[t - 1] = h[t - 1] ** 2 + a", True),
        ("h[9 - t] = a * h[8 - t] ** 2", True),
        ("h[8 - t] = a * h[9 - t] ** 2", False),
        ("h[t] = a * h[t - 1] ** 2; h[0] = x * a", True),
    ],
)
def test_reads_in_front_of_writes_and_behind_them(step: str, is_saved: bool) -> None:
    made = derivatives(TRAJECTORY.format(step))
    assert new_arrays(made["fwd"]).count(2) == (2 if is_saved else 1)


def test_rows_that_a_product_reads_are_not_copied() -> None:
    source = """
def f(x: Vec, w: Annotated[NDArray[np.float64], "n n"]) -> float:
    h = np.zeros((9, len(x)))
    h[0] = x
    for t in range(8):
        h[t + 1] = w @ h[t]
    return np.sum(h * h)
"""
    assert new_arrays(derivatives(source)["fwd"]).count(2) == 1


# ---- random nests -------------------------------------------------------------------------------


class Nest:
    """The text of a function whose loops read and write elements of one matrix."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._seed = seed

    def text(self) -> str:
        body = "\n".join(self._block("    ", [], self._rng.randrange(1, 4)))
        return f"""
def f{self._seed}(x: Vec, a: float) -> float:
    h = np.zeros((9, 9))
    for i in range(9):
        for j in range(9):
            h[i, j] = np.sin(x[0] * i + x[1] * j)
{body}
    return np.sum(h * h) * a
"""

    def _block(self, indent: str, loops: list[str], depth: int) -> Iterator[str]:
        for _ in range(self._rng.randrange(1, 3)):
            if depth and self._rng.random() < 0.6:
                name = f"i{len(loops)}"
                bounds = self._rng.choice(("0, 3", "1, 4", "2, -1, -1", "0, 4, 2", "3, 0, -1"))
                yield f"{indent}for {name} in range({bounds}):"
                yield from self._block(indent + "    ", [*loops, name], depth - 1)
            else:
                yield f"{indent}{self._store(loops)}"

    def _store(self, loops: list[str]) -> str:
        target, first, second = (self._place(loops) for _ in range(3))
        op = self._rng.choice(("=", "=", "=", "+=", "*="))
        return f"h[{target}] {op} 0.8 * np.sin(h[{first}]) * h[{second}] + 0.1 * a"

    def _place(self, loops: list[str]) -> str:
        return f"{self._index(loops)}, {self._index(loops)}"

    def _index(self, loops: list[str]) -> str:
        """An index between 0 and 8, or -1 where it may fall out of the front."""
        if not loops or self._rng.random() < 0.15:
            return str(self._rng.choice((0, 1, 2, 3, -1)))
        one = self._rng.choice(loops)
        form = self._rng.choice(("{}", "{} + 1", "{} - 1", "4 - {}", "2 * {}", "{} + {}"))
        return form.format(one, self._rng.choice(loops))


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_random_nests(start: int) -> None:
    seeds = range(start, start + 20)
    source = HEADER + "".join(Nest(seed).text() for seed in seeds)
    program, made = transpiled(source)
    for seed in seeds:
        args = (np.array([0.7, -0.4]), 0.9)
        check_gradients(getattr(program, f"f{seed}"), made, args, rtol=1e-6)
