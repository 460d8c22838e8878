"""Sylvester's equation against SciPy and its residual."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from tests.helpers.kernels import FORMS, REAL, draw, kernels, layouts, near


@FORMS
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (2, 5), (17, 30), (0, 2), (2, 0)])
@pytest.mark.parametrize("dtype", REAL)
def test_sylvester(form: str, dtype: type, shape: tuple[int, int]) -> None:
    m, n = shape
    shift = 2 * np.sqrt(m + n + 1)
    a = (draw((m, m), dtype) + shift * np.eye(m)).astype(dtype)
    b = (draw((n, n), dtype, 1) + shift * np.eye(n)).astype(dtype)
    q = draw(shape, dtype, 2)
    expected = solve_sylvester(a, b, q) if m and n else np.zeros(shape)
    for x in layouts(q, form):
        found = kernels(form).sylvester(a, b, x)
        assert found.flags.c_contiguous
        assert found.dtype == dtype
        near(found, expected.astype(dtype))
        near(a @ found + found @ b, q)


@FORMS
def test_complex_eigenvalues_and_transposes(form: str) -> None:
    turn = np.array([[1.0, -2.0, 0.0], [2.0, 1.0, 0.5], [0.0, 0.0, 3.0]])
    other = np.array([[0.5, 4.0], [-4.0, 0.5]])
    q = draw((3, 2))
    x = kernels(form).sylvester(turn.T, other.T, q)
    near(turn.T @ x + x @ other.T, q)


@FORMS
def test_errors(form: str) -> None:
    rt = kernels(form)
    with pytest.raises(ValueError, match="infs or NaNs"):
        rt.sylvester(np.full((2, 2), np.nan), np.eye(2), np.eye(2))
    with pytest.raises(ValueError, match=r"do not fit|not aligned"):
        rt.sylvester(np.eye(3), np.eye(2), np.eye(2))
