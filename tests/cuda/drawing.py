"""Arguments of programs, drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

Drawn = Callable[[np.random.Generator], tuple[object, ...]]


def arrays(*shapes: tuple[int, ...]) -> Drawn:
    return lambda draw: tuple(draw.normal(size=shape) for shape in shapes)


def with_numbers(made: Drawn, *numbers: float) -> Drawn:
    return lambda draw: (*made(draw), *numbers)


def numbers_behind(made: Drawn, *numbers: float) -> Drawn:
    """Arrays, and behind them arrays without axes."""
    return lambda draw: (*made(draw), *map(np.asarray, numbers))


def of_dtypes(made: Drawn, *dtypes: str) -> Drawn:
    def draw_as(draw: np.random.Generator) -> tuple[object, ...]:
        pairs = zip(made(draw), dtypes, strict=True)
        return tuple((2 * np.asarray(a)).astype(dtype) for a, dtype in pairs)

    return draw_as


def definite(made: Drawn) -> Drawn:
    """The first array is a matrix far from singular."""

    def draw_definite(draw: np.random.Generator) -> tuple[object, ...]:
        first, *others = made(draw)
        return (np.asarray(first) + 5 * np.eye(len(np.asarray(first))), *others)

    return draw_definite


def floats_and(indices: Sequence[int], *shapes: tuple[int, ...]) -> Drawn:
    """Arrays, and behind them ``indices``."""
    return lambda draw: (*arrays(*shapes)(draw), np.asarray(indices))


def two_indices(first: Sequence[int], second: Sequence[int], *shapes: tuple[int, ...]) -> Drawn:
    """Arrays, and behind them two arrays of indices."""
    return lambda draw: (*arrays(*shapes)(draw), np.asarray(first), np.asarray(second))


def of_complex(count: int, made: Drawn, scale: float = 1.0, *, single: bool = False) -> Drawn:
    """The first ``count`` arrays are complex; ``single``: all arrays are of single precision."""

    def draw_complex(draw: np.random.Generator) -> tuple[object, ...]:
        drawn = [np.asarray(array) for array in made(draw)]
        for k in range(count):
            drawn[k] = scale * (drawn[k] + 1j * draw.normal(size=drawn[k].shape))
        narrow = {"c": np.complex64, "f": np.float32}
        return tuple(a.astype(narrow[a.dtype.kind]) for a in drawn) if single else tuple(drawn)

    return draw_complex
