"""Tests of the class and the attributes of a value; None where only the run can tell."""

from __future__ import annotations

import math
from collections.abc import Iterable

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.instance import tables
from mooncake_transpiler.frontend.lower.instance.standins import Classes, StandIns, outside
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar import scalars, told_values
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Items,
    Maybe,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.types import BOOL

_OBJECT = Static(External("builtins.object"))


def instance_of(ctx: Context, node: cst.CSTNode, value: Operand, of: Operand) -> ir.Atom | None:
    """``isinstance(value, of)``; None if that can't be told."""
    match value:
        case Maybe(there=there, value=inner):
            sides = [instance_of(ctx, node, side, of) for side in (inner, NOTHING)]
            return _either(ctx, there, *sides)
        case Told():
            return instance_of(ctx, node, told_values.as_choice(ctx, value), of)
        case Choice(cond=cond, then=then, orelse=orelse):
            sides = [instance_of(ctx, node, side, of) for side in (then, orelse)]
            return _either(ctx, cond, *sides)
        case _:
            found = _any(_is_a(ctx, node, value, cls) for cls in _classes(of))
            return None if found is None else scalars.constant(found)


def _either(
    ctx: Context, cond: ir.Atom, then: ir.Atom | None, orelse: ir.Atom | None
) -> ir.Atom | None:
    """``then if cond else orelse`` of answers."""
    match then, orelse:
        case ir.Const(value=one), ir.Const(value=other):
            return then if one == other else cond if one else optional.negated(ctx, cond)
        case ir.Const(value=one), ir.Value():
            return _both(ctx, bool(one), cond if one else optional.negated(ctx, cond), orelse)
        case ir.Value(), ir.Const(value=other):
            return _both(ctx, bool(other), optional.negated(ctx, cond) if other else cond, then)
        case _:
            return None


def _both(ctx: Context, is_or: bool, one: ir.Atom, other: ir.Atom) -> ir.Atom:
    """``one or other``, or ``one and other``, of which is known what it says."""
    op = "or" if is_or else "and"
    found = ctx.builder.compute(op, (one, other), BOOL)
    if isinstance(found, ir.Value):
        ctx.numbers.tests[found] = op, (one, other)
    return found


def _classes(of: Operand) -> list[Operand]:
    if isinstance(of, Items) and not of.is_list and of.names is None:
        return [cls for item in of.items for cls in _classes(item)]
    return [of]


def _is_a(ctx: Context, node: cst.CSTNode, value: Operand, cls: Operand) -> bool | None:
    """True if ``value`` is an instance of ``cls``; None if that can't be told."""
    if cls == _OBJECT:
        return True
    own = objects.declared(ctx, value)
    match cls:
        case Static(value=ClassDecl() as known) if own is not None and own.is_a(known):
            return True
        case Static(value=ClassDecl() as known) if is_protocol(ctx, known):
            return _has_all(ctx, value, known)
        case _:
            made = StandIns(ctx)
            return _derived(ctx, node, made.classes(value), cls, made)


def _derived(
    ctx: Context, node: cst.CSTNode, classes: Classes | None, of: Operand, made: StandIns
) -> bool | None:
    """True if all of ``classes`` are derived from ``of``, False if none is; else None."""
    match of:
        case Static(value=ClassDecl() as known):
            target: object = None if is_protocol(ctx, known) else made.of(known)
        case Static(value=External(qualname=qualname)):
            target = outside(qualname)
        case Static(value=None):
            target = type(None)
        case _:
            raise ctx.refuse(node, "MK213", f"{describe(of)} is no class")
    if target is None or classes is None:
        return None
    try:
        return agreed(issubclass(cls, target) for cls in classes)  # type: ignore[arg-type]
    except TypeError:
        return None


def is_protocol(ctx: Context, cls: ClassDecl) -> bool:
    """True if ``cls`` is a Protocol, and no class that is derived from one."""
    return "typing.Protocol" in _outer_bases(ctx, cls)


def _outer_bases(ctx: Context, cls: ClassDecl) -> set[str]:
    heads = [
        b.value.value if isinstance(b.value, cst.Subscript) else b.value for b in cls.node.bases
    ]
    module = ctx.source.modules.get(cls.module)
    if module is None:
        return set()
    found = [resolve(ctx.source, module, head) for head in heads]
    return {base.qualname for base in found if isinstance(base, External)}


def _has_all(ctx: Context, value: Operand, protocol: ClassDecl) -> bool | None:
    """True if ``value`` has all attributes of a protocol, if that can be asked."""
    module = ctx.source.modules[protocol.module]
    marks = [resolve(ctx.source, module, d.decorator) for d in protocol.node.decorators]
    if External("typing.runtime_checkable") not in marks:
        return None
    names: set[str] = set()
    for one in (protocol, *protocol.line):
        names |= {*one.own_methods, *one.own_constants, *(field.name for field in one.fields)}
    answers = [has(ctx, value, name) for name in sorted(names)]
    return False if False in answers else None if None in answers else True


def subclass_of(ctx: Context, node: cst.CSTNode, cls: Operand, of: Operand) -> bool | None:
    """``issubclass(cls, of)``."""
    made = StandIns(ctx)
    match cls:
        case Static(value=ClassDecl() as one):
            stand_in = made.of(one)
        case Static(value=External(qualname=qualname)):
            there = outside(qualname)
            stand_in = there if isinstance(there, type) else None
        case _:
            return None
    classes = None if stand_in is None else (stand_in,)
    return _any(
        _is_derived(cls, target) or _derived(ctx, node, classes, target, made)
        for target in _classes(of)
    )


def _is_derived(cls: Operand, of: Operand) -> bool | None:
    """True if the program says so."""
    match cls, of:
        case Static(value=ClassDecl() as one), Static(value=ClassDecl() as other) if one.is_a(
            other
        ):
            return True
        case _:
            return of == _OBJECT or None


def _any(answers: Iterable[bool | None]) -> bool | None:
    found = set(answers)
    return True if True in found else None if None in found else False


def agreed(answers: Iterable[bool]) -> bool | None:
    """The answer, if there is only one."""
    found = set(answers)
    return found.pop() if len(found) == 1 else None


def type_of(ctx: Context, value: Operand) -> Static | None:
    """``type(value)``."""
    own = objects.declared(ctx, value)
    if own is not None and own.module != errors.MODULE:
        return Static(own)
    classes = StandIns(ctx).classes(value) or ()
    if len(classes) != 1:
        return None
    (cls,) = classes
    module = "types" if cls is type(None) else cls.__module__
    return Static(External(f"{module}.{cls.__qualname__}"))


def has(ctx: Context, value: Operand, name: str) -> bool | None:
    """``hasattr(value, name)``; of NumPy, the one that is installed."""
    match value:
        case Static(External(qualname="numpy" | "math" as module)):
            return hasattr(np if module == "numpy" else math, name)
        case _:
            pass
    if isinstance(value, Ref):
        variable = objects.variable(value, name)
        if variable in ctx.frame.values:
            return True if ctx.frame.is_bound(variable) else None
    if isinstance(value, Items) and value.names is not None and name in value.names:
        return True
    if tables.has(ctx, value, name) and tables.flag(ctx, value, name) is None:
        return True
    made = StandIns(ctx)
    if isinstance(value, Static) and isinstance(value.value, ClassDecl):
        cls = made.of(value.value)
        return None if cls is None else hasattr(cls, name)
    classes = made.classes(value)
    if classes is None:
        return None
    return agreed(any(name in vars(one) for one in cls.__mro__) for cls in classes)
