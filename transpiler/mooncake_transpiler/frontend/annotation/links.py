"""Classes that refer to themselves, as the types of parameters: linked lists and trees.

class Node:                          Node(value: float, next: int)
    value: float              is     with the link ``next``, in a list of all nodes
    next: "Node | None"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.border.border_types import has_links, is_optional, is_told_or_none
from mooncake_transpiler.frontend.annotation.unresolved import Carries, Unresolved
from mooncake_transpiler.frontend.entities import Annotation, FunctionDecl, ParamDecl
from mooncake_transpiler.types import (
    FLOAT,
    INT,
    NONE,
    Array,
    List,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    StructKind,
    Tuple,
    Type,
    leaves,
    parts,
)

# An object of the class whose fields are being read; it carries floats as that may.
ITSELF = Tuple((FLOAT,), ("%itself",))


def links(fields: Mapping[str, Annotation]) -> dict[str, Annotation]:
    """The ``fields`` that hold objects of the same class, or None: as numbers of objects."""
    found = {name: _link(note.type) for name, note in fields.items()}
    return {name: note for name, note in found.items() if note is not None}


def _link(type_: Type) -> Annotation | None:
    """The type of numbers that stand for objects of the same class; None if it is no link."""
    options = type_.options if isinstance(type_, OneOf) else (type_,)
    if ITSELF in options and set(options) <= {ITSELF, NONE}:
        return Annotation(INT)
    return Annotation(List(INT), (None, None)) if type_ == List(ITSELF) else None


def closed(node: cst.BaseExpression, struct: Annotation, names: tuple[str, ...]) -> Annotation:
    """The type of an object with the links ``names``, if any, whose class is the ``struct``."""
    of = struct.type
    if not isinstance(of, Tuple):
        return struct
    for problem, help_ in _problems(of, names):
        message = f"{of.class_name}, which contains itself: {problem}"
        raise Unresolved(node, "MK204", message, help_)
    if not names:
        return struct
    found = List(replace(of, links=names))
    return Annotation(found, (None,) * len(list(leaves(found))))


def _problems(of: Tuple, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The parts of a class that are not supported, each with the way out."""
    fields = list(zip(of.names or (), of.items, strict=True))
    for name, type_ in fields:
        if ITSELF in parts(type_):
            what = f"its field {name} is neither such an object nor a list of such"
            yield what, f"write `{name}: T`, `T | None` or `list[T]`"
        elif names and name not in names and not _can_be_beside_links(type_):
            yield f"its field {name} is a {type_}, no number and no array", "pass it on its own"
    if sum(isinstance(type_, List) for name, type_ in fields if name in names) > 1:
        yield "several of its fields are lists of such objects", "let them be in one list"
    if names and of.of is not None and of.of.kind not in (StructKind.MUTABLE, StructKind.FROZEN):
        yield f"a {of.of.kind.value} can't be linked yet", "make it a dataclass"


def _can_be_beside_links(type_: Type) -> bool:
    """True for fields that are numbers, or None, arrays, members of enums, or not looked at."""
    options = type_.options if isinstance(type_, OneOf) else (type_,)
    return (
        isinstance(type_, Scalar | Array | Opaque)
        or is_optional(type_)
        or is_told_or_none(type_)
        or all(isinstance(o, Selector) for o in options)
    )


def each_alone(type_: Type) -> Type:
    """``type_`` with objects that refer to others as if they stood alone."""
    match type_:
        case List() if type_.links:
            return each_alone(type_.item)
        case Tuple(items=items):
            return replace(type_, items=tuple(map(each_alone, items)))
        case _:
            return type_


def help_for(item: Type) -> str | None:
    """The way out for lists of ``item``: objects that refer to others, or what may be missing."""
    if isinstance(item, OneOf) and NONE in item.options:
        return "keep what is there in a list, and the places of what is missing in another"
    return "pass one of them that links to the others" if has_links(item) else None


def not_supported(node: cst.CSTNode, as_parameter: bool) -> Unresolved:
    """The problem of a class or alias that leads back to itself by way of others.

    ``as_parameter``: it may refer to itself.
    """
    message = "types that contain themselves are parameters only"
    help_ = "return a list of what they hold, or assign it to their fields"
    if as_parameter:
        message = "types that contain themselves by way of others are not supported yet"
        help_ = "let objects of one class refer to each other, and hold the others' numbers"
    return Unresolved(node, "MK204", message, help_, Carries.MAYBE)


def unlinked(decl: FunctionDecl) -> FunctionDecl:
    """``decl`` for calls: without annotations of such objects, as rows of a table are given."""
    if not any(_has_links(param) for param in decl.params):
        return decl
    params = (replace(p, annotation=None) if _has_links(p) else p for p in decl.params)
    return replace(decl, params=tuple(params))


def _has_links(param: ParamDecl) -> bool:
    return param.annotation is not None and has_links(param.annotation.type)
