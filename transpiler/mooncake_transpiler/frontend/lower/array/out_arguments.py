"""Results that NumPy writes into an array: ``out=``, and ``where=`` of ufuncs."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
from mooncake_rules.arrays import Arr, broadcast_to, common_size
from mooncake_rules.library.reductions import truth
from mooncake_rules.library.support import as_array, astype

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, delayed, stores, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.scalar.promotion import is_same_sort
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand
from mooncake_transpiler.types import Array, DType

# Functions that are no ufuncs and take an out= that their rules need not know.
TAKING_OUT = frozenset({"numpy.dot", "numpy.matmul", "numpy.outer", "numpy.take", "numpy.trace",
                        "numpy.concatenate", "numpy.stack", "numpy.einsum",
                        "numpy.linalg.multi_dot"})  # fmt: skip


def named(ctx: Context, node: cst.CSTNode, out: Operand) -> ir.Value | None:
    """The array that ``out=`` names, alone or in a tuple; None where it names none."""
    if isinstance(out, Items) and len(out.items) == 1:
        out = out.items[0]
    if out == NOTHING:
        return None
    out = delayed.settle(ctx, out)
    if not isinstance(out, ir.Value) or not isinstance(out.type, Array):
        raise ctx.refuse(node, "MK315", f"out= takes an array, got {describe(out)}")
    return out


def ufunc(
    ctx: Context, node: cst.CSTNode, op: str, args: Sequence[Operand],
    out: ir.Value, where: Operand | None,
) -> Operand:  # fmt: skip
    """``out``, after the scalar op of ``args`` has been written to where ``where`` is true."""
    aliasing.writable(ctx, node, out)
    found = whole.apply(ctx, node, op, args)
    stage, target = LoweringStage(ctx, node), whole.as_arr(ctx, node, out)
    source = as_array(stage, whole.to_library(ctx, node, found))
    if not is_same_sort(DType(source.dtype), DType(target.dtype)):
        message = f"the result is {source.dtype} and does not fit into {target.dtype}"
        raise ctx.refuse(node, "MK213", message, "let out= be of that dtype")
    if where is None:
        in_place = not any(_is_elsewhere(ctx, arg, out) for arg in args)
        stores.overwrite(ctx, node, out, found, in_place)
    else:
        mask = truth(stage, as_array(stage, whole.to_library(ctx, node, where)))
        _write_masked(stage, target, source, mask)
    return out


def _is_elsewhere(ctx: Context, arg: Operand, out: ir.Value) -> bool:
    """True if ``arg`` may read the memory of ``out`` at other places than that which is written."""
    if not delayed.is_array(arg) or arg is out:
        return False
    if isinstance(arg, Arr):
        return any(aliasing.may_meet(ctx, out, r) for r in arg.reads if isinstance(r, ir.Value))
    return isinstance(arg, ir.Value) and aliasing.may_meet(ctx, out, ctx.memory.base(arg))


def _write_masked(stage: LoweringStage, target: Arr, source: Arr, mask: Arr) -> None:
    """``target[mask] = source[mask]``; the other elements of ``source`` are not computed."""
    wide = broadcast_to(stage, source, target.shape, "out=")
    wide = stage.apart(astype(stage, wide, target.dtype), target)
    chosen = stage.apart(broadcast_to(stage, mask, target.shape, "where="), target)

    def one(*index: object) -> None:
        def write() -> tuple[()]:
            stage.store(target, index, wide.at(*index))  # type: ignore[arg-type]
            return ()

        stage.choose(chosen.at(*index), write, tuple)  # type: ignore[arg-type]

    stage.nest(target.shape, one)


def whole_result(ctx: Context, node: cst.CSTNode, out: ir.Value, found: Operand) -> Operand:
    """``out``, after a result of the same shape and dtype has been written to it."""
    aliasing.writable(ctx, node, out)
    stage, target = LoweringStage(ctx, node), whole.as_arr(ctx, node, out)
    source = as_array(stage, whole.to_library(ctx, node, found))
    if source.dtype != target.dtype or source.ndim != target.ndim:
        message = f"out= must be an array of {source.dtype} with {source.ndim} axes"
        raise ctx.refuse(node, "MK315", message)
    for have, want in zip(source.shape, target.shape, strict=True):
        common_size(stage, have, want, "out=")
    stores.overwrite(ctx, node, out, found)
    return out
