"""Members of enums: known ahead of time, like text.

Python makes each enum of the program once more, with the same values (``made``): it says which
names are aliases, what ``auto()`` gives, what members are equal to, and what their text is.
"""

from __future__ import annotations

import enum
import math
import operator
import types
from collections.abc import Callable, Mapping
from typing import Final

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, EnumMember, External
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import constant, is_scalar
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Frame, Items, Operand, Static, Told
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.types import DType

AUTO = External("enum.auto")
UNKNOWN: Final = object()
_BASES: Mapping[External, type] = {
    External("enum.Enum"): enum.Enum, External("enum.IntEnum"): enum.IntEnum,
    External("enum.StrEnum"): enum.StrEnum, External("builtins.int"): int,
    External("builtins.str"): str, External("builtins.object"): object,
}  # fmt: skip
_SIGNS: Mapping[type[cst.BaseBinaryOp], Callable[..., object]] = {
    cst.Add: operator.add, cst.Subtract: operator.sub, cst.Multiply: operator.mul,
    cst.Divide: operator.truediv, cst.FloorDivide: operator.floordiv, cst.Modulo: operator.mod,
}  # fmt: skip
# Methods that change which members there are.
_MAKERS = ("__new__", "_missing_", "_generate_next_value_", "__init_subclass__")


def is_enum(operand: Operand | None) -> bool:
    match operand:
        case Static(value=ClassDecl(kind=ClassKind.ENUM)):
            return True
        case _:
            return False


def made(ctx: Context, node: cst.CSTNode, cls: ClassDecl) -> type[enum.Enum]:
    """``cls``, without its methods."""
    known = ctx.source.enums.get(cls)
    if known is None:
        if cls.problem is not None:
            raise ctx.refuse(node, "MK321", f"{cls.name} can't be used: {cls.problem}")
        for name in _MAKERS:
            if name in cls.methods:
                raise ctx.refuse(node, "MK321", f"{cls.name} can't be used: it has a {name}")
        known = ctx.source.enums[cls] = _made(ctx, node, cls)
    return known


def _made(ctx: Context, node: cst.CSTNode, cls: ClassDecl) -> type[enum.Enum]:
    module = ctx.source.modules[cls.module]
    found = [resolve(ctx.source, module, base.value) for base in cls.node.bases]
    bases = tuple(
        made(ctx, node, base) if isinstance(base, ClassDecl) else _BASES[base]
        for base in found
        if isinstance(base, ClassDecl | External)
    )

    def fill(namespace: dict[str, object]) -> None:
        for name, (_, expr) in cls.own_constants.items():
            namespace[name] = _given(ctx, node, cls, expr)

    try:
        new = types.new_class(cls.name, bases, exec_body=fill)
    except (TypeError, ValueError) as error:
        raise ctx.refuse(node, "MK321", f"{cls.name} can't be used: {error}") from None
    assert issubclass(new, enum.Enum)
    return new


def _given(ctx: Context, node: cst.CSTNode, cls: ClassDecl, expr: cst.BaseExpression) -> object:
    """The value that Python makes a member of; an object of its own where that is not known."""
    module = ctx.source.modules[cls.module]
    if isinstance(expr, cst.Call) and resolve(ctx.source, module, expr.func) == AUTO:
        return enum.auto()
    value = _worked_out(ctx, node, cls.module, expr)
    if value is UNKNOWN:
        found = _lowered(ctx, cls.module, expr)
        if is_scalar(found):
            message = f"{cls.name} can't be used: its values are not known ahead of time"
            raise ctx.refuse(node, "MK321", message, "write the numbers")
        value = python(ctx, node, found)
    return object() if value is UNKNOWN else value


