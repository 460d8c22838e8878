"""Complex numbers: scalars, and elements of arrays in loops."""

import cmath
import math
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

CVec = Annotated[NDArray[np.complex128], "n"]
CMat = Annotated[NDArray[np.complex128], "n n"]
Vec = Annotated[NDArray[np.float64], "n"]
Longer = Annotated[NDArray[np.complex128], "l"]

OFFSET = 0.3 - 0.2j
TURN = cmath.exp(0.7j)


class Field(NamedTuple):
    amplitude: complex
    width: float


# ---- arithmetic ---------------------------------------------------------------------------------


def polynomial(z: complex) -> complex:
    return (3.0 - 1j) * z**3 - z * z / (1 + 2j) + OFFSET * z - 1


def quotient(z: complex, w: complex) -> complex:
    return (z - w) / (z + 2.0 * w) + 1 / w


def mixed(x: float, z: complex) -> complex:
    return x * z + z / x - x + (x - z) * 2 + x / z


def promoted(x: float, n: int) -> complex:
    z = complex(x)
    return z * 1j + n * z + complex(n)


def real_result(z: complex, x: float) -> float:
    w = z * x
    return (w * w.conjugate()).real + w.imag * x


def squared_modulus(z: complex) -> float:
    return z.real**2 + z.imag**2


def modulus(z: complex, w: complex) -> float:
    return abs(z) * np.abs(w) + np.absolute(z - w)


def from_parts(a: float, b: float) -> complex:
    z = complex(a, b)
    return z * z + complex(b, a * b) + complex(real=a) + complex(imag=b)


def parts_of_products(z: complex, w: complex) -> float:
    u = z * w
    return np.real(u) * np.imag(z) - u.imag * np.real(w)


def conjugates(z: complex, w: complex) -> complex:
    return np.conj(z * w) * w - np.conjugate(z) / w.conjugate()


def angles(z: complex, w: complex) -> float:
    return np.angle(z) * cmath.phase(z * w) + np.angle(w * 1j)


def angle_of_real(x: float) -> float:
    return np.angle(x) + np.angle(-x) * x


def polar(z: complex) -> complex:
    r, phi = cmath.polar(z)
    return cmath.rect(r * r, 2.0 * phi) + cmath.rect(1.0, r)


def square_and_reciprocal(z: complex) -> complex:
    return np.square(z) + np.reciprocal(z) - (+z) + np.multiply(z, -z)


def parts_of_reals(x: float) -> float:
    return x.real * x + x.imag + x.conjugate() + np.real(x) * np.imag(x) + np.conj(x)


def complex_of_complex(z: complex, x: float) -> complex:
    return complex(z, x) + complex(x, z) * complex(z * z)


# ---- powers -------------------------------------------------------------------------------------


def whole_powers(z: complex, k: int) -> complex:
    return z**2 + z**-1 + z**k - z**0 + z**5


def complex_powers(z: complex, w: complex) -> complex:
    return z**w + w ** (0.5 - 1j)


def real_powers(z: complex, x: float) -> complex:
    return z**x + z**0.5 + z**-1.5


def powers_of_reals(x: float, z: complex) -> complex:
    return 2.0**z + abs(x) ** z + (-2) ** z + np.power(x, z)


def roots_of_negative(x: float) -> complex:
    return cmath.sqrt(-x) * cmath.log(-x)


def beyond_one(x: float) -> complex:
    """Real numbers on the branch cuts."""
    a = cmath.acos(2.0 + x) * cmath.asin(-2.0 - x) + cmath.acosh(0.2 * x) * cmath.acosh(-2.0 - x)
    return a + cmath.atanh(2.0 + x) * cmath.asinh(complex(0.0, -2.0 - x))


# ---- functions ----------------------------------------------------------------------------------


def exponentials(z: complex) -> complex:
    return np.exp(z) * np.log(z) + np.expm1(z) / np.log1p(z) + np.exp2(z)


def logarithms(z: complex) -> complex:
    return np.log2(z) * np.log10(z) + cmath.log(z, 3.0) + cmath.log(2.0, z) + cmath.log10(z)


def trigonometric(z: complex) -> complex:
    return np.sin(z) * np.cos(z) + np.tan(z) + np.arcsin(z) * np.arccos(z) - np.arctan(z)


