"""Computations that only one arm of a branch uses move there, if nothing can tell."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ir.verifier import verify
from mooncake_transpiler.passes.code_sinking import code_sinking
from mooncake_transpiler.passes.simplify import simplify

from tests.frontend.lowering import read


def in_arms(body: str) -> int:
    """The number of quotients of a function that stand in a branch once it is sunk."""
    lines = "\n    ".join(body.split("; "))
    program, problems = read(f"def f(x: A, c: bool, i: int) -> float:\n    {lines}\n")
    assert not problems
    func = code_sinking(simplify(program.funcs["m:f"]))
    verify(func)
    branches = [s for s in ir.walk(func.body) if isinstance(s, ir.If)]
    inside = {s for branch in branches for arm in ir.blocks(branch) for s in ir.walk(arm)}
    return sum(isinstance(s, ir.Compute) and s.op == "div" for s in inside)


@pytest.mark.parametrize(
    "body",
    [
        "t = 1.0 / x[0]; return t if c else 2.0",
        "t = 1.0 / x[0]; if c:;     return 2.0; return t * t",
        "t = 1.0 / x[0]; x[0] = 3.0; return t if c else 2.0",
        "t = 1.0 / x[i - 1]; s = 0.0; if i > 0:;     if i < 3:;         s = t; return s",
        "s = 0.0; for k in range(3):;     s += 1.0 / x[k]; return s if c else 2.0",
        "s = 0.0; for k in range(3):;     t = 1.0 / x[k];     if c:;         s += t; return s",
    ],
)
def test_moves(body: str) -> None:
    assert in_arms(body) == 1


@pytest.mark.parametrize(
    "body",
    [
        "t = 1.0 / x[0]; return t if c else t + 2.0",
        "t = 1.0 / x[0]; s = t if c else 2.0; return s + t",
        "t = 1.0 / x[0]; return t if t > 0.0 else 2.0",
        "s = 0.0; for k in range(3):;     s += 1.0 / x[k];     x[k] = 1.0; return s if c else 2.0",
        "s = 0.0; for k in range(3):;     s += 1.0 / x[k]; x[0] = 1.0; return s if c else 2.0",
    ],
)
def test_stays(body: str) -> None:
    assert in_arms(body) == 0


def test_loads_alone_stay() -> None:
    program, _ = read("def f(x: A, c: bool) -> float:\n    t = x[0]\n    return t if c else 2.0")
    func = simplify(program.funcs["m:f"])
    assert code_sinking(func) is func
