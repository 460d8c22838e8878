"""Cholesky and LU factors, and solutions, against NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

from tests.helpers.kernels import FORMS, NUMBERS, close, draw, kernels, layouts, near, pairs

SIZES = pytest.mark.parametrize("n", [0, 1, 2, 5, 8, 9, 40])


def well_conditioned(n: int, dtype: type) -> np.ndarray:
    return (draw((n, n), dtype) / max(1.0, n**0.5) + 2 * np.eye(n)[::-1]).astype(dtype)


@FORMS
@SIZES
@pytest.mark.parametrize("dtype", NUMBERS)
def test_cholesky(form: str, dtype: type, n: int) -> None:
    rt = kernels(form)
    g = draw((n, n), dtype)
    a = (g @ g.T.conj() + n * np.eye(n)).astype(dtype)
    for x in layouts(np.tril(a), form):  # the upper triangle is not read
        close(rt.cholesky(x), np.linalg.cholesky(a))


@FORMS
@pytest.mark.parametrize("n", [0, 1, 2, 16, 17, 40, 67])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_derivatives_of_cholesky(form: str, dtype: type, n: int) -> None:
    """By their definitions; the two are adjoint over lower triangles."""
    rt = kernels(form)
    g = draw((n, n), dtype)
    factor = np.linalg.cholesky((g @ g.T.conj() / max(n, 1) + np.eye(n)).astype(dtype))
    a_dot, bar = draw((n, n), dtype), draw((n, n), dtype)
    np.fill_diagonal(a_dot, np.diag(a_dot).real)
    symmetric = np.tril(a_dot) + np.tril(a_dot, -1).T.conj()
    expected = rt.cholesky_push(factor, a_dot)
    assert np.array_equal(expected, np.tril(expected))
    close(expected @ factor.T.conj() + factor @ expected.T.conj(), symmetric, 10)
    for x, y in pairs(factor, a_dot, form):
        close(rt.cholesky_push(x, y), expected, 10)
    pulled = rt.cholesky_pull(factor, bar)
    assert np.array_equal(pulled, np.tril(pulled))
    one, other = np.vdot(np.tril(bar), expected).real, np.vdot(pulled, a_dot).real
    near(one, other, 100 * max(n, 1))
    for x, y in pairs(factor, bar, form):
        close(rt.cholesky_pull(x, y), pulled, 10)


@FORMS
@SIZES
@pytest.mark.parametrize("dtype", NUMBERS)
def test_solutions(form: str, dtype: type, n: int) -> None:
    rt = kernels(form)
    a = well_conditioned(n, dtype)
    packed, pivots = rt.lu(a)
    close(rt.inv(a), np.linalg.inv(a), 10)
    for shape in ((n,), (n, 3)):
        b = draw(shape, dtype)
        for x, y in pairs(a, b, form):
            close(rt.solve(x, y), np.linalg.solve(a, b), 10)
        for y in layouts(b, form):
            close(rt.lu_solve(packed, pivots, y, 0), np.linalg.solve(a, b), 10)
            close(rt.lu_solve(packed, pivots, y, 1), np.linalg.solve(a.T, b), 10)
            for trans in (0, 1):
                same = rt.lu_solve(packed, pivots, y, trans)
                assert np.array_equal(rt.lu_solve_any(packed, pivots, y, trans), same)


@FORMS
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (4, 4), (30, 30), (3, 5), (5, 3), (12, 20),
                                   (20, 12), (0, 3), (3, 0)])  # fmt: skip
def test_lu(form: str, dtype: type, shape: tuple[int, int]) -> None:
    a = draw(shape, dtype)
    for x in layouts(a, form):
        packed, pivots = kernels(form).lu(x)
        assert pivots.dtype == np.int64
        if a.size > 0:
            expected, order = scipy.linalg.lu_factor(a)
            close(packed, np.ascontiguousarray(expected))
            assert np.array_equal(pivots, order)
        else:
            assert packed.shape == a.shape


@FORMS
@pytest.mark.parametrize("n", [2, 20])
def test_errors_are_those_of_numpy(form: str, n: int) -> None:
    rt = kernels(form)
    ones, vector = np.ones((n, n)), np.ones(n)
    with pytest.raises(np.linalg.LinAlgError, match="Matrix is not positive definite"):
        rt.cholesky(-ones)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        rt.solve(ones, vector)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        rt.inv(0 * ones)
    packed, pivots = rt.lu(ones)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        rt.lu_solve(packed, pivots, vector, 0)
    for trans in (0, 1):
        assert np.isnan(rt.lu_solve_any(packed, pivots, vector, trans)).all()
        assert np.isnan(rt.solve_triangular_any(packed, vector, False, trans, False)).all()
    for kernel in (rt.cholesky, rt.inv):
        with pytest.raises(np.linalg.LinAlgError, match="square"):
            kernel(np.ones((n, n + 1)))
    with pytest.raises(ValueError, match=r".+"):
        rt.solve(ones, np.ones(n + 1))


@FORMS
@pytest.mark.parametrize("n", [1, 3, 20])
def test_what_would_fail(form: str, n: int) -> None:
    rt = kernels(form)
    rng = np.random.default_rng(n)
    b = rng.standard_normal((n, n))
    definite = b @ b.T + 0.1 * np.eye(n)
    flat = b.copy()
    flat[-1] = 0.0
    for a in layouts(definite, form):
        assert not rt.indefinite(a)
        assert not rt.singular(a)
    for a in layouts(definite - 1e3 * np.eye(n), form):
        assert rt.indefinite(a)
        assert not rt.singular(a)
    for a in layouts(flat, form):
        assert rt.singular(a)
