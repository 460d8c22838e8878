"""Views and copies, as NumPy decides; see `aliasing.py`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.differences import richardson

from tests.conformance.aliasing import Program, arguments, programs
from tests.helpers.transpile import Refusal, transpiled

EVERY = 211  # of the programs, where not all are asked for
COMPILED = 6007
FOUND = ("list(a)[1]; transposed 4 3; the result",)  # that were wrong when compiled only


def outcome(program: Program, *, jit: bool = False) -> str:
    """The code that refuses the program, "right", "raises", or what is wrong."""
    try:
        primal, generated = transpiled(program.source, jit=jit)
    except Refusal as refusal:
        return refusal.diagnostics[0].code
    found = [_compared(primal, generated, x) for x in arguments(program.rank)]
    wrong = [one for one in found if one not in ("right", "raises")]
    return wrong[0] if wrong else found[0]


def _compared(primal: ModuleType, generated: ModuleType, given: np.ndarray) -> str:
    try:
        value = primal.f(_again(given))
    except (ValueError, TypeError, AttributeError) as error:
        return _raised(generated, given, error)
    x = _again(given)
    got, grad = generated.f_value_and_grad(x)
    if not np.isclose(got, value, rtol=1e-12):
        return f"wrong value {got}, not {value}"
    if not np.array_equal(x, given):
        return "the argument is not put back"
    direction = np.cos(np.arange(given.size)).reshape(given.shape)
    slope, _ = richardson(lambda t: np.array(primal.f(_again(given, t * direction))), levels=6)
    if not np.isclose(np.sum(grad * direction), slope, rtol=1e-6):
        return f"wrong gradient {np.sum(grad * direction)}, not {slope}"
    tangent = generated.f_jvp(_again(given), direction.copy())
    if not np.allclose(tangent, (value, slope), rtol=1e-6):
        return f"wrong tangent {tangent}"
    return "right"


def _raised(generated: ModuleType, given: np.ndarray, error: Exception) -> str:
    """The word "raises" if the generated module fails, as Python did; else a complaint."""
    try:
        generated.f_value_and_grad(_again(given))
    except (ValueError, TypeError):
        return "raises"
    return f"does not raise {error!r}"


def _again(array: np.ndarray, change: object = 0.0) -> np.ndarray:
    """``array + change`` in new memory that is laid out as that of ``array``."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return np.copy(array) + np.asarray(change, order="K")
    steps = tuple(abs(s) // array.itemsize for s in array.strides)
    wide = np.zeros(sum((n - 1) * s for n, s in zip(array.shape, steps, strict=True)) + 1)
    new: np.ndarray = np.ndarray(array.shape, array.dtype, wide, 0, tuple(s * 8 for s in steps))
    backwards = tuple(slice(None, None, -1 if s < 0 else 1) for s in array.strides)
    new = new[backwards]
    new[...] = array + change
    return new


ALL = list(programs())


def _counted(chosen: Iterable[Program], judge: Callable[[Program], str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for program in chosen:
        found = judge(program)
        counts[found if found.startswith("MK") else found.split()[0]] += 1
        if found not in ("right", "raises") and not found.startswith("MK"):
            wrong.append(f"{program.name}: {found}")
    print(dict(counts))
    assert not wrong, "\n".join(wrong)
    return counts


def test_views_are_views_and_copies_are_copies(pytestconfig: pytest.Config) -> None:
    chosen = ALL if pytestconfig.getoption("--whole-grid") else ALL[::EVERY]
    counts = _counted(chosen, outcome)
    assert counts["right"] > len(chosen) / 3


def test_compiled() -> None:
    chosen = [*ALL[::COMPILED], *(program for program in ALL if program.name in FOUND)]
    counts = _counted(chosen, lambda program: outcome(program, jit=True))
    assert counts["right"] >= 3


def main(part: Sequence[str]) -> None:
    """``python -m tests.conformance.test_aliasing WORD ...``: those with all words."""
    counts: Counter[str] = Counter()
    for program in ALL:
        if all(word in program.name for word in part):
            try:
                found = outcome(program)
            except Exception as error:
                found = f"CRASH {error!r}"
            counts[found.split()[0]] += 1
            if found not in ("right", "raises"):
                print(f"{program.name}: {found}")
    print(dict(counts))


if __name__ == "__main__":
    main(sys.argv[1:])
