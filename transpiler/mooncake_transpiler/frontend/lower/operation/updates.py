"""Assignments to subscripts: ``x[i] = value`` and ``x[i] += value``."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst
from mooncake_rules.arrays import Arr, Num
from mooncake_rules.library import indexing

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, arrays, delayed, stores, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.array.stores import READ_ONLY_HELP
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.memory import reshaping
from mooncake_transpiler.frontend.lower.memory.locations import Location, Picked
from mooncake_transpiler.frontend.lower.merge import eithers
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import binary, places, subscripts
from mooncake_transpiler.frontend.lower.scalar import axisless
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Either, Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import Array, Scalar


def store(ctx: Context, target: cst.Subscript, value: Operand) -> None:
    """``target = value`` for an element or a part of an array."""
    if isinstance(value, Either):
        eithers.split(ctx, value, lambda one: _stored(ctx, target, one))
    else:
        _stored(ctx, target, value)


def _stored(ctx: Context, target: cst.Subscript, value: Operand) -> Operand:
    at = _location(ctx, target)
    if isinstance(at, places.Slot):
        places.write(ctx, target, at, value)
    elif isinstance(at, Picked):
        stores.put(ctx, target, at, value)
    elif at.is_element:
        is_part = subscripts.has_ellipsis(target)
        number = stores.number if is_part else numbers.as_scalar
        stored = stores.narrow(ctx, target, number(ctx, target, value), Scalar(at.type.dtype))
        ctx.builder.store(at.base, at.integers, stored)
    else:
        ctx.functions.note_sides(target, delayed.rank(value), at.type.ndim)
        stores.overwrite(ctx, target, arrays.read(ctx, at), value)
    return NOTHING


def _location(ctx: Context, target: cst.Subscript) -> Location | Picked | places.Slot:
    at = places.locate(ctx, target)
    match at:
        case places.Slot():
            return at
        case Location(base=ir.Value() as base):
            aliasing.writable(ctx, target, base)
            return reshaping.item_of_flat(ctx, at) if at.is_element else at
        case Location():
            return at
        case Picked(base=Arr(memory=ir.Value() as base)):
            aliasing.writable(ctx, target, base)
            return at
        case Picked():
            raise ctx.refuse(target, "MK213", "an expression can't be written to")
        case _:
            message = f"{describe(at)} can't be written to"
            raise ctx.refuse(target, "MK213", message, READ_ONLY_HELP)


def update(
    ctx: Context, stmt: cst.AugAssign, target: cst.Subscript, operator: cst.BaseBinaryOp
) -> None:
    """``x[i] op= value``."""
    at = _location(ctx, target)
    if isinstance(at, places.Slot):
        _update_slot(ctx, stmt, operator, at)
    elif isinstance(at, Picked):
        _update_picked(ctx, stmt, target, operator, at)
    elif at.is_element:
        _update_element(ctx, stmt, operator, at)
    else:
        update_array(ctx, stmt, operator, arrays.read(ctx, at))


def update_array(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, dst: Operand
) -> None:
    """``x op= value`` for a whole array or a view; the value may be a number or an array."""

    def step(value: Operand) -> Operand:
        stores.update_array(ctx, stmt, operator, dst, value)
        return NOTHING

    eithers.split(ctx, ctx.lower.expression(ctx, stmt.value), step)


def _update_picked(
    ctx: Context, stmt: cst.AugAssign, target: cst.Subscript, operator: cst.BaseBinaryOp, at: Picked
) -> None:
    """The part and its elements are looked up before the value is computed."""
    aside, value = ctx.aside(lambda: ctx.lower.expression(ctx, stmt.value))
    is_undisturbed = not delayed.disturbs(ctx, aside)
    if is_scalar(value) and is_undisturbed and (mask := _mask(at)) is not None:
        ctx.insert(aside)
        _update_masked(ctx, stmt, operator, at.base, mask, numbers.as_scalar(ctx, stmt, value))
        return
    if not is_undisturbed:
        stage = LoweringStage(ctx, target)
        items = (stage.keep(item) if isinstance(item, Arr) else item for item in at.items)
        at = replace(at, items=tuple(items))
        old = delayed.settle(ctx, arrays.pick(ctx, target, at))
    else:
        old = arrays.pick(ctx, target, at)
    ctx.insert(aside)
    stores.put(ctx, target, at, ctx.lower.binary(ctx, stmt, operator, old, value))


def _mask(at: Picked) -> Arr | None:
    match at.items:
        case [Arr(dtype="bool") as mask] if mask.ndim:
            return mask
        case _:
            return None


def _update_masked(
    ctx: Context,
    stmt: cst.AugAssign,
    operator: cst.BaseBinaryOp,
    base: Arr,
    mask: Arr,
    value: ir.Atom,
) -> None:
    """``x[mask] op= number``: each element by itself, where the mask is true."""
    stage = LoweringStage(ctx, stmt)
    assert isinstance(base.memory, ir.Value)
    array = base.memory.type
    assert isinstance(array, Array)
    if stores.is_sum(operator, array, value):
        change = stage.number(stores.signed(ctx, stmt, operator, array, value))
        indexing.put(stage, base, (mask,), change, add=True)
        return

    def change_one(*index: Num | int) -> None:
        old = whole.from_library(ctx, stmt, base.at(*index))
        assert isinstance(old, ir.Value)
        ctx.numbers.kinds[old] = Kind.NUMPY
        new = numbers.as_scalar(ctx, stmt, ctx.lower.binary(ctx, stmt, operator, old, value))
        stored = stores.narrow(ctx, stmt, new, Scalar(array.dtype))
        stage.store(base, index, stage.number(stored))

    indexing.put_masked(stage, base, stage.apart(mask, base), change_one)


def _update_slot(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, at: places.Slot
) -> None:
    """``xs[i] op= value``: in place, if the item is an array or a list."""
    old = places.read(ctx, stmt, at)
    new = updated(ctx, stmt, operator, old)
    if new is not old or not containers.is_container(at.owner):
        places.write(ctx, stmt, at, new)


def updated(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, old: Operand, hint: str = ""
) -> Operand:
    """The value that ``old op= value`` assigns: ``old`` itself, if that has changed in place."""
    axisless.check_shared(ctx, stmt, old)
    if delayed.is_array(old):
        update_array(ctx, stmt, operator, old)
        return old
    value = ctx.lower.expression(ctx, stmt.value)
    if containers.is_container(old) and not containers.is_tuple(old):
        places.augmented(ctx, stmt, operator, old, value)
        return old
    return binary.in_place(ctx, stmt, operator, old, value, hint)


def _update_element(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, at: Location
) -> None:
    aside, value = ctx.aside(lambda: numbers.scalar(ctx, stmt.value))
    only_reads = not any(map(writes, aside.every()))
    if stores.is_sum(operator, at.type, value) and only_reads:
        ctx.insert(aside)
        ctx.builder.accum(at.base, at.integers, stores.signed(ctx, stmt, operator, at.type, value))
        return
    old = ctx.builder.load(at.base, at.integers)
    ctx.numbers.kinds[old] = Kind.NUMPY
    ctx.insert(aside)
    new = ctx.lower.binary(ctx, stmt, operator, old, value)
    stored = stores.narrow(ctx, stmt, numbers.as_scalar(ctx, stmt, new), Scalar(at.type.dtype))
    ctx.builder.store(at.base, at.integers, stored)


def writes(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` may change memory that its user can see."""
    nested = (inner for block in ir.blocks(stmt) for inner in block.stmts)
    return bool(ir.written(stmt)) or ir.acts(stmt) or any(map(writes, nested))
