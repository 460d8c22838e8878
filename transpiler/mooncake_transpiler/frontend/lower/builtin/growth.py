"""Arrays that generated functions let grow: stacks, and lists of the program.

    stack = np.empty(64)              stack = alloc growable
    while t < end:              ->    while t < end:
        stack = grow(stack, n + 1)        reserve stack, n + 1
        stack[n] = t                      stack[n] = t

An array and the larger copy of it that takes its place are one array in the normal form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import outdated
from mooncake_transpiler.frontend.lower.memory.storage import GROWING
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand


def _grow(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``array = grow(array, size)``: a larger one takes its place."""
    (array, size), (shape,) = given.parted(ctx, node, "grow", "array", "size", "shape", required=2)
    assert isinstance(array, ir.Value)
    assert is_scalar(size)
    if ctx.memory.base(array) is not array or array not in ctx.memory.local:
        raise ctx.refuse(node, GROWING, "only an array that was made here can grow")
    inner = tuple(s for s in shape.items if is_scalar(s)) if isinstance(shape, Items) else ()
    ctx.builder.add(ir.Reserve(array, size, inner, ctx.builder.origin))
    ctx.memory.stacks[array] = (ctx.builder, (size, *inner))
    return array


def growable(block: ir.Block, ctx: Context) -> ir.Block:
    """``block`` with the arrays that it lets grow made as such arrays."""

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not (isinstance(stmt, ir.Alloc) and stmt.out in ctx.memory.stacks):
            return None
        empty = (ir.ZERO,) * len(stmt.shape)
        return [replace(stmt, shape=empty, fill=None, growable=True)]

    return ir.rewritten(block, change) if ctx.memory.stacks else block


HANDLERS: Mapping[str, Handler] = {
    "mooncake_runtime.stacks.grow": _grow,
    "mooncake_runtime.stacks.grow_rows": _grow,
}


def finished(ctx: Context, kept: Sequence[Operand]) -> ir.Block:
    """The lowered statements, which yield the parts of ``kept``."""
    yields = tuple(atom for operand in kept for atom in atoms(operand))
    block = ir.Block((*ctx.prelude.stmts, *ctx.builder.stmts), yields)
    outdated.check(ctx, block)
    block = growable(block, ctx)
    return ir.renamed(block, ctx.names)
