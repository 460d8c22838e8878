"""New arrays: ``np.zeros`` and its relatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower import arrays, expressions
from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import Items, Operand, Static, describe
from mooncake_transpiler.frontend.lower.scalars import cast, convert_const, dtype, promote
from mooncake_transpiler.types import Array, DType, Scalar

FILLS: Mapping[str, int | None] = {"zeros": 0, "ones": 1, "empty": None}

BUILTIN_DTYPES: Mapping[str, DType] = {
    "builtins.float": DType.FLOAT64, "builtins.int": DType.INT64, "builtins.bool": DType.BOOL,
    "builtins.complex": DType.COMPLEX128, "numpy.bool_": DType.BOOL, "numpy.int_": DType.INT64,
    "numpy.double": DType.FLOAT64, "numpy.single": DType.FLOAT32, "numpy.intp": DType.INT64,
}  # fmt: skip


def dtype_named(qualname: str) -> DType | None:
    """The element type that a callable like ``float`` or ``np.float32`` stands for."""
    if qualname in BUILTIN_DTYPES:
        return BUILTIN_DTYPES[qualname]
    name = qualname.removeprefix("numpy.")
    return next((d for d in DType if d.value == name and name != qualname), None)


def filled(ctx: Context, node: cst.Call, kind: str, given: Arguments, hint: str) -> Operand:
    """``np.zeros(shape, dtype)``, ``np.ones``, ``np.empty``."""
    shape, wanted = given.take(ctx, node, f"np.{kind}", "shape", "dtype", required=1)
    type_ = _dtype(ctx, node, wanted, DType.FLOAT64)
    return _alloc(ctx, type_, _shape(ctx, node, shape), FILLS[kind], hint)


def filled_like(ctx: Context, node: cst.Call, kind: str, given: Arguments, hint: str) -> Operand:
    """``np.zeros_like(x, dtype)`` and so on."""
    like, wanted = given.take(ctx, node, f"np.{kind}_like", "x", "dtype", required=1)
    array = _array(ctx, node, like)
    type_ = _dtype(ctx, node, wanted, _element(array))
    return _alloc(ctx, type_, arrays.shape(ctx, array), FILLS[kind], hint)


def full(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.full(shape, value, dtype)``."""
    shape, value, wanted = given.take(
        ctx, node, "np.full", "shape", "fill_value", "dtype", required=2
    )
    atom = _scalar(ctx, node, value)
    type_ = _dtype(ctx, node, wanted, dtype(atom))
    return _fill(ctx, type_, _shape(ctx, node, shape), atom, hint)


def full_like(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    like, value, wanted = given.take(
        ctx, node, "np.full_like", "x", "fill_value", "dtype", required=2
    )
    array = _array(ctx, node, like)
    type_ = _dtype(ctx, node, wanted, _element(array))
    return _fill(ctx, type_, arrays.shape(ctx, array), _scalar(ctx, node, value), hint)


def from_items(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.array((a, b))``, nested once or more; of an array: a copy."""
    value, wanted = given.take(ctx, node, "np.array", "object", "dtype", required=1)
    if not isinstance(value, Items):
        message = f"np.array of {describe(value) if value else 'nothing'} is not supported yet"
        raise ctx.refuse(node, "MK305", message, "to copy an array write x.copy()")
    shape = _nested_shape(ctx, node, value)
    leaves = [_scalar(ctx, node, item) for item in _flatten(value, len(shape))]
    type_ = _dtype(ctx, node, wanted, promote(leaves) if leaves else DType.FLOAT64)
    array = _alloc(ctx, type_, [ir.int_const(n) for n in shape], None, hint)
    for k, leaf in enumerate(leaves):
        index = [ir.int_const(i) for i in _unravel(k, shape)]
        ctx.builder.store(array, index, cast(ctx, leaf, Scalar(type_)))
    return array


def _nested_shape(ctx: Context, node: cst.CSTNode, value: Operand) -> list[int]:
    if not isinstance(value, Items):
        return []
    inner = [_nested_shape(ctx, node, item) for item in value.items]
    if any(shape != inner[0] for shape in inner):
        raise ctx.refuse(node, "MK216", "the rows have different lengths")
    return [len(value.items), *(inner[0] if inner else [])]


def _flatten(value: Operand, depth: int) -> list[Operand]:
    if depth == 0 or not isinstance(value, Items):
        return [value]
    return [leaf for item in value.items for leaf in _flatten(item, depth - 1)]


def _unravel(k: int, shape: Sequence[int]) -> list[int]:
    index: list[int] = []
    for n in reversed(shape):
        k, i = divmod(k, n)
        index.insert(0, i)
    return index


def _fill(
    ctx: Context, type_: DType, shape: Sequence[ir.Atom], value: ir.Atom, hint: str
) -> ir.Value:
    filler = cast(ctx, value, Scalar(type_))
    array_type = Array(type_, len(shape))
    if isinstance(filler, ir.Const):
        return ctx.builder.alloc(array_type, shape, filler, hint)
    array = ctx.builder.alloc(array_type, shape, None, hint)
    ctx.builder.add(ir.Assign(array, filler, ctx.builder.origin))
    return array


def _alloc(
    ctx: Context, type_: DType, shape: Sequence[ir.Atom], fill: int | None, hint: str
) -> ir.Value:
    filler = None if fill is None else convert_const(ir.int_const(fill), Scalar(type_))
    return ctx.builder.alloc(Array(type_, len(shape)), shape, filler, hint)


def _shape(ctx: Context, node: cst.CSTNode, operand: Operand | None) -> list[ir.Atom]:
    items = operand.items if isinstance(operand, Items) else [operand]
    return [
        expressions.as_index(ctx, node, item, "a dimension") for item in items if item is not None
    ]


def _dtype(ctx: Context, node: cst.CSTNode, operand: Operand | None, default: DType) -> DType:
    match operand:
        case None:
            return default
        case Static(value=External(qualname=qualname)):
            found = dtype_named(qualname)
        case Static(value=str(name)):
            found = dtype_named(f"numpy.{name}")
        case _:
            found = None
    if found is None:
        raise ctx.refuse(node, "MK303", "this dtype is not supported")
    return found


def _array(ctx: Context, node: cst.CSTNode, operand: Operand | None) -> ir.Atom:
    if isinstance(operand, ir.Value | ir.Undef) and isinstance(operand.type, Array):
        return operand
    got = "nothing" if operand is None else describe(operand)
    raise ctx.refuse(node, "MK213", f"expected an array, got {got}")


def _element(array: ir.Atom) -> DType:
    assert isinstance(array.type, Array)
    return array.type.dtype


def _scalar(ctx: Context, node: cst.CSTNode, operand: Operand | None) -> ir.Atom:
    assert operand is not None
    return expressions.as_scalar(ctx, node, operand)
