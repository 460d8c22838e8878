"""Programs over integers and bools, remainders and bits. As in `programs.py`."""

from __future__ import annotations

import numpy as np

from tests.cuda.drawing import Drawn, arrays, of_dtypes

SOURCE = """
def bright(
    x: Float64[xp.ndarray, "n"], a: UInt8[xp.ndarray, "n"], b: UInt8[xp.ndarray, "n"]
) -> Number:
    return xp.sum(xp.where(a + b > 200, x, x * x) * -a)

def small_products(
    x: Float64[xp.ndarray, "n"], a: Int16[xp.ndarray, "n"], b: Int16[xp.ndarray, "n"]
) -> Number:
    return xp.sum(x * (a * b) + x * b**2)

def halves(x: Float64[xp.ndarray, "n"], k: Int32[xp.ndarray, "n"]) -> Number:
    return xp.sum(x * ((k - 3) // 2) + x * x * ((k - 3) % 3) + k**3 * x)

def periodic(x: Float64[xp.ndarray, "n"], length: float) -> Number:
    cell = x // length
    return xp.sum((x % length) ** 2 + x * cell + x % -0.3)

def between(x: Float64[xp.ndarray, "n"], k: Int64[xp.ndarray, "n"]) -> Number:
    inside = (x > -1) & (x < 1) | (k & 3 == 1)
    return xp.sum(xp.where(inside, x**3, 0.0) + xp.where(~inside ^ (k > 5), x, 0.0))

def rounded(x: Float64[xp.ndarray, "n"], y: Float32[xp.ndarray, "n"]) -> Number:
    z = xp.round(x, 2) * x + xp.around(100 * x, -1) + xp.round(y, 1) * x
    return xp.sum(z * x.round())

def counted_in_bins(x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Number:
    edges = xp.linspace(-2.0, 2.0, 6)
    counts, _ = xp.histogram(w, bins=edges)
    return xp.sum(counts[1] * x)
"""

N = 300


def _whole(*dtypes: str) -> Drawn:
    """Floats, and integers of these types."""

    def draw_whole(draw: np.random.Generator) -> tuple[object, ...]:
        numbers = (draw.integers(0, 250, N).astype(dtype) for dtype in dtypes)
        return (*arrays((N,))(draw), *numbers)

    return draw_whole


INPUTS: dict[str, Drawn] = {
    "bright": _whole("uint8", "uint8"),
    "small_products": _whole("int16", "int16"),
    "halves": _whole("int32"),
    "periodic": lambda draw: (*arrays((N,))(draw), 0.7),
    "between": _whole("int64"),
    "counted_in_bins": arrays((N,), (N,)),
    "rounded": of_dtypes(arrays((N,), (N,)), "float64", "float32"),
}
