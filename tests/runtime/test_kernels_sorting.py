"""argsort and searchsorted: the indices that NumPy finds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.kernels import FORMS, kernels, layouts

DTYPES = (np.float64, np.float32, np.int64)


def with_ties(shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """Few different numbers, some of them NaN."""
    rng = np.random.default_rng(shape)
    drawn = rng.integers(-3, max(3, shape[-1] // 3), shape).astype(dtype)
    if np.dtype(dtype).kind == "f":
        drawn[drawn == 0] = np.nan
    return drawn


@FORMS
@pytest.mark.parametrize("dtype", DTYPES)
def test_argsort_is_stable(form: str, dtype: type) -> None:
    rt = kernels(form)
    for shape in ((0,), (1,), (2,), (15,), (16,), (17,), (33,), (1000,), (4, 50), (0, 3), (3, 0)):
        a = with_ties(shape, dtype)
        for x in layouts(a, form):
            found = rt.argsort(x)
            assert found.dtype == np.int64
            assert np.array_equal(found, np.argsort(a, axis=-1, kind="stable"))


@FORMS
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(form: str, dtype: type, side: str) -> None:
    rt = kernels(form)
    for n in (0, 1, 2, 3, 100):
        a = np.sort(with_ties((n,), dtype))
        for v in (with_ties((40,), dtype), with_ties((3, 7), dtype), with_ties((0,), dtype)):
            for x, y in zip(layouts(a, form), layouts(v, form), strict=True):
                found = rt.searchsorted(x, y, side == "right")
                assert found.dtype == np.int64
                assert np.array_equal(found, np.searchsorted(a, v, side=side))
