"""Calls of functions that have a pullback: what is computed, kept and copied for them."""

from __future__ import annotations

import ast

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.verifier import InvalidIR, verify
from mooncake_transpiler.passes.order import finish
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.types import FLOAT, NONE

from tests.ad import ruled
from tests.ad.test_programs import arguments

COMPILED = ["straight", "rnn_with_buffers", "while_growing", "result_overwritten", "under_if"]


def part(text: str, name: str) -> str:
    """The function ``name`` of a module."""
    found = next(n for n in ast.parse(text).body if getattr(n, "name", "") == name)
    return ast.unparse(found)


@pytest.mark.parametrize("name", ruled.NAMES)
def test_derivatives_agree_with_differences(name: str) -> None:
    primal, generated = ruled.transpiled(ruled.source(name))
    for args in arguments(primal, name):
        with np.errstate(all="ignore"):
            check_gradients(getattr(primal, name), generated, args)


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_derivatives_agree_with_differences(name: str) -> None:
    primal, generated = ruled.transpiled(ruled.source(name), jit=True)
    for args in arguments(primal, name):
        check_gradients(getattr(primal, name), generated, args)


def test_the_pullback_may_run_again() -> None:
    primal, generated = ruled.transpiled(ruled.source("result_overwritten"))
    (args,) = arguments(primal, "result_overwritten")
    _, residuals = generated.result_overwritten_fwd(*args)
    first, _ = generated.result_overwritten_pullback(residuals, 1.0)
    second, _ = generated.result_overwritten_pullback(residuals, 2.0)
    np.testing.assert_array_equal(2.0 * first, second)


def test_nothing_is_computed_for_an_inactive_argument() -> None:
    text = part(ruled.text(ruled.source("inactive_matrix")), "inactive_matrix_vjp")
    assert text.count("matmul_add") == 1
    assert text.count("np.zeros") == 2  # the gradient and y_bar
    text = part(ruled.text(ruled.source("inactive_scalar")), "inactive_scalar_vjp")
    assert "a_bar" not in text


def test_nothing_is_copied_that_nobody_overwrites() -> None:
    for name in ("straight", "counted", "inactive_matrix"):
        assert ".copy()" not in ruled.text(ruled.source(name))


def test_only_what_the_pullback_reads_is_copied() -> None:
    """The pullback of the exponential reads its result, not its argument."""
    body = "def f(x: Vec) -> float:\n    w = x.copy()\n    y = _exps(w)\n"
    text = part(ruled.text(body + "    w[0] = y[0]\n    return w[0] * w[1]\n"), "f_fwd")
    assert text.count(".copy()") + text.count("[:] =") <= 1
    text = part(ruled.text(body + "    y[0] = w[0]\n    return y[0] * y[1] + w[0]\n"), "f_fwd")
    assert text.count(".copy()") + text.count("[:] =") <= 2


def test_a_copy_that_is_the_same_in_each_iteration_is_made_once() -> None:
    text = part(
        ruled.text(ruled.source("overwritten_after_the_loop")), "overwritten_after_the_loop_fwd"
    )
    before, _, after = text.partition("in range(")
    assert "copy()" in before
    assert "copy()" not in after


def test_calls_are_replaced_by_bodies() -> None:
    text = ruled.text(ruled.source("straight"))
    assert "_mm" not in ast.unparse(ast.parse(text))
    assert "kernels.matmul(" in text
    assert "from mooncake_runtime import entry, kernels" in text


def test_the_module_of_primitives_gets_another_name_where_one_hides_it() -> None:
    text = ruled.text(ruled.source("inactive_matrix").replace("x", "kernels"))
    assert "from mooncake_runtime import kernels as kernels_" in text
    assert "kernels_.matmul(" in text


