"""The result of a function, converted to its declared type."""

from __future__ import annotations

import json
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import convert, is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.types import (
    NONE,
    List,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Tuple,
    Type,
    parts,
)

AS_RETURNED = "annotate it as what is returned, or return what is annotated"


def convert_result(ctx: Context, node: cst.CSTNode, value: Operand) -> Operand:
    declared = ctx.frame.result
    if declared is None:
        return delayed.settle(ctx, value)
    return convert_to(ctx, node, value, declared, "the result")


def convert_to(ctx: Context, node: cst.CSTNode, value: Operand, type_: Type, what: str) -> Operand:
    """``value`` as a ``type_``: numbers are converted, everything else must fit."""
    if isinstance(value, Maybe) and isinstance(type_, OneOf) and NONE in type_.options:
        return replace(value, value=convert_to(ctx, node, value.value, type_, what))
    value = optional.present(ctx, node, value, f"{what} is None")
    match type_:
        case Scalar():
            return convert(ctx, node, value, type_, what)
        case List() if containers.is_list(value) or (isinstance(value, Items) and value.is_list):
            return delayed.settle(ctx, value)
        case Tuple() if type_.is_record and containers.is_dict(value):
            return value
        case Tuple() if isinstance(value, Ref) or is_row(value):
            if _is_instance(ctx, value, type_):
                return value
        case Tuple() if isinstance(value, Items):
            alike = value.of == type_.of if type_.is_object else not value.is_list
            if alike and len(type_.items) == len(value.items):
                return _items_to(ctx, node, value, type_, what)
        case NoneType() if value == NOTHING:
            return NOTHING
        case Opaque():
            return value
        case OneOf(options=options) if isinstance(value, Told):
            sides = told_values.known(ctx, value)
            if all(any(fits(ctx, side, option) for option in options) for side in sides):
                return value
        case OneOf(options=options):
            for option in options:
                if fits(ctx, value, option):
                    return convert_to(ctx, node, value, option, what)
        case Selector() if _is_selected(value, type_):
            return value
        case _ if type_of(value) == type_:
            return delayed.settle(ctx, value)
    found = "a list" if isinstance(value, Items) and value.is_list else describe(value)
    raise ctx.refuse(node, "MK213", f"{what} must be {type_}, got {found}", AS_RETURNED)


def _is_instance(ctx: Context, value: Operand, type_: Tuple) -> bool:
    """True if ``value`` is an object of the class that ``type_`` names, or of a derived one."""
    cls, of = objects.declared(ctx, value), type_.of
    return cls is not None and of is not None and cls.is_a(ctx.source.classes[of.module, of.name])


def _items_to(ctx: Context, node: cst.CSTNode, value: Items, type_: Tuple, what: str) -> Items:
    """``value`` with each item converted to its type."""
    labels = type_.names or [f"{what}, item {k}" for k in range(len(type_.items))]
    given = zip(value.items, type_.items, labels, strict=True)
    items = tuple(convert_to(ctx, node, item, wanted, label) for item, wanted, label in given)
    return Items(items, type_.names, type_.cls, type_.of)


def fits(ctx: Context, value: Operand, option: Type) -> bool:
    """True if ``value`` is of the alternative ``option``."""
    match option:
        case Selector():
            return _is_selected(value, option)
        case NoneType():
            return value == NOTHING
        case Scalar():
            return is_scalar(value)
        case Tuple(of=of) if of is not None:
            cls = ctx.source.classes[of.module, of.name]
            mine = objects.declared(ctx, value)
            return mine is not None and mine.is_a(cls)
        case Tuple(items=items):
            return isinstance(value, Items) and len(value.items) == len(items)
        case List():
            return containers.is_list(value) or (isinstance(value, Items) and value.is_list)
        case _:
            return type_of(value) == option


def _is_selected(value: Operand, of: Selector) -> bool:
    match value:
        case Static(value=str() as text):
            return of.of is None and text == of.value
        case Static(value=EnumMember(cls=cls, name=name)) if of.of is not None:
            return (cls.module, cls.name, name) == (of.of.module, of.of.name, of.value)
        case _:
            return False


def result_type(ctx: Context, node: cst.CSTNode, value: Operand, declared: Type) -> Type:
    """``declared`` as that of ``value``: an object may be of a derived class.

    What compiled code does not see is taken from where it stands in the parameters.
    """
    match declared, value:
        case Opaque(spelled=spelled), Passed(path=path):
            return Opaque(spelled, path)
        case Opaque(spelled=spelled), Static(value=str() | None as text):
            return Opaque(spelled, "None" if text is None else json.dumps(text, ensure_ascii=False))
        case Opaque(), ir.Undef():
            return declared
        case List(item=item), _ if any(isinstance(part, Opaque) for part in parts(item)):
            message = f"a {declared} can't be a result: some fields carry no numbers"
            raise ctx.refuse(node, "MK363", message, "return the numbers alone")
        case Opaque(), _:
            message = f"what is in a field of type {declared} of the result can't be told"
            help_ = "take it from a parameter, as it is"
            raise ctx.refuse(node, "MK363", message, help_)
        case Tuple(items=types), Items(items=items, of=of) if of is not None:
            known = ctx.source.classes[of.module, of.name].annotation
            own = known.type if known is not None and of != declared.of else declared
            types = own.items if isinstance(own, Tuple) else types
            pairs = zip(items, types, strict=True)
            inner = tuple(result_type(ctx, node, v, t) for v, t in pairs)
            return replace(own if isinstance(own, Tuple) else declared, items=inner)
        case Tuple(items=types), Items(items=items) if len(types) == len(items):
            pairs = zip(items, types, strict=True)
            inner = tuple(result_type(ctx, node, v, t) for v, t in pairs)
            return replace(declared, items=inner)
        case _:
            return declared
