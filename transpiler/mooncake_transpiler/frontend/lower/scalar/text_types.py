"""Texts of the caller's as numbers, where a function works with them: types of parameters.

Text is left out of compiled code at first (``Opaque``). A function that is refused for that is
lowered again with texts by their numbers (``RunText``).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeGuard

from mooncake_transpiler.border.border_types import is_optional, is_told_or_none
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.state.leaves import RUN_TEXT, may_be_none, told
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.types import (
    NONE,
    TEXT,
    List,
    ListKind,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Tuple,
    Type,
    without_none,
)

_MAYBE = r"str ?\| ?None|None ?\| ?str|(?:\w+\.)?Optional\[str\]"
_MAYBE_TEXT = re.compile(_MAYBE)
_LIST = re.compile(rf"(?:[\w.]*\.)?(?:list|List|Sequence)\[(str|{_MAYBE})\]")
_TUPLE = re.compile(rf"(?:[\w.]*\.)?(?:tuple|Tuple)\[(str|{_MAYBE}), \.\.\.\]")
_DICT = re.compile(r"(?:[\w.]*\.)?(?:dict|Dict|Mapping)\[str, (.+)\]")
TEXT_OR_NONE = OneOf((TEXT, NONE))


def is_text_or_none(type_: Type) -> bool:
    """True for the type of text that may be None."""
    return isinstance(type_, Opaque) and bool(_MAYBE_TEXT.fullmatch(_bare(type_.spelled)))


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


def result_by_number(decl: FunctionDecl) -> FunctionDecl:
    """``decl`` with texts in its result by their numbers, but for those that may be None."""
    if decl.result is None or (type_ := _of_result(decl.result.type)) == decl.result.type:
        return decl
    return replace(decl, result=replace(decl.result, type=type_))


def _of_result(type_: Type) -> Type:
    match type_:
        case Opaque() if is_text_or_none(type_):
            return type_
        case Tuple(items=items):
            return replace(type_, items=tuple(map(_of_result, items)))
        case _:
            return by_number(type_)


def _by_number(type_: Opaque) -> Type:
    spelled = _bare(type_.spelled)
    if spelled == "str":
        return TEXT
    if _MAYBE_TEXT.fullmatch(spelled):
        return TEXT_OR_NONE
    for pattern, kind in ((_LIST, ListKind.LIST), (_TUPLE, ListKind.TUPLE)):
        if found := pattern.fullmatch(spelled):
            return List(TEXT if found[1] == "str" else TEXT_OR_NONE, kind=kind)
    if found := _DICT.fullmatch(spelled):
        value = _by_number(Opaque(found[1]))
        if isinstance(value, Scalar | List):
            return List(Tuple((TEXT, value)), kind=ListKind.DICT)
    return type_


def _bare(spelled: str) -> str:
    return spelled.strip("\"'")


def inside(type_: Type) -> Type:
    """The type of a field as the function sees it."""
    if is_optional(type_):
        return may_be_none(inside(without_none(type_)))
    if is_told_or_none(type_):
        return may_be_none(told(selectors(type_)))
    if isinstance(type_, OneOf):
        return told(selectors(type_))
    return RUN_TEXT if isinstance(type_, Scalar) and type_.is_text else type_


def is_by_number(type_: Type | None) -> TypeGuard[Tuple]:
    """True for such a type of texts, and of one of several texts or members of enums."""
    return isinstance(type_, Tuple) and type_.cls in (Held.TEXT, Held.TOLD)


def selectors(type_: OneOf) -> tuple[Selector, ...]:
    """The texts and members of enums that there are."""
    return tuple(option for option in type_.options if isinstance(option, Selector))
