"""Refusals that ranks which were inferred may be the reason for say so."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text

HEAD = "import numpy as np\nfrom numpy.typing import NDArray\n"


def test_inferred_ranks_are_told() -> None:
    text = "def f(q: NDArray[np.float64]) -> float:\n    return np.trace(np.exp(q))\n"
    with pytest.raises(Refusal) as refused:
        gradient_text(HEAD + text)
    (found,) = refused.value.diagnostics
    assert found.code == "MK214"
    assert "what is taken for q of rank 1" in str(found.help)


def test_results_of_several_ranks() -> None:
    """A vector at first, then a number: no result (an internal error once)."""
    text = (
        "def f(m: NDArray[np.float64], d: float, k: int) -> NDArray[np.float64]:\n"
        "    v = np.ones(m.shape[0])\n"
        "    for _ in range(k):\n        v = d * (m @ v)\n    return v\n"
    )
    with pytest.raises(Refusal, match=r"MK213 .*on some paths only"):
        gradient_text(HEAD + text)
