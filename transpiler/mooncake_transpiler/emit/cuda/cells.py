"""Arrays without axes to which all iterations of a nest add: sums of blocks in their place.

for i in 0..n step 1:                s = sum over i of v
  s_bar[] += v                       s_bar[] += s
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.nests import Nest, Total
from mooncake_transpiler.types import Array, Scalar


def summed_cells(nest: Nest) -> tuple[Nest, dict[ir.Value, Total]]:
    """``nest`` with such sums, and the sum for each array."""
    found: dict[ir.Value, list[ir.Accum]] = {}
    for stmt in nest.stmts:
        if isinstance(stmt, ir.Accum) and isinstance(stmt.base, ir.Value) and not stmt.index:
            found.setdefault(stmt.base, []).append(stmt)
    written = [array for stmt in ir.walk(ir.Block(nest.stmts)) for array in ir.written(stmt)]
    cells: dict[ir.Value, Total] = {}
    for base in sorted(nest.shared.intersection(found), key=lambda v: v.hint):
        assert isinstance(base.type, Array)
        type_ = Scalar(base.type.dtype)
        dtypes = {total.out.type for total in (*nest.totals, *cells.values())} | {type_}
        if written.count(base) == len(found[base]) and len(dtypes) == 1:
            terms = tuple((False, stmt.value) for stmt in found[base])
            cells[base] = Total(ir.Value(base.hint, type_), ir.zero(type_), terms)
    gone = {stmt for base in cells for stmt in found[base]}
    stmts = tuple(stmt for stmt in nest.stmts if stmt not in gone)
    totals, shared = (*nest.totals, *cells.values()), nest.shared.difference(cells)
    return replace(nest, stmts=stmts, totals=totals, shared=shared), cells
