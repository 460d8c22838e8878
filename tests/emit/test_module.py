"""Emitted code around the bodies of functions: signatures, wrappers, docstrings, tuples."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.emit import EmitModule, EmittedFunc, emit_module
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import FLOAT, INT, Array, DType, Tuple, Type

from tests.helpers.transpile import gradient_text, module, transpiled

VECTOR = Array(DType.FLOAT64, 1)


def emitted(*items: EmittedFunc, doc: str = "") -> str:
    return emit_module(EmitModule("m_grad", items, doc=doc))


def identity(name: str, type_: Type, *leaf_types: Type, doc: str = "") -> ir.Func:
    leaves = tuple(ir.Value("", leaf) for leaf in leaf_types)
    return ir.Func(name, (ir.Param("p", type_, leaves),), type_, ir.Block((), leaves), doc)


def test_tuples_are_passed_on() -> None:
    """A tuple of one call that another one takes is not taken apart; a NamedTuple stands for it."""
    pair = Tuple((FLOAT, VECTOR), alias="Residuals")
    made = Tuple((FLOAT, pair))
    x, total = ir.Value("x", VECTOR), ir.Value("", FLOAT)
    body = ir.Block((ir.Sum(total, x),), (total, total, x))
    first = ir.Func("m:first", (ir.Param("x", VECTOR, (x,)),), made, body)
    leaves = (ir.Value("", FLOAT), ir.Value("u", VECTOR))
    param = ir.Param("residuals", pair, leaves)
    second = ir.Func("m:second", (param,), VECTOR, ir.Block((), leaves[1:]))
    x = ir.Value("x", VECTOR)
    outs = tuple(ir.Value("", type_) for type_ in (FLOAT, FLOAT, VECTOR))
    result = ir.Value("u_bar", VECTOR)
    calls = (ir.Call(outs, "m:first", (x,)), ir.Call((result,), "m:second", outs[1:]))
    block = ir.Block(calls, (outs[0], result))
    both = ir.Func("m:both", (ir.Param("x", VECTOR, (x,)),), Tuple((FLOAT, VECTOR)), block)
    text = emitted(*(EmittedFunc(f, f.name[2:], "inner") for f in (first, second, both)))
    assert "class Residuals(NamedTuple):\n    saved: float\n    u: Vector\n\n\n" in text
    assert "def second(residuals: Residuals) -> Vector:\n    _, u = res" in text
    assert text.endswith("""\
    t1, residuals = first(x)
    u_bar = second(residuals)
    return t1, u_bar
""")


def test_residuals_say_what_was_saved() -> None:
    """A slot has the name of the array, the same one in both functions and as a field."""
    text = gradient_text("""
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def f(x: Annotated[NDArray[np.float64], "3"], n: int) -> float:
    work = np.ones(3)
    for _ in range(n):
        for i in range(3):
            work[i] = work[i] * work[i] * x[i]
    return work[0]
""")
    assert "    work_saved: Matrix\n" in text
    fwd, pullback = (
        text.partition(f"def f_{k}(")[2].partition("@entry")[0] for k in ("fwd", "pullback")
    )
    assert "    work_saved = np.empty((" in fwd
    assert "work_saved[" in pullback
    assert "work_bar = np.zeros(3)\n" in pullback
    assert "    work: " not in text  # it is not kept for its shape


def test_call_at_the_end() -> None:
    pair = Tuple((FLOAT, INT))
    callee = identity("m:g", pair, FLOAT, INT)
    a = (ir.Value("", FLOAT), ir.Value("", INT))
    outs = (ir.Value("", FLOAT), ir.Value("", INT))
    block = ir.Block((ir.Call(outs, "m:g", a),), outs)
    caller = ir.Func("m:f", (ir.Param("p", pair, a),), pair, block)
    text = emitted(EmittedFunc(callee, "g", "inner"), EmittedFunc(caller, "f", "inner"))
    assert text.endswith("def f(p: tuple[float, int]) -> tuple[float, int]:\n    return g(p)\n")


def test_docstrings_are_wrapped() -> None:
    doc = "Short.\n\n" + "A paragraph of `code: float64[n, m]` " * 5 + "\n    " + "indented " * 15
    text = emitted(EmittedFunc(identity("m:f", FLOAT, FLOAT, doc=doc), "f", "inner"))
    assert all(len(line) <= 88 for line in text.splitlines())
    assert text.count("`code: float64[n, m]`") == 5
    assert text.count("\n        indented") == 2


def test_long_summary_is_wrapped() -> None:
    doc = "A first line that is quite long, with no other line after it, " * 2
    text = emitted(EmittedFunc(identity("m:f", FLOAT, FLOAT, doc=doc), "f", "inner"))
    assert all(len(line) <= 88 for line in text.splitlines())
    assert text.count('"""') == 2


