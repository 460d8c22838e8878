"""Derivatives through transposed views, new axes and reshaped arrays, by hand-made normal forms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler.diagnostics import Refused

from tests.ad.viewing import gradients, primal
from tests.helpers.transpile import module

SOURCE = Path(__file__).with_name("view_programs.py").read_text()
SHAPES = {"Vec": (6,), "Mat": (4, 3)}
JITTED = ["stores", "in_place", "cube", "carried", "bulk", "recursive", "reshaped_matrix",
          "reshaped_work_array", "reshaped_columns", "reshaped_between_writes",
          "chosen_reshape"]  # fmt: skip


def _functions() -> dict[str, str]:
    """The public functions by name, each with the private ones that it needs."""
    nodes = [n for n in ast.parse(SOURCE).body if isinstance(n, ast.FunctionDef)]
    text = {node.name: ast.get_source_segment(SOURCE, node) or "" for node in nodes}
    private = [t for name, t in text.items() if name.startswith("_")]
    return {n: "\n\n".join([*private, t]) for n, t in text.items() if not n.startswith("_")}


FUNCTIONS = _functions()


def _arguments(name: str) -> Iterator[list[object]]:
    (node,) = (n for n in ast.parse(FUNCTIONS[name]).body if getattr(n, "name", "") == name)
    assert isinstance(node, ast.FunctionDef)
    kinds = [ast.unparse(arg.annotation) for arg in node.args.args if arg.annotation]
    for count in (0, 1, 3) if "int" in kinds else (0,):
        rng = np.random.default_rng(len(name))
        yield [count if k == "int" else rng.uniform(0.3, 1.3, SHAPES[k]) for k in kinds]


def _check(name: str, *, jit: bool, layouts: bool) -> None:
    source = FUNCTIONS[name]
    made = module(gradients(source, name), "program_grad", jit=jit)
    for args in _arguments(name):
        with np.errstate(all="ignore"):
            check_gradients(getattr(primal(source), name), made, args, layouts=layouts)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_agree_with_differences(name: str) -> None:
    _check(name, jit=False, layouts=True)


@pytest.mark.parametrize("name", JITTED)
def test_compiled_derivatives_agree_with_differences(name: str) -> None:
    _check(name, jit=True, layouts=name in ("reshaped_matrix", "in_place"))


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
