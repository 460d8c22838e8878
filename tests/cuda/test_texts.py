"""Text that programs over CuPy's arrays print is that of the same programs over NumPy's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mooncake_transpiler.cli import run

from tests.cuda import compiler, standin
from tests.cuda.comparing import on_device
from tests.cuda.programs import spelled
from tests.helpers.transpile import Refusal, gradient_text, module

SOURCE = """
def fitted(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    print("steps:", steps)
    for k in range(steps):
        x = xp.sin(x)
        s = xp.sum(x)
        print(k, s, xp.sum(x > 0), s > 1.0, sep=", ")
        print(f"{s:.3f}")
    return xp.sum(x)
"""


@pytest.mark.skipif(compiler.GXX is None, reason="g++, which runs the kernels, is not installed")
def test_as_on_the_host(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.asarray([0.5, -0.25, 2.0])
    with standin.installed():
        device = module(gradient_text(spelled(SOURCE, "cupy")), "device_grad").__dict__
        host = module(gradient_text(spelled(SOURCE, "numpy")), "host_grad").__dict__
        standin.counts.clear()
        device["fitted_value_and_grad"](on_device(x), 2)
        shown = capsys.readouterr().out
        assert standin.counts["synchronisations"] == 6
        host["fitted_value_and_grad"](x, 2)
    assert shown == capsys.readouterr().out
    assert len(shown.splitlines()) == 5


def test_waits_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.py"
    file.write_text(
        "import cupy as cp\nfrom jaxtyping import Float64\n"
        'def f(x: Float64[cp.ndarray, "n"]) -> Float64[cp.ndarray, ""]:\n'
        "    print(x)\n    print(cp.sum(x))\n    return cp.sum(x)\n"
    )
    assert run(["list", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "line 4, an array that is printed" in shown
    assert "line 5, text that depends on a number of the GPU" in shown


def test_text_of_single_precision_is_refused() -> None:
    text = """
def f(x: Float32[xp.ndarray, "n"]) -> Float32[xp.ndarray, ""]:
    print(xp.sum(x))
    return xp.sum(x)
"""
    with pytest.raises(Refusal, match="MK604"):
        gradient_text(spelled(text, "cupy"))
