"""Programs to report on, with arguments of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples/programs"
BENCH = Path(__file__).parents[2] / "bench/programs"

WAVE = '''\
import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Field = Annotated[NDArray[np.float64], "n"]


def damped(x: float) -> float:
    return math.exp(-x * x)


def wave(u: Field, c: float, steps: int) -> float:
    """A text with </script><b> and an & in it."""
    total = 0.0
    for _ in range(steps):
        for i in range(u.shape[0]):
            total = total * c + damped(
                u[i],
            )
    return total
'''

NEWTON = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def root(a: float, limit: float) -> float:
    x = a
    while abs(x * x - a) > limit:
        x = 0.5 * (x + a / x)
    return x


def smooth(x: Annotated[NDArray[np.float32], "n m"], w: float) -> float:
    y = np.tanh(x * w)
    rows = y[1:] - y[:-1]
    return float(np.sum(rows * rows)) + float(np.sum(np.exp(-y)))


def inplace(x: Annotated[NDArray[np.float64], "n"], k: int) -> float:
    for j in range(k):
        for i in range(1, x.shape[0]):
            x[i] = x[i] * x[i - 1] + j
    return float(x[-1])
"""


TRIMMED = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def trimmed(x: Annotated[NDArray[np.float64], "n m"]) -> float:
    inside = np.exp(x[1:-1, 2:])
    edges = np.tanh(x[:-1])
    return float(np.sum(inside * np.sin(inside))) + float(np.sum(edges))
"""


@dataclass(frozen=True)
class Case:
    """A function of a source, and what to call it with for a size."""

    name: str
    source: str
    arguments: Callable[[int], tuple[object, ...]]


def _floats(*shape: int) -> np.ndarray:
    return np.linspace(0.1, 0.9, int(np.prod(shape))).reshape(shape)


def _file(path: Path) -> str:
    return path.read_text("utf-8")


CASES = (
    Case("wave", WAVE, lambda n: (_floats(n), 0.5, n + 2)),
    Case("root", NEWTON, lambda n: (2.0 + n, 1e-9)),
    Case("smooth", NEWTON, lambda n: (_floats(n, n + 1).astype(np.float32), 0.7)),
    Case("inplace", NEWTON, lambda n: (_floats(n), 3)),
    Case(
        "rod_misfit", _file(EXAMPLES / "rod.py"),
        lambda n: (_floats(n), _floats(n), _floats(4, n), n + 1),
    ),
    Case("area", _file(EXAMPLES / "surface.py"), lambda n: (_floats(n * n), _floats(n + 2, n + 2))),
    Case("stencil", _file(BENCH / "stencil.py"), lambda n: (_floats(n + 2), 0.1, n)),
    Case("trimmed", TRIMMED, lambda n: (_floats(n + 2, n + 3),)),
    Case("branchy", _file(BENCH / "branchy.py"), lambda n: (_floats(n), 0.3)),
    Case(
        "gmm_objective", _file(EXAMPLES / "gmm.py"),
        lambda n: (
            _floats(3), _floats(3, n), _floats(3, n), _floats(3, n * (n - 1) // 2),
            _floats(5, n), 1.0, 0,
        ),
    ),
)  # fmt: skip
