"""Arrays: indexing, attributes and methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import libcst as cst
from mooncake_rules.arrays import Arr, Num, product
from mooncake_rules.library import indexing

from mooncake_transpiler import ir
from mooncake_transpiler.analysis import outside
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.array import memory, reshaping, whole
from mooncake_transpiler.frontend.lower.array.locations import Location, Picked
from mooncake_transpiler.frontend.lower.container import containers, lists
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import optional
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Cut,
    Items,
    Operand,
    Range,
    Static,
    describe,
    name_of,
    part,
)
from mooncake_transpiler.frontend.lower.rule.stage import LoweringStage
from mooncake_transpiler.frontend.lower.scalar import enums
from mooncake_transpiler.frontend.lower.scalar.kinds import Kind
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.syntax import Hint
from mooncake_transpiler.types import BOOL, Array, Scalar

WHOLE = ir.Slice()


def is_array(operand: Operand | None) -> TypeGuard[ir.Value | ir.Undef]:
    match operand:
        case ir.Value() | ir.Undef():
            return isinstance(operand.type, Array)
        case _:
            return False


def is_text(operand: object) -> TypeGuard[Static]:
    return isinstance(operand, Static) and isinstance(operand.value, str)


def subscript(ctx: Context, node: cst.Subscript, hint: str = "") -> Operand:
    """``x[i]`` as a value: an element, a view, a gathered part, or an item of a tuple."""
    if isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape":
        found = _shape_item(ctx, node, node.value, hint)
        if found is not None:
            return found
    located = locate(ctx, node)
    match located:
        case Location():
            found = read(ctx, located, hint)
            if located.base in ctx.flats and is_array(found):  # a part of ``x.flat`` is no view
                return reshaping.apart(ctx, found)
            if located.is_element and any(_is_ellipsis(item) for item in node.slice):
                reshaping.show(ctx, found, located.base)
            return found
        case Picked():
            return pick(ctx, node, located)
        case lists.Slot():
            return lists.read(ctx, node, located)
        case _:
            return located


def read(ctx: Context, at: Location, hint: str = "") -> ir.Value:
    """The element, or a view of the part, that ``at`` names."""
    if at.is_element:
        out = ctx.builder.load(at.base, at.integers, hint)
        ctx.kinds[out] = Kind.NUMPY
        return out
    return memory.view(ctx, at.base, at.index, (), hint)


def pick(ctx: Context, node: cst.Subscript, at: Picked) -> Operand:
    stage = LoweringStage(ctx, node)
    numbers = [item for item in at.items if isinstance(item, Num | int)]
    if len(numbers) == len(at.items) == at.base.ndim:
        index = [_wrapped(stage, i, n) for i, n in zip(numbers, at.base.shape, strict=True)]
        return whole.from_library(ctx, node, at.base.at(*index))
    return whole.from_library(ctx, node, indexing.select(stage, at.base, at.items).read())


def _wrapped(stage: LoweringStage, index: Num | int, size: Num | int) -> Num | complex:
    """``index`` counted from the front, for a delayed array."""
    if isinstance(index, int):
        return index if index >= 0 else stage.op("add", size, index)
    return stage.op("select", stage.op("lt", index, 0), stage.op("add", index, size), index)


def element(ctx: Context, array: ir.Atom, index: Sequence[ir.Atom], hint: str = "") -> ir.Value:
    """``array[index]``: an element, or a view where axes are left."""
    return read(ctx, Location(array, tuple(index)), hint)


def locate(ctx: Context, node: cst.Subscript) -> Location | Picked | lists.Slot | Operand:
    """What ``node`` denotes: ``x[i][j]`` is the location ``x[i, j]``."""
    inner = node.value
    base: Location | Picked | lists.Slot | Operand
    if isinstance(inner, cst.Subscript) and not _is_shape(inner.value):
        base = locate(ctx, inner)
    else:
        base = optional.present(ctx, node, ctx.lower.expression(ctx, inner), optional.SUBSCRIPT)
    if isinstance(base, Picked):
        assert isinstance(inner, cst.Subscript)
        base = pick(ctx, inner, base)
    if isinstance(base, Location) and (base.is_element or not base.is_plain):
        base = read(ctx, base)
    if isinstance(base, lists.Slot):
        base = lists.read(ctx, node, base)
    if containers.is_container(base):
        return lists.slot(ctx, node, base)
    if not isinstance(base, Location) and protocols.has_items(ctx, base):
        return lists.Slot(base, protocols.key(ctx, node, spread(ctx, node)))
    base = enums.plain(ctx, node, base) if isinstance(base, Static) else base
    if isinstance(base, Items | Range) or is_text(base):
        return lists.item_of(ctx, node, base)
    if isinstance(base, Static) and isinstance(base.value, ClassDecl) and enums.is_enum(base):
        return enums.by_name(ctx, node, base.value, lists.key_of(ctx, node))
    if isinstance(base, Static) and isinstance(base.value, External):
        return _joined(ctx, node, base.value)
    if isinstance(base, Location):
        return located(ctx, node, spread(ctx, node), base.base, base.index)
    if isinstance(base, Arr) or is_array(base):
        return located(ctx, node, spread(ctx, node), base)
    raise ctx.refuse(node, "MK214", f"{describe(base)} can't be indexed")


def located(
    ctx: Context,
    node: cst.Subscript,
    parts: Sequence[object],
    base: Operand,
    before: tuple[ir.Index, ...] = (),
) -> Location | Picked:
    """The part of ``base[before]`` that ``parts`` denote."""
    picks = any(isinstance(part, Items) or whole.is_array(_operand(part)) for part in parts)
    if isinstance(base, Arr) or picks:
        failing.before_gathering(ctx, node)
        if before:
            assert isinstance(base, ir.Value | ir.Undef)
            base = read(ctx, Location(base, before))
        array = whole.as_arr(ctx, node, base)
        return Picked(array, tuple(_library_item(ctx, node, part) for part in parts))
    assert isinstance(base, ir.Value | ir.Undef)
    assert isinstance(base.type, Array)
    ndim = base.type.ndim - len(before)
    return Location(base, (*before, *_indices(ctx, node, parts, base, ndim, len(before))))


def _joined(ctx: Context, node: cst.Subscript, function: External) -> Operand:
    """``np.r_[a, b]`` and its kin, which are functions that are written as arrays."""
    if function.qualname not in ("numpy.r_", "numpy.c_"):
        raise ctx.refuse(node, "MK214", f"{function.qualname} can't be indexed")
    items = [
        _slice(ctx, node, part) if isinstance(part, Cut)
        else whole.to_library(ctx, node, part)  # type: ignore[arg-type]
        for part in spread(ctx, node)
    ]  # fmt: skip
    stage = LoweringStage(ctx, node)
    return whole.from_library(ctx, node, stage.call(function.qualname, *items))


def _slice(ctx: Context, node: cst.Subscript, cut: Cut) -> slice:
    """A slice of numbers."""
    stage = LoweringStage(ctx, node)
    numbers = [
        None if x == NOTHING else stage.number(expressions.as_scalar(ctx, node, x))
        for x in (cut.lo, cut.hi, cut.step)
    ]
    return slice(*numbers)


def _operand(part: object) -> Operand | None:
    return None if isinstance(part, Cut) or part is Ellipsis else part  # type: ignore[return-value]


def _library_item(ctx: Context, node: cst.Subscript, part: object) -> object:
    """A written index as library functions take it."""
    if part is Ellipsis:
        return part
    if isinstance(part, Cut):
        stage = LoweringStage(ctx, node)
        bounds = (_bound(ctx, node, bound) for bound in (part.lo, part.hi, part.step))
        return slice(*(None if bound is None else stage.number(bound) for bound in bounds))
    operand = _operand(part)
    assert operand is not None
    if isinstance(operand, Items):
        operand = whole.from_items(ctx, node, operand)
    if not whole.is_array(operand) and operand != NOTHING:
        operand = expressions.as_index(ctx, node, operand, "an index")
    return whole.to_library(ctx, node, operand)


def _is_shape(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def _shape_item(
    ctx: Context, node: cst.Subscript, shape: cst.Attribute, hint: str
) -> Operand | None:
    """``x.shape[k]`` without asking for the other dimensions."""
    array = ctx.lower.expression(ctx, shape.value)
    if not is_array(array) or len(node.slice) != 1:
        return None
    assert isinstance(array.type, Array)
    item = node.slice[0].slice
    axis = ctx.lower.expression(ctx, item.value) if isinstance(item, cst.Index) else None
    if not isinstance(axis, ir.Const) or not isinstance(axis.value, int):
        return None
    ndim = array.type.ndim
    if not -ndim <= axis.value < ndim:
        raise ctx.refuse(node, "MK214", f"axis {axis.value} of an array of rank {ndim}")
    return memory.dim(ctx, array, axis.value % ndim, hint)


def _indices(
    ctx: Context,
    node: cst.Subscript,
    parts: Sequence[object],
    array: ir.Atom,
    ndim: int,
    first_axis: int,
) -> tuple[ir.Index, ...]:
    """The basic indices ``parts``, for ``ndim`` axes of ``array`` from ``first_axis`` on."""
    found: list[ir.Index] = []
    axis = first_axis
    given = sum(item is not Ellipsis and item != NOTHING for item in parts)
    if given > ndim:
        raise ctx.refuse(node, "MK214", f"{given} indices for an array of rank {ndim}")
    for item in parts:
        if item is Ellipsis:
            found.extend([WHOLE] * (ndim - given))
            axis += ndim - given
        elif item == NOTHING:
            found.append(ir.NewAxis())
        else:
            found.append(_index(ctx, node, item, array, axis))
            axis += 1
    return tuple(found)


def spread(ctx: Context, node: cst.Subscript) -> list[object]:
    """The written indices: operands and ``...``; lists are ``Items``."""
    parts: list[object] = []
    for item in node.slice:
        if isinstance(item.slice, cst.Slice):
            given = (item.slice.lower, item.slice.upper, item.slice.step)
            parts.append(Cut(*(ctx.lower.expression(ctx, x) if x else NOTHING for x in given)))
        elif _is_ellipsis(item):
            parts.append(Ellipsis)
        else:
            found = enums.plain(ctx, node, ctx.lower.expression(ctx, index_of(item.slice)))
            value = ctx.lower.view(ctx, node, found)
            is_tuple = isinstance(value, Items) and not value.is_list
            unpacked = is_tuple and len(node.slice) == 1
            parts.extend(value.items if unpacked and isinstance(value, Items) else [value])
    return parts


def _is_ellipsis(item: cst.SubscriptElement) -> bool:
    return isinstance(item.slice, cst.Index) and isinstance(item.slice.value, cst.Ellipsis)


def index_of(item: cst.BaseSlice) -> cst.BaseExpression:
    assert isinstance(item, cst.Index)
    return item.value


def _index(ctx: Context, node: cst.Subscript, item: object, array: ir.Atom, axis: int) -> ir.Index:
    match item:
        case Cut(lo=lo, hi=hi, step=step):
            if step != NOTHING:
                failing.before_step(ctx, node, _bound(ctx, node, step), "slice step cannot be zero")
            return ir.Slice(*(_bound(ctx, node, bound) for bound in (lo, hi, step)))
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(item.type, Scalar):
            if item.type == BOOL:
                raise ctx.refuse(node, "MK214", "an index must be an integer, got bool")
            index = expressions.as_index(ctx, node, item, "an index")
            failing.before_index(ctx, node, index, array, axis)
            if isinstance(index, ir.Const) and isinstance(index.value, int) and index.value < 0:
                size = memory.dim(ctx, array, axis)
                from_end = ir.int_const(-index.value)
                if ctx.functions.check_bounds:  # behind this it is an index like others
                    short = compute(ctx, node, "lt", (size, from_end))
                    block = outside.raised(array, axis, index, size, ctx.builder.origin)
                    ctx.builder.add(ir.If((), short, block, ir.Block(()), ctx.builder.origin))
                return compute(ctx, node, "sub", (size, from_end))
            return index
        case _:
            raise ctx.refuse(node, "MK214", "an index must be an integer or a slice")


def _bound(ctx: Context, node: cst.CSTNode, bound: Operand) -> ir.Atom | None:
    return None if bound == NOTHING else expressions.as_index(ctx, node, bound, "a bound")


def attribute(
    ctx: Context, node: cst.CSTNode, array: ir.Atom | Arr, attr: str, hint: Hint = ""
) -> Operand:
    if isinstance(array, Arr):
        return _delayed_attribute(ctx, node, array, attr)
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
        case "T" | "mT" | "flat" | "real" | "imag":
            return whole.library_call(ctx, node, f"ndarray.{attr}", array)
        case _:
            raise ctx.refuse(node, "MK305", f"attribute {attr!r} of arrays is not supported yet")


def shape(ctx: Context, array: ir.Atom, hint: Hint = "") -> list[ir.Atom]:
    assert isinstance(array.type, Array)
    names = [name_of(part(hint, axis)) for axis in range(array.type.ndim)]
    return [memory.dim(ctx, array, axis, name) for axis, name in enumerate(names)]


def size(ctx: Context, node: cst.CSTNode, array: ir.Atom) -> ir.Atom:
    total: ir.Atom = ir.int_const(1)
    for k, dim in enumerate(shape(ctx, array)):
        total = dim if k == 0 else compute(ctx, node, "mul", (total, dim))
    return total


def _delayed_attribute(ctx: Context, node: cst.CSTNode, array: Arr, attr: str) -> Operand:
    match attr:
        case "shape":
            return Items(whole.sizes(ctx, array.shape))
        case "size":
            stage = LoweringStage(ctx, node)
            return whole.sizes(ctx, (product(stage, array.shape),))[0]
        case "ndim":
            return ir.int_const(array.ndim)
        case "dtype":
            return Static(array.dtype)
        case "real" | "imag":
            return whole.library_call(ctx, node, f"ndarray.{attr}", array)
        case _:
            kept = whole.settle(ctx, array)
            assert isinstance(kept, ir.Value | ir.Undef)
            return attribute(ctx, node, kept, attr)
