"""Copies for in-place sums of arrays that may overlap, as NumPy's buffers; compiled code has none.

before            after
x[...] += y       t: float64[:] = copy y
                  x[...] += t
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.dataflow import dataflow_of
from mooncake_transpiler.types import Array


def overlap_copies(func: ir.Func) -> ir.Func:
    """Copy the right-hand side of each in-place array sum that may share its target's memory."""

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not isinstance(stmt, ir.AddTo) or not _may_overlap(stmt, func):
            return None
        copy = ir.Value("", stmt.src.type)
        return [ir.Copy(copy, stmt.src, stmt.origin), replace(stmt, src=copy)]

    return ir.with_body(func, ir.rewritten(func.body, change))


def _may_overlap(stmt: ir.AddTo, func: ir.Func) -> bool:
    return (
        isinstance(stmt.src.type, Array)
        and stmt.src is not stmt.dst
        and dataflow_of(func).may_meet(stmt.src, stmt.dst)
    )
