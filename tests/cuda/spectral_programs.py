"""Programs over complex numbers and their Fourier transforms. As in `programs.py`."""

from __future__ import annotations

import numpy as np

from tests.cuda.drawing import (
    Drawn,
    arrays,
    definite,
    floats_and,
    numbers_behind,
    of_complex,
    with_numbers,
)

SOURCE = """
def conducted(u: Float64[xp.ndarray, "n"], nu: float, steps: int) -> Number:
    k = 2 * xp.pi * xp.fft.fftfreq(u.shape[0])
    spectrum = xp.fft.fft(u)
    for _ in range(steps):
        spectrum = spectrum * xp.exp(-nu * k**2)
    return xp.sum(xp.fft.ifft(spectrum).real ** 2)

def burgers(u: Float64[xp.ndarray, "n"], nu: float, dt: float, steps: int) -> Number:
    n = u.shape[0]
    k = xp.arange(n // 2 + 1)
    kept = k < n / 3
    for _ in range(steps):
        spectrum = xp.fft.rfft(u)
        slope = xp.fft.irfft(1j * k * spectrum, n=n)
        bend = xp.fft.irfft(-(k**2) * spectrum * kept, n=n)
        u = u + dt * (nu * bend - u * slope)
    return xp.sum(u**4)

def flames(u0: Float64[xp.ndarray, "n"], h: float, steps: int) -> Float64[xp.ndarray, "n"]:
    # Kuramoto and Sivashinsky, implicit in what is linear
    n = u0.shape[0]
    k = xp.fft.fftfreq(n, 1 / n) / 16
    linear = k**2 - k**4
    v = xp.fft.fft(u0)
    for _ in range(steps):
        u = xp.real(xp.fft.ifft(v))
        v = (v - 0.5j * h * k * xp.fft.fft(u * u)) / (1 - h * linear)
    return xp.real(xp.fft.ifft(v))

def split_step(
    psi: Complex128[xp.ndarray, "n"], v: Float64[xp.ndarray, "n"], dt: float, steps: int
) -> Number:
    k = 2 * xp.pi * xp.fft.fftfreq(psi.shape[0], d=0.1)
    half = xp.exp(-0.5j * dt * v)
    kinetic = xp.exp(-0.5j * dt * k * k)
    for _ in range(steps):
        psi = half * psi
        psi = xp.fft.ifft(kinetic * xp.fft.fft(psi))
        psi = half * psi
    return xp.sum(v * xp.abs(psi) ** 2)

def solitons(psi: Complex128[xp.ndarray, "n"], dt: float, steps: int) -> Number:
    k = xp.fft.fftfreq(psi.shape[0], 0.05)
    for _ in range(steps):
        psi = psi * xp.exp(1j * dt * (psi.real**2 + psi.imag**2))
        psi = xp.fft.ifft(xp.exp(-1j * dt * k**2) * xp.fft.fft(psi))
    return xp.sum(xp.abs(psi) ** 4)

def retrieved(image: Float64[xp.ndarray, "n m"], seen: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.mean((xp.abs(xp.fft.fft2(image)) - seen) ** 2)

def wiener(
    blurred: Float64[xp.ndarray, "n"], point: Float64[xp.ndarray, "n"], noise: float
) -> Float64[xp.ndarray, "n"]:
    h = xp.fft.fft(point)
    g = xp.conj(h) / (xp.abs(h) ** 2 + noise)
    return xp.fft.ifft(g * xp.fft.fft(blurred)).real

def low_passed(x: Float64[xp.ndarray, "n"], width: Number) -> Number:
    f = xp.fft.rfftfreq(x.shape[0])
    y = xp.fft.irfft(xp.fft.rfft(x) * xp.exp(-0.5 * (f * width) ** 2), x.shape[0])
    return xp.sum((y - x) ** 2)

def powers_lost(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    px = xp.abs(xp.fft.rfft(x)) ** 2
    py = xp.abs(xp.fft.rfft(y)) ** 2
    return xp.mean((xp.log(px + 1e-3) - xp.log(py + 1e-3)) ** 2)

def convolved(
    x: Float64[xp.ndarray, "n"], h: Float64[xp.ndarray, "m"]
) -> Float64[xp.ndarray, "k"]:
    n = x.shape[0] + h.shape[0] - 1
    return xp.fft.irfft(xp.fft.rfft(x, n) * xp.fft.rfft(h, n), n)

def correlated(x: Float64[xp.ndarray, "n"]) -> Number:
    f = xp.fft.fft(x - xp.mean(x), norm="ortho")
    r = xp.fft.ifft(f * xp.conj(f)).real
    return xp.sum(r[1:] / r[0])

def poisson(source: Float64[xp.ndarray, "n m"]) -> Number:
    n, m = source.shape
    kx = xp.fft.fftfreq(n)[:, None]
    ky = xp.fft.fftfreq(m)
    k2 = kx**2 + ky**2
    potential = xp.where(k2 == 0, 0, xp.fft.fft2(source) / xp.where(k2 == 0, 1, k2))
    return xp.sum(xp.real(xp.fft.ifft2(potential)) * source)

def envelope(x: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    n = x.shape[0]
    doubled = xp.zeros(n)
    doubled[0] = 1
    doubled[1 : (n + 1) // 2] = 2
    return xp.abs(xp.fft.ifft(xp.fft.fft(x) * doubled))

def escaping(c: Complex128[xp.ndarray, "n"], steps: int) -> Number:
    z = xp.zeros_like(c)
    for _ in range(steps):
        z = z * z + c
    return xp.sum(xp.log(1 + xp.abs(z)))

def phasors(amplitude: Float64[xp.ndarray, "n"], phase: Float64[xp.ndarray, "n"]) -> Number:
    total = xp.sum(amplitude * xp.exp(1j * phase))
    return xp.abs(total) + xp.angle(total)

def angles_of(z: Complex128[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "n m"]:
    return xp.angle(z) * xp.abs(z)

def applied(
    a: Complex128[xp.ndarray, "n m"], x: Complex128[xp.ndarray, "m"]
) -> Complex128[xp.ndarray, "n"]:
    return a @ x

def gates(
    a: Complex128[xp.ndarray, "n n"], b: Complex128[xp.ndarray, "n n"]
) -> Number:
    c = a @ b.conj().T
    return xp.sum(xp.abs(xp.trace(c)) ** 2) + xp.sum(c.imag**2)

def expected(
    psi: Complex128[xp.ndarray, "n"], h: Complex128[xp.ndarray, "n n"]
) -> Number:
    return xp.real(xp.vdot(psi, h @ psi)) / xp.real(xp.vdot(psi, psi))

def single_waves(
    z: Complex64[xp.ndarray, "n"], x: Float32[xp.ndarray, "n"]
) -> Complex64[xp.ndarray, "n"]:
    return z * xp.exp(1j * x) + xp.conj(z) / (2 + xp.abs(z))

def boxes(x: Float64[xp.ndarray, "n m k"]) -> Number:
    f = xp.fft.fftn(x)
    return xp.sum(f.real**2 + xp.sin(f.imag))

def centred(x: Complex128[xp.ndarray, "n m"], mask: Float64[xp.ndarray, "n m"]) -> Number:
    f = xp.fft.fftshift(xp.fft.fft2(x, norm="ortho"))
    y = xp.fft.ifft2(xp.fft.ifftshift(f * mask), norm="ortho")
    return xp.sum(xp.abs(y - x) ** 2)

def turned_rows(z: Complex128[xp.ndarray, "n m"]) -> Complex128[xp.ndarray, "n"]:
    return xp.sum(z * z, axis=1) - xp.mean(z, axis=1)

def turned_columns(z: Complex128[xp.ndarray, "n m"]) -> Complex128[xp.ndarray, "m"]:
    return xp.sum(z * xp.conj(z[0]), axis=0)

def transfer(w: Float64[xp.ndarray, "n"], tau: float, gain: Number) -> Number:
    h = gain / (1 + 1j * w * tau - (w * tau) ** 2)
    return xp.sum(20 * xp.log10(xp.abs(h)) + xp.angle(h))

def lens(field: Float64[xp.ndarray, "n"], length: float) -> Float64[xp.ndarray, "n"]:
    f = xp.fft.fftfreq(field.shape[0])
    root = xp.sqrt(0.04 - f**2 + 0j)
    return xp.abs(xp.fft.ifft(xp.fft.fft(field) * xp.exp(2j * xp.pi * root * length))) ** 2

def holomorphic(z: Complex128[xp.ndarray, "n"]) -> Complex128[xp.ndarray, "n"]:
    w = 1 + z * 0.3
    return w**3 + w**0.5 + xp.tanh(w) * xp.log(w) + xp.tan(w) / xp.sqrt(w) + xp.square(w) ** -2

def written(z: Complex128[xp.ndarray, "n"], x: Float64[xp.ndarray, "n"]) -> Number:
    out = xp.zeros(z.shape[0], dtype=xp.complex128)
    out[1:] = z[1:] * z[:-1]
    out.real += x
    out.imag *= 2
    return xp.sum(xp.abs(out) ** 2)

def picked_waves(z: Complex128[xp.ndarray, "n"], at: Int64[xp.ndarray, "m"]) -> Number:
    w = z[at]
    return xp.sum((w * w).real)

def by_matrix(x: Float64[xp.ndarray, "n"]) -> Complex128[xp.ndarray, "n"]:
    k = xp.arange(x.shape[0])
    return xp.exp(-2j * xp.pi * xp.outer(k, k) / x.shape[0]) @ x

def summed_waves(
    z: Complex128[xp.ndarray, "n"], w: Amplitude
) -> Amplitude:
    return xp.sum(z * w) * w

def running(z: Complex128[xp.ndarray, "n"]) -> Complex128[xp.ndarray, "n"]:
    return xp.cumsum(z) * z

def reflected(n: Complex128[xp.ndarray, "k"], x: Complex128[xp.ndarray, "k"]) -> Number:
    r = (n - xp.cos(x)) / (n + xp.cos(x))
    return xp.sum(xp.where(xp.abs(r) > 0.5, r * xp.conj(r), r**2).real)

def solved_waves(
    a: Complex128[xp.ndarray, "n n"], b: Complex128[xp.ndarray, "n"]
) -> Complex128[xp.ndarray, "n"]:
    return xp.linalg.solve(a, b)

def shares_of_waves(z: Complex128[xp.ndarray, "n m"], s: Number, c: Amplitude) -> Number:
    e = xp.exp(c * z - xp.max(xp.abs(z), axis=1, keepdims=True) * s)
    p = e / xp.sum(e, axis=1, keepdims=True)
    return xp.sum(xp.abs(p[:, 0]) ** 2)

def varied(z: Complex128[xp.ndarray, "n m"]) -> Number:
    return xp.sum(xp.var(z, axis=0)) + xp.std(z)

def root_of(a: Complex128[xp.ndarray, "n n"]) -> Number:
    root = xp.linalg.cholesky(a @ a.conj().T + 5.0 * xp.eye(a.shape[0]))
    return xp.sum(xp.abs(root) ** 2 + root.imag)

def turned_states(a: Complex128[xp.ndarray, "n n"]) -> Number:
    values, states = xp.linalg.eigh(a + a.conj().T)
    return xp.sum(values**3) + xp.sum(xp.abs(states[:, 0]) ** 4)
"""

