"""The discrete Fourier transform of any length.

Lengths without large prime factors: the self-sorting mixed-radix algorithm of Stockham, in the
form of C. Temperton, "Self-sorting mixed-radix fast Fourier transforms", J. Comput. Phys. 52
(1983) 1-23, after J. W. Cooley and J. W. Tukey, Math. Comp. 19 (1965) 297-301. Other lengths: as
a convolution with a chirp, L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451-455.
"""

from __future__ import annotations

import math

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import as_rows, copy_into, core

LARGE = 32  # Bluestein's algorithm for prime factors beyond


def _fft(a: np.ndarray, inverse: bool) -> np.ndarray:
    result = np.empty(a.shape, a.dtype)
    if a.size == 0:
        return result
    if _transform_rows(as_rows(a), as_rows(result), inverse) <= 0:
        raise MemoryError("fft failed")
    return result


@compiled_as(_fft)
def fft(a: np.ndarray, inverse: bool) -> np.ndarray:
    """The sums over ``j`` of ``a[..., j] * exp(-2 pi i j k / n)``; ``+`` if ``inverse``.

    ``a`` is complex128 of rank 1 or 2, of any layout; n is the length of its last axis. Neither
    direction is scaled. O(n log n) for any n.
    """
    if a.size == 0:
        return a.copy(order="C")
    return np.ascontiguousarray(np.fft.ifft(a, norm="forward") if inverse else np.fft.fft(a))


@core
def _transform_rows(a: np.ndarray, rows: np.ndarray, inverse: bool) -> int:
    copy_into(rows, a)
    n = rows.shape[1]
    sign = 1.0 if inverse else -1.0
    factors = _factors(n)
    if factors.size == 0 or factors[-1] <= LARGE:  # the last is the largest, or 2
        return _mixed_radix(rows, factors, _roots(n, sign))
    size = 1
    while size < 2 * n - 1:
        size *= 2
    return _bluestein(rows, sign, size)


@part
def _factors(n: int) -> np.ndarray:
    """The prime factors of ``n`` in ascending order, but pairs of twos are fours, in front."""
    found = np.empty(64, np.int64)
    count = 0
    divisor = 4
    while n > 1:
        if n % divisor == 0:
            found[count] = divisor
            count += 1
            n //= divisor
        elif divisor == 4:
            divisor = 2
        elif divisor * divisor > n:
            divisor = n
        else:
            divisor += 1 if divisor == 2 else 2
    return found[:count].copy()


