"""Partial derivatives of a number by forward mode, and where they are those of reverse mode.

The tangents of all inputs asked for move through the function at once, each a unit vector.
"""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.forward.push import TangentWriter
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Scalar

_OF_NUMBERS = (ir.Compute, ir.Dim, ir.Global, ir.View, ir.Load, ir.If, ir.For, ir.While, ir.Raise)


def along_units(
    func: ir.Func, inputs: Sequence[ir.Value], push: TangentWriter, b: Builder
) -> ir.Block:
    """The number that ``func`` returns, then its partial derivative by each of ``inputs``."""
    for k, value in enumerate(inputs):
        push.tangents.set(value, _unit(k, inputs))
    return push.block(func.body, [0], b)


def is_of_numbers(func: ir.Func) -> bool:
    """True if ``func`` works on numbers, calls nothing and only reads arrays."""
    return all(isinstance(s, _OF_NUMBERS) for s in ir.walk(func.body))


def masks(func: ir.Func, push: TangentWriter) -> bool:
    """True if a zero cotangent is a case of its own in reverse mode of ``func``, of numbers.

    What that masks there, forward mode would have to carry as an infinite tangent.
    """
    return any(_masks(stmt, push) for stmt in ir.walk(func.body))


def _masks(stmt: ir.Stmt, push: TangentWriter) -> bool:
    if not isinstance(stmt, ir.Compute) or not push.activity.active(stmt.out):
        return False
    unknown = any(OPS[stmt.op].is_unknown(k) for k in range(len(stmt.args)))
    return stmt.op == "where" or unknown or push.spans.has_pole(stmt)


def _unit(k: int, inputs: Sequence[ir.Value]) -> tuple[ir.Const, ...]:
    """The tangents of input number ``k`` in all directions: 1 in its own."""
    type_ = inputs[k].type
    assert isinstance(type_, Scalar)
    return tuple(ir.Const(float(k == lane), type_) for lane in range(len(inputs)))
