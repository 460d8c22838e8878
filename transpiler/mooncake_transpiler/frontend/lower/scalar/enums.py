"""Members of enums: known ahead of time, like text."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, EnumMember, External
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import Frame
from mooncake_transpiler.frontend.lower.operands import Items, Operand, Static, same
from mooncake_transpiler.frontend.scopes import resolve_attribute, resolve_name
from mooncake_transpiler.frontend.trees import dotted

AUTO = External("enum.auto")
NUMBERS = frozenset({"enum.IntEnum", "enum.IntFlag"})
TEXTS = frozenset({"enum.StrEnum"})


def is_enum(operand: Operand | None) -> bool:
    match operand:
        case Static(value=ClassDecl(kind=ClassKind.ENUM)):
            return True
        case _:
            return False


def member(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> Operand | None:
    """``cls.name``: of several names for one value the first one counts."""
    if name not in cls.constants:
        return None
    value = _value(ctx, node, cls, name)
    for other in cls.constants:
        if other == name or same(_value(ctx, node, cls, other), value):
            return Static(EnumMember(cls, other))
    raise AssertionError(name)


def members(ctx: Context, node: cst.CSTNode, cls: ClassDecl) -> Items:
    """All members, in their order."""
    found = [member(ctx, node, cls, name) for name in cls.constants]
    return Items(tuple(m for m in dict.fromkeys(found) if m is not None))


def by_value(ctx: Context, node: cst.CSTNode, cls: ClassDecl, value: Operand) -> Operand:
    """``cls(value)``."""
    for name in cls.constants:
        if same(_value(ctx, node, cls, name), value):
            return Static(EnumMember(cls, name))
    message = f"which member of {cls.name} this is is not known ahead of time"
    raise ctx.refuse(node, "MK333", message)


def by_name(ctx: Context, node: cst.CSTNode, cls: ClassDecl, key: Operand) -> Operand:
    """``cls["NAME"]``."""
    name = key.value if isinstance(key, Static) else None
    found = member(ctx, node, cls, name) if isinstance(name, str) else None
    if found is None:
        raise ctx.refuse(node, "MK333", f"which member of {cls.name} this is is not known")
    return found


def attribute(ctx: Context, node: cst.CSTNode, of: EnumMember, name: str) -> Operand | None:
    """``member.value`` and ``member.name``."""
    match name:
        case "value":
            return _value(ctx, node, of.cls, of.name)
        case "name":
            return Static(of.name)
        case _:
            return None


def plain(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """The number or text that a member of an IntEnum or StrEnum is."""
    if isinstance(operand, Static) and isinstance(operand.value, EnumMember):
        of = operand.value
        if _bases(ctx, of.cls) & (NUMBERS | TEXTS):
            return _value(ctx, node, of.cls, of.name)
    return operand


def _value(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> Operand:
    module, expr = cls.constants[name]
    if isinstance(expr, cst.Call) and _entity(ctx, module, expr.func) == AUTO:
        if _bases(ctx, cls) & TEXTS:
            return Static(name.lower())
        return _next(ctx, node, cls, name)
    with ctx.inside(Frame(ctx.source.modules[module], (), ())):
        return expressions.lower(ctx, expr)


def _next(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> Operand:
    """What ``auto()`` gives: one more than the largest value so far."""
    largest = 0
    for other in cls.constants:
        if other == name:
            return ir.int_const(largest + 1)
        value = _value(ctx, node, cls, other)
        if isinstance(value, ir.Const) and isinstance(value.value, int):
            largest = max(largest, value.value)
    raise AssertionError(name)


def _bases(ctx: Context, cls: ClassDecl) -> set[str]:
    found = [_entity(ctx, cls.module, base.value) for base in cls.node.bases]
    return {base.qualname for base in found if isinstance(base, External)}


def _entity(ctx: Context, module: str, node: cst.BaseExpression) -> object:
    path = dotted(node)
    if path is None:
        return None
    entity = resolve_name(ctx.source, ctx.source.modules[module], path[0])
    for attr in path[1:]:
        entity = None if entity is None else resolve_attribute(ctx.source, entity, attr)
    return entity
