"""Functions of complex numbers."""

import numpy as np

from mooncake_runtime.jit import inner


@inner
def complex_sech2(z: complex) -> complex:
    """``1 - tanh(z)**2`` without cancellation or overflow."""
    e = np.exp(-2.0 * (z if z.real >= 0.0 else -z))
    d = 1.0 + e
    return complex(4.0 * e / (d * d))


@inner
def complex_sec2(z: complex) -> complex:
    """``1 + tan(z)**2`` without cancellation or overflow."""
    return complex_sech2(complex(-z.imag, z.real))


@inner
def whole_power(z: complex, n: int) -> complex:
    """``z**n`` by multiplication, as NumPy has it for small exponents."""
    left = abs(n)
    if left >= 100:
        return complex(z ** complex(n))
    result = complex(1.0, 0.0)
    factor = complex(z)
    while left > 0:
        if left & 1:
            result = result * factor
        left >>= 1
        if left > 0:
            factor = factor * factor
    return result if n >= 0 else complex(np.divide(1.0, result))
