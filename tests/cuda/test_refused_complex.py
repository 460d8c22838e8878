"""Operations on complex numbers that are refused on a GPU."""

from __future__ import annotations

import pytest

from tests.cuda.programs import spelled
from tests.helpers.transpile import Refusal, gradient_text

ATOMIC = """
def f(z: Complex128[xp.ndarray, "n m"], at: Int64[xp.ndarray, "n m"]) -> Number:
    h = xp.zeros(50, dtype=xp.complex128)
    for i in range(z.shape[0]):
        k = 0
        while k < z.shape[1] and k < 30:
            h[at[i, k]] += z[i, k]
            k += 1
    return xp.sum(xp.abs(h))
"""


def test_atomic_additions() -> None:
    """CUDA has no atomic addition of complex numbers."""
    text = spelled(ATOMIC, "cupy").replace("reverse,forward,hvp", "forward")
    with pytest.raises(Refusal, match="MK605"):
        gradient_text(text)