def _worked_out(ctx: Context, node: cst.CSTNode, module: str, expr: cst.BaseExpression) -> object:
    """The value of arithmetic, and of functions of ``math``, on numbers; else ``UNKNOWN``."""
    match expr:
        case cst.BinaryOperation(left=left, operator=sign, right=right) if type(sign) in _SIGNS:
            function, parts = _SIGNS[type(sign)], [left, right]
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            function, parts = operator.neg, [inner]
        case cst.Call(func=func, args=args) if all(a.keyword is None and not a.star for a in args):
            found = resolve(ctx.source, ctx.source.modules[module], func)
            name = found.qualname if isinstance(found, External) else ""
            if not name.startswith("math."):
                return UNKNOWN
            function, parts = getattr(math, name[5:]), [arg.value for arg in args]
        case cst.Name() | cst.Attribute() | cst.Integer() | cst.Float():
            return python(ctx, node, _lowered(ctx, module, expr))
        case _:
            return UNKNOWN
    values = [_worked_out(ctx, node, module, part) for part in parts]
    try:
        return UNKNOWN if UNKNOWN in values else function(*values)
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN


def _lowered(ctx: Context, module: str, expr: cst.BaseExpression) -> Operand:
    with leaving.inside(ctx, Frame(ctx.source.modules[module], (), ())):
        return ctx.lower.expression(ctx, expr)


def python(ctx: Context, node: cst.CSTNode, operand: Operand) -> object:
    """The value of what is known ahead of time; else ``UNKNOWN``."""
    match operand:
        case ir.Const(value=number):
            return number
        case Static(value=str() | None as text):
            return text
        case Static(value=EnumMember(cls=cls, name=name)):
            return made(ctx, node, cls)[name]
        case Static(value=DType() as dtype):
            return np.dtype(dtype.value)
        case Items(names=None, once=None, items=items) if not operand.is_list:
            found = tuple(python(ctx, node, item) for item in items)
            return UNKNOWN if UNKNOWN in found else found
        case _:
            return UNKNOWN


def member(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> Operand | None:
    """``cls.name``: of several names for one value the first one counts."""
    found = made(ctx, node, cls).__members__.get(name)
    return None if found is None else Static(EnumMember(cls, found.name))


def members(ctx: Context, node: cst.CSTNode, cls: ClassDecl) -> Items:
    """All members, in their order."""
    return Items(tuple(Static(EnumMember(cls, one.name)) for one in made(ctx, node, cls)))


def by_value(ctx: Context, node: cst.CSTNode, cls: ClassDecl, value: Operand) -> Operand:
    """``cls(value)``."""
    known = python(ctx, node, value)
    if known is UNKNOWN:
        message = f"which member of {cls.name} this is is not known ahead of time"
        raise ctx.refuse(node, "MK333", message)
    try:
        return Static(EnumMember(cls, made(ctx, node, cls)(known).name))
    except ValueError as error:
        raise ctx.refuse(node, "MK333", str(error)) from None


def by_name(ctx: Context, node: cst.CSTNode, cls: ClassDecl, key: Operand) -> Operand:
    """``cls["NAME"]``."""
    name = python(ctx, node, key)
    found = member(ctx, node, cls, name) if isinstance(name, str) else None
    if found is None:
        raise ctx.refuse(node, "MK333", f"which member of {cls.name} this is is not known")
    return found


def attribute(ctx: Context, node: cst.CSTNode, of: EnumMember, name: str) -> Operand | None:
    """``member.value`` and ``member.name``."""
    match name:
        case "value":
            return _value(ctx, node, of)
        case "name":
            return Static(of.name)
        case _:
            return None


def plain(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """The number or text that a member of an IntEnum or StrEnum is, and the number of several."""
    match operand:
        case Static(value=EnumMember() as of) if isinstance(python(ctx, node, operand), int | str):
            return _value(ctx, node, of)
        case Told():
            return _number_of_one(ctx, node, operand)
        case _:
            return operand


def _number_of_one(ctx: Context, node: cst.CSTNode, told: Told) -> Operand:
    """The number that one of several members of an IntEnum is; other members as they are."""
    found = [plain(ctx, node, one) for one in told_values.known(ctx, told)]
    numbers = [one for one in found if isinstance(one, ir.Const)]
    return told_values.selected(ctx, told, numbers) if len(numbers) == len(found) else told


def _value(ctx: Context, node: cst.CSTNode, of: EnumMember) -> Operand:
    match made(ctx, node, of.cls)[of.name].value:
        case bool() | int() | float() | complex() as number:
            return constant(number)
        case str() | None as text:
            return Static(text)
        case _:
            return _lowered(ctx, *of.cls.constants[of.name])
