"""Neighbouring sizes that are all those of an array: ``n, m = x.shape``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array


def in_shapes(stmts: Sequence[ir.Stmt]) -> Iterator[list[ir.Stmt]]:
    """``stmts``, where the sizes of an array with several axes stand together."""
    k = 0
    while k < len(stmts):
        count = _axes(stmts[k])
        group = list(stmts[k : k + count])
        if not is_shape(group):
            group = [stmts[k]]
        yield group
        k += len(group)


def _axes(stmt: ir.Stmt | None) -> int:
    """The number of axes of the array whose size ``stmt`` is; 1 for other statements."""
    if isinstance(stmt, ir.Dim) and isinstance(stmt.array.type, Array):
        return max(stmt.array.type.ndim, 1)
    return 1


def is_shape(group: Sequence[ir.Stmt | None]) -> bool:
    """True if ``group`` are the sizes of all axes of one array, in order."""
    dims = [stmt for stmt in group if isinstance(stmt, ir.Dim)]
    same = {dim.array for dim in dims}
    axes = [dim.axis for dim in dims]
    return len(dims) == len(group) and len(same) == 1 and axes == list(range(_axes(group[0])))
