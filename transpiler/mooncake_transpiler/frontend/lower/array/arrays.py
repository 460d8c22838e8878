"""Parts of arrays (elements, views, gathered parts), and attributes of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import libcst as cst
from mooncake_rules.arrays import Arr, Num, product
from mooncake_rules.library import indexing

from mooncake_transpiler import ir
from mooncake_transpiler.analysis import outside
from mooncake_transpiler.frontend.lower.array import checking, delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.memory.locations import Location, Picked
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import name_of, part
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Cut, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.taken_apart import MAX_ITEMS
from mooncake_transpiler.types import BOOL, Array, DType, Scalar

WHOLE = ir.Slice()


def is_array(operand: Operand | None) -> TypeGuard[ir.Value | ir.Undef]:
    match operand:
        case ir.Value() | ir.Undef():
            return isinstance(operand.type, Array)
        case _:
            return False


def read(ctx: Context, at: Location, hint: str = "") -> ir.Value:
    """The element, or a view of the part, that ``at`` names."""
    if at.is_element:
        out = ctx.builder.load(at.base, at.integers, hint)
        ctx.numbers.kinds[out] = Kind.NUMPY
        return out
    return storage.view(ctx, at.base, at.index, (), hint)


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


def elements(ctx: Context, array: Operand) -> tuple[ir.Value, ...] | None:
    """``tuple(array)`` for an array whose length is known ahead of time; None for all else."""
    array = delayed.settle(ctx, array)
    if not is_array(array) or not isinstance(array.type, Array) or not array.type.ndim:
        return None
    match storage.dim(ctx, array, 0):
        case ir.Const(value=int(size)) if size <= MAX_ITEMS:
            return tuple(element(ctx, array, (ir.int_const(k),)) for k in range(size))
        case _:
            return None


def located(
    ctx: Context,
    node: cst.Subscript,
    parts: Sequence[object],
    base: Operand,
    before: tuple[ir.Index, ...] = (),
) -> Location | Picked:
    """The part of ``base[before]`` that ``parts`` denote."""
    picks = any(isinstance(part, Items) or delayed.is_array(_operand(part)) for part in parts)
    if isinstance(base, Arr) or picks:
        checking.before_gathering(ctx, node)
        if before:
            assert isinstance(base, ir.Value | ir.Undef)
            base = read(ctx, Location(base, before))
        array = whole.as_arr(ctx, node, base)
        return Picked(array, tuple(_library_item(ctx, node, part) for part in parts))
    assert isinstance(base, ir.Value | ir.Undef)
    assert isinstance(base.type, Array)
    ndim = base.type.ndim - len(before)
    return Location(base, (*before, *_indices(ctx, node, parts, base, ndim, len(before))))


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
    if not delayed.is_array(operand) and operand != NOTHING:
        operand = numbers.as_index(ctx, node, operand, "an index")
    return whole.to_library(ctx, node, operand)


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


def _index(ctx: Context, node: cst.Subscript, item: object, array: ir.Atom, axis: int) -> ir.Index:
    match item:
        case Cut(lo=lo, hi=hi, step=step):
            if step != NOTHING:
                checking.before_step(
                    ctx, node, _bound(ctx, node, step), "slice step cannot be zero"
                )
            return ir.Slice(*(_bound(ctx, node, bound) for bound in (lo, hi, step)))
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(item.type, Scalar):
            if item.type == BOOL:
                raise ctx.refuse(node, "MK214", "an index must be an integer, got bool")
            index = numbers.as_index(ctx, node, item, "an index")
            checking.before_index(ctx, node, index, array, axis)
            if isinstance(index, ir.Const) and isinstance(index.value, int) and index.value < 0:
                size = storage.dim(ctx, array, axis)
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
    return None if bound == NOTHING else numbers.as_index(ctx, node, bound, "a bound")


COMPUTED = frozenset({"T", "mT", "flat", "real", "imag"})  # attributes that have rules


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
            return Static(array.type.dtype)
        case _ if attr in COMPUTED:
            return whole.library_call(ctx, node, f"ndarray.{attr}", array)
        case _:
            raise ctx.refuse(node, "MK305", f"attribute {attr!r} of arrays is not supported yet")


def shape(ctx: Context, array: ir.Atom, hint: Hint = "") -> list[ir.Atom]:
    assert isinstance(array.type, Array)
    names = [name_of(part(hint, axis)) for axis in range(array.type.ndim)]
    return [storage.dim(ctx, array, axis, name) for axis, name in enumerate(names)]


def size(ctx: Context, node: cst.CSTNode, array: ir.Atom) -> ir.Atom:
    total: ir.Atom = ir.ONE
    for k, dim in enumerate(shape(ctx, array)):
        total = dim if k == 0 else compute(ctx, node, "mul", (total, dim))
    return total


def _delayed_attribute(ctx: Context, node: cst.CSTNode, array: Arr, attr: str) -> Operand:
    match attr:
        case "shape":
            return Items(whole.sizes(array.shape))
        case "size":
            stage = LoweringStage(ctx, node)
            return whole.sizes((product(stage, array.shape),))[0]
        case "ndim":
            return ir.int_const(array.ndim)
        case "dtype":
            return Static(DType(array.dtype))
        case "real" | "imag":
            return whole.library_call(ctx, node, f"ndarray.{attr}", array)
        case _:
            kept = delayed.settle(ctx, array)
            assert isinstance(kept, ir.Value | ir.Undef)
            return attribute(ctx, node, kept, attr)
