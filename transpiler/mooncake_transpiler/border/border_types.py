"""Types of parameters and results: changed part by part, and which compiled code takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeGuard

from mooncake_transpiler.types import (
    NONE,
    Array,
    List,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Tuple,
    Type,
    is_differentiable,
    parts,
    without_none,
)


def with_parts(type_: Type, change: Callable[[Type], Type]) -> Type:
    """``type_`` with each of the types that it is made of ``change``d."""
    match type_:
        case Tuple(items=items):
            return replace(type_, items=tuple(map(change, items)))
        case OneOf(options=options):
            return OneOf(tuple(map(change, options)))
        case List(item=item):
            return replace(type_, item=change(item))
        case _:
            return type_


def structs(type_: Type) -> Iterator[Tuple]:
    """The tuples and structs that ``type_`` is made of, outer ones first."""
    return (part for part in parts(type_) if isinstance(part, Tuple))


def has_objects(type_: Type) -> bool:
    """True if compiled code can't take or give values of ``type_`` as they are."""
    return is_open(type_) or any(struct.is_object for struct in structs(type_))


def has_mutable(type_: Type) -> bool:
    """True if a value of ``type_`` holds dicts, or instances whose fields can be assigned."""
    return any(struct.is_mutable or struct.is_record for struct in structs(type_))


def has_links(type_: Type) -> bool:
    """True if a value of ``type_`` holds objects with links."""
    return any(isinstance(part, List) and part.links for part in parts(type_))


def has_prepared(type_: Type) -> bool:
    """True if a value of ``type_`` holds objects with links, or dicts of any length."""
    return any(isinstance(part, List) and part.is_prepared for part in parts(type_))


def is_open(type_: Type) -> bool:
    """True if the leaves of a ``type_`` depend on the value, not on the type alone."""
    return any(
        isinstance(part, OneOf | Opaque | Selector | List)
        or (isinstance(part, Scalar) and part.is_text)
        for part in parts(type_)
    )


def is_optional(type_: Type) -> TypeGuard[OneOf]:
    """True for the type of a number, text or array that may be None: lists hold such."""
    present = without_none(type_)
    is_held = isinstance(present, Scalar) or (isinstance(present, Array) and present.ndim > 0)
    return isinstance(type_, OneOf) and is_held


def is_told_or_none(type_: Type) -> TypeGuard[OneOf]:
    """True for the type of one of several texts, or members of enums, that may be None."""
    if not isinstance(type_, OneOf) or type_.options[-1] != NONE:
        return False
    return all(isinstance(o, Selector) and not o.methods for o in type_.options[:-1])


def is_mixed(type_: Type, in_list: bool = False) -> bool:
    """True if floats are in what is one of several types; numbers that lists hold may be None."""
    match type_:
        case OneOf():
            return is_differentiable(type_) and not (in_list and is_optional(type_))
        case Tuple(items=items):
            return any(is_mixed(item, in_list) for item in items)
        case List(item=item):
            return is_mixed(item, True)
        case _:
            return False
