"""Classes that refer to themselves, as the types of parameters: linked lists and trees.

class Node:                          Node(value: float, next: int)
    value: float              is     with the link ``next``, in a list of all nodes
    next: "Node | None"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.entities import Annotation, FunctionDecl, ParamDecl
from mooncake_transpiler.frontend.unresolved import Unresolved
from mooncake_transpiler.types import (
    FLOAT,
    INT,
    NONE,
    Array,
    List,
    OneOf,
    Opaque,
    Scalar,
    StructKind,
    Tuple,
    Type,
    has_links,
    leaves,
    parts,
)

# An object of the class whose fields are being read; it carries floats as that may.
ITSELF = Tuple((FLOAT,), ("%itself",))


def links(fields: Mapping[str, Annotation]) -> dict[str, Annotation]:
    """The ``fields`` that hold an object of the same class, or None: as numbers of objects."""
    return {name: Annotation(INT) for name, note in fields.items() if _is_link(note.type)}


def _is_link(type_: Type) -> bool:
    options = type_.options if isinstance(type_, OneOf) else (type_,)
    return ITSELF in options and set(options) <= {ITSELF, NONE}


def linked(node: cst.BaseExpression, struct: Annotation, names: tuple[str, ...]) -> Annotation:
    """The type of an object with the links ``names``, whose class is the ``struct``."""
    of = struct.type
    assert isinstance(of, Tuple)
    assert of.of is not None
    for problem in _problems(of, names):
        help_ = "keep such fields in an object of another class, or in arguments of their own"
        message = f"{of.class_name}, which contains itself: {problem}"
        raise Unresolved(node, "MK204", message, help_)
    found = List(replace(of, links=names))
    return Annotation(found, (None,) * len(list(leaves(found))))


def _problems(of: Tuple, names: tuple[str, ...]) -> Iterator[str]:
    assert of.of is not None
    if of.of.kind not in (StructKind.MUTABLE, StructKind.FROZEN):
        yield f"a {of.of.kind.value} that contains itself is not supported yet"
    for name, type_ in zip(of.names or (), of.items, strict=True):
        if ITSELF in parts(type_):
            yield f"its field {name} holds more than one object of the class, or one that is inside"
        elif not isinstance(type_, Scalar | Array | Opaque):
            yield f"its field {name} is of type {type_}, not a number or an array"


def unlinked(decl: FunctionDecl) -> FunctionDecl:
    """``decl`` for calls: without annotations of such objects, as rows of a table are given."""
    if not any(_has_links(param) for param in decl.params):
        return decl
    params = (replace(p, annotation=None) if _has_links(p) else p for p in decl.params)
    return replace(decl, params=tuple(params))


def _has_links(param: ParamDecl) -> bool:
    return param.annotation is not None and has_links(param.annotation.type)