def hyperbolic(z: complex) -> complex:
    return np.sinh(z) * np.cosh(z) + np.tanh(z) + np.arcsinh(z) * np.arccosh(z) - np.arctanh(z)


def of_cmath(z: complex) -> complex:
    a = cmath.exp(z) + cmath.sqrt(z) * cmath.sin(z) - cmath.cos(z) + cmath.tan(z) * cmath.pi
    b = cmath.asin(z) + cmath.acos(z) * cmath.atan(z) + cmath.sinh(z) - cmath.cosh(z)
    return a * b + cmath.tanh(z) - cmath.asinh(z) + cmath.acosh(z) / cmath.atanh(z)


# ---- control ------------------------------------------------------------------------------------


def branch_on_parts(z: complex, w: complex) -> complex:
    if z.real > w.real:
        u = z * w
    elif abs(z) < 1.0 and z != w:
        u = z / w
    else:
        u = np.conj(z)
    return u * TURN


def chosen(z: complex, x: float) -> complex:
    w = z if z.imag > 0.0 else np.conj(z)
    v = np.where(x > 0.0, w, x)
    return v * w + (x if x > 9.0 else z)


def masked(z: complex) -> complex:
    return np.where(abs(z) > 0.0, np.log(z), 0.0) + np.where(z == 0, np.sqrt(z - z), z)


def predicates(z: complex) -> complex:
    if np.isnan(z) or cmath.isinf(z) or not np.isfinite(z):
        return z
    return z * z if z else -z


def mandelbrot(c: complex) -> float:
    z = 0j
    n = 0
    while abs(z) < 2.0 and n < 12:
        z = z * z + c
        n += 1
    return abs(z) ** 2 + n


def julia(z: complex, c: complex) -> complex:
    for k in range(8):
        if z.real * z.real + z.imag * z.imag > 4.0:
            return z * k
        z = z * z + c
    return z


def newton_root(c: complex) -> complex:
    z = 1.0 + 1j
    for _ in range(30):
        step = (z**3 - c) / (3.0 * z**2)
        z -= step
        if abs(step) < 1e-13:
            break
    return z


def projected(z: complex, x: float) -> complex:
    """A carried number that loses its imaginary part in each iteration."""
    w = z
    for _ in range(3):
        w = complex(w.real) + z * x
    return w


def helper_calls(z: complex, w: complex) -> complex:
    return _moebius(z, w) * _moebius(w, 1j)


def _moebius(a: complex, b: complex) -> complex:
    return (a - b) / (1.0 - np.conj(b) * a + 2.0)


def recursive_power(z: complex, k: int) -> complex:
    if k == 0:
        return 1.0 + 0j
    return z * recursive_power(z, k - 1) + k


def takes_tuple(field: Field, x: float) -> complex:
    return field.amplitude * np.exp(-((x / field.width) ** 2) + 1j * x)


def gives_tuple(z: complex) -> tuple[float, complex]:
    return abs(z), z * z


# ---- arrays in loops ----------------------------------------------------------------------------


def total(z: CVec) -> complex:
    s = 0
    for value in z:
        s += value * value
    return s


def power_spectrum(z: CVec) -> float:
    n = z.shape[0]
    result = 0.0
    for k in range(n):
        s = 0j
        for j in range(n):
            s += z[j] * np.exp(-2j * np.pi * k * j / n)
        result += (k + 1) * abs(s) ** 2
    return result


def fourier(z: CVec) -> CVec:
    n = z.shape[0]
    out = np.empty(n, dtype=np.complex128)
    for k in range(n):
        w = np.exp(-2j * np.pi * k / n)
        turn = 1.0 + 0j
        s = 0j
        for j in range(n):
            s += z[j] * turn
            turn *= w
        out[k] = s
    return out


def filtered_signal(x: Vec, h: CVec) -> Vec:
    """The modulus of a real signal after a complex filter."""
    n = x.shape[0]
    out = np.zeros(n)
    for i in range(n):
        s = 0j
        for j in range(i + 1):
            s += h[j] * x[i - j]
        out[i] = s.real**2 + s.imag**2
    return out


def inner_product(z: CVec, w: CVec) -> complex:
    s = 0j
    for i in range(z.shape[0]):
        s += np.conj(z[i]) * w[i]
    return s


def quadratic_form(m: CMat, z: CVec) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += (z[i].conjugate() * m[i, j] * z[j]).real
    return s


