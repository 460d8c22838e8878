"""Questions about the types of parameters and results, which compiled code takes or not."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler.types import List, OneOf, Opaque, Scalar, Selector, Tuple, Type, parts


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
