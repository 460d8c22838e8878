"""Writing whole arrays and parts of them, and updates in place."""

from __future__ import annotations

import libcst as cst
from mooncake_rules.arrays import Arr, Num, Value, broadcast_to, without_ones
from mooncake_rules.library import indexing
from mooncake_rules.library.support import as_array, astype

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.memory.locations import Picked
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.conversion import SHORT, fitting
from mooncake_transpiler.frontend.lower.scalar.promotion import is_same_sort
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, compute, is_scalar, promote
from mooncake_transpiler.frontend.lower.state import syntax
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import INT, UNSIGNED, Array, DType, Scalar, result_dtype

READ_ONLY_HELP = "tuples can't be changed: bind a new one"


def narrow(ctx: Context, node: cst.CSTNode, value: ir.Atom, type_: Scalar) -> ir.Atom:
    """``value`` as an array's element: NumPy converts silently, except from complex.

    What is not NumPy's must fit into short integers, and numbers of any kind into signed ones.
    """
    assert isinstance(value.type, Scalar)
    own, to = value.type.dtype, type_.dtype
    if own.is_complex and not to.is_complex:
        raise ctx.refuse(node, "MK213", f"a complex number can't be stored in {type_}")
    kind = kinds.whose(ctx, value)
    fits = own is DType.BOOL or to in UNSIGNED or result_dtype(own, to) is to
    if kind is Kind.PYTHON or (not fits and kind is not Kind.ARRAY):
        value = _fitting(ctx, value, to)
    return cast(ctx, value, type_)


def _fitting(ctx: Context, value: ir.Atom, to: DType) -> ir.Atom:
    """The whole number of ``value``, which must fit into ``to`` if that is a short integer."""
    if to not in SHORT or not isinstance(value, ir.Value):
        return value
    whole = cast(ctx, value, INT)
    return fitting(ctx, whole, to) if isinstance(whole, ir.Value) else whole


def put(ctx: Context, node: cst.CSTNode, at: Picked, value: Operand) -> None:
    """``base[items] = value`` by index arrays."""
    stage = LoweringStage(ctx, node)
    source = whole.to_library(ctx, node, value)
    if isinstance(source, tuple):
        source = as_array(stage, source)
    _check_kind(ctx, node, source, at.base.dtype)
    indexing.put(stage, at.base, at.items, source)  # type: ignore[arg-type]


def _check_kind(ctx: Context, node: cst.CSTNode, source: object, dtype: str) -> None:
    found = getattr(source, "dtype", "complex" if isinstance(source, complex) else "")
    if found.startswith("complex") and not dtype.startswith("complex"):
        raise ctx.refuse(node, "MK213", f"complex numbers can't be stored in {dtype}")


def number(ctx: Context, node: cst.CSTNode, value: Operand) -> ir.Atom:
    """``value`` for an element that is written as a part without axes: ``x[..., 0] = value``."""
    if delayed.is_array(value):
        found = without_ones(whole.as_arr(ctx, node, value), 0)
        value = value if found.ndim else whole.from_library(ctx, node, found.at())
    return numbers.as_scalar(ctx, node, value)


def overwrite(
    ctx: Context,
    node: cst.CSTNode,
    dst: ir.Value | ir.Undef,
    value: Operand,
    same_place: bool = False,
) -> None:
    """``dst[...] = value``; ``same_place``: it reads ``dst`` itself at the written index only."""
    assert isinstance(dst.type, Array)
    if is_scalar(value):
        atom = numbers.as_scalar(ctx, node, value)
        source = narrow(ctx, node, atom, Scalar(dst.type.dtype))
        ctx.builder.assign(dst, source)
        return
    stage, target = LoweringStage(ctx, node), whole.as_arr(ctx, node, dst)
    value = ctx.lower.view(ctx, node, value)
    if not isinstance(value, Items) and not delayed.is_array(value):
        message = f"can't assign {describe(value)} to a part of type {dst.type}"
        raise ctx.refuse(node, "MK213", message)
    found = without_ones(as_array(stage, whole.to_library(ctx, node, value)), target.ndim)
    _check_kind(ctx, node, found, target.dtype)
    source_ = broadcast_to(stage, found, target.shape, "the assigned value")
    same_shape = all(map(stage.same, found.shape, target.shape)) and found.ndim == target.ndim
    if isinstance(found.memory, ir.Value) and found.memory.type == dst.type and same_shape:
        _copy_over(ctx, dst, found.memory)
        return
    stage.fill(target, _apart(ctx, target, astype(stage, source_, target.dtype), same_place))


def _copy_over(ctx: Context, dst: ir.Atom, src: ir.Value) -> None:
    """``dst[...] = src``, an array in memory, copied first where it shows the same memory."""
    if aliasing.may_meet(ctx, dst, ctx.memory.base(src)):
        src = storage.copy(ctx, src, free=True)
    ctx.builder.assign(dst, src)


