"""Paths to the parts of a value, as Python expressions: ``p.x``, ``p[0]``, ``p["x"]``."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mooncake_transpiler.types import (
    Array,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Stack,
    Tuple,
    Type,
    leaves,
)

SPANS_OF = ".spans"  # how the path ends of the places of arrays in a list


def fields(type_: Tuple, path: str) -> Iterator[tuple[str, Type]]:
    """The items of a tuple, struct or dict by their paths: ``p[0]``, ``p.x``, ``p["x"]``."""
    for k, item in enumerate(type_.items):
        if type_.names is None:
            yield f"{path}[{k}]", item
        elif not type_.is_record:
            yield f"{path}.{type_.names[k]}", item
        elif type_.names[k] in type_.optional:
            yield f"{path}.get({key_text(type_.names[k])})", item
        else:
            yield f"{path}[{key_text(type_.names[k])}]", item


def _columns(item: Type, path: str) -> Iterator[str]:
    """The paths of the arrays that hold the items of a list."""
    for inner, leaf in zip(paths(item, path), leaves(item), strict=True):
        if isinstance(leaf, Array):
            yield f"{inner}{SPANS_OF}"
        yield inner


def key_text(key: str) -> str:
    """The key of a dict as Python source."""
    return json.dumps(key, ensure_ascii=False)


def paths(type_: Type, path: str) -> Iterator[str]:
    """The path of each leaf of a value of ``type_``: ``p.x``, ``p.ends[0].y``."""
    match type_:
        case Tuple():
            for inner, item in fields(type_, path):
                yield from paths(item, inner)
        case OneOf(options=options):
            yield f"{path}.case"
            for option in options:
                yield from paths(option, path)
        case List(item=Tuple(items=(key, item)), kind=ListKind.DICT):
            yield from _columns(key, f"{path}.keys")
            yield from _columns(item, f"{path}.values")
        case List(item=item):
            yield from _columns(item, path)
        case Scalar() | Array() | Stack():
            yield path
        case NoneType() | Opaque() | Selector():
            return
