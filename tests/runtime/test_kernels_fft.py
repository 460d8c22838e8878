"""The discrete Fourier transform against NumPy's: compiled, and its body in plain Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import jit_enabled
from mooncake_runtime.kernels import fft
from mooncake_runtime.kernels.fourier import _fft

Transform = Callable[[np.ndarray, bool], np.ndarray]

# Every radix, products of them, and primes beyond, which are done as convolutions.
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 25, 31, 37, 49, 60, 74, 97, 128, 210)
LONG = (1000, 1009, 1024, 2187, 4096, 10007)

# Compiled code calls the body; Python calls NumPy, so that the body is tested here.
transform: Transform = fft if jit_enabled() else _fft


def drawn(*shape: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def check(a: np.ndarray, inverse: bool) -> None:
    expected = np.fft.ifft(a, norm="forward") if inverse else np.fft.fft(a)
    error = np.abs(transform(a, inverse) - expected).max()
    assert error < 3e-15 * np.log2(2 * a.shape[-1]) * np.abs(expected).max()


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("n", LENGTHS)
def test_lengths(n: int, inverse: bool) -> None:
    check(drawn(n), inverse)
    check(drawn(3, n), inverse)


@pytest.mark.skipif(not jit_enabled(), reason="slow in plain Python")
@pytest.mark.parametrize("n", LONG)
def test_long(n: int) -> None:
    check(drawn(n), False)
    check(drawn(n), True)


def test_layouts() -> None:
    a = drawn(6, 10)
    frozen = a.copy()
    frozen.flags.writeable = False
    for given in (a.T, a[::2, ::-1], a[:, 3:4], frozen, a[1:2], a[:, 1], a[2, ::3]):
        before = given.copy()
        check(given, False)
        assert np.array_equal(given, before)


@pytest.mark.parametrize("shape", [(0,), (0, 4), (3, 0)])
def test_empty(shape: tuple[int, ...]) -> None:
    assert transform(np.zeros(shape, complex), False).shape == shape


def test_from_python() -> None:
    a = drawn(2, 12)
    np.testing.assert_allclose(fft(a, False), np.fft.fft(a), rtol=1e-13)
    np.testing.assert_allclose(fft(a, True), 12 * np.fft.ifft(a), rtol=1e-13)
    result = fft(a[:, :0], True)
    assert result.flags.c_contiguous
    assert result.shape == (2, 0)
