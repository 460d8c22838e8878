"""QR, SVD and eigenvalues against NumPy. Signs may differ between versions of LAPACK."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.kernels import FORMS, REAL, close, draw, kernels, layouts, near

DTYPES = (*REAL, np.complex128)
SHAPES = pytest.mark.parametrize(
    "shape", [(3, 3), (1, 1), (0, 3), (3, 0), (0, 0), (7, 4), (4, 7), (40, 23)]
)


@FORMS
@SHAPES
@pytest.mark.parametrize("dtype", DTYPES)
def test_qr(form: str, dtype: type, shape: tuple[int, int]) -> None:
    a = draw(shape, dtype)
    for x in layouts(a, form):
        for found, expected in zip(kernels(form).qr(x), np.linalg.qr(a), strict=True):
            close(found, expected)


@FORMS
@SHAPES
@pytest.mark.parametrize("dtype", DTYPES)
def test_svd(form: str, dtype: type, shape: tuple[int, int]) -> None:
    a = draw(shape, dtype)
    expected = np.linalg.svd(a, full_matrices=False)
    for x in layouts(a, form):
        u, s, vt = kernels(form).svd(x)
        close(s, expected.S)
        near((u * s) @ vt, a)
        close(np.abs(u), np.abs(expected.U), 10)
        close(np.abs(vt), np.abs(expected.Vh), 10)


@FORMS
@pytest.mark.parametrize("n", [0, 1, 2, 5, 30])
@pytest.mark.parametrize("dtype", DTYPES)
def test_eigh(form: str, dtype: type, n: int) -> None:
    g = draw((n, n), dtype)
    a = g + g.conj().T
    sides = [(np.tril(a), 0), (np.triu(a), 1)]  # the other triangle is not read
    for x, upper in ((x, upper) for side, upper in sides for x in layouts(side, form)):
        values, vectors = kernels(form).eigh(x, bool(upper))
        close(values, np.linalg.eigh(a)[0])
        assert vectors.flags.c_contiguous
        assert vectors.dtype == dtype
        near(a @ vectors, values * vectors)
        near(vectors.conj().T @ vectors, np.eye(n).astype(dtype))
        assert not vectors[-upper:][:1].imag.any()


@FORMS
@pytest.mark.parametrize("n", [0, 1, 2, 5, 30])
@pytest.mark.parametrize("dtype", REAL)
def test_eig(form: str, dtype: type, n: int) -> None:
    a = draw((n, n), dtype)
    expected = np.linalg.eig(a)[0]
    for x in layouts(a, form):
        values, vectors = kernels(form).eig(x)
        assert vectors.flags.c_contiguous
        assert values.dtype == vectors.dtype == np.result_type(dtype, np.complex64)
        near(np.sort(values), np.sort(expected.astype(values.dtype)), 10)
        near(a @ vectors, values * vectors, 10)
        near(np.linalg.norm(vectors, axis=0), np.ones(n, dtype))


@FORMS
def test_errors_are_those_of_numpy(form: str) -> None:
    rt, nans = kernels(form), np.full((3, 3), np.nan)
    with pytest.raises(np.linalg.LinAlgError, match="infs or NaNs"):
        rt.eig(nans)
    with pytest.raises(np.linalg.LinAlgError, match="SVD did not converge"):
        rt.svd(nans)
    for kernel in (rt.eig, rt.eigh):
        with pytest.raises(np.linalg.LinAlgError, match="square"):
            kernel(np.ones((2, 3)))


@FORMS
def test_infinite_matrices_have_no_factors(form: str) -> None:
    rt, a = kernels(form), np.eye(3) + 1.0
    a[0, 0] = np.inf
    for found, shape in zip(rt.svd(a[:, :2]), ((3, 2), (2,), (2, 2)), strict=True):
        assert found.shape == shape
        assert np.isnan(found).all()
    assert np.isnan(rt.cofactors(a)).all()
    assert np.isnan(rt.cofactors(a * np.nan)).all()
    assert np.isnan(rt.cholesky(a * np.nan)[2, 2])


@FORMS
@pytest.mark.parametrize("n", [1, 2, 3, 12])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_cofactors(form: str, dtype: type, n: int) -> None:
    rt = kernels(form)
    drawn = draw((n, n), dtype)
    for a in (drawn, np.eye(n, dtype=dtype)[::-1], drawn - drawn.mean(0), 0 * drawn):
        expected = np.array([[minor(a, i, j) for j in range(n)] for i in range(n)])
        for x in layouts(a, form):
            close(rt.cofactors(x), expected, 10)
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        rt.cofactors(np.ones((n, n + 1)))


def minor(a: np.ndarray, i: int, j: int) -> complex:
    rest = np.delete(np.delete(a, i, 0), j, 1)
    return (-1) ** (i + j) * np.linalg.det(rest)
