"""Output that programs print, which derivatives print once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import transpiled

SOURCE = """
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def f(x: Annotated[NDArray[np.float64], "n"], a: float) -> float:
    s = 1.0
    w = np.zeros(3)
    for i in range(len(x)):
        for j in range(3):
            w[j] = np.sin(x[i] * (j + 1)) * a
            if i == 1:
                print("item", j)
        print("at", i)
        s = s * w[0] * w[1] + w[2] * s * s
    return s
"""
PRINTED = "at 0\nitem 0\nitem 1\nitem 2\nat 1\n"


def test_loops_that_are_run_again_in_the_reverse_sweep(
    capsys: pytest.CaptureFixture[str],
) -> None:
    primal, generated = transpiled(SOURCE)
    x = np.array([0.3, 0.4])
    primal.f(x, 0.5)
    assert capsys.readouterr().out == PRINTED
    generated.f_value_and_grad(x, 0.5)
    assert capsys.readouterr().out == PRINTED
    _, residuals = generated.f_fwd(x, 0.5)
    assert capsys.readouterr().out == PRINTED
    generated.f_pullback(residuals, 1.0)
    assert capsys.readouterr().out == ""
