"""Sizes of axes: ``x.shape[k]``."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import arrays
from mooncake_transpiler.frontend.lower.failure import unset_names
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.unset import NeverSet, NotReached
from mooncake_transpiler.types import Array


def is_shape(node: cst.BaseExpression) -> bool:
    """True for ``x.shape``, of whatever ``x`` is."""
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def read(ctx: Context, node: cst.Subscript, shape: cst.Attribute, hint: str) -> Operand | None:
    """``x.shape[k]`` without asking for the other dimensions."""
    array = ctx.lower.expression(ctx, shape.value)
    if not arrays.is_array(array) or len(node.slice) != 1:
        return None
    assert isinstance(array.type, Array)
    item = node.slice[0].slice
    axis = ctx.lower.expression(ctx, item.value) if isinstance(item, cst.Index) else None
    if not isinstance(axis, ir.Const) or not isinstance(axis.value, int):
        return None
    ndim = array.type.ndim
    if not -ndim <= axis.value < ndim:
        raise _no_axis(ctx, node, axis.value, ndim)
    return storage.dim(ctx, array, axis.value % ndim, hint)


def _no_axis(ctx: Context, node: cst.CSTNode, axis: int, ndim: int) -> Exception:
    """A refusal; where a branch may not get here, as a guard for matrices, Python's IndexError."""
    loops = sum(len(frame.loops) for frame in ctx.frames)
    if ctx.depth <= loops:
        return ctx.refuse(node, "MK214", f"axis {axis} of an array of rank {ndim}")
    unset_names.fail(ctx, NeverSet(node, "IndexError", "tuple index out of range"))
    return NotReached()
