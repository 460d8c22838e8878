"""Arrays: indexing, attributes and methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Items,
    Operand,
    Static,
    describe,
    name_of,
    part,
)
from mooncake_transpiler.frontend.lower.scalars import compute
from mooncake_transpiler.frontend.lower.syntax import Hint
from mooncake_transpiler.types import BOOL, Array, Scalar

WHOLE = ir.Slice()


@dataclass(frozen=True, slots=True)
class Location:
    """A part of an array: one index per leading axis."""

    base: ir.Atom
    index: tuple[ir.Index, ...]

    @property
    def type(self) -> Array:
        assert isinstance(self.base.type, Array)
        dropped = sum(not isinstance(item, ir.Slice) for item in self.index)
        return Array(self.base.type.dtype, self.base.type.ndim - dropped)

    @property
    def is_element(self) -> bool:
        return self.type.ndim == 0

    @property
    def integers(self) -> tuple[ir.Atom, ...]:
        return tuple(item for item in self.index if not isinstance(item, ir.Slice))


def is_array(operand: Operand | None) -> TypeGuard[ir.Value | ir.Undef]:
    match operand:
        case ir.Value() | ir.Undef():
            return isinstance(operand.type, Array)
        case _:
            return False


def subscript(ctx: Context, node: cst.Subscript, hint: str = "") -> Operand:
    """``x[i]`` as a value: an element, a view, or an item of a tuple."""
    if isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape":
        found = _shape_item(ctx, node, node.value, hint)
        if found is not None:
            return found
    located = locate(ctx, node)
    if isinstance(located, Location):
        return read(ctx, located, hint)
    return located


def read(ctx: Context, at: Location, hint: str = "") -> ir.Value:
    """The element, or a view of the part, that ``at`` names."""
    if at.is_element:
        return ctx.builder.load(at.base, at.integers, hint)
    out = ir.Value(hint, at.type)
    ctx.builder.add(ir.View(out, at.base, at.index, ctx.builder.origin))
    ctx.bases[out] = at.base
    return out


def element(ctx: Context, array: ir.Atom, index: Sequence[ir.Atom], hint: str = "") -> ir.Value:
    """``array[index]``: an element, or a view where axes are left."""
    return read(ctx, Location(array, tuple(index)), hint)


def locate(ctx: Context, node: cst.Subscript) -> Location | Operand:
    """What ``node`` denotes: ``x[i][j]`` is the location ``x[i, j]``."""
    inner = node.value
    base: Location | Operand
    if isinstance(inner, cst.Subscript) and not _is_shape(inner.value):
        base = locate(ctx, inner)
    else:
        base = expressions.lower(ctx, inner)
    if isinstance(base, Location):
        if any(isinstance(item, ir.Slice) for item in base.index) or base.is_element:
            base = read(ctx, base)
        else:
            items = _indices(ctx, node, base.base, base.type.ndim, len(base.index))
            return Location(base.base, (*base.index, *items))
    match base:
        case ir.Value() | ir.Undef() if isinstance(base.type, Array):
            return Location(base, _indices(ctx, node, base, base.type.ndim, 0))
        case Items():
            return _item(ctx, node, base)
        case _:
            raise ctx.refuse(node, "MK214", f"{describe(base)} can't be indexed")


def _is_shape(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def _shape_item(
    ctx: Context, node: cst.Subscript, shape: cst.Attribute, hint: str
) -> Operand | None:
    """``x.shape[k]`` without asking for the other dimensions."""
    array = expressions.lower(ctx, shape.value)
    if not is_array(array) or len(node.slice) != 1:
        return None
    assert isinstance(array.type, Array)
    item = node.slice[0].slice
    axis = expressions.lower(ctx, item.value) if isinstance(item, cst.Index) else None
    if not isinstance(axis, ir.Const) or not isinstance(axis.value, int):
        return None
    ndim = array.type.ndim
    if not -ndim <= axis.value < ndim:
        raise ctx.refuse(node, "MK214", f"axis {axis.value} of an array of rank {ndim}")
    return ctx.builder.dim(array, axis.value % ndim, hint)


def _item(ctx: Context, node: cst.Subscript, base: Items) -> Operand:
    """An item of a tuple: the index must be known ahead of time."""
    count = len(base.items)
    item = node.slice[0].slice
    if isinstance(item, cst.Slice):
        bounds = [_static_bound(ctx, bound) for bound in (item.lower, item.upper, item.step)]
        return Items(base.items[slice(*bounds)])
    index = expressions.lower(ctx, index_of(item))
    if not isinstance(index, ir.Const) or not isinstance(index.value, int):
        help_ = "use an array for what is indexed by a variable"
        raise ctx.refuse(node, "MK218", "the index of a tuple must be a constant", help_)
    if not -count <= index.value < count:
        raise ctx.refuse(node, "MK218", f"index {index.value} of a tuple of {count} items")
    return base.items[index.value]


def _static_bound(ctx: Context, bound: cst.BaseExpression | None) -> int | None:
    if bound is None:
        return None
    value = expressions.lower(ctx, bound)
    if isinstance(value, ir.Const) and isinstance(value.value, int):
        return value.value
    raise ctx.refuse(bound, "MK218", "the bounds of a slice of a tuple must be constants")


def _indices(
    ctx: Context, node: cst.Subscript, array: ir.Atom, ndim: int, first_axis: int
) -> tuple[ir.Index, ...]:
    """The indices that ``node`` writes, for ``ndim`` axes of ``array`` from ``first_axis`` on."""
    found: list[ir.Index] = []
    parts = _spread(ctx, node)
    given = sum(item is not Ellipsis for item in parts)
    if given > ndim:
        raise ctx.refuse(node, "MK214", f"{given} indices for an array of rank {ndim}")
    for item in parts:
        if item is Ellipsis:
            found.extend([WHOLE] * (ndim - given))
        else:
            found.append(_index(ctx, node, item, array, first_axis + len(found)))
    return tuple(found)


def _spread(ctx: Context, node: cst.Subscript) -> list[object]:
    """The written indices: operands, slice nodes, and ``...``."""
    parts: list[object] = []
    for item in node.slice:
        if isinstance(item.slice, cst.Slice):
            parts.append(item.slice)
        elif isinstance(index_of(item.slice), cst.Ellipsis):
            parts.append(Ellipsis)
        else:
            value = expressions.lower(ctx, index_of(item.slice))
            if value == NOTHING:
                raise ctx.refuse(node, "MK214", "new axes (None) are not supported yet")
            parts.extend(value.items if isinstance(value, Items) else [value])
    return parts


def index_of(item: cst.BaseSlice) -> cst.BaseExpression:
    assert isinstance(item, cst.Index)
    return item.value


def _index(ctx: Context, node: cst.Subscript, item: object, array: ir.Atom, axis: int) -> ir.Index:
    match item:
        case cst.Slice(lower=lower, upper=upper, step=step):
            return ir.Slice(*(_bound(ctx, bound) for bound in (lower, upper, step)))
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(item.type, Scalar):
            if item.type == BOOL:
                raise ctx.refuse(node, "MK214", "an index must be an integer, got bool")
            index = expressions.as_index(ctx, node, item, "an index")
            if isinstance(index, ir.Const) and isinstance(index.value, int) and index.value < 0:
                size = ctx.builder.dim(array, axis)
                return compute(ctx, node, "sub", (size, ir.int_const(-index.value)))
            return index
        case ir.Value() | ir.Undef():
            help_ = "write the loop over the indices"
            raise ctx.refuse(node, "MK214", "indexing by an array is not supported yet", help_)
        case _:
            raise ctx.refuse(node, "MK214", "an index must be an integer or a slice")


def _bound(ctx: Context, node: cst.BaseExpression | None) -> ir.Atom | None:
    if node is None:
        return None
    value = expressions.lower(ctx, node)
    return None if value == Static(None) else expressions.as_index(ctx, node, value, "a bound")


def attribute(
    ctx: Context, node: cst.CSTNode, array: ir.Atom, attr: str, hint: Hint = ""
) -> Operand:
    assert isinstance(array.type, Array)
    match attr:
        case "shape":
            return Items(tuple(shape(ctx, array, hint)))
        case "ndim":
            return ir.int_const(array.type.ndim)
        case "size":
            return size(ctx, node, array)
        case "dtype":
            return Static(array.type.dtype.value)
        case _:
            raise ctx.refuse(node, "MK305", f"attribute {attr!r} of arrays is not supported yet")


def shape(ctx: Context, array: ir.Atom, hint: Hint = "") -> list[ir.Atom]:
    assert isinstance(array.type, Array)
    names = [name_of(part(hint, axis)) for axis in range(array.type.ndim)]
    return [ctx.builder.dim(array, axis, name) for axis, name in enumerate(names)]


def size(ctx: Context, node: cst.CSTNode, array: ir.Atom) -> ir.Atom:
    total: ir.Atom = ir.int_const(1)
    for k, dim in enumerate(shape(ctx, array)):
        total = dim if k == 0 else compute(ctx, node, "mul", (total, dim))
    return total
