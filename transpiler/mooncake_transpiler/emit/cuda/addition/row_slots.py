"""Additions in loops whose trip counts only the device knows: rows of different lengths.

for i in 0..n step 1:                counts[i] = hi[i] - lo[i], for all i
  for k in lo[i]..hi[i] step 1:      offsets = sums of counts before each; the host waits
    x_bar[col[k]] += v               for their sum; terms[offsets[i] + k - lo[i]] = v
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.addition.place_runs import is_changed, slice_of
from mooncake_transpiler.emit.cuda.addition.scattered import Scattered, around
from mooncake_transpiler.emit.cuda.host import Host, Wait
from mooncake_transpiler.emit.cuda.host_functions import OFFSETS
from mooncake_transpiler.emit.cuda.loop.meeting import NestAxis
from mooncake_transpiler.emit.cuda.loop.nests import Nest
from mooncake_transpiler.types import INT, Array, DType


def row_loop(
    host: Host, accum: ir.Accum, stmts: Sequence[ir.Stmt]
) -> tuple[ir.For, tuple[ir.Stmt, ...]] | None:
    """The only loop around ``accum``, and the statements that its bounds are computed by."""
    found = [stmt for stmt in around(stmts, accum) if isinstance(stmt, ir.For | ir.While)]
    if len(found) != 1 or not isinstance(loop := found[0], ir.For):
        return None
    if loop.exit or loop not in stmts or loop.step not in (ir.ONE, ir.int_const(-1)):
        return None
    needed = slice_of(stmts, (loop.lo, loop.hi))
    if is_changed(host, stmts, needed):
        return None
    return (loop, needed) if not any(map(ir.blocks, needed)) else None


def _counts(
    host: Host, nest: Nest, loop: ir.For, needed: tuple[ir.Stmt, ...], run: Callable[[Nest], None]
) -> ir.Value:
    """The number of iterations of ``loop`` in each row, whose bounds are computed by ``needed``."""
    indices = tuple(axis.index for axis in nest.axes)
    counts = ir.Value("counts", Array(DType.INT64, len(indices)))
    host.alloc(counts, [host.count(axis.trip) for axis in nest.axes])
    is_upwards = loop.step == ir.ONE
    first, last = (loop.lo, loop.hi) if is_upwards else (loop.hi, loop.lo)
    length, count = ir.Value("", INT), ir.Value("", INT)
    measured = (
        *needed,
        ir.Compute(length, "sub", (last, first)),
        ir.Compute(count, "np.maximum", (length, ir.ZERO)),
        ir.Store(counts, indices, count, loop.origin),
    )
    run(Nest(nest.axes, measured, (), frozenset()))
    return counts


def in_rows(
    host: Host, nest: Nest, accum: ir.Accum, stmts: Sequence[ir.Stmt], run: Callable[[Nest], None]
) -> Scattered | None:
    """``accum`` taken apart, with one axis for all rows; ``run`` launches a nest before."""
    found = row_loop(host, accum, stmts)
    if found is None:
        return None
    loop, needed = found
    is_upwards = loop.step == ir.ONE
    indices = tuple(axis.index for axis in nest.axes)
    counts = _counts(host, nest, loop, needed, run)
    offsets, total = ir.Value("offsets", counts.type), ir.Value("total", INT)
    host.emit(OFFSETS.call((offsets, total), (counts,)))
    host.numbers.add(total)
    host.waits.append(Wait(accum.origin.line if accum.origin else 0, "the lengths of rows"))
    slot, start, at = (ir.Value(name, INT) for name in ("slot", "", ""))
    host.natural |= {slot, total}
    sides = (loop.index, loop.lo) if is_upwards else (loop.lo, loop.index)
    before = (
        ir.Load(start, offsets, indices),
        ir.Compute(at, "sub", sides),
        ir.Compute(slot, "add", (start, at)),
    )
    assert isinstance(accum.base.type, Array)
    terms = ir.Value("terms", Array(accum.base.type.dtype, 1))
    is_conditional = any(isinstance(s, ir.If) for s in around(stmts, accum))
    return Scattered(accum, terms, (NestAxis(slot, total),), (), 1, is_conditional, before=before)