@part
def _roots(n: int, sign: float) -> np.ndarray:
    """``exp(sign 2 pi i k / n)`` for k < n, each to rounding: angles are at most an eighth turn."""
    roots = np.empty(n, np.complex128)
    for k in range(n // 2 + 1):
        eighth = (8 * k + n) // (2 * n)  # the nearest quarter of a turn, and how far it is
        angle = (math.pi / 2.0) * ((4 * k - eighth * n) / n)
        c, s = math.cos(angle), math.sin(angle)
        if eighth == 1:
            c, s = -s, c
        elif eighth == 2:
            c, s = -c, -s
        roots[k] = complex(c, sign * s)
        if k > 0:
            roots[n - k] = complex(c, -sign * s)
    return roots


@core
def _mixed_radix(rows: np.ndarray, factors: np.ndarray, roots: np.ndarray) -> int:
    """Transform each row in place; ``roots`` are those of unity for the sign of the exponent."""
    n = rows.shape[1]
    x, y = np.empty(n, np.complex128), np.empty(n, np.complex128)
    for row in range(rows.shape[0]):
        for k in range(n):
            x[k] = rows[row, k]
        left = n
        for radix in factors:
            stride = n // left
            left //= radix
            if radix == 4:
                _pass_4(x, y, left, stride, roots)
            elif radix == 2:
                _pass_2(x, y, left, stride, roots)
            elif radix == 3:
                _pass_3(x, y, left, stride, roots)
            elif radix == 5:
                _pass_5(x, y, left, stride, roots)
            else:
                _pass_any(x, y, radix, left, stride, roots)
            x, y = y, x
        for k in range(n):
            rows[row, k] = x[k]
    return 1


# Each pass takes radix * left * stride numbers. With p < left and q < stride, it transforms the
# numbers x[q + stride * (p + left * j)], j < radix, and multiplies the k-th result by
# roots[stride * p * k]; it goes to y[q + stride * (radix * p + k)].


@part
def _pass_2(x: np.ndarray, y: np.ndarray, left: int, stride: int, roots: np.ndarray) -> None:
    apart = stride * left
    for p in range(left):
        w = roots[stride * p]
        source, target = stride * p, 2 * stride * p
        for q in range(stride):
            a, b = x[source + q], x[source + q + apart]
            y[target + q] = a + b
            y[target + q + stride] = (a - b) * w


@part
def _pass_3(x: np.ndarray, y: np.ndarray, left: int, stride: int, roots: np.ndarray) -> None:
    apart = stride * left
    half = complex(0.0, roots[apart].imag)
    for p in range(left):
        w1, w2 = roots[stride * p], roots[2 * stride * p]
        source, target = stride * p, 3 * stride * p
        for q in range(stride):
            a, b = x[source + q], x[source + q + apart]
            c = x[source + q + 2 * apart]
            total, difference = b + c, half * (b - c)
            middle = a - 0.5 * total
            y[target + q] = a + total
            y[target + q + stride] = (middle + difference) * w1
            y[target + q + 2 * stride] = (middle - difference) * w2


@part
def _pass_4(x: np.ndarray, y: np.ndarray, left: int, stride: int, roots: np.ndarray) -> None:
    apart = stride * left
    sign = roots[apart].imag  # roots[apart] is i or -i
    for p in range(left):
        w1, w2, w3 = roots[stride * p], roots[2 * stride * p], roots[3 * stride * p]
        source, target = stride * p, 4 * stride * p
        for q in range(stride):
            a, b = x[source + q], x[source + q + apart]
            c, d = x[source + q + 2 * apart], x[source + q + 3 * apart]
            even, odd = a + c, b + d
            rest, turn = a - c, b - d
            turned = complex(-sign * turn.imag, sign * turn.real)
            y[target + q] = even + odd
            y[target + q + stride] = (rest + turned) * w1
            y[target + q + 2 * stride] = (even - odd) * w2
            y[target + q + 3 * stride] = (rest - turned) * w3


@part
def _pass_5(x: np.ndarray, y: np.ndarray, left: int, stride: int, roots: np.ndarray) -> None:
    apart = stride * left
    r1, r2 = roots[apart], roots[2 * apart]
    for p in range(left):
        w1, w2 = roots[stride * p], roots[2 * stride * p]
        w3, w4 = roots[3 * stride * p], roots[4 * stride * p]
        source, target = stride * p, 5 * stride * p
        for q in range(stride):
            a, b, c = x[source + q], x[source + q + apart], x[source + q + 2 * apart]
            d, e = x[source + q + 3 * apart], x[source + q + 4 * apart]
            outer, inner = b + e, c + d
            be, cd = b - e, c - d
            y[target + q] = a + outer + inner
            m1 = a + r1.real * outer + r2.real * inner
            m2 = a + r2.real * outer + r1.real * inner
            t1, t2 = r1.imag * be + r2.imag * cd, r2.imag * be - r1.imag * cd
            i1, i2 = complex(-t1.imag, t1.real), complex(-t2.imag, t2.real)
            y[target + q + stride] = (m1 + i1) * w1
            y[target + q + 2 * stride] = (m2 + i2) * w2
            y[target + q + 3 * stride] = (m2 - i2) * w3
            y[target + q + 4 * stride] = (m1 - i1) * w4


@part
def _pass_any(
    x: np.ndarray, y: np.ndarray, radix: int, left: int, stride: int, roots: np.ndarray
) -> None:
    apart = stride * left
    for p in range(left):
        for k in range(radix):
            w = roots[stride * p * k]
            target = stride * (radix * p + k)
            for q in range(stride):
                y[target + q] = 0.0
            for j in range(radix):
                factor = roots[apart * (j * k % radix)] * w
                source = stride * p + apart * j
                for q in range(stride):
                    y[target + q] += x[source + q] * factor


@part
def _bluestein(rows: np.ndarray, sign: float, size: int) -> int:
    """``j k`` is half of ``j^2 + k^2 - (k - j)^2``: this is a convolution, done by transforms.

    ``size``, a power of two, is the length of these.
    """
    n = rows.shape[1]
    half_turns = _roots(2 * n, sign)
    chirp = np.empty(n, np.complex128)
    square = 0  # k^2 modulo 2n
    for k in range(n):
        chirp[k] = half_turns[square]
        square = (square + 2 * k + 1) % (2 * n)
    factors, forth, back = _factors(size), _roots(size, -1.0), _roots(size, 1.0)
    kernel = np.zeros((1, size), np.complex128)
    for k in range(n):
        kernel[0, k] = kernel[0, (size - k) % size] = chirp[k].conjugate() / size
    status = _mixed_radix(kernel, factors, forth)
    padded = np.empty((1, size), np.complex128)
    for row in range(rows.shape[0]):
        for k in range(size):
            padded[0, k] = rows[row, k] * chirp[k] if k < n else 0j
        status = min(status, _mixed_radix(padded, factors, forth))
        for k in range(size):
            padded[0, k] *= kernel[0, k]
        status = min(status, _mixed_radix(padded, factors, back))
        for k in range(n):
            rows[row, k] = padded[0, k] * chirp[k]
    return status
