"""New arrays: ``np.zeros`` and its relatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import libcst as cst
from mooncake_rules.arrays import broadcast_to
from mooncake_rules.library.support import astype

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import checking, delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.scalar.dtypes import dtype_of
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, convert_const
from mooncake_transpiler.frontend.lower.state import layouts
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.layouts import Layout
from mooncake_transpiler.frontend.lower.state.leaves import describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.types import Array, DType, Scalar

FILLS: Mapping[str, int | None] = {"zeros": 0, "ones": 1, "empty": None}


def filled(ctx: Context, node: cst.Call, kind: str, given: Arguments, hint: str) -> Operand:
    """``np.zeros(shape, dtype, order)``, ``np.ones``, ``np.empty``."""
    (shape,), (wanted, order) = given.parted(ctx, node, f"np.{kind}", "shape", "dtype", "order")
    type_ = _dtype(ctx, node, wanted, DType.FLOAT64)
    sizes = _shape(ctx, node, shape)
    if not _is_fortran(ctx, node, order, "C"):
        return _alloc(ctx, type_, sizes, FILLS[kind], hint)
    return _turned(ctx, _alloc(ctx, type_, sizes[::-1], FILLS[kind], hint))


def _turned(ctx: Context, array: ir.Value) -> ir.Value:
    """The transpose of an array in C order, which is in Fortran order."""
    assert isinstance(array.type, Array)
    axes = tuple(range(array.type.ndim))[::-1]
    return array if len(axes) < 2 else storage.view(ctx, array, (), axes)


def _is_fortran(ctx: Context, node: cst.CSTNode, order: Operand | None, kept: str) -> bool:
    """True for ``order="F"``; ``kept`` are the other orders that make no difference here."""
    match order:
        case None | Static(value=None):
            return False
        case Static(value=str(name)) if name in kept:
            return False
        case Static(value="F") if "F" not in kept and kept == "C":
            return True
        case _:
            raise ctx.refuse(node, "MK303", "this memory order is not supported")


def filled_like(ctx: Context, node: cst.Call, kind: str, given: Arguments, hint: str) -> Operand:
    """``np.zeros_like(x, dtype)`` and so on."""
    (like,), (wanted, order) = given.parted(ctx, node, f"np.{kind}_like", "a", "dtype", "order")
    _is_fortran(ctx, node, order, "KA")
    own, shape, layout = _like(ctx, node, like)
    return _alloc(ctx, _dtype(ctx, node, wanted, own), shape, FILLS[kind], hint, layout)


def full(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.full(shape, value, dtype)``."""
    (shape, value), (wanted, order) = given.parted(
        ctx, node, "np.full", "shape", "fill_value", "dtype", "order", required=2
    )
    value = whole.from_items(ctx, node, value) if isinstance(value, Items) else value
    own = type_of(value)
    default = own.dtype if isinstance(own, Scalar | Array) else DType.FLOAT64
    type_ = _dtype(ctx, node, wanted, default)
    sizes = _shape(ctx, node, shape)
    if _is_fortran(ctx, node, order, "C"):
        raise ctx.refuse(node, "MK303", "np.full is supported in C order", "use np.empty")
    return _filled_with(ctx, node, sizes, value, type_, hint, layouts.c_order(sizes))


def _filled_with(
    ctx: Context,
    node: cst.Call,
    shape: Sequence[ir.Atom],
    value: Operand,
    type_: DType,
    hint: str,
    layout: Layout,
) -> Operand:
    """``value``, a number or an array that is stretched, in new memory."""
    if not delayed.is_array(value):
        return _fill(ctx, type_, shape, numbers.as_scalar(ctx, node, value), hint, layout)
    stage = LoweringStage(ctx, node)
    sizes = tuple(map(stage.size, shape))
    wide = broadcast_to(stage, whole.as_arr(ctx, node, value), sizes, "full")
    found = replace(astype(stage, wide, type_.value), layout=layout)
    return delayed.settle(ctx, found, hint)


def full_like(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (like, value), (wanted, order) = given.parted(
        ctx, node, "np.full_like", "a", "fill_value", "dtype", "order", required=2
    )
    _is_fortran(ctx, node, order, "KA")
    own, shape, layout = _like(ctx, node, like)
    return _filled_with(ctx, node, shape, value, _dtype(ctx, node, wanted, own), hint, layout)


def _fill(
    ctx: Context, type_: DType, shape: Sequence[ir.Atom], value: ir.Atom, hint: str, layout: Layout
) -> ir.Value:
    filler = cast(ctx, value, Scalar(type_))
    if isinstance(filler, ir.Const):
        return storage.alloc(ctx, type_, shape, filler, hint, layout)
    array = storage.alloc(ctx, type_, shape, None, hint, layout)
    ctx.builder.assign(array, filler)
    return array


def _alloc(
    ctx: Context,
    type_: DType,
    shape: Sequence[ir.Atom],
    fill: int | None,
    hint: str,
    layout: Layout | None = None,
) -> ir.Value:
    filler = None if fill is None else convert_const(ir.int_const(fill), Scalar(type_))
    layout = layouts.c_order(shape) if layout is None else layout
    return storage.alloc(ctx, type_, shape, filler, hint, layout)


def _shape(ctx: Context, node: cst.CSTNode, operand: Operand) -> list[ir.Atom]:
    items = operand.items if isinstance(operand, Items) else [operand]
    shape = [numbers.as_index(ctx, node, item, "a dimension") for item in items]
    checking.before_shape(ctx, node, shape)
    return shape


def _dtype(ctx: Context, node: cst.CSTNode, operand: Operand | None, default: DType) -> DType:
    found = default if operand is None else dtype_of(operand)
    if found is None:
        raise ctx.refuse(node, "MK303", "this dtype is not supported")
    return found


def _like(
    ctx: Context, node: cst.CSTNode, operand: Operand
) -> tuple[DType, Sequence[ir.Atom], Layout]:
    """Element type, shape and order of an array, which need not be computed for that."""
    if delayed.is_array(operand):
        stage, array = LoweringStage(ctx, node), whole.as_arr(ctx, node, operand)
        layout = stage.like(array)
        assert isinstance(layout, tuple)
        return DType(array.dtype), stage.atoms(array.shape), layout
    raise ctx.refuse(node, "MK213", f"expected an array, got {describe(operand)}")


def _allocation(kind: str, like: bool) -> Handler:
    make = filled_like if like else filled
    return lambda ctx, node, given, hint: make(ctx, node, kind, given, hint)


HANDLERS: Mapping[str, Handler] = {
    "numpy.full": full, "numpy.full_like": full_like, "numpy.ndarray": _allocation("empty", False),
    **{f"numpy.{kind}": _allocation(kind, False) for kind in FILLS},
    **{f"numpy.{kind}_like": _allocation(kind, True) for kind in FILLS},
}  # fmt: skip
