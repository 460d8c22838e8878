"""Assignments to attributes of instances: fields, properties with setters, several classes.

a = Dog(x) if c else Cat(x); a.age = v      becomes      if c: dog.age = v
                                                         else: cat.age = v
"""

from __future__ import annotations

from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, MethodKind
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.instance import heap, instances, members, tables
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.types import Array, StructKind


def assign(ctx: Context, target: cst.Attribute, value: Operand) -> None:
    """``base.attr = value``."""
    put(ctx, target, ctx.lower.expression(ctx, target.value), target.attr.value, value)


def put(ctx: Context, node: cst.CSTNode, base: Operand, name: str, value: Operand) -> None:
    """``base.name = value``."""
    text = f"'NoneType' object has no attribute {name!r}"
    base = optional.present(ctx, node, base, text, "AttributeError")
    if isinstance(base, Choice):
        sides = partial(_of_side, ctx, node, name=name, value=value)
        arms = partial(sides, base.then), partial(sides, base.orelse)
        branches.choose(ctx, node, base.cond, *arms, name)
        return
    if (cls := _changeable(ctx, base)) is not None:
        method = cls.methods.get(name)
        setter = cls.setters.get(name)
        if method is not None and method.kind is MethodKind.PROPERTY:
            members.check_kept(ctx, node, cls.module, name)
            if setter is None:
                message = f"property {name!r} of {cls.name!r} object has no setter"
                raise ctx.refuse(node, "MK110", message)
            members.call(ctx, node, Static(setter), (base, value))
            return
        if cls.kind is ClassKind.FROZEN:
            help_ = f"in __post_init__: object.__setattr__(self, {name!r}, ...)"
            raise ctx.refuse(node, "MK322", f"{cls.name} is frozen", help_)
        set_field(ctx, node, base, name, value)
        return
    if isinstance(base, Items) and base.of is not None and base.of.kind is StructKind.MUTABLE:
        heap.must_be(ctx, node, base)
    if isinstance(base, Items) and base.names is not None:
        help_ = "make a new one: dataclasses.replace(p, x=...)"
        raise ctx.refuse(node, "MK322", f"{base.cls} is frozen", help_)
    if isinstance(base, Static) and isinstance(base.value, ClassDecl):
        message = "an attribute of a class is shared by all of its instances"
        raise ctx.refuse(node, "MK341", message, "keep it in the instance")
    if isinstance(base, ir.Value) and isinstance(base.type, Array) and name == "shape":
        message = "the shape of an array that may have other names is changed"
        help_ = "write x = x.reshape(...), or do it where x is made, before it gets other names"
        raise ctx.refuse(node, "MK373", message, help_)
    if isinstance(base, ir.Value | Static):
        raise ctx.refuse(node, "MK110", f"attributes of {describe(base)} can't be assigned to")
    heap.must_be(ctx, node, base)


def _of_side(ctx: Context, node: cst.CSTNode, side: Operand, name: str, value: Operand) -> Operand:
    """Assign to an object that may be this one; objects made here are in tables for that."""
    if isinstance(side, Ref):
        message = f"this {side.cls.name} may be another one too: it was chosen by a condition"
        help_ = "make a new object, or copy it before it is assigned in a branch"
        raise ctx.refuse(node, "MK320", message, help_)
    if not (isinstance(side, Items) and is_row(side)):
        heap.check_told_apart(ctx, node, side)
    put(ctx, node, side, name, value)
    return NOTHING


def _changeable(ctx: Context, base: Operand) -> ClassDecl | None:
    """The class of an object whose fields can be assigned here."""
    if isinstance(base, Ref):
        return base.cls
    return tables.class_of(ctx, base) if isinstance(base, Items) and is_row(base) else None


def set_field(ctx: Context, node: cst.CSTNode, base: Operand, name: str, value: Operand) -> None:
    """``object.__setattr__(base, name, value)``."""
    cls = _changeable(ctx, base)
    assert cls is not None
    if cls.slots is not None and name not in cls.slots:
        message = f"{cls.name!r} object has no attribute {name!r}"
        raise ctx.refuse(node, "MK355", message, "add it to __slots__")
    value = _as_declared(ctx, node, cls, name, value)
    if isinstance(base, Ref):
        heap.write(ctx, node, base, name, value)
    else:
        assert isinstance(base, Items)
        tables.write(ctx, node, base, name, value)


def _as_declared(
    ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str, value: Operand
) -> Operand:
    for field in cls.fields:
        if field.name == name:
            return instances.converted(ctx, node, field, value)
    return value
