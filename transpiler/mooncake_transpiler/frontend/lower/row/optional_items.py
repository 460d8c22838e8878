"""Items of lists that may be None: a bool that says whether there is one, and the number."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.object import unifying
from mooncake_transpiler.frontend.lower.state.operands import MAYBE, Items, Maybe, Operand
from mooncake_transpiler.types import DType, Scalar, Tuple, Type, leaves


def is_possible(item: Type) -> bool:
    """True if what may be None can be held so."""
    return all(isinstance(leaf, Scalar) for leaf in leaves(item))


def is_held(of: Operand) -> bool:
    """True for the arrays, or the parts, of such items."""
    return isinstance(of, Items) and of.cls == MAYBE


def parts(operand: Operand) -> Operand:
    """``operand`` with a pair in place of what may be None; numbers that nobody reads are 0."""
    match operand:
        case Maybe(there=there, value=value):
            return Items((there, parts(value)), ("there", "value"), MAYBE)
        case Items(items=items, is_list=False):
            return replace(operand, items=tuple(map(parts, items)))
        case ir.Undef(type=Scalar() as type_):
            return unread(type_)
        case _:
            return operand


def item(operand: Operand, type_: Type) -> Operand:
    """``operand`` as an item of a ``type_``, in its parts."""
    return parts(unifying.fitted(operand, type_)) if _has_optional(type_) else operand


def _has_optional(type_: Type) -> bool:
    if not isinstance(type_, Tuple):
        return False
    return type_.cls == MAYBE or any(map(_has_optional, type_.items))


def whole(of: Items) -> Maybe:
    """The item with these parts."""
    there, value = of.items
    assert isinstance(there, ir.Value | ir.Const | ir.Undef)
    return Maybe(there, value)


def unread(type_: Scalar) -> ir.Const:
    """A number that nobody reads."""
    value = False if type_.dtype is DType.BOOL else 0 if type_.dtype.is_int else 0.0
    return ir.Const(value, type_)
