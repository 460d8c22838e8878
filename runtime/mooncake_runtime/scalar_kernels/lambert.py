"""Two branches of Lambert's function, ``w * exp(w) == z`` (Corless et al., 1996)."""

import math

import numpy as np

from mooncake_runtime.jit import inner

BRANCH_POINT = math.exp(-1.0)  # minus that


@inner
def _near(z: complex, sign: float) -> complex:
    """The first terms of the series about the branch point (4.22 there)."""
    p = sign * np.sqrt(2.0 * (math.e * z + 1.0))
    return complex(-1.0 + p * (1.0 + p * (-1.0 / 3.0 + p * (11.0 / 72.0))))


@inner
def _refined(w: complex, z: complex) -> complex:
    """Halley's iteration."""
    for _ in range(60):
        if w.real >= 0.0:
            e = np.exp(-w)
            rest = w - z * e
            slope = w + 1.0
        else:
            e = np.exp(w)
            rest = w * e - z
            slope = e * (w + 1.0)
        step = rest / (slope - (w + 2.0) * rest / (2.0 * w + 2.0))
        w = w - step
        if not abs(step) > 1e-9 * abs(w):  # the next one would be its cube
            break
    return complex(w)


@inner
def lambertw(z: complex) -> complex:
    """The principal branch."""
    z = np.complex128(z)
    size = abs(z)
    if not 0.0 < size < np.inf:
        return complex(z)
    if abs(z + BRANCH_POINT) < 0.3:
        w = _near(z, 1.0)
        return _refined(w, z) if abs(w + 1.0) > 1e-7 else w
    if size < 1.5 and z.real > -0.2 - 2.5 * abs(z.imag) and abs(z.imag) < 1.0:
        return _refined(z * (1.0 + z * 4.0 / 3.0) / (1.0 + z * (7.0 / 3.0 + z * 5.0 / 6.0)), z)
    w = np.log(z)
    return _refined(w - np.log(w) if size > 5.0 else w, z)


@inner
def lambertw_below(z: complex) -> complex:
    """The branch -1."""
    z = np.complex128(z)
    size = abs(z)
    if not 0.0 < size < np.inf:
        return complex(-np.inf, 0.0) if size == 0.0 else complex(z.real, z.imag - 2.0 * math.pi)
    if abs(z + BRANCH_POINT) < 0.3 and z.real < 0.0 and z.imag >= 0.0:
        w = _near(z, -1.0)
        return _refined(w, z) if abs(w + 1.0) > 1e-7 else w
    if z.real < 0.0 and z.imag == 0.0 and size < BRANCH_POINT:
        log = math.log(size)
        return _refined(complex(log - math.log(-log), 0.0), z)
    w = np.log(z) - complex(0.0, 2.0 * math.pi)
    return _refined(w - np.log(w), z)
