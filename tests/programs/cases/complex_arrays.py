"""Whole arrays of complex numbers: parts and conjugates, products, transforms, physics."""

from typing import Annotated

import numpy as np
import scipy.fft
from numpy.typing import NDArray

CVec = Annotated[NDArray[np.complex128], "n"]
CSquare = Annotated[NDArray[np.complex128], "n n"]
CMat = Annotated[NDArray[np.complex128], "r c"]
CLong = Annotated[NDArray[np.complex128], "l"]
Vec = Annotated[NDArray[np.float64], "n"]
Square = Annotated[NDArray[np.float64], "n n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Long = Annotated[NDArray[np.float64], "l"]
Ints = Annotated[NDArray[np.int64], "k"]


# ---- parts --------------------------------------------------------------------------------------


def parts(z: CVec, x: Vec) -> float:
    w = z * x + 1j
    return np.sum(w.real * z.imag) + np.sum(w.imag**2 * x) + z.real[1] * w.imag[-1]


def writes_parts(z: CVec, x: Vec) -> float:
    """The parts are views: what is written to them is written to the array."""
    w = z.copy()
    w.real[:] = x * x
    w.imag[1:] += w.real[:-1] * z.imag[1:]
    re = w.real
    re[0] = w.imag[2] * x[0]
    w[3] = z[1] * z[2]
    np.imag(w)[4] *= 2.0
    return np.sum(re * re) + np.sum(np.abs(w) * x) + re[3] * w.imag[3]


def parts_of_rows(m: CMat, x: Mat) -> float:
    work = np.zeros(m.shape, dtype=np.complex128)
    for i in range(m.shape[0]):
        row = work[i]
        row.real[:] = x[i] * m[i].imag
        row.imag[::2] = m[i, ::2].real
        row *= m[i]
    turned = work.T.imag
    turned[0] = x[:, 1]
    return np.sum((work * np.conj(work)).real) + np.sum(turned[1] * x[:, 0])


def parts_over_time(z: CVec, dt: float, steps: int) -> float:
    """A leapfrog of real and imaginary parts, in place."""
    psi = z.copy()
    for _ in range(steps):
        psi.real[1:-1] -= dt * (psi.imag[2:] - 2.0 * psi.imag[1:-1] + psi.imag[:-2])
        psi.imag[1:-1] += dt * (psi.real[2:] - 2.0 * psi.real[1:-1] + psi.real[:-2])
    return np.sum(np.abs(psi) ** 2)


def parts_by_element(z: CVec, x: Vec) -> float:
    w = np.empty(len(z), dtype=np.complex128)
    re, im = w.real, w.imag
    for i in range(len(z)):
        re[i] = x[i] * z[i].imag
        im[i] = re[i] * z[i].real
        re[i] *= im[i]
    return np.sum(re * x) + np.sum(im * im)


def polar(z: CVec, x: Vec) -> float:
    r, phi = np.abs(z), np.angle(z)
    w = r * np.exp(1j * (phi * x))
    return np.sum(w.real * x) - np.sum(w.imag) + np.sum(np.angle(w * z.conj()))


def conjugates(z: CVec, w: CVec) -> complex:
    a = z.conj() * w
    return np.sum(a) * np.vdot(z, w) + np.sum(a.conjugate() * np.conj(z + w))


# ---- arithmetic and products --------------------------------------------------------------------


def mixed_kinds(z: CVec, x: Vec, m: Square) -> complex:
    y = m * z + x[:, None]
    y += x
    y[0] *= 1j
    y[1, 1:] = x[1:] * 2.0
    return np.sum(y * y) / (2.0 - np.mean(y)) + np.prod(z / (x + 2.0))


def products(m: CSquare, z: CVec, x: Vec) -> complex:
    u = m @ z
    v = m.conj().T @ (m @ x)
    return np.vdot(u, v) + np.dot(u, x) + np.sum(np.outer(z, x) @ m) + (u @ v) * np.trace(m @ m)


def contracted(m: CSquare, s: Square, z: CVec) -> complex:
    g = np.einsum("ij,jk,k->i", m, s, np.conj(z))
    return np.einsum("i,i->", g, z) + np.sum(np.einsum("ij,ij->j", m, m) * np.tensordot(s, z, 1))


def joined(z: CVec, x: Vec, k: Ints) -> float:
    y = np.concatenate((z, x, z[::-1] * 1j))
    w = np.stack((z, x * z))
    u = np.array([z[0], x[1], 2.0, 1j * x[2]])
    y[k] = u * w[1, :4]
    return np.sum(np.abs(y[k + 1]) ** 2) + np.linalg.norm(w) + np.sum((y * y).imag)


def masked(z: CVec, x: Vec) -> float:
    y = np.where(x > 0.4, z * z, x)
    y[np.abs(z) > 0.8] *= 0.5j
    return np.sum((y[x > 0.0] * z[0]).real)


# ---- transforms ---------------------------------------------------------------------------------


def spectral_derivative(x: Long) -> float:
    n = len(x)
    k = 2.0 * np.pi * np.fft.rfftfreq(n)
    d = np.fft.irfft(1j * k * np.fft.rfft(x), n)
    return np.sum(d * d * x)


def spectral_heat(x: Long, nu: float, steps: int) -> float:
    k = np.fft.fftfreq(len(x), 0.3)
    u = np.fft.fft(x)
    for _ in range(steps):
        u = u * np.exp(-nu * k**2)
    return np.sum(np.real(np.fft.ifft(u)) ** 3)


def burgers(x: Long, dt: float, steps: int) -> float:
    """Pseudo-spectral: the product in space, the derivative among frequencies."""
    n = len(x)
    k = np.arange(n // 2 + 1)
    u = x
    for _ in range(steps):
        f = np.fft.rfft(u * u)
        f[n // 3 :] = 0.0
        u = u - 0.5 * dt * np.fft.irfft(1j * k * f, n)
    return np.sum(u * u * np.abs(x))


def split_step(z: CLong, v: Long, dt: float, steps: int) -> float:
    """A wave in a potential: half a kick, a drift, half a kick."""
    k = np.fft.fftfreq(len(z))
    drift = np.exp(-0.5j * dt * (2.0 * np.pi * k) ** 2)
    psi = z
    for _ in range(steps):
        psi = np.exp(-0.5j * dt * v) * psi
        psi = np.fft.ifft(drift * np.fft.fft(psi))
        psi = np.exp(-0.5j * dt * v) * psi
    return np.sum(np.arange(len(z)) * np.abs(psi) ** 2) / np.sum(np.abs(psi) ** 2)


def phase_retrieval(m: CMat, y: Mat) -> float:
    """The misfit of the modulus of a Fourier transform."""
    modulus = np.abs(np.fft.fft2(m, norm="ortho"))
    return np.mean((modulus - np.abs(y)) ** 2)


def convolution(x: Long, y: Vec) -> float:
    n = len(x) + len(y) - 1
    z = np.fft.irfft(np.fft.rfft(x, n) * np.fft.rfft(y, n), n)
    return np.sum(z**3)


def cosine_filter(x: Mat, a: float) -> float:
    c = scipy.fft.dct(x, axis=0, norm="ortho")
    c *= 1.0 / (1.0 + a * np.arange(x.shape[0])[:, None])
    return np.sum(scipy.fft.idct(c, axis=0, norm="ortho") ** 2 * x)


def power_spectrum(z: CLong, x: Long) -> float:
    p = np.fft.fftshift(np.abs(np.fft.fft(z * (x + 1.5))) ** 2)
    return np.sum(np.log(p + 1.0) * x)


# ---- physics ------------------------------------------------------------------------------------


def power_flow(g: Square, b: Square, v: Vec, theta: Vec) -> float:
    """Mismatch of the power that flows into the nodes of an AC network."""
    y = g + 1j * b
    u = v * np.exp(1j * theta)
    s = u * np.conj(y @ u)
    return np.sum((s.real - 0.3) ** 2) + np.sum((s.imag + 0.1) ** 2)


def quantum_state(h: CSquare, z: CVec, t: float, steps: int) -> float:
    """A state under a Hamiltonian, by Cayley's form to second order."""
    ham = 0.5 * (h + h.conj().T)
    psi = z / np.linalg.norm(z)
    for _ in range(steps):
        first = ham @ psi
        psi = psi - 1j * t * first - 0.5 * t * t * (ham @ first)
    return np.vdot(psi, ham @ psi).real


def circuit(m: CSquare, x: Vec) -> float:
    """Gates that turn by angles, one after the other, and the chance of an outcome."""
    state = np.zeros(m.shape[0], dtype=np.complex128)
    state[0] = 1.0
    for i in range(len(x)):
        state = np.cos(x[i]) * state + 1j * np.sin(x[i]) * (m @ state)
    return np.abs(state[1]) ** 2


def density(m: CSquare, s: Square) -> float:
    rho = m @ m.conj().T
    rho = rho / np.trace(rho)
    return np.real(np.trace(rho @ rho @ s)) + np.sum(rho.imag * rho.imag)


def beamforming(z: CVec, x: Vec, angle: float) -> float:
    weights = np.exp(1j * np.pi * np.arange(len(x)) * np.sin(angle)) * x
    return np.abs(np.vdot(weights, z)) ** 2 / np.linalg.norm(x) ** 2


def mobius(z: CVec, a: complex, b: complex) -> complex:
    w = (a * z + b) / (np.conj(b) * z + np.conj(a))
    return np.mean(w * w) + np.cumsum(w)[2]


def parts_assigned(x: Vec, a: float) -> float:
    z = np.zeros((2, 3), dtype=complex)
    z.imag = x[:3]
    z[0].real = a
    z.T.real[1] = a * a
    z.real += z.imag
    return float(np.sum(np.abs(z) ** 2))