def ladder_impedance(r: Vec, c: Vec, omega: float) -> float:
    """The gain of an RC ladder."""
    z = complex(1.0)
    gain = 1.0 + 0j
    for k in range(r.shape[0]):
        shunt = 1.0 / (1j * omega * (0.5 + c[k] * c[k]))
        series = z + r[k]
        z = series * shunt / (series + shunt)
        gain *= z / series
    return 20.0 * math.log10(abs(gain))


def schroedinger(psi: CVec, v: Vec, dt: float) -> float:
    """Explicit steps of a wave function; how much of it has come to the last points."""
    n = psi.shape[0]
    a = psi.copy()
    b = np.empty_like(a)
    for _ in range(4):
        for i in range(n):
            left = a[i - 1] if i > 0 else 0.0
            right = a[i + 1] if i < n - 1 else 0.0
            b[i] = a[i] - 1j * dt * (v[i] * a[i] - 0.5 * (left - 2.0 * a[i] + right))
        a, b = b, a
    return abs(a[n - 1]) ** 2 + abs(a[n - 2]) ** 2


def roots_together(c: CVec) -> CVec:
    """Some steps of Durand and Kerner for the roots of z**n + c[n-1] z**(n-1) + … + c[0]."""
    n = c.shape[0]
    z = np.zeros(n, dtype=complex)
    for k in range(n):
        z[k] = (0.4 + 0.9j) ** k
    for _ in range(3):
        for i in range(n):
            p = 1.0 + 0j
            for k in range(n - 1, -1, -1):
                p = p * z[i] + c[k]
            q = 1.0 + 0j
            for j in range(n):
                if j != i:
                    q *= z[i] - z[j]
            z[i] -= p / q
    return z


def horner(c: CVec, z: complex) -> complex:
    p = 0j
    for k in range(c.shape[0] - 1, -1, -1):
        p = p * z + c[k]
    return p


def recurrence(z: Longer, a: complex) -> complex:
    s = 0.1 + 0.2j
    for i in range(z.shape[0]):
        s = np.tanh(a * s) + z[i] * s.real
    return s


def in_place(z: CVec, x: Vec) -> float:
    for i in range(1, z.shape[0]):
        z[i] *= z[i - 1]
        z[i] += x[i]
        z[i] -= 0.5j * x[i - 1]
        z[i] /= 2.0
    return z[-1].real * z[-1].imag


def real_into_complex(x: Vec) -> CVec:
    z = np.ones(x.shape[0], dtype=complex)
    for i in range(x.shape[0]):
        z[i] = x[i]
        z[i] = z[i] * 1j + x[0]
    return z


def parts_into_real(z: CVec) -> Vec:
    x = np.zeros(2 * z.shape[0])
    for i in range(z.shape[0]):
        x[2 * i] = z[i].real * z[i].imag
        x[2 * i + 1] += z[i].imag
    return x


def while_over_array(z: Longer, bound: float) -> complex:
    s = 0j
    i = 0
    while i < z.shape[0] and abs(s) < bound:
        s = s * z[i] + 1.0 / z[i]
        i += 1
    return s * i


def triangular(m: CMat, b: CVec) -> CVec:
    """Forward substitution."""
    n = b.shape[0]
    x = np.zeros_like(b)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= m[i, j] * x[j]
        x[i] = s / (m[i, i] + 2.0)
    return x


def work_array(z: CVec, x: Vec) -> float:
    n = z.shape[0]
    work = np.empty(n, dtype=np.complex128)
    total = 0.0
    for k in range(3):
        for i in range(n):
            work[i] = z[i] * x[k] + k * 1j
        for i in range(n - 1):
            total += abs(work[i] * work[i + 1] - 1.0)
    return total


def slices_and_sum(z: CVec) -> complex:
    w = np.full(z.shape[0], 0.5j)
    w[1:] += z[1:]
    w[0] = w[1]
    return np.sum(w) * w[2]


def phases(x: Vec) -> complex:
    """Real parameters, complex in between."""
    s = 1.0 + 0j
    for i in range(x.shape[0]):
        s *= cmath.rect(1.0 + 0.1 * x[i], x[i])
    return s


def bilinear(z: CVec, w: CVec, out: CVec) -> complex:
    for i in range(z.shape[0]):
        out[i] = z[i] * w[i]
    return out[0] + out[1] * out[2]
