"""Formatters and linters leave emitted modules alone."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.emit import EmitModule, EmittedFunc, Import, emit_module
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, FLOAT, INT, NONE, Array, DType, Tuple, leaves

from tests.emit import random_func as drawing

LONG = ("", "", "a_rather_long_name_of_a_variable", "another_quite_long_name_bar", "s")


def ruff(file: Path, *args: str) -> str:
    command = [sys.executable, "-m", "ruff", *args, "--isolated", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize("hints", [drawing.HINTS, LONG])
def test_random_functions(
    hints: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "HINTS", hints)
    funcs = []
    for seed in range(60):
        rng = random.Random(seed)
        callee = drawing.random_func(rng, f"m:g{seed}")
        funcs += [callee, drawing.random_func(rng, f"m:f{seed}", callee)]
    emitted = tuple(EmittedFunc(f, f.name.partition(":")[2], "inner") for f in funcs)
    file = tmp_path / "m_grad.py"
    file.write_text(emit_module(EmitModule("m_grad", emitted)))
    assert not ruff(file, "format", "--diff")
    assert not ruff(file, "check", "--select=E4,E7,E9,F,I", "--ignore=F841")


def test_signatures_and_tuples(tmp_path: Path) -> None:
    """Long parameter lists, nested results, calls with tuples, classes, docstrings, messages."""
    vector = Array(DType.FLOAT64, 1)
    result = Tuple((FLOAT, Tuple((BOOL, INT, *[vector] * 5)), NONE, Tuple((FLOAT,))))
    b = Builder()
    x, flag, n = ir.Value("x", vector), ir.Value("flag", BOOL), ir.Value("n", INT)
    arm = b.child()
    arm.add(ir.Raise("ValueError", 'parameter x: it\'s too "long", ' + "and so on " * 8))
    b.add(ir.If((), flag, arm.block(), b.child().block()))
    total = ir.Value("", FLOAT)
    b.add(ir.Sum(total, x))
    block = b.block([total, flag, n, x, x, x, x, x, total])
    params = tuple(ir.Param(v.hint, v.type, (v,)) for v in (x, flag, n))
    f = ir.Func("m:f", params, result, block, doc='Sums "x".\n\n  Raises:\n    ValueError: "late"')

    pair = Tuple((vector, Tuple((FLOAT,)), NONE), ("u", "w", "z"), "Pair")
    u, w, k = ir.Value("", vector), ir.Value("", FLOAT), ir.Value("k", INT)
    outs = tuple(
        ir.Value(f"quite_a_long_name_{i}", type_) for i, type_ in enumerate(leaves(result))
    )
    call = ir.Call(outs, "m:f", (u, ir.Const(False, BOOL), k))
    struct = Tuple((vector, FLOAT), ("u", "w"), "FGrad")
    params = (ir.Param("p", pair, (u, w)), ir.Param("k", INT, (k,), "3", True))
    g = ir.Func("m:g", params, Tuple((result, struct)), ir.Block((call,), (*outs, u, w)))

    module = EmitModule(
        "m_grad", (EmittedFunc(f, "f"), EmittedFunc(g, "g")), (struct,),
        ("# marker", "# body: 1"), (Import(".m", "Pair", "Pair"),), doc="Derivatives of `m`.",
    )  # fmt: skip
    file = tmp_path / "m_grad.py"
    file.write_text(emit_module(module))
    assert not ruff(file, "format", "--diff")
    assert not ruff(file, "check")
