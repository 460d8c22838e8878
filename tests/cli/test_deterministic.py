"""Equal sources give equal modules: in any process, in any order, beside any other module."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.helpers.transpile import compiled, gradient_body, gradient_text
from tests.programs.catalogue import CASES, THEMES

SOME = ["whiles"]


def in_another_process(seed: int, themes: list[str]) -> dict[str, str]:
    command = [sys.executable, "-m", "tests.helpers.scrambled", str(seed), *themes]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        command, env=environment, cwd=Path(__file__).parents[2], stdout=-1, text=True, check=True
    )
    return dict(line.split() for line in done.stdout.splitlines())


def test_hashes_do_not_matter(pytestconfig: pytest.Config) -> None:
    """Some themes of the catalogue; all of them with ``--whole-grid``."""
    themes = THEMES if pytestconfig.getoption("--whole-grid") else SOME
    first = in_another_process(1, themes)
    assert first.keys() == set(themes)
    assert in_another_process(2, themes) == first


HEAT = """import cupy as cp
from jaxtyping import Float64

def heat(u: Float64[cp.ndarray, "n"], a: float) -> Float64[cp.ndarray, ""]:
    v = cp.zeros_like(u)
    v[1:-1] = cp.sin(a * u[2:]) - u[1:-1] * u[:-2]
    w = cp.zeros_like(u)
    w[2:-2] = v[4:] * v[:-4] - v[2:-2] * v[1:-3] * v[3:-1]
    return cp.sum(w * w)
"""


def test_hashes_do_not_matter_for_kernels(tmp_path: Path) -> None:
    """Cotangents that get terms from several views, which nothing but order tells apart."""
    file = tmp_path / "heat.py"
    file.write_text(HEAT)
    first = in_another_process(1, [str(file)])
    for seed in (2, 3):
        assert in_another_process(seed, [str(file)]) == first


def test_other_modules_do_not_matter() -> None:
    """Neither what else is in SRC, nor in which order it is, nor how many work on it."""
    themes = ["rank_zero", "dicts"]
    texts = {f"{theme}.py": (CASES / f"{theme}.py").read_text() for theme in themes}
    _expect_independent(texts, {theme: [theme] for theme in themes})


SHARED = {
    "shared.py": """
def _climbed(x, n: int) -> float:
    return x * 1.5 if n <= 0 else x * _climbed(x, n - 1)

def power(x: float, n: int) -> float:
    return x if n <= 0 else x * power(x, n - 1)

def tripled(x: float, n: int) -> float:
    return n * x
""",
    "first.py": """
from shared import _climbed, tripled

def f(x: float, n: int) -> float:
    return _climbed(n, 3) * tripled(x, 3)
""",
    "second.py": """
from shared import _climbed, power

def f(x: float, n: int) -> float:
    return _climbed(x, n) + _climbed(n, n) + power(x, 2)
""",
}


def test_versions_of_helpers_are_numbered_in_each_module() -> None:
    """Not in the run: `first` asks for another version of `_climbed` before `second` does."""
    alone = _expect_independent(
        SHARED, {"first": ["first", "shared"], "second": ["second", "shared"], "shared": ["shared"]}
    )
    assert "def _climbed(" in alone["first"]
    assert "def _climbed(" in alone["second"]
    assert "def _climbed__1(" in alone["second"]


CONTRACTED = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

First = Annotated[NDArray[np.float64], "a b c d e"]
Second = Annotated[NDArray[np.float64], "p q r s t"]

def f(x: First, y: Second) -> float:
    return np.sum(np.einsum("ijklm,ijklm->i", x, y))
"""


def test_sizes_are_compared_in_the_order_of_axes() -> None:
    """Not in that of the hashes of their names."""
    expected = "if a != p or b != q or c != r or d != s or e != t:"
    assert expected in gradient_text(CONTRACTED)


ARRAYS = ("first", "second", "third", "fourth", "fifth", "sixth")
GROWING = """
import numpy as np
from numpy.typing import NDArray

def f(x: NDArray[np.float64], n: int) -> float:
    s = 0.0
    LOOPS
    return s
"""
LOOP = """
    NAME = x
    for _ in range(n):
        NAME = np.append(NAME, np.sum(NAME ** 2))
    s += np.sum(NAME ** 3)
"""


def test_memory_for_all_arrays_is_called_like_the_first() -> None:
    """Not like that of the loop with the least address."""
    loops = "".join(LOOP.replace("NAME", name) for name in ARRAYS)
    text = gradient_text(GROWING.replace("    LOOPS\n", loops))
    assert [name for name in ARRAYS if f"{name}_all" in text] == ["first"]


def _expect_independent(
    texts: Mapping[str, str], needed: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """The gradient modules of ``texts``: the same alone, with what they need, as beside others."""
    alone = {
        theme: gradient_body(compiled({f"{name}.py": texts[f"{name}.py"] for name in names})[theme])
        for theme, names in needed.items()
    }
    backwards = dict(reversed(texts.items()))
    for made in (compiled(texts), compiled(backwards), compiled(texts, jobs=2)):
        assert {theme: gradient_body(made[theme]) for theme in needed} == alone
    return alone
