"""Calls become the bodies of what they call."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.verifier import verify
from mooncake_transpiler.passes.inline import components, inline
from mooncake_transpiler.types import BOOL, FLOAT

from tests.passes.programs import function, real, text, variable


def origin(index: int) -> ir.Origin:
    return ir.Origin("m.py", index, 0, f"statement {index}", index)


def caller(name: str, *callees: str, repeat: int = 1) -> ir.Func:
    """``y = x * 2``, then each callee is applied to it ``repeat`` times."""
    x = variable("x", FLOAT)
    b = Builder(origin(0))
    y = b.compute("mul", (x, real(2.0)), FLOAT, "y")
    for k, callee in enumerate(callees * repeat):
        out = variable("z", FLOAT)
        b.add(ir.Call((out,), callee, (y,), origin(k + 1)))
        y = out
    return function((x,), b, (y,), name)


def returning(name: str, callee: str) -> ir.Func:
    """``callee(x)`` where x is positive, else x."""
    x, out, called = variable("x", FLOAT), variable("y", FLOAT), variable("z", FLOAT)
    b = Builder(origin(0))
    positive = b.compute("gt", (x, real(0.0)), BOOL, "c")
    then = ir.Block((ir.Call((called,), callee, (x,), origin(1)),), (called,))
    b.add(ir.If((out,), positive, then, ir.Block((), (x,)), origin(2)))
    return function((x,), b, (out,), name)


def program(*funcs: ir.Func) -> ir.Program:
    return ir.Program({func.name: func for func in funcs})


def test_inline() -> None:
    before = program(caller("m:f", "m:g", repeat=2), caller("m:g", "m:h"), caller("m:h"))
    after = inline(before)
    assert list(after.funcs) == ["m:f", "m:g", "m:h"]
    assert (
        text(after.funcs["m:f"])
        == """\
func m:f(x: float64) -> float64
  y: float64 = mul x, 2.0
  y.1: float64 = mul y, 2.0
  y.2: float64 = mul y.1, 2.0
  y.3: float64 = mul y.2, 2.0
  y.4: float64 = mul y.3, 2.0
  return y.4
"""
    )


def test_each_call_site_has_its_own_origins() -> None:
    after = inline(program(caller("m:f", "m:g", repeat=2), caller("m:g", "m:h"), caller("m:h")))
    origins = [s.origin for s in after.funcs["m:f"].body.stmts]
    assert all(o is not None and o.text == "statement 0" for o in origins)
    assert len({o.index for o in origins if o is not None}) == len(origins)


def test_recursive_functions_stay() -> None:
    before = program(
        caller("m:f", "m:odd", "m:self"), returning("m:odd", "m:even"),
        returning("m:even", "m:odd"), returning("m:self", "m:self"),
    )  # fmt: skip
    assert inline(before).funcs == before.funcs
    assert [sorted(c) for c in components(before)] == [["m:even", "m:odd"], ["m:self"], ["m:f"]]


def test_recursion_that_never_returns_is_refused() -> None:
    with pytest.raises(Refused, match="always calls itself"):
        inline(program(caller("m:self", "m:self")))


def test_functions_that_return_by_recursion_only_are_put_into_their_callers() -> None:
    after = inline(program(caller("m:odd", "m:even"), returning("m:even", "m:odd")))
    calls = [s.func for s in ir.walk(after.funcs["m:even"].body) if isinstance(s, ir.Call)]
    assert calls == ["m:even"]


def test_budget() -> None:
    before = program(caller("m:f", "m:g", repeat=3), caller("m:g", "m:h"), caller("m:h"))
    after = inline(before, budget=7)
    for func in after.funcs.values():
        verify(func, after)
    calls = [s for s in ir.walk(after.funcs["m:f"].body) if isinstance(s, ir.Call)]
    assert len(calls) == 2


def test_a_callee_that_raises() -> None:
    x = variable("x", FLOAT)
    b = Builder()
    b.add(ir.Raise("ValueError", "no"))
    callee = function((x,), b, (ir.Undef(FLOAT),), "m:g")
    after = inline(program(caller("m:f", "m:g"), callee))
    assert (
        text(after.funcs["m:f"])
        == """\
func m:f(x: float64) -> float64
  y: float64 = mul x, 2.0
  raise ValueError('no')
  return undef
"""
    )
