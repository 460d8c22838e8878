"""Loops that are no kernels: those of the host around work with whole arrays, and few others."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.types import Scalar

# What a loop of the host is worth for, beside single elements.
_ARRAY_WORK = (ir.For, ir.While, ir.Call, ir.Copy, ir.Assign, ir.AddTo, ir.Sum)


def works_with_arrays(loop: ir.For | ir.While) -> bool:
    """True if ``loop`` does more than to visit elements one by one."""
    return any(isinstance(s, _ARRAY_WORK) for block in ir.blocks(loop) for s in ir.walk(block))


def is_exchange(loop: ir.For) -> bool:
    """True if all that ``loop`` does is to put elements to other places, as pivots say."""
    return not loop.outs and all(
        isinstance(stmt, ir.Load | ir.Store | ir.For)
        or (isinstance(stmt, ir.Compute) and isinstance(stmt.out.type, Scalar)
            and not stmt.out.type.dtype.is_differentiable)
        for stmt in ir.walk(loop.body)
    )  # fmt: skip
