"""Targets of assignments: names, attributes, subscripts, and tuples of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.container import algorithms, iterables, lists, rebinding
from mooncake_transpiler.frontend.lower.failure import failing, numbers, optional, unset_names
from mooncake_transpiler.frontend.lower.instance import assigned_attributes, protocols
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import updates
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    Elements,
    Generator,
    IntRange,
    Items,
    Operand,
)
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.types import Array

# Python's words where the number of values to unpack is another one than that of the targets.
_FEW = "not enough values to unpack (expected {}, got {})"
_MANY = "too many values to unpack (expected {})"


def bind(ctx: Context, target: cst.BaseExpression, value: Operand) -> None:
    """Assign ``value`` to a name, a tuple of targets, or a place in an array."""
    match target:
        case cst.Name(value=name):
            ctx.frame.bind(name, rebinding.held(ctx, target, name, value))
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            _unpack(ctx, target, elements, value)
        case cst.Subscript():
            updates.store(ctx, target, value)
        case cst.Attribute(attr=cst.Name(value="real" | "imag")) if _is_array(ctx, target.value):
            everything = cst.SubscriptElement(cst.Index(cst.Ellipsis()))
            updates.store(ctx, cst.Subscript(target, [everything]), value)
        case cst.Attribute():
            assigned_attributes.assign(ctx, target, value)
        case _:
            raise ctx.refuse(target, "MK110", "this can't be assigned to")


def _is_array(ctx: Context, node: cst.BaseExpression) -> bool:
    """True for variables, and parts of them, that hold arrays."""
    is_pure = not any(isinstance(part, cst.Call | cst.NamedExpr) for part in walk(node))
    found = ctx.lower.expression(ctx, node) if is_pure else None
    return isinstance(found, ir.Value) and isinstance(found.type, Array)


def _unpack(
    ctx: Context, node: cst.CSTNode, elements: Sequence[cst.BaseElement], value: Operand
) -> None:
    stars = [k for k, e in enumerate(elements) if isinstance(e, cst.StarredElement)]
    if stars:
        items = _around_star(ctx, node, value, stars[0], len(elements) - 1)
    else:
        items = elements_of(ctx, node, value, len(elements))
    if len(items) != len(elements):
        wanted, found = len(elements), len(items)
        told = _FEW.format(wanted, found) if found < wanted else _MANY.format(wanted)
        unset_names.where_caught(ctx, node, "ValueError", told)
        message = f"expected {wanted} values to unpack, got {found}"
        raise ctx.refuse(node, "MK218", message)
    for element, item in zip(elements, items, strict=True):
        bind(ctx, element.value, item)


def _around_star(
    ctx: Context, node: cst.CSTNode, value: Operand, at: int, others: int
) -> list[Operand]:
    """The items for ``others`` targets around a star before which are ``at``, with its list."""
    value = delayed.settle(ctx, _unpackable(ctx, node, value))
    known = arrays.elements(ctx, value) or lists.one_by_one(ctx, node, value)
    if known is None:
        return _around_long(ctx, node, value, at, others - at)
    extra = len(known) - others
    if extra < 0:
        told = _FEW.format(f"at least {others}", len(known))
        unset_names.where_caught(ctx, node, "ValueError", told)
        raise ctx.refuse(node, "MK218", f"not enough values to unpack: got {len(known)}")
    middle = Items(tuple(known[at : at + extra]), is_list=True)
    return [*known[:at], middle, *known[at + extra :]]


def _around_long(
    ctx: Context, node: cst.CSTNode, value: Operand, before: int, after: int
) -> list[Operand]:
    """The same where it is not known ahead of time how many items there are."""

    def run(name: str, *args: Operand) -> Operand:
        return algorithms.run(ctx, name, value, *args)

    if not delayed.is_array(value) and not containers.is_list(value):
        value = run("listed")
    least = before + after
    size = numbers.as_scalar(ctx, node, run("length"))
    enough = scalars.compute(ctx, node, "ge", (size, ir.int_const(least)))
    message = _FEW.format(f"at least {least}", "{}")
    failing.require(ctx, node, enough, message, "ValueError", (size,))
    end = scalars.compute(ctx, node, "sub", (size, ir.int_const(after)))
    first = [run("item", ir.int_const(k)) for k in range(before)]
    last = [run("item", ir.int_const(k)) for k in range(-after, 0)]
    return [*first, run("between", ir.int_const(before), end), *last]


def _unpackable(ctx: Context, node: cst.CSTNode, value: Operand) -> Operand:
    value = protocols.iterable(ctx, node, value)
    if isinstance(value, Generator):
        known = value.known()
        value = value.listed() if known is None else Items(known)
    value = optional.present(ctx, node, value, "cannot unpack non-iterable NoneType object")
    if isinstance(value, Items):  # a display is only read
        return replace(value, is_list=False)
    return value


def elements_of(ctx: Context, node: cst.CSTNode, value: Operand, count: int) -> list[Operand]:
    """The items that unpacking ``value`` into ``count`` targets gives."""
    value = delayed.settle(ctx, _unpackable(ctx, node, value))
    if (known := lists.one_by_one(ctx, node, value)) is not None:
        return list(known)
    match value:
        case ir.Value() | ir.Undef() if isinstance(value.type, Array):
            _check_count(ctx, node, storage.dim(ctx, value, 0), count)
            index = [ir.int_const(k) for k in range(count)]
            return [arrays.element(ctx, value, (k,)) for k in index]
        case _ if containers.is_list(value):
            return _of_long(ctx, node, value, count)
        case Elements() | IntRange():
            found = iterables.as_sequence(ctx, node, value)
            _check_count(ctx, node, found.count, count)
            items = [found.at(ir.int_const(k), "") for k in range(count)]
            if found.done is not None:
                found.done()
            return items
        case _:
            raise ctx.refuse(node, "MK218", f"only tuples can be unpacked, not {describe(value)}")


def _of_long(ctx: Context, node: cst.CSTNode, value: Operand, count: int) -> list[Operand]:
    """The ``count`` items of a list whose length is known at run time only."""
    size = numbers.as_scalar(ctx, node, algorithms.run(ctx, "length", value))
    _check_count(ctx, node, size, count)
    return [algorithms.run(ctx, "item", value, ir.int_const(k)) for k in range(count)]


def _check_count(ctx: Context, node: cst.CSTNode, size: ir.Atom, count: int) -> None:
    """Python's errors where ``size`` values are unpacked into ``count`` targets."""
    wanted = ir.int_const(count)
    enough = scalars.compute(ctx, node, "ge", (size, wanted))
    failing.require(ctx, node, enough, _FEW.format(count, "{}"), "ValueError", (size,))
    fits = scalars.compute(ctx, node, "le", (size, wanted))
    failing.require(ctx, node, fits, _MANY.format(count), "ValueError")
