"""``mooncake_runtime.kernels`` in both of its forms, and arrays in all layouts."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Iterator
from types import ModuleType

import mooncake_runtime
import numpy as np
import pytest

NAME = "mooncake_runtime.kernels"
FORMS = pytest.mark.parametrize("form", ["plain", "compiled"])
REAL = (np.float64, np.float32)
NUMBERS = (*REAL, np.complex128, np.complex64)


def kernels(form: str) -> ModuleType:
    """The package as it is, compiled if numba is there, or its plain form."""
    return importlib.import_module(NAME) if form == "compiled" else _plain()


def _plain() -> ModuleType:
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(NAME)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")
        plain = importlib.import_module(NAME)
    for name in [name for name in sys.modules if name.startswith(NAME)]:
        del sys.modules[name]
    sys.modules.update(kept)
    if NAME in kept:  # the package names it, too
        mooncake_runtime.kernels = kept[NAME]
    return plain


def draw(shape: tuple[int, ...], dtype: type = np.float64, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng((seed, *shape))
    numbers = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        numbers = numbers + 1j * rng.standard_normal(shape)
    return numbers.astype(dtype)


def layouts(array: np.ndarray, form: str) -> Iterator[np.ndarray]:
    """Arrays equal to ``array``; of the types that numba tells apart few, where it must compile."""
    yield array.copy()
    if form == "compiled" and array.dtype != np.float64:
        return
    yield array.copy(order="F")
    yield _placed(array, slice(1, None, 2), 2)
    if form == "plain":
        yield _placed(array, slice(None, None, -1), 1)
        frozen = array.copy()
        frozen.flags.writeable = False
        yield frozen


def pairs(a: np.ndarray, b: np.ndarray, form: str) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Layouts of ``a`` beside those of ``b``: all where nothing is compiled, else each one once."""
    first, second = [*layouts(a, form)], [*layouts(b, form)]
    if form == "plain":
        yield from itertools.product(first, second)
    else:
        yield from zip(first, second[1:] + second[:1], strict=True)


def _placed(array: np.ndarray, part: slice, factor: int) -> np.ndarray:
    """``array`` as a view of every ``part`` of something larger."""
    view = np.zeros(tuple(factor * n for n in array.shape), array.dtype)[(part,) * array.ndim]
    view[...] = array
    return view


def close(found: np.ndarray, expected: np.ndarray, scale: float = 1.0) -> None:
    """Equal to rounding, new and C-contiguous."""
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    assert found.flags.c_contiguous
    near(found, expected, scale)


def near(found: np.ndarray, expected: np.ndarray, scale: float = 1.0) -> None:
    """Equal to rounding: a few hundred ulps of the largest number."""
    eps = float(np.finfo(expected.dtype).eps)
    largest = max(1.0, float(np.abs(expected).max(initial=0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=500 * eps * scale * largest)
