"""``np.concatenate`` and its kin of lists whose arrays may have any shape.

    np.concatenate(xs)      becomes     np.concatenate([all])

where ``all`` has the elements of all arrays in ``xs``, as they are in memory.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst
from mooncake_runtime.fronts import DIFFER

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.memory import ragged, storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growing, replacing, rows
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.types import INT

JOINING = {"numpy.concatenate": None, "numpy.hstack": 1, "numpy.vstack": 2}  # of which rank only


def without_gaps(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Arguments:
    """The arguments, with one array in place of those that are joined along their first axis."""
    if len(given.args) != 1 or given.keywords.get("axis", ir.ZERO) != ir.ZERO:
        return given
    of = _arrays(ctx, node, given.args[0])
    if of is None or JOINING[qualname] not in (None, ragged.rank(of)):
        return given
    return replace(given, args=[Items((_joined(ctx, node, of),), is_list=True)])


def _arrays(ctx: Context, node: cst.Call, operand: Operand) -> Items | None:
    """The arrays of any shape in the list ``operand``."""
    if (grown := containers.grown(ctx, operand)) is not None:
        held = ctx.heap.arrays_of(grown)
        return growing.parts(ctx, grown).items[0] if ragged.is_ragged(held) else None  # type: ignore[return-value]
    if not replacing.is_rows(ctx, node, operand):
        return None
    assert containers.is_list(operand)
    held = rows.leaves(containers.content(ctx, node, operand))
    if not ragged.is_ragged(held):
        return None
    return held if held.items[0] in ctx.memory.packed else ragged.packed(ctx, held)


def _joined(ctx: Context, node: cst.Call, of: Items) -> ir.Value:
    """All arrays one behind the other; ValueError if other axes than the first differ."""
    spans, elements = ragged.memory_of(of)
    count = storage.dim(ctx, spans, 0)
    some = compute(ctx, node, "gt", (count, ir.ZERO))
    failing.require(ctx, node, some, "need at least one array to concatenate", "ValueError")
    if ragged.rank(of) == 1:
        return elements
    axes = [ir.int_const(k) for k in range(2, ragged.rank(of) + 1)]
    sizes = [ctx.builder.load(spans, (ir.ZERO, axis)) for axis in axes]
    index, before, after = (ir.Value("", INT) for _ in range(3))
    ends: list[ir.Atom] = []

    def add() -> None:
        for axis, size in zip(axes, sizes, strict=True):
            own = ctx.builder.load(spans, (index, axis))
            equal = compute(ctx, node, "eq", (own, size))
            failing.require(ctx, node, equal, DIFFER, "ValueError")
        ends.append(compute(ctx, node, "add", (before, ctx.builder.load(spans, (index, ir.ONE)))))

    body = ctx.in_child(add).block(ends)
    ctx.builder.add(ir.For((after,), index, ir.ZERO, count, ir.ONE, (before,), (ir.ZERO,), body))
    return storage.reshape(ctx, elements, (after, *sizes))