def test_written_arguments_are_refused() -> None:
    writes = ruled.func(
        "g",
        v := ruled.values(x=ruled.VEC),
        _store(v["x"]),
        FLOAT,
        (ir.Const(1.0, FLOAT),),
        pullback="program:g_pullback",
    )
    v = ruled.values(x=ruled.VEC, y=FLOAT, x_bar=ruled.VEC, y_bar=FLOAT)
    pullback = ruled.func("g_pullback", v, Builder())
    v, b = ruled.values(x=ruled.VEC), Builder()
    out = ir.Value("", FLOAT)
    b.add(ir.Call((out,), "program:g", (v["x"],)))
    caller = ruled.func("f", v, b, FLOAT, (out,))
    with pytest.raises(Refused, match="MK403"):
        ruled.derived(caller, [writes, pullback])


def _store(array: ir.Value) -> Builder:
    b = Builder()
    b.store(array, [ir.int_const(0)], ir.Const(0.0, FLOAT))
    return b


# ---- primitives ---------------------------------------------------------------------------------


def primitive(used: bool) -> ir.Func:
    """A scratch array that a primitive adds to, and that is read if ``used``."""
    v, b = ruled.values(a=ruled.MAT, x=ruled.VEC), Builder()
    n = b.dim(v["a"], 0)
    c = b.alloc(ruled.VEC, [n], ir.Const(0.0, FLOAT))
    b.add(ir.Call((), "rt:matmul_add", (v["a"], v["x"], c)))
    first = b.load(c, [ir.int_const(0)])
    return ruled.func("f", v, b, FLOAT, (first if used else ir.Const(1.0, FLOAT),))


def test_writes_to_memory_that_nobody_reads_are_dead() -> None:
    assert simplify(primitive(used=False)).body.stmts == ()
    assert len(simplify(primitive(used=True)).body.stmts) == 4
    for pass_ in (simplify, finish):
        assert pass_(primitive(used=False)).body.stmts == ()


def products(between: Builder, v: dict[str, ir.Value]) -> ir.Func:
    """The first elements of two equal products, with ``between`` in between."""
    b = Builder()
    outs = [ir.Value("", ruled.VEC) for _ in range(2)]
    b.add(ir.Call((outs[0],), "rt:matmul", (v["a"], v["x"])))
    b.stmts += between.stmts
    b.add(ir.Call((outs[1],), "rt:matmul", (v["a"], v["x"])))
    y = b.compute("mul", [b.load(out, [ir.int_const(0)]) for out in outs], FLOAT)
    return ruled.func("f", v, b, FLOAT, (y,))


def calls(func: ir.Func) -> int:
    return sum(isinstance(stmt, ir.Call) for stmt in ir.walk(func.body))


def test_equal_products_are_computed_once_unless_an_argument_changes() -> None:
    v = ruled.values(a=ruled.MAT, x=ruled.VEC)
    assert calls(simplify(products(Builder(), v))) == 1
    assert calls(simplify(products(_store(v["x"]), v))) == 2


def test_equal_products_that_are_returned_or_written_stay_apart() -> None:
    v, b = ruled.values(a=ruled.MAT, x=ruled.VEC), Builder()
    outs = [ir.Value("", ruled.VEC) for _ in range(2)]
    for out in outs:
        b.add(ir.Call((out,), "rt:matmul", (v["a"], v["x"])))
    b.stmts += _store(outs[0]).stmts
    y = b.load(outs[1], [ir.int_const(0)])
    assert calls(simplify(ruled.func("f", v, b, FLOAT, (y,)))) == 1  # the other one is dead
    returned = ruled.func("f", v, b, ir_tuple(outs), tuple(outs))
    assert calls(simplify(returned)) == 2


def ir_tuple(outs: list[ir.Value]) -> ruled.Tuple:
    return ruled.Tuple(tuple(out.type for out in outs))


@pytest.mark.parametrize(
    ("name", "args", "outs"),
    [("rt:nothing", 1, 0), ("rt:matmul_add", 2, 0), ("rt:matmul", 2, 2)],
)
def test_the_verifier_knows_primitives(name: str, args: int, outs: int) -> None:
    v, b = ruled.values(a=ruled.MAT), Builder()
    results = tuple(ir.Value("", ruled.MAT) for _ in range(outs))
    b.add(ir.Call(results, name, (v["a"],) * args))
    with pytest.raises(InvalidIR):
        verify(ruled.func("f", v, b, NONE))
