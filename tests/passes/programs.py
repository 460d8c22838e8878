"""Shorthands to write the normal form by hand."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.printer import format_func
from mooncake_transpiler.ir.verifier import verify
from mooncake_transpiler.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    Array,
    DType,
    Scalar,
    Tuple,
    Type,
)

VECTOR = Array(DType.FLOAT64, 1)
MATRIX = Array(DType.FLOAT64, 2)
ZERO, ONE, TWO = ir.int_const(0), ir.int_const(1), ir.int_const(2)
TRUE, FALSE = ir.Const(True, BOOL), ir.Const(False, BOOL)


def real(value: float) -> ir.Const:
    return ir.Const(value, FLOAT)


def variable(name: str, type_: Type) -> ir.Value:
    return ir.Value(name, type_)


X, A, N = variable("x", VECTOR), variable("a", FLOAT), variable("n", INT)
C, Z = variable("c", BOOL), variable("z", COMPLEX)


def function(
    inputs: Sequence[ir.Value], b: Builder, results: Sequence[ir.Atom] = (), name: str = "m:f"
) -> ir.Func:
    """A function whose parameters are ``inputs``."""
    params = tuple(ir.Param(v.hint, v.type, (v,)) for v in inputs)
    types = tuple(a.type for a in results)
    result = NONE if not types else types[0] if len(types) == 1 else Tuple(types)
    func = ir.Func(name, params, result, b.block(results))
    verify(func)
    return func


def loop(
    b: Builder,
    index: ir.Value,
    hi: ir.Atom,
    body: ir.Block,
    carried: Sequence[tuple[ir.Value, ir.Atom]] = (),
    lo: ir.Atom = ZERO,
    step: ir.Atom = ONE,
    leaves: bool = False,
) -> tuple[ir.Value, ...]:
    """Append a ``For``; returns its results."""
    outs = tuple(ir.Value(p.hint, p.type) for p, _ in carried)
    params, inits = tuple(p for p, _ in carried), tuple(i for _, i in carried)
    b.add(ir.For(outs, index, lo, hi, step, params, inits, body, leaves))
    return outs


def repeat(
    b: Builder,
    cond: ir.Block,
    body: ir.Block,
    carried: Sequence[tuple[ir.Value, ir.Atom]],
    leaves: bool = False,
) -> tuple[ir.Value, ...]:
    """Append a ``While``; returns its results."""
    outs = tuple(ir.Value(p.hint, p.type) for p, _ in carried)
    params, inits = tuple(p for p, _ in carried), tuple(i for _, i in carried)
    b.add(ir.While(outs, params, inits, cond, body, leaves))
    return outs


def branch(
    b: Builder, cond: ir.Atom, then: ir.Block, orelse: ir.Block, names: Sequence[str] = ()
) -> tuple[ir.Value, ...]:
    """Append an ``If``; returns its results."""
    hints = names or [""] * len(then.yields)
    outs = tuple(ir.Value(h, a.type) for h, a in zip(hints, then.yields, strict=True))
    b.add(ir.If(outs, cond, then, orelse))
    return outs


def plus(b: Builder, x: ir.Atom, y: ir.Atom, name: str = "") -> ir.Value:
    type_ = x.type
    assert isinstance(type_, Scalar)
    return b.compute("add", (x, y), type_, name)


def less(b: Builder, x: ir.Atom, y: ir.Atom) -> ir.Value:
    return b.compute("lt", (x, y), BOOL)


def text(func: ir.Func) -> str:
    """The printed function, after checking it."""
    verify(func)
    return format_func(func)


def counting(op: str, step: int, flipped: bool = False, start: ir.Atom = ZERO) -> ir.Func:
    """A function: ``i = start; while i op n: x[i] = a; i += step; return i``."""
    b = Builder()
    i = variable("i", INT)
    test, body = b.child(), b.child()
    cond = test.block((test.compute(op, (N, i) if flipped else (i, N), BOOL),))
    body.store(X, (i,), A)
    outs = repeat(b, cond, body.block((plus(body, i, ir.int_const(step), "i"),)), [(i, start)])
    return function((X, A, N), b, outs)


__all__ = [
    "BOOL", "FALSE", "FLOAT", "INT", "MATRIX", "NONE", "ONE", "TRUE", "TWO", "VECTOR", "ZERO", "A",
    "Builder", "C", "N", "X", "Z", "branch", "counting", "function", "less", "loop", "plus", "real",
    "repeat", "text", "variable",
]  # fmt: skip