def _apart(ctx: Context, target: Arr, source: Arr, same_place: bool = False) -> Arr:
    """``source``, computed first where it reads memory that is about to be written.

    ``same_place``: it reads ``target`` itself at the written index only.
    """
    dst = target.memory
    assert isinstance(dst, ir.Value | ir.Undef)
    others = source.reads - {ctx.memory.base(dst)} if same_place else source.reads
    if any(aliasing.may_meet(ctx, dst, root) for root in others if isinstance(root, ir.Value)):
        assert isinstance(source.s, LoweringStage)
        return source.s.keep(source)
    return source


def is_sum(operator: cst.BaseBinaryOp, type_: Array, value: ir.Atom) -> bool:
    """True if ``op=`` adds, in the precision of the array."""
    if not isinstance(operator, cst.Add | cst.Subtract):
        return False
    old = ir.Value("", Scalar(type_.dtype))
    return promote((old, value)) is type_.dtype and not type_.dtype.value.startswith(("b", "u"))


def signed(
    ctx: Context, node: cst.CSTNode, operator: cst.BaseBinaryOp, type_: Array, value: ir.Atom
) -> ir.Atom:
    """The change that ``+=`` or ``-=`` adds."""
    value = cast(ctx, value, Scalar(type_.dtype))
    return compute(ctx, node, "neg", (value,)) if isinstance(operator, cst.Subtract) else value


def _change(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, target: Arr, value: Operand
) -> tuple[Operand, Arr | Num | bool | int | float | complex]:
    """``value``, and as the library gets it: as large as ``target``, and of other memory."""
    value = ctx.lower.view(ctx, stmt, value)
    if isinstance(value, Items):
        value = whole.from_items(ctx, stmt, value)
    change = whole.to_library(ctx, stmt, value)
    if not isinstance(change, Arr | Num | bool | int | float | complex):
        raise ctx.refuse(stmt, "MK213", f"expected an array, got {describe(value)}")
    _check_update(ctx, stmt, operator, target, change)
    if isinstance(change, Arr):
        wide = broadcast_to(LoweringStage(ctx, stmt), change, target.shape, "the operand")
        change = _apart(ctx, target, wide, change.memory is target.memory)
    return value, change


def update_array(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, dst: Operand, value: Operand
) -> None:
    """``x op= value`` for a whole array or a view."""
    if not isinstance(dst, ir.Value):
        raise ctx.refuse(stmt, "MK213", "an expression can't be written to")
    aliasing.writable(ctx, stmt, dst)
    assert isinstance(dst.type, Array)
    if is_scalar(value) and is_sum(operator, dst.type, numbers.as_scalar(ctx, stmt, value)):
        atom = numbers.as_scalar(ctx, stmt, value)
        change = signed(ctx, stmt, operator, dst.type, atom)
        ctx.builder.add_to(dst, change)
        return
    target = whole.as_arr(ctx, stmt, dst)
    stage = LoweringStage(ctx, stmt)
    if isinstance(operator, cst.MatrixMultiply):
        product = ctx.lower.binary(ctx, stmt, operator, dst, value)
        overwrite(ctx, stmt, dst, delayed.settle(ctx, product))
        return
    value, change_ = _change(ctx, stmt, operator, target, value)
    if isinstance(operator, cst.Add | cst.Subtract) and isinstance(change_, Arr):
        _add(stage, target, change_, isinstance(operator, cst.Subtract))
        return
    if isinstance(change_, Arr):  # a number stays whose it is
        value = whole.from_library(ctx, stmt, change_)
    new = ctx.lower.binary(ctx, stmt, operator, target, value)
    if not isinstance(new, Arr):  # of rank 0
        overwrite(ctx, stmt, dst, new)
        return
    stage.fill(target, new)


def _check_update(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, target: Arr, value: Value
) -> None:
    """NumPy refuses to put a result of another sort into an array, floats into integers."""
    op = syntax.BINARY[type(operator)]
    dtype = LoweringStage(ctx, stmt).result(op, target, value)
    if not is_same_sort(DType(dtype), DType(target.dtype)):
        message = f"the result is {dtype} and does not fit into {target.dtype} in place"
        raise ctx.refuse(stmt, "MK213", message, "make a new array: x = x + y")


def _add(stage: LoweringStage, target: Arr, change: Arr, negate: bool) -> None:
    """``target += change``, element by element."""
    dtype = target.dtype

    def one(*index: object) -> None:
        item = stage.cast(change.at(*index), dtype)
        stage.add(target, index, stage.op("neg", item) if negate else item)  # type: ignore[arg-type]

    if isinstance(change.memory, ir.Value) and not negate and change.dtype == dtype != "bool":
        assert isinstance(target.memory, ir.Value)
        if change.ndim == target.ndim:
            origin = stage.ctx.builder.origin
            stage.ctx.builder.add(ir.AddTo(target.memory, change.memory, origin))
            return
    stage.nest(target.shape, one)
