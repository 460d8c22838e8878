"""Inherited attributes: initialisers and ``super()``."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.instance import members
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Bound, Operand, Static, Super

# What ``super()`` finds where no class of the program has it.
_OF_OBJECT = ("__init__", "__setattr__", "__init_subclass__")


def super_of(ctx: Context, node: cst.Call, args: tuple[Operand, ...]) -> Super:
    """``super()`` or ``super(cls, obj)``."""
    match args:
        case ():
            owner, first = _owner(ctx, node)
            return Super(owner, ctx.lower.expression(ctx, cst.Name(first)))
        case (Static(value=ClassDecl() as owner), instance):
            return Super(owner, instance)
        case _:
            raise ctx.refuse(node, "MK303", "super() takes nothing, or a class and an instance")


def _owner(ctx: Context, node: cst.Call) -> tuple[ClassDecl, str]:
    """The class whose method is lowered, and the name of the method's first parameter."""
    decl = next((frame.decl for frame in ctx.frame.outwards if frame.decl is not None), None)
    if decl is not None and decl.params:
        owner = ctx.source.classes.get((decl.module, decl.owner))
        if owner is not None:
            return owner, decl.params[0].name
    raise ctx.refuse(node, "MK303", "super() has no meaning outside of a method")


def attribute(ctx: Context, node: cst.CSTNode, of: Super, name: str) -> Operand:
    """``super().name``."""
    instance = of.instance
    cls = objects.declared(ctx, instance)
    if isinstance(instance, Static) and isinstance(instance.value, ClassDecl):
        cls = instance.value
    line = () if cls is None else (cls, *cls.line)
    if cls is None or of.owner not in line:
        message = f"{describe(instance)} is no instance of {of.owner.name}"
        raise ctx.refuse(node, "MK303", f"super: {message}")
    for one in line[line.index(of.owner) + 1 :]:
        method = one.own_methods.get(name)
        if method is not None:
            return members.bound_method(ctx, node, method, instance, Static(cls))
        if name == "__init__" and one.decorated:
            return Bound(Static(External("dataclasses.__init__")), (instance, Static(one)))
        if name in one.own_constants:
            return members.constant(ctx, node, one, name)
    if name in _OF_OBJECT:
        given = () if name == "__init_subclass__" else (instance,)
        return Bound(Static(External(f"builtins.object.{name}")), given)
    raise ctx.refuse(node, "MK305", f"'super' object has no attribute {name!r}")
