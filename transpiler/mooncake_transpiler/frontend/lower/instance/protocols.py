"""Operators of the program's classes: ``a + b`` is ``a.__add__(b)``, or ``b.__radd__(a)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, External
from mooncake_transpiler.frontend.lower.container import containers
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.instance import instances, objects, standins
from mooncake_transpiler.frontend.lower.operands import (
    Choice,
    Items,
    Maybe,
    Operand,
    Ref,
    Static,
    describe,
)
from mooncake_transpiler.frontend.lower.scalar import enums, equality, logic, scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import constant

_BINARY: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "add", cst.Subtract: "sub", cst.Multiply: "mul", cst.Divide: "truediv",
    cst.FloorDivide: "floordiv", cst.Modulo: "mod", cst.Power: "pow", cst.BitAnd: "and",
    cst.BitOr: "or", cst.BitXor: "xor", cst.LeftShift: "lshift", cst.RightShift: "rshift",
    cst.MatrixMultiply: "matmul",
}  # fmt: skip
_UNARY: Mapping[type[cst.CSTNode], str] = {
    cst.Minus: "__neg__", cst.Plus: "__pos__", cst.BitInvert: "__invert__",
}  # fmt: skip
_COMPARED: Mapping[type[cst.CSTNode], tuple[str, str]] = {
    cst.LessThan: ("__lt__", "__gt__"), cst.LessThanEqual: ("__le__", "__ge__"),
    cst.GreaterThan: ("__gt__", "__lt__"), cst.GreaterThanEqual: ("__ge__", "__le__"),
    cst.Equal: ("__eq__", "__eq__"), cst.NotEqual: ("__ne__", "__ne__"),
}  # fmt: skip
_NOT_IMPLEMENTED = Static(External("builtins.NotImplemented"))
_DATACLASSES = (ClassKind.FROZEN, ClassKind.MUTABLE)


def binary(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """``left operator right``; None if neither side is an instance that has that operator."""
    if isinstance(operator, cst.BitOr) and _is_type(left) and _is_type(right):
        return Items((left, right))  # of classes: what isinstance takes
    name = _BINARY[type(operator)]
    return _either(ctx, node, f"__{name}__", f"__r{name}__", left, right)


def _is_type(operand: Operand) -> bool:
    match operand:
        case Static(value=ClassDecl() | External() | None):
            return True
        case Items(items=items):
            return bool(items) and all(map(_is_type, items))
        case _:
            return False


def inplace(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """What ``left operator= right`` assigns."""
    name = _BINARY[type(operator)]
    found = instances.special(ctx, node, f"__i{name}__", left, right)
    if found is None or found == _NOT_IMPLEMENTED:
        return binary(ctx, node, operator, left, right)
    return found


def _either(
    ctx: Context, node: cst.CSTNode, name: str, reflected: str, left: Operand, right: Operand
) -> Operand | None:
    first, second = objects.declared(ctx, left), objects.declared(ctx, right)
    if first is None and second is None:
        return None
    tries = [(name, left, right)]
    if first is not second:
        tries.append((reflected, right, left))
        if first is not None and second is not None and _overrides(second, first, reflected):
            tries.reverse()
    elif reflected in ("__gt__", "__lt__", "__ge__", "__le__"):
        tries.append((reflected, right, left))
    for method, base, other in tries:
        found = instances.special(ctx, node, method, base, other)
        if isinstance(found, Choice):
            message = f"whether {method} is implemented is known at run time only"
            raise ctx.refuse(node, "MK343", message, "return NotImplemented on all paths or none")
        if found is not None and found != _NOT_IMPLEMENTED:
            return found
    return None


def _overrides(cls: ClassDecl, base: ClassDecl, name: str) -> bool:
    """Whether ``cls`` is derived from ``base`` and has a ``name`` of its own."""
    return cls.is_a(base) and cls.methods.get(name) is not base.methods.get(name)


def unary(ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, value: Operand) -> Operand | None:
    name = _UNARY.get(type(operator))
    return None if name is None else instances.special(ctx, node, name, value)


def compared(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """``left < right`` and the like, where one side is an instance of the program's classes."""
    if type(operator) not in _COMPARED:
        return None
    found = _either(ctx, node, *_COMPARED[type(operator)], left, right)
    if found is not None:
        return found
    if isinstance(operator, cst.NotEqual):
        equal = compared(ctx, node, cst.Equal(), left, right)
        if equal is None:
            return None
        return scalars.compute(ctx, node, "not", (truth(ctx, node, equal),))
    if isinstance(operator, cst.Equal):
        return _equal(ctx, node, left, right)
    return None


