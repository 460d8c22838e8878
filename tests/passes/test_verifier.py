"""The verifier finds each way in which the normal form can be broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ir.verifier import InvalidIR, verify
from mooncake_transpiler.types import DType, Stack, Type

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    MATRIX,
    NONE,
    ONE,
    TRUE,
    VECTOR,
    ZERO,
    A,
    Builder,
    C,
    N,
    X,
    real,
    variable,
)

M = variable("m", MATRIX)


def check(
    *stmts: ir.Stmt,
    program: ir.Program | None = None,
    form: ir.Form = ir.Form.DIFFERENTIABLE,
) -> None:
    params = tuple(ir.Param(v.hint, v.type, (v,)) for v in (X, A, N, C, M))
    verify(ir.Func("m:f", params, NONE, ir.Block(stmts)), program, form)


def new(type_: Type) -> ir.Value:
    return ir.Value("y", type_)


Y, K = new(FLOAT), new(INT)
EMPTY = ir.Block(())


def counting(body: ir.Block, exit_: bool = False, **carried: tuple[ir.Atom, ...]) -> ir.For:
    outs, params = carried.get("outs", ()), carried.get("params", ())
    inits = carried.get("inits", ())
    return ir.For(outs, new(INT), ZERO, N, ONE, params, inits, body, exit_)  # type: ignore[arg-type]


BROKEN: dict[str, tuple[str, Callable[[], tuple[ir.Stmt, ...]]]] = {
    "bound twice": (
        "bound twice", lambda: (ir.Compute(Y, "neg", (A,)), ir.Compute(Y, "abs", (A,)))
    ),
    "not yet bound": ("out of scope", lambda: (ir.Compute(new(FLOAT), "neg", (Y,)),)),
    "bound inside": (
        "out of scope",
        lambda: (
            ir.If((), C, ir.Block((ir.Compute(Y, "neg", (A,)),)), EMPTY),
            ir.Compute(new(FLOAT), "neg", (Y,)),
        ),
    ),
    "unknown op": ("unknown op", lambda: (ir.Compute(Y, "frobnicate", (A,)),)),
    "arity": ("takes 2", lambda: (ir.Compute(Y, "add", (A,)),)),
    "array operand": ("scalars", lambda: (ir.Compute(Y, "neg", (X,)),)),
    "branch on a number": ("no bool", lambda: (ir.If((), A, EMPTY, EMPTY),)),
    "arm yields nothing": (
        "then yields", lambda: (ir.If((Y,), C, EMPTY, ir.Block((), (A,))),)
    ),
    "arm yields an int": (
        "else yields", lambda: (ir.If((Y,), C, ir.Block((), (A,)), ir.Block((), (N,))),)
    ),
    "float range": (
        "integers", lambda: (ir.For((), new(INT), ZERO, A, ONE, (), (), EMPTY),)
    ),
    "zero step": ("zero", lambda: (ir.For((), new(INT), ZERO, N, ZERO, (), (), EMPTY),)),
    "exit without flag": ("bool first", lambda: (counting(EMPTY, True),)),
    "carried type": (
        "initial values",
        lambda: (counting(ir.Block((), (A,)), outs=(Y,), params=(new(FLOAT),), inits=(ONE,)),),
    ),
    "carried count": (
        "body yields",
        lambda: (counting(EMPTY, outs=(Y,), params=(new(FLOAT),), inits=(A,)),),
    ),
    "condition": (
        "condition yields", lambda: (ir.While((), (), (), ir.Block((), (A,)), EMPTY),)
    ),
    "index": ("no integer", lambda: (ir.Load(Y, X, (A,)),)),
    "rank": ("2 integers", lambda: (ir.Load(Y, M, (N,)),)),
    "element": ("element", lambda: (ir.Store(X, (N,), ONE),)),
    "accumulated": ("element", lambda: (ir.Accum(X, (N,), ONE),)),
    "scalar base": ("array is needed", lambda: (ir.Load(Y, A, ()),)),
    "view rank": ("view is", lambda: (ir.View(new(MATRIX), M, (N,)),)),
    "view index": ("too many", lambda: (ir.View(new(FLOAT), X, (N, N)),)),
    "new axis": ("view is", lambda: (ir.View(new(VECTOR), X, (ir.NewAxis(),)),)),
    "new axes only": ("too many", lambda: (ir.View(new(MATRIX), X, (ir.NewAxis(), N, N)),)),
    "axes": ("no permutation", lambda: (ir.View(new(MATRIX), M, (), None, (1, 1)),)),
    "too few axes": ("no permutation", lambda: (ir.View(new(MATRIX), M, (), None, (0,)),)),
    "reshaped rank": ("another type", lambda: (ir.Reshape(new(VECTOR), M, (N, N)),)),
    "reshaped size": ("no integer", lambda: (ir.Reshape(new(VECTOR), M, (A,)),)),
    "shape": ("2 integers", lambda: (ir.Alloc(new(MATRIX), (N,)),)),
    "fill": ("fill", lambda: (ir.Alloc(new(VECTOR), (N,), ONE),)),
    "axis": ("no axis 1", lambda: (ir.Dim(K, X, 1),)),
    "extent": ("int64", lambda: (ir.Dim(Y, X, 0),)),
    "copy": ("copy", lambda: (ir.Copy(new(VECTOR), M),)),
    "assign": ("source", lambda: (ir.Assign(M, X),)),
    "sum": ("sum", lambda: (ir.Sum(K, X),)),
    "shadow": ("shadows", lambda: (ir.Shadows((new(VECTOR),), (M,)),)),
    "constant": ("no int64", lambda: (ir.Store(X, (ir.Const(1.0, INT),), A),)),
    "array constant": (
        "not a scalar",
        lambda: (ir.Assign(X, ir.Const(1.0, VECTOR)),),  # type: ignore[arg-type]
    ),
    "after raise": ("after raise", lambda: (ir.Raise("E", None), ir.Copy(new(VECTOR), X))),
    "raise yields": (
        "defined",
        lambda: (
            ir.If((Y,), C, ir.Block((ir.Raise("E", None),), (A,)), ir.Block((), (A,))),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name: str) -> None:
    message, stmts = BROKEN[name]
    with pytest.raises(InvalidIR, match=message):
        check(*stmts())


def test_stack_of_another_type() -> None:
    stack = new(Stack(DType.FLOAT64))
    with pytest.raises(InvalidIR, match="holds"):
        check(ir.NewStack(stack), ir.Push(stack, (A, ONE)), form=ir.Form.SWEEPS)
    with pytest.raises(InvalidIR, match="holds"):
        check(ir.NewStack(stack), ir.Pop((new(FLOAT), new(INT)), stack), form=ir.Form.SWEEPS)
    with pytest.raises(InvalidIR, match="no stack"):
        check(ir.NewStack(Y), form=ir.Form.SWEEPS)


def test_growing_array_of_another_type() -> None:
    for array, size in ((M, ONE), (X, A)):
        with pytest.raises(InvalidIR, match=r"grows|no integer"):
            check(ir.Grow(new(array.type), array, size), form=ir.Form.EMITTED)


@pytest.mark.parametrize("form", ir.Form)
def test_tape(form: ir.Form) -> None:
    """Each statement of the tape is refused where it may not be yet, or not any more."""
    stack, room = new(Stack(DType.FLOAT64)), ir.Alloc(new(VECTOR), (ZERO,), growable=True)
    begun = (ir.NewStack(stack),)
    taped: tuple[tuple[tuple[ir.Stmt, ...], ir.Taped], ...] = (
        ((), ir.NewStack(stack)),
        (begun, ir.Push(stack, (A,))),
        (begun, ir.Pop((new(FLOAT),), stack)),
        ((), ir.Grow(new(VECTOR), X, ONE)),
        ((room,), ir.Reserve(room.out, ONE)),
    )
    assert {type(stmt) for _, stmt in taped} == set(get_args(ir.Taped))
    for before, stmt in taped:
        if type(stmt) in ir.FORMS[form]:
            check(*before, stmt, form=form)
        else:
            with pytest.raises(InvalidIR, match=r"this is not|makes room"):
                check(*before, stmt, form=form)


def test_calls() -> None:
    callee = ir.Func("m:g", (ir.Param("a", FLOAT, (A,)),), FLOAT, ir.Block((), (A,)))
    program = ir.Program({"m:g": callee})
    check(ir.Call((new(FLOAT),), "m:g", (A,)), program=program)
    with pytest.raises(InvalidIR, match="arguments"):
        check(ir.Call((new(FLOAT),), "m:g", (N,)), program=program)
    with pytest.raises(InvalidIR, match="results"):
        check(ir.Call((), "m:g", (A,)), program=program)
    with pytest.raises(InvalidIR, match="unknown function"):
        check(ir.Call((), "m:h", ()), program=program)


def test_result_and_parameters() -> None:
    with pytest.raises(InvalidIR, match="m:f yields"):
        verify(ir.Func("m:f", (), FLOAT, EMPTY))
    with pytest.raises(InvalidIR, match="leaves of parameter a"):
        verify(ir.Func("m:f", (ir.Param("a", FLOAT, (N,)),), NONE, EMPTY))


def test_message_shows_the_statement() -> None:
    b = Builder()
    b.store(X, (A,), real(1.0))
    with pytest.raises(InvalidIR, match=r"m:f: x\[a\] = 1\.0\n  an index is no integer"):
        check(*b.stmts)


def test_well_formed() -> None:
    params = (new(BOOL), new(FLOAT))
    body = ir.Block((ir.Raise("ValueError", None),), (ir.Undef(BOOL), ir.Undef(FLOAT)))
    outs = (new(BOOL), new(FLOAT))
    cond = ir.Block((), (TRUE,))
    check(ir.While(outs, params, (FALSE, A), cond, body, True), ir.Store(X, (N,), outs[1]))
