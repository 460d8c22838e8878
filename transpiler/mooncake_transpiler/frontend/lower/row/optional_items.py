"""Items of lists in their parts: a bool and a number where they may be None, numbers of texts."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array.whole import library_call
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.object import unifying
from mooncake_transpiler.frontend.lower.scalar.text_types import is_by_number
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.leaves import (
    atom_of,
    atoms,
    options_of,
    told,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Items,
    Maybe,
    Operand,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, ToldItems
from mooncake_transpiler.types import Array, DType, Scalar, Tuple, Type, leaves


def is_possible(item: Type) -> bool:
    """True if what may be None can be held so."""
    return all(isinstance(leaf, Scalar) for leaf in leaves(item))


def is_held(of: Operand) -> bool:
    """True for the arrays, or the parts, of items that may be None."""
    return isinstance(of, Items) and of.cls == Held.MAYBE


def is_kinds(of: Operand) -> TypeGuard[Items]:
    """True for the arrays, or the parts, of objects of several classes."""
    return isinstance(of, Items) and of.cls == Held.KINDS


def is_text(of: Operand) -> TypeGuard[Items]:
    """True for the arrays, or the parts, of texts."""
    return isinstance(of, Items) and of.cls == Held.TEXT


def is_told(of: Operand) -> TypeGuard[Items]:
    """True for the arrays, or the parts, of texts and of members of enums."""
    return isinstance(of, Items) and (of.cls == Held.TEXT or isinstance(of.cls, ToldItems))


def is_one_by_number(of: Operand) -> TypeGuard[Items]:
    """True for the part of a text, or of one of several; a list of such is in an array."""
    return is_told(of) and all(isinstance(atom.type, Scalar) for atom in atoms(of))


def flagged(there: Operand, value: Operand) -> Items:
    """The parts, or the arrays of these, of what is None where ``there`` is False."""
    return Items((there, value), ("there", "value"), Held.MAYBE)


def parts(operand: Operand) -> Operand:
    """``operand`` with a pair in place of what may be None; numbers that nobody reads are 0."""
    match operand:
        case Maybe(there=there, value=value):
            return flagged(there, parts(value))
        case Choice(cond=cond, then=then, orelse=orelse) if type_of(operand) is not None:
            sides = cond, parts(then), parts(orelse)
            return Items(sides, ("is_first", "first", "second"), Held.KINDS)
        case RunText(number=number):
            return Items((number,), ("text",), Held.TEXT)
        case Told(which=which, options=options):
            return Items((which,), ("which",), ToldItems(options))
        case Items(items=items, is_list=False):
            return replace(operand, items=tuple(map(parts, items)))
        case ir.Undef(type=Scalar() as type_):
            return unread(type_)
        case _:
            return operand


def is_column(type_: Type | None) -> bool:
    """True for the type of a field that a list of all objects' values can be made of."""
    if isinstance(type_, Tuple) and type_.cls == Held.MAYBE:
        return is_column(type_.items[1])
    return isinstance(type_, Scalar | Array) or is_by_number(type_)


def as_column(column: Operand, type_: Type | None) -> Operand:
    """``column``, arrays, as that of a field of the ``type_`` of objects in a table."""
    if isinstance(type_, Tuple) and type_.cls == Held.MAYBE and isinstance(column, Items):
        there, value = column.items
        return flagged(there, as_column(value, type_.items[1]))
    if not is_by_number(type_):
        return column
    if type_.cls == Held.TEXT:
        return Items((column,), ("text",), Held.TEXT)
    return Items((column,), ("which",), ToldItems(options_of(type_)))


def item(operand: Operand, type_: Type) -> Operand:
    """``operand`` as an item of a ``type_``, in its parts."""
    return parts(unifying.fitted(operand, type_)) if _is_in_parts(type_) else operand


def shown(type_: Type) -> Type:
    """The type of items whose parts are of ``type_``: one of several for its number."""
    match type_:
        case Tuple(cls=ToldItems(options=options)):
            return told(options)
        case Tuple(items=items):
            return replace(type_, items=tuple(map(shown, items)))
        case _:
            return type_


def _is_in_parts(type_: Type) -> bool:
    if not isinstance(type_, Tuple):
        return False
    is_one = type_.cls in (Held.MAYBE, Held.TEXT, Held.TOLD, Held.KINDS) or isinstance(
        type_.cls, ToldItems
    )
    return is_one or any(map(_is_in_parts, type_.items))


def unset(type_: Type | None) -> Operand:
    """The parts of an item that is None now, and of a ``type_`` later."""
    return parts(Maybe(FALSE, NOTHING if type_ is None else undefined(type_)))


def whole(of: Items) -> Operand:
    """The item with these parts."""
    if is_one_by_number(of):
        number = atom_of(of)
        return Told(number, of.cls.options) if isinstance(of.cls, ToldItems) else RunText(number)
    if is_kinds(of):
        cond, then, orelse = of.items
        return Choice(atom_of(cond), then, orelse)
    there, value = of.items
    return NOTHING if value == NOTHING else Maybe(atom_of(there), value)


def all_there(ctx: Context, node: cst.CSTNode, held: Operand) -> Operand:
    """The arrays of the items, none of which may be None."""
    assert isinstance(held, Items)
    flags, values = held.items
    there = atom_of(library_call(ctx, node, "numpy.all", flags))
    failing.require(ctx, node, there, "an item of this list is None", "TypeError")
    return values


def unread(type_: Scalar) -> ir.Const:
    """A number that nobody reads."""
    value = False if type_.dtype is DType.BOOL else 0 if type_.dtype.is_int else 0.0
    return ir.Const(value, type_)
