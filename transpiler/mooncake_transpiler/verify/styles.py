"""Ways to draw numbers: a function that refuses one of them may take the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from mooncake_runtime.tangents import Tree

Arrange = Callable[[Tree], Tree]


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes of axes in order of their appearance, and what real numbers look like."""

    sizes: tuple[int, ...]
    low: float
    high: float
    signs: bool  # one number in three is negative
    arranged: Arrange

    def size(self, place: int) -> int:
        return self.sizes[place % len(self.sizes)]

    def reals(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Tree:
        numbers = rng.uniform(self.low, self.high, shape)
        return numbers * rng.choice((1.0, 1.0, -1.0), shape) if self.signs else numbers


def _as_drawn(numbers: Tree) -> Tree:
    return numbers


def _definite(numbers: Tree) -> Tree:
    """Square matrices made positive definite."""
    if numbers.ndim < 2 or numbers.shape[-1] != numbers.shape[-2]:
        return numbers
    size = numbers.shape[-1]
    product = numbers @ np.swapaxes(numbers.conj(), -1, -2)
    return np.asarray(product / max(1, size) + np.eye(size), numbers.dtype)


def _ascending(numbers: Tree) -> Tree:
    """Vectors sorted, square matrices positive definite."""
    return np.sort(numbers) if numbers.ndim == 1 else _definite(numbers)


DIFFERENT, OTHER, EQUAL = (4, 3, 5, 2, 6), (6, 5, 7, 4, 8), (5,)

STYLES = (
    Style(DIFFERENT, 0.2, 1.1, True, _as_drawn),
    Style(OTHER, 0.2, 1.1, False, _as_drawn),
    Style(DIFFERENT, 0.3, 1.6, True, _definite),
    Style(EQUAL, 0.2, 1.1, True, _as_drawn),
    Style(OTHER, 0.1, 0.9, False, _ascending),
    Style((4,), 0.05, 0.4, False, _definite),
    Style(DIFFERENT, 1.1, 2.9, False, _ascending),
    Style((2,), 0.2, 1.1, False, _as_drawn),
    Style((3,), 0.2, 1.1, True, _as_drawn),
)
