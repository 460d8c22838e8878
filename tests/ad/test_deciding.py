"""Parameters that only branches depend on: what is generated says that their derivatives are 0."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import gradient_text

SOURCE = """
import numpy as np

def quantile(p: float, q: float) -> float:
    lo, hi = 0.0, 10.0
    for _ in range(60):
        mid = 0.5 * (lo + hi)
        if p * mid * mid < q:
            lo = mid
        else:
            hi = mid
    return 0.5 * (lo + hi)

def scaled(p: float, q: float) -> float:
    return p * quantile(p, q)

def counted(x: float, step: float) -> float:
    return x * int(x / step)

def smooth(p: float, q: float) -> float:
    return p * q

def unread(p: float, q: float) -> float:
    return p * 2.0

def pair(p: float, q: float) -> tuple[float, float]:
    return (p, 2.0 * p) if q > 0.0 else (0.0, p)
"""
ALONE = " over branches, indices and the like alone: "
SAID = {
    "quantile": f"`p` and `q` decide{ALONE}their derivatives are 0.",
    "scaled": f"`q` decides{ALONE}its derivative is 0.",
    "counted": f"`step` decides{ALONE}its derivative is 0.",
    "smooth": "",
    "unread": "",
    "pair": f"`q` decides{ALONE}its derivative is 0.",
}


@pytest.mark.parametrize("name", SAID)
def test_what_decides(name: str) -> None:
    text = gradient_text(SOURCE)
    suffix = "vjp" if name == "pair" else "value_and_grad"
    _, _, made = text.partition(f"def {name}_{suffix}(")
    doc = " ".join(made.split('"""')[1].split())
    assert (SAID[name] in doc) if SAID[name] else ("decide" not in doc)
