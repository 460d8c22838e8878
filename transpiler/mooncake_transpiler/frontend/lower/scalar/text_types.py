"""Texts of the caller's as numbers, where a function works with them: types of parameters.

Text is left out of compiled code at first (``Opaque``). A function that is refused for that is
lowered again with texts by their numbers (``RunText``).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeGuard

from mooncake_transpiler.frontend.lower.state.leaves import RUN_TEXT, told
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.types import (
    TEXT,
    List,
    ListKind,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Tuple,
    Type,
    parts,
)

_LIST = re.compile(r"(?:[\w.]*\.)?(?:list|List|Sequence)\[str\]")
_TUPLE = re.compile(r"(?:[\w.]*\.)?(?:tuple|Tuple)\[str, \.\.\.\]")


def has_texts(type_: Type) -> bool:
    """True if there is text in a value of ``type_``."""
    return any(isinstance(part, Opaque) and _by_number(part) is not part for part in parts(type_))


def by_number(type_: Type) -> Type:
    """``type_`` with texts by their numbers."""
    match type_:
        case Opaque():
            return _by_number(type_)
        case Tuple(items=items):
            return replace(type_, items=tuple(map(by_number, items)))
        case List(item=item):
            return replace(type_, item=by_number(item))
        case _:
            return type_


def _by_number(type_: Opaque) -> Type:
    spelled = type_.spelled.strip("\"'")
    if spelled == "str":
        return TEXT
    if _LIST.fullmatch(spelled):
        return List(TEXT)
    return List(TEXT, kind=ListKind.TUPLE) if _TUPLE.fullmatch(spelled) else type_


def inside(type_: Type) -> Type:
    """The type of a field as the function sees it."""
    if isinstance(type_, OneOf):
        return told(selectors(type_))
    return RUN_TEXT if isinstance(type_, Scalar) and type_.is_text else type_


def is_by_number(type_: Type | None) -> TypeGuard[Tuple]:
    """True for such a type of texts, and of one of several texts or members of enums."""
    return isinstance(type_, Tuple) and type_.cls in (Held.TEXT, Held.TOLD)


def selectors(type_: OneOf) -> tuple[Selector, ...]:
    """The texts and members of enums that there are."""
    return tuple(option for option in type_.options if isinstance(option, Selector))
