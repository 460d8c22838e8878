"""Functions of complex eigenvectors to which their phases make no difference.

Where the item that LAPACK makes real is 0, or next to it, the phase is anything.
"""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import transpiled

SOURCE = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

Matrix = Annotated[NDArray[np.complex128], "n n"]

def projected(a: Matrix) -> float:
    w, v = np.linalg.eigh(a + a.conj().T)
    part = v[:, :2] @ v[:, :2].conj().T
    return float(np.sum(np.abs(part - 0.3) ** 2) + np.sum(w ** 3))

def function(a: Matrix) -> Matrix:
    w, v = np.linalg.eigh(a + a.conj().T, "U")
    return (v * np.exp(1j * w)) @ v.conj().T
"""


def matrices() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    full = rng.normal(size=(4, 4)) + 1j * rng.normal(size=(4, 4))
    blocks = np.zeros((4, 4), complex)
    blocks[:2, :2], blocks[2:, 2:] = full[:2, :2], full[2:, 2:] + 2 * np.eye(2)
    diagonal = np.diag(np.arange(1.0, 5.0)).astype(complex)
    return {"diagonal": diagonal, "blocks": blocks, "almost": blocks + 1e-13 * full}


@pytest.mark.parametrize("kind", matrices())
def test_free_phases(kind: str) -> None:
    module, generated = transpiled(SOURCE)
    for name in ("projected", "function"):
        check_gradients(getattr(module, name), generated, [matrices()[kind]])
