"""Arguments for a function by its annotations, others for each seed, some at special points."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import get_type_hints

import numpy as np
from mooncake_runtime.tangents import Tree

Arguments = tuple[Tree, ...]
LENGTHS = {"n": 4, "l": 6, "r": 3, "c": 4, "s": 3}  # by the name of the dimension
SPECIAL = (0.0, 1.0, -1.0, 2.0, -0.5, -3.0)

HEADER = """\
import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Vec32 = Annotated[NDArray[np.float32], "n"]
VecC = Annotated[NDArray[np.complex128], "n"]
Ints = Annotated[NDArray[np.int64], "n"]
Bools = Annotated[NDArray[np.bool_], "n"]
"""


def arguments(function: Callable[..., Tree], seed: int) -> Arguments:
    """Arguments for ``function``: of every third seed, many numbers are those where much happens,
    of every seventh, arrays have one item or none.
    """
    hints = get_type_hints(function, include_extras=True)
    draw = _Drawn(seed)
    return tuple(draw(hints[name]) for name in inspect.signature(function).parameters)


class _Drawn:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.special = seed % 3 == 2
        self.lengths: Mapping[str, int] = LENGTHS
        if seed % 7 == 6:
            self.lengths = dict.fromkeys(LENGTHS, seed // 7 % 2)

    def __call__(self, annotation: object) -> Tree:
        """A value of a type of numbers, or an array of them."""
        if not hasattr(annotation, "__metadata__"):
            return self.numbers(annotation, ()).item()
        axes = annotation.__metadata__[0].split()
        shape = [self.lengths[axis] if axis in self.lengths else int(axis) for axis in axes]
        (scalar,) = annotation.__origin__.__args__[1].__args__  # type: ignore[attr-defined]
        return self.numbers(scalar, tuple(shape))

    def numbers(self, scalar: object, shape: tuple[int, ...]) -> np.ndarray:
        if scalar in (bool, np.bool_):
            return self.rng.uniform(size=shape) < 0.5
        if scalar in (int, np.int64):
            return np.array(self.rng.integers(-3, 4, shape))
        if isinstance(scalar, type) and issubclass(scalar, np.integer):  # narrow or unsigned
            known = np.iinfo(scalar)
            ends = (known.min, min(known.max, 1 << 31))
            drawn = self.rng.integers(*ends, shape, dtype=scalar, endpoint=True)
            return np.where(self.rng.uniform(size=shape) < 0.5, drawn, drawn % 5).astype(scalar)
        if scalar in (complex, np.complex128):
            return self._real(shape) + 1j * self._real(shape)
        if scalar in (float, np.float64, np.float32):
            return self._real(shape).astype(np.float64 if scalar is float else scalar)
        raise TypeError(f"no arguments are drawn for {scalar}")

    def _real(self, shape: tuple[int, ...]) -> np.ndarray:
        drawn = np.array(self.rng.uniform(-2.0, 2.0, shape))
        if not self.special:
            return drawn
        return np.where(self.rng.uniform(size=shape) < 0.6, self.rng.choice(SPECIAL, shape), drawn)
