"""Programs with functions of CuPy's ``special`` that kernels have from their Python text."""

from __future__ import annotations

from tests.cuda.drawing import Drawn, arrays, of_complex, of_dtypes, with_numbers

SOURCE = """
def incomplete(x: Float64[xp.ndarray, "n"], a: Float64[xp.ndarray, "n"]) -> Number:
    y = special.gammainc(1.5, x * x) * special.gammaincc(0.5, x * x + 0.1)
    p = special.expit(x)
    return xp.sum(y + special.betainc(2.5, 0.7, p) + special.betaln(1 + a * a, 0.3 + x * x))

def shapes(x: Float64[xp.ndarray, "n"], a: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return special.gammainc(1.5 + a * a, x * x) * special.gammaincc(0.5 + a * a, x * x + 0.1)

def integrals(x: Float64[xp.ndarray, "n"], lam: float) -> Number:
    t = x * x + 0.2
    y = special.exp1(t) + special.expi(t) * special.expn(3, t) + special.shichi(x)[0]
    y = y + special.exprel(x) + special.exp10(0.1 * x) * special.rgamma(x)
    y = y + special.boxcox(t, lam) + special.boxcox1p(t, 0.3) + special.inv_boxcox(t, lam)
    p = special.expit(x)
    return xp.sum(y + special.ellipk(0.9 * p) + special.ellipkm1(p) + special.beta(1 + p, 2.0))

def sums_and_waves(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    s, c = special.sici(6 * y)
    return xp.sum(special.multigammaln(x * x + 1.5, 3) + s * c)

def rising(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    z = x * x + 0.3
    whole = special.poch(y, 3) + special.poch(z, -2.0)
    return xp.sum(special.poch(z, y * y) + special.poch(z + 9.0, 0.5 * y) + whole)

def branches(x: Float64[xp.ndarray, "n"], z: Complex128[xp.ndarray, "n"]) -> Number:
    w = special.lambertw(x * x) + special.lambertw(z) * special.lambertw(2 * z, -1)
    below = special.lambertw(-0.3 * xp.exp(-x * x), -1)
    return xp.sum(xp.real(w * xp.conj(w)) + xp.real(below) * xp.imag(w))

def single_special(x: Float32[xp.ndarray, "n"]) -> Float32[xp.ndarray, "n"]:
    return special.exprel(x) * special.rgamma(x)
"""

INPUTS: dict[str, Drawn] = {
    "incomplete": arrays((60,), (60,)), "shapes": arrays((60,), (60,)),
    "sums_and_waves": arrays((60,), (60,)), "rising": arrays((60,), (60,)),
    "branches": lambda draw: of_complex(1, arrays((60,), (60,)))(draw)[::-1],
    "integrals": with_numbers(arrays((60,)), 0.4),
    "single_special": of_dtypes(arrays((60,)), "float32"),
}  # fmt: skip
