"""solve_triangular against a general solver."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.helpers.kernels import FORMS, NUMBERS, close, draw, kernels, pairs


def triangle(a: np.ndarray, lower: int, trans: int, unit: int) -> np.ndarray:
    """The matrix that is meant."""
    kept = np.tril(a) if lower else np.triu(a)
    if unit:
        np.fill_diagonal(kept, 1)
    return kept.T if trans else kept


@FORMS
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("n", [0, 1, 2, 8, 9, 33])
def test_all_options(form: str, dtype: type, n: int) -> None:
    rt = kernels(form)
    a = (draw((n, n), dtype) / (2 * max(n, 1)) + 2 * np.eye(n)).astype(dtype)
    for shape, flags in itertools.product(
        ((n,), (n, 3), (n, 1), (n, 0)), itertools.product((0, 1), repeat=3)
    ):
        b = draw(shape, dtype)
        expected = np.linalg.solve(triangle(a, *flags), b)
        for x, y in pairs(a, b, form):
            close(rt.solve_triangular(x, y, *flags), expected)


@FORMS
@pytest.mark.parametrize("n", [3, 20])
def test_singular(form: str, n: int) -> None:
    rt = kernels(form)
    a = np.eye(n)
    a[2, 2] = 0.0
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        rt.solve_triangular(a, np.ones(n), 1, 0, 0)
    close(rt.solve_triangular(a, np.ones(n), 1, 0, 1), np.ones(n))


@FORMS
def test_shapes_that_do_not_fit(form: str) -> None:
    with pytest.raises(ValueError, match="shapes"):
        kernels(form).solve_triangular(np.eye(3), np.ones(4), 1, 0, 0)
