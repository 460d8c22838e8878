"""Polynomials: most kernels are one, fitted to the function on an interval."""

import math

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.jit import inner

# (atanh(r) / r - 1) / r**2 at t = r**2 / 0.06 - 1.
ATANH = np.array([
    2.9187296829217563e-15, 4.9679937814669614e-14, 8.441052679524828e-13, 1.4627562556578692e-11,
    2.5637118340324727e-10, 4.557185424179921e-09, 8.249869408096888e-08, 1.5303634446128636e-06,
    2.9379391275943958e-05, 0.0005940033391408605, 0.013105603123164455, 0.34587286032923786,
])  # fmt: skip


@inner
def polynomial(x: float, coefficients: NDArray[np.float64]) -> float:
    """Horner's scheme; the coefficient of the highest power comes first."""
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total


@inner
def log_excess(t: float, ratio: float) -> float:
    """``t - log(1 + t)`` without cancellation; ``ratio`` is ``1 + t``."""
    if abs(t) > 0.5:
        return t - math.log(ratio)
    r = t / (2.0 + t)  # log(1 + t) = 2 * atanh(r) and t - 2*r = r*t
    z = r * r
    return r * (t - 2.0 * z * polynomial(z / 0.06 - 1.0, ATANH))
