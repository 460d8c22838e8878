"""Comparisons that the program's classes define."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind
from mooncake_transpiler.frontend.lower.instance import instances, protocols
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.operation import equality
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.tabled import is_row

_COMPARED: Mapping[type[cst.CSTNode], tuple[str, str]] = {
    cst.LessThan: ("__lt__", "__gt__"), cst.LessThanEqual: ("__le__", "__ge__"),
    cst.GreaterThan: ("__gt__", "__lt__"), cst.GreaterThanEqual: ("__ge__", "__le__"),
    cst.Equal: ("__eq__", "__eq__"), cst.NotEqual: ("__ne__", "__ne__"),
}  # fmt: skip

_DATACLASSES = (ClassKind.FROZEN, ClassKind.MUTABLE)


def compared(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """``left < right`` and the like, where one side is an instance of the program's classes."""
    if type(operator) not in _COMPARED:
        return None
    found = protocols.either(ctx, node, *_COMPARED[type(operator)], left, right)
    if found is not None:
        return found
    if isinstance(operator, cst.NotEqual):
        equal = compared(ctx, node, cst.Equal(), left, right)
        if equal is None:
            return None
        for side in (left, right):
            cls = objects.declared(ctx, side)
            if cls and "__eq__" in cls.methods and protocols.inherits(ctx, node, side, "__ne__"):
                raise protocols.built_in(ctx, node, "__ne__")
        return scalars.compute(ctx, node, "not", (protocols.truth(ctx, node, equal),))
    if isinstance(operator, cst.Equal):
        return _equal(ctx, node, left, right)
    return _ordered(ctx, node, operator, left, right)


def _ordered(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """The result of ``<`` and its kin for dataclasses with ``order=True``."""
    first, second = objects.declared(ctx, left), objects.declared(ctx, right)
    lines = () if first is None or first is not second else (first, *first.line)
    of = next((one for one in lines if one.options and one.options.get("order", False)), None)
    if of is None:
        return None
    op = next(name for name, one in equality.ORDERS.items() if isinstance(operator, type(one)))
    pairs = _compared_fields(ctx, of, left, right)
    return equality.first_different(
        ctx, node, op, [one for one, _ in pairs], [other for _, other in pairs]
    )


def _compares(cls: ClassDecl | None) -> ClassDecl | None:
    """The dataclass that says when instances of ``cls`` are equal, if none of its methods does."""
    for one in () if cls is None else (cls, *cls.line):
        if "__eq__" in one.own_methods:
            return None
        if one.options is not None and one.options.get("eq", True):
            return one
    return None


def _equal(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> Operand | None:
    """The result of ``==`` for dataclasses and plain classes."""
    first, second = objects.declared(ctx, left), objects.declared(ctx, right)
    comparing = _compares(first)
    if first is second and comparing is not None:
        return _fields_equal(ctx, node, comparing, left, right)
    if isinstance(left, Ref) and isinstance(right, Ref) and first and second:
        if left.key in ctx.heap.ambiguous or right.key in ctx.heap.ambiguous:
            raise ctx.refuse(node, "MK320", "whether these are one object is not known here")
        return constant(ctx.heap.are_one(left.key, right.key))
    if first is second and is_row(left) and is_row(right):
        return equality.is_one(ctx, node, left, right)
    kinds = {cls.kind for cls in (first, second) if cls is not None}
    if first is second and kinds & {*_DATACLASSES, ClassKind.PLAIN}:
        message = f"whether these are one {describe(left)} is not known ahead of time"
        raise ctx.refuse(node, "MK347", message, "let the dataclass compare its fields: eq=True")
    if kinds & {*_DATACLASSES, ClassKind.PLAIN}:
        return constant(False)
    return None


def _fields_equal(
    ctx: Context, node: cst.CSTNode, cls: ClassDecl, left: Operand, right: Operand
) -> Operand:
    return equality.all_equal(ctx, node, _compared_fields(ctx, cls, left, right))


def _compared_fields(
    ctx: Context, cls: ClassDecl, left: Operand, right: Operand
) -> list[tuple[Operand, Operand]]:
    return [
        (instances.get(ctx, left, field.name), instances.get(ctx, right, field.name))
        for field in cls.fields
        if field.compare
    ]
