"""Derivatives through transposed views, new axes and reshaped arrays, by hand-made normal forms."""

from __future__ import annotations

from pathlib import Path

import pytest
from mooncake_transpiler.diagnostic.diagnostics import Refused

from tests.ad.viewing import Programs, gradients

SOURCE = Path(__file__).with_name("view_programs.py").read_text()
JITTED = ["stores", "in_place", "carried", "recursive", "reshaped_matrix", "chosen_reshape"]
PROGRAMS = Programs(SOURCE)
FUNCTIONS = PROGRAMS.functions


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_agree_with_differences(name: str) -> None:
    PROGRAMS.check(name, jit=False, layouts=True)


@pytest.mark.parametrize("name", JITTED)
def test_compiled_derivatives_agree_with_differences(name: str) -> None:
    PROGRAMS.check(name, jit=True, layouts=name in ("reshaped_matrix", "in_place"))


@pytest.mark.parametrize(
    "body",
    [
        "r = _shaped(x, 2, 3)\nx[0] = 2.0 * y[0]\nreturn r[0, 0]",
        "r = _shaped(x, 2, 3)\ny[0] = 2.0 * x[0]\nreturn r[0, 0]",  # they may overlap
        "r = _shaped(x, 2, 3)\nfor i in range(3):\n    x[i] = r[0, i]\nreturn x[1]",
        "w = x.copy()\nr = _shaped(w[::2], 1, 3)\nw[2] = y[0]\nreturn r[0, 1]",
        "w = m.copy()\nr = _shaped(w[:, 0], 2, 2)\nw[1, 0] = y[0]\nreturn r[0, 1]",
        "r = _shaped(x, 2, 3) if y[0] > 0.5 else m\nx[0] = 2.0 * y[0]\nreturn r[0, 0]",
    ],
)
def test_what_is_written_while_its_new_shape_is_in_use_is_refused(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    with pytest.raises(Refused, match="MK404") as caught:
        gradients(f"def f(x: Vec, y: Vec, m: Mat) -> float:\n{lines}", "f")
    assert caught.value.diagnostic.place.line > 1