N, M = 40, 3

INPUTS: dict[str, Drawn] = {
    "conducted": with_numbers(arrays((N,)), 0.3, 4),
    "burgers": with_numbers(arrays((N,)), 0.05, 0.01, 4),
    "flames": with_numbers(arrays((N,)), 0.1, 4),
    "split_step": with_numbers(of_complex(1, arrays((N,), (N,))), 0.02, 4),
    "solitons": with_numbers(of_complex(1, arrays((N,))), 0.02, 3),
    "retrieved": arrays((6, 5), (6, 5)), "wiener": with_numbers(arrays((N,), (N,)), 0.1),
    "low_passed": numbers_behind(arrays((N,)), 3.0), "powers_lost": arrays((N,), (N,)),
    "convolved": arrays((N,), (7,)), "correlated": arrays((N,)), "poisson": arrays((6, 5)),
    "envelope": arrays((N,)), "escaping": with_numbers(of_complex(1, arrays((N,)), 0.3), 5),
    "phasors": arrays((300,), (300,)), "angles_of": of_complex(1, arrays((N, M))),
    "applied": of_complex(2, arrays((7, M), (M,))), "gates": of_complex(2, arrays((4, 4), (4, 4))),
    "expected": of_complex(2, arrays((5,), (5, 5))),
    "single_waves": of_complex(1, arrays((N,), (N,)), single=True),
    "boxes": arrays((2, 3, 4)), "centred": of_complex(1, arrays((6, 5), (6, 5))),
    "turned_rows": of_complex(1, arrays((5, 40))), "turned_columns": of_complex(1, arrays((7, M))),
    "transfer": numbers_behind(with_numbers(arrays((N,)), 0.7), 2.0),
    "lens": with_numbers(arrays((N,)), 1.5), "holomorphic": of_complex(1, arrays((N,))),
    "written": of_complex(1, arrays((N,), (N,))),
    "picked_waves": of_complex(1, floats_and((2, 0, -1, 2), (6,))),
    "by_matrix": arrays((9,)), "summed_waves": of_complex(2, arrays((300,), ())),
    "running": of_complex(1, arrays((N,))), "reflected": of_complex(2, arrays((N,), (N,))),
    "varied": of_complex(1, arrays((7, M))),
    "shares_of_waves": lambda draw: (
        *of_complex(1, arrays((5, 40)))(draw), np.asarray(0.7), np.asarray(0.3 + 0.2j)
    ),
    "root_of": of_complex(1, arrays((4, 4))), "turned_states": of_complex(1, arrays((4, 4))),
    "solved_waves": of_complex(2, definite(arrays((4, 4), (4,)))),
}  # fmt: skip

WAITING = ("solved_waves",)  # for factors

# Those whose arguments need their shapes.
SHAPED = ("picked_waves",)

# There is no transform of nothing.
RAISING = tuple(name for name in INPUTS if name not in ("turned_rows",))