def _compares(cls: ClassDecl | None) -> ClassDecl | None:
    """The dataclass that says when instances of ``cls`` are equal, if none of its methods does."""
    for one in () if cls is None else (cls, *cls.line):
        if "__eq__" in one.own_methods:
            return None
        if one.options is not None and one.options.get("eq", True):
            return one
    return None


def _equal(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> Operand | None:
    """What dataclasses and plain classes do for ``==``."""
    first, second = objects.declared(ctx, left), objects.declared(ctx, right)
    comparing = _compares(first)
    if first is second and comparing is not None:
        return _fields_equal(ctx, node, comparing, left, right)
    if isinstance(left, Ref) and isinstance(right, Ref) and first and second:
        if left.key in ctx.ambiguous or right.key in ctx.ambiguous:
            raise ctx.refuse(node, "MK320", "whether these are one object is not known here")
        return constant(ctx.are_one(left.key, right.key))
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
    names = [field.name for field in cls.fields if field.compare]
    pairs = [
        (instances.get(ctx, node, left, name), instances.get(ctx, node, right, name))
        for name in names
    ]
    return equality.all_equal(ctx, node, pairs)


def truth(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    """The truth value of anything: instances say it by ``__bool__`` or ``__len__``."""
    if isinstance(operand, Maybe):
        return logic.conjunction(ctx, operand.there, truth(ctx, node, operand.value))
    if isinstance(operand, Static) and isinstance(operand.value, External):
        there = standins.outside(operand.value.qualname)
        if there is None:
            raise ctx.refuse(node, "MK213", f"{describe(operand)} has no truth value here")
        return constant(bool(there))
    for name in ("__bool__", "__len__"):
        found = instances.special(ctx, node, name, operand)
        if found is not None:
            return scalars.truth(ctx, node, found)
    match objects.declared(ctx, operand):
        case None if containers.is_container(operand):
            count = containers.length(ctx, node, operand)
            return scalars.compute(ctx, node, "gt", (count, ir.int_const(0)))
        case None | ClassDecl(kind=ClassKind.NAMED):
            return scalars.truth(ctx, node, operand)
        case ClassDecl(kind=ClassKind.ENUM):
            return constant(bool(enums.python(ctx, node, operand)))
        case ClassDecl():
            return constant(True)


def has_items(ctx: Context, base: object) -> bool:
    """Whether ``base`` is an instance with ``__getitem__`` or ``__setitem__``."""
    cls = objects.declared(ctx, base) if isinstance(base, Ref | Items) else None
    return cls is not None and not {"__getitem__", "__setitem__"}.isdisjoint(cls.methods)


def key(ctx: Context, node: cst.CSTNode, parts: Sequence[object]) -> Operand:
    """The one key that the indices ``parts`` are."""
    if Ellipsis in parts:
        raise ctx.refuse(node, "MK214", "`...` has no meaning for this class")
    given = [part for part in parts if not isinstance(part, EllipsisType)]
    return given[0] if len(given) == 1 else Items(tuple(given))  # type: ignore[return-value,arg-type]


def item(ctx: Context, node: cst.CSTNode, owner: Operand, at: Operand) -> Operand:
    """``owner[at]``."""
    found = instances.special(ctx, node, "__getitem__", owner, at)
    if found is None:
        raise ctx.refuse(node, "MK214", f"{describe(owner)} has no __getitem__")
    return found


def set_item(ctx: Context, node: cst.CSTNode, owner: Operand, at: Operand, value: Operand) -> None:
    """``owner[at] = value``."""
    if instances.special(ctx, node, "__setitem__", owner, at, value) is None:
        raise ctx.refuse(node, "MK214", f"{describe(owner)} has no __setitem__")


def length(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand | None:
    return instances.special(ctx, node, "__len__", operand)


def iterable(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """What iterating over ``operand`` iterates over."""
    found = instances.special(ctx, node, "__iter__", operand)
    return operand if found is None else found
