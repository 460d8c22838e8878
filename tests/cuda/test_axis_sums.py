"""Sums over an axis that is not the last: few long columns are many threads' work."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime import device_rows

from tests.cuda import compiler, standin

SHAPES = [((3000, 3), 0), ((2, 5000, 3), 1), ((70000, 1), 0), ((1000, 4), 0), ((5000, 0), 0)]


def _sum(shape: tuple[int, ...], axis: int) -> tuple[np.ndarray, np.ndarray, int]:
    """The sum on the device and on the host, and the number of launches."""
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    terms = np.random.default_rng(1).normal(size=shape)
    device_rows._column_parts.cache_clear()
    with standin.installed() as counts:
        found = device_rows.axis_sum(standin.ndarray(terms), axis).held
    return found, terms.sum(axis=axis), counts["launches"]


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_values(shape: tuple[int, ...], axis: int) -> None:
    found, wanted, launches = _sum(shape, axis)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-11, strict=True)
    assert launches == {3000: 2, 2: 2, 70000: 3}.get(shape[0], 1)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("k += parts", "k += parts + 1"), ("k = part;", "k = 0;"), ("* count + k", "+ k"),
     ("i % (index)width", "i % (index)parts"),
     ("i / (index)width % (index)parts", "i % (index)parts")],
)  # fmt: skip
def test_mistakes_are_found(monkeypatch: pytest.MonkeyPatch, right: str, wrong: str) -> None:
    assert right in device_rows.COLUMN_PARTS
    monkeypatch.setattr(device_rows, "COLUMN_PARTS", device_rows.COLUMN_PARTS.replace(right, wrong))
    with pytest.raises(AssertionError):  # also by an index out of bounds
        _check_sum((2, 5000, 3), 1)
    device_rows._column_parts.cache_clear()


def _check_sum(shape: tuple[int, ...], axis: int) -> None:
    found, wanted, _ = _sum(shape, axis)
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
