"""fft of any length, plain and compiled, against NumPy's and against the definition."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.kernels import FORMS, close, draw, kernels, layouts

# Powers of small primes, mixtures, and (from 37 on) lengths for Bluestein's algorithm.
LENGTHS = (*range(70), 97, 121, 128, 169, 243, 625, 720, 992, 1009, 1024, 2018, 2368, 65537)


@FORMS
@pytest.mark.parametrize("inverse", [0, 1])
def test_accuracy(form: str, inverse: int) -> None:
    rt = kernels(form)
    for n in LENGTHS:
        a = draw((n,), np.complex128)
        expected = a
        if n > 0:
            expected = np.fft.ifft(a, norm="forward") if inverse else np.fft.fft(a)
        error = np.linalg.norm(rt.fft(a, inverse) - expected)
        assert error <= 2e-16 * max(1.0, np.log2(n or 1)) * np.linalg.norm(expected), n


@FORMS
def test_the_definition(form: str) -> None:
    n = 12
    j = np.arange(n)
    waves = np.exp(-2j * np.pi * np.outer(j, j) / n)
    a = draw((n,), np.complex128)
    close(kernels(form).fft(a, 0), waves @ a)
    close(kernels(form).fft(a, 1), waves.conj() @ a)


@FORMS
@pytest.mark.parametrize("shape", [(6, 60), (5, 37), (1, 8), (8, 1), (0, 4), (4, 0)])
def test_rows_in_all_layouts(form: str, shape: tuple[int, int]) -> None:
    a = draw(shape, np.complex128)
    for x in layouts(a, form):
        close(kernels(form).fft(x, 0), np.fft.fft(a) if a.size > 0 else a)
