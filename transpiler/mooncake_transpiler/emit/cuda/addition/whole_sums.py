"""Reductions of integers apart from those of floats: a kernel has sums of one dtype.

s = sum over i of x[i] * m[i]           k = sum over i of m[i]
k = sum over i of m[i]                  s = sum over i of x[i] * m[i]
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.loop.lifting import needed
from mooncake_transpiler.emit.cuda.loop.nests import Nest, Total
from mooncake_transpiler.types import DType, Scalar, result_dtype


def with_sums_apart(nest: Nest, defs: Definitions) -> list[Nest]:
    """``nest``, behind another one for its sums of integers where it has other sums, too.

    It stays as it is if these need what its iterations write.
    """
    whole = tuple(total for total in nest.totals if _is_whole(total))
    if len(whole) in (0, len(nest.totals)):
        return [nest]
    terms = tuple(atom for total in whole for _, atom in total.terms)
    reading = ir.rewritten(ir.Block(nest.stmts, terms), _without_writes)
    stmts = needed(reading).stmts
    if not defs.written(nest.stmts).isdisjoint(defs.loaded(stmts)):
        return [nest]
    first = Nest(nest.axes, stmts, whole, frozenset())
    return [first, replace(nest, totals=tuple(t for t in nest.totals if t not in whole))]


def sums_dtype(host: Host, nest: Nest, loop: ir.For | None) -> DType:
    """The dtype of all sums of the kernel of ``nest``, which has theirs."""
    dtypes = {_dtype(total) for total in nest.totals} or {DType.FLOAT64}
    if len(dtypes) > 1 and not all(dtype.is_differentiable for dtype in dtypes):
        raise host.refuse(loop, "MK606", "a loop with sums of different dtypes")
    return reduce(result_dtype, dtypes)


def _is_whole(total: Total) -> bool:
    return not _dtype(total).is_differentiable


def _dtype(total: Total) -> DType:
    assert isinstance(total.out.type, Scalar)
    return total.out.type.dtype


def _without_writes(stmt: ir.Stmt) -> list[ir.Stmt] | None:
    return [] if isinstance(stmt, ir.Store | ir.Accum) else None
