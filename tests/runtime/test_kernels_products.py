"""matmul and matmul_add: BLAS or loops, in place, in all layouts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.helpers.kernels import FORMS, close, draw, kernels, layouts, near

# Ranks, for sizes m, k, n.
SHAPES = {
    "matrices": lambda m, k, n: ((m, k), (k, n), (m, n)),
    "matrix, vector": lambda m, k, n: ((m, k), (k,), (m,)),
    "vector, matrix": lambda m, k, n: ((k,), (k, n), (n,)),
    "outer": lambda m, k, n: ((m,), (n,), (m, n)),
}
SIZES = ((3, 4, 5), (13, 14, 15), (0, 3, 2), (3, 0, 2), (1, 1, 1), (1, 40, 41), (40, 1, 41),
         (40, 41, 1))  # fmt: skip
DTYPES = (np.float64, np.float32, np.complex128)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.outer(a, b) if a.ndim == b.ndim == 1 else a @ b


@FORMS
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shapes", SHAPES)
def test_all_layouts(form: str, dtype: type, shapes: str) -> None:
    rt = kernels(form)
    for sizes in SIZES:
        arrays = [draw(s, dtype, k) for k, s in enumerate(SHAPES[shapes](*sizes))]
        expected = arrays[2] + product(arrays[0], arrays[1])
        if form == "compiled" and dtype is not np.float64:
            copies = [tuple(arrays)]
        else:
            copies = list(itertools.product(*(layouts(x, form) for x in arrays[:2]), [arrays[2]]))
            copies += [(*arrays[:2], c) for c in layouts(arrays[2], form) if c.flags.writeable]
        for a, b, c in copies:
            total = c if c is not arrays[2] else c.copy()
            rt.matmul_add(a, b, total)
            near(total, expected)
            if shapes != "outer":
                close(rt.matmul(a, b), arrays[0] @ arrays[1])
                close(rt.strong_matmul(a, b), arrays[0] @ arrays[1])


@FORMS
def test_integers_and_nans(form: str) -> None:
    rt = kernels(form)
    a = np.arange(900).reshape(30, 30)
    close_integers = rt.matmul(a, a)
    assert np.array_equal(close_integers, a @ a)
    zeros, nans = np.zeros((3, 3)), np.full((3, 3), np.nan)
    assert np.isnan(rt.matmul(zeros, nans)).all()


@FORMS
@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_zeros_are_stronger_than_infinities(form: str, shapes: str) -> None:
    rt = kernels(form)
    for sizes in ((3, 4, 5), (13, 14, 15), (40, 2, 41)):
        a, b, c = (draw(s, np.float64, k) for k, s in enumerate(SHAPES[shapes](*sizes)))
        a[-1], a[0], b[-1] = np.inf, 0.0, 0.0
        b[0] = np.nan
        rows = a[:, None] if shapes == "outer" else np.atleast_2d(a)
        columns = b[None] if shapes == "outer" else b.reshape(b.shape[0], -1)
        pairs = rows[:, :, None], columns[None]
        products = np.where((pairs[0] == 0) | (pairs[1] == 0), 0, pairs[0] * pairs[1])
        expected = products.sum(axis=1).reshape(c.shape)
        if shapes != "outer":
            np.testing.assert_allclose(rt.strong_matmul(a, b), expected)
        expected += c
        rt.matmul_add(a, b, c)
        np.testing.assert_allclose(c, expected)


@FORMS
def test_read_only(form: str) -> None:
    rt = kernels(form)
    a, b = draw((20, 20)), draw((20, 20))
    expected = a @ b
    a.flags.writeable = b.flags.writeable = False
    close(rt.matmul(a, b), expected)


@FORMS
@pytest.mark.parametrize(
    "shapes", [((2, 3), (2, 3), (2, 3)), ((2, 3), (2,), (2,)), ((2,), (3,), (3, 2))]
)
def test_shapes_that_do_not_fit(form: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    rt = kernels(form)
    with pytest.raises(ValueError, match=r".+"):
        rt.matmul_add(*map(np.ones, shapes))