def keyword_func() -> ir.Func:
    x, scale, n = ir.Value("x", FLOAT), ir.Value("scale", FLOAT), ir.Value("n", INT)
    b = Builder()
    result = b.compute("mul", (b.compute("mul", (x, scale), FLOAT), n), FLOAT)
    params = (
        ir.Param("x", FLOAT, (x,)),
        ir.Param("scale", FLOAT, (scale,), "-2", True),
        ir.Param("n", INT, (n,), "3", True),
    )
    return ir.Func("m:f", params, FLOAT, b.block([result]), "Scales `x`.")


def test_keyword_only_parameters() -> None:
    text = emitted(EmittedFunc(keyword_func(), "f"))
    assert text.endswith(
        dedent('''
            def f(x: float, *, scale: float = -2.0, n: int = 3) -> float:
                """Scales `x`."""
                return _f(x, scale, n)
        ''').lstrip()
    )
    for jit in (False, True):
        f = module(text, "m_grad", jit=jit).f
        assert (f(1.0), f(1.0, n=1), f(2, scale=0.5)) == (-6.0, -2.0, 3.0)
        with pytest.raises(TypeError, match="'scale' must be"):
            f(1.0, scale="a")
        with pytest.raises(TypeError, match="positional"):
            f(1.0, 2.0)


def test_keyword_only_parameters_of_inner_functions() -> None:
    text = emitted(EmittedFunc(keyword_func(), "f", "inner"))
    assert "def f(x: float, scale: float, n: int) -> float:" in text


KEYWORDS = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def loss(x: Annotated[NDArray[np.float64], "n"], *, weight: float = 1) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        total += weight * x[i] * x[i]
    return total
"""


@pytest.mark.parametrize("jit", [False, True])
def test_derivatives_of_functions_with_keywords(jit: bool) -> None:
    _, made = transpiled(KEYWORDS, jit=jit)
    x = np.array([1.0, 2.0])
    value, grad = made.loss_value_and_grad(x, weight=2.0)
    assert (value, grad.x.tolist(), grad.weight) == (10.0, [4.0, 8.0], 5.0)
    assert made.loss_grad(x).x.tolist() == [2.0, 4.0]
    y, grad = made.loss_vjp(x, 2.0, weight=3.0)
    assert (y, grad.x.tolist(), grad.weight) == (15.0, [12.0, 24.0], 10.0)


@pytest.mark.parametrize("jit", [False, True])
def test_a_tuple_given_by_keyword(jit: bool) -> None:
    """Its gradient is a tuple inside of that of all parameters."""
    source = """
def loss(x: float, *, ends: tuple[float, tuple[float, float]] = (1.0, (2.0, 3.0))) -> float:
    return x * ends[0] * ends[1][0] * ends[1][1]
"""
    _, made = transpiled(source, jit=jit)
    expected = (6.0, (6.0, (3.0, 2.0)))
    assert made.loss_value_and_grad(1.0) == (6.0, expected)
    assert made.loss_grad(1.0) == expected
    assert made.loss_vjp(1.0, 1.0) == (6.0, expected)


NAMES = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def f(x: Annotated[NDArray[np.float64], "n k"], y: Annotated[NDArray[np.float64], "k"]) -> float:
    n, k = x.shape
    total = 0.0
    for a in range(n):
        for b in range(k):
            total += x[a, b] * y[b] * x[a, b]
    return total
"""


def test_names_of_the_user() -> None:
    """Names of sizes survive the checks that come first; residuals keep those of arguments."""
    text = gradient_text(NAMES)
    fwd = text[text.index("def f_fwd") : text.index("def f_pullback")]
    assert "    for a in range(n):\n        for b in range(k):\n" in fwd
    assert "    return total, FResiduals(x, y)\n" in fwd
    assert "    x, y = residuals\n" in text
    made = module(text, "m_grad")
    x, y = np.ones((2, 3)), np.ones(3)
    with pytest.raises(ValueError, match="parameter y: axis 0 must have the size k"):
        made.f_fwd(x, np.ones(2))
    assert made.f_grad(x, y).y.tolist() == [2.0, 2.0, 2.0]


STENCIL = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def f(u: Annotated[NDArray[np.float64], "n"], steps: int) -> float:
    for _ in range(steps):
        u[0] = u[0] * u[0]
    return u[0]
"""


def test_docstrings_of_derivatives() -> None:
    _, made = transpiled(STENCIL)
    assert "Writes to `u`, which `f_pullback` undoes." in made.f_fwd.__doc__
    assert "Undoes, once, what `f_fwd` has written to `u`." in made.f_pullback.__doc__
    assert "None for `steps`" in made.f_pullback.__doc__
    assert "What it writes to `u` is undone" in made.f_value_and_grad.__doc__
    assert "ValueError" in made.f_value_and_grad.__doc__
    for suffix in ("grad", "vjp"):
        assert "`f_value_and_grad`" in getattr(made, f"f_{suffix}").__doc__
