"""Types of parameters that say what must not be given for an object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, Source
from mooncake_transpiler.types import List, OneOf, Tuple, Type


def exact(source: Source, type_: Type) -> Type:
    """``type_``, which says what must not be given for an object: what it does is compiled in."""
    match type_:
        case Tuple(items=items, of=of):
            inner = tuple(exact(source, item) for item in items)
            cls = source.classes.get((of.module, of.name)) if of is not None else None
            others = () if cls is None else tuple(_others(source, cls))
            return replace(type_, items=inner, others=others)
        case List(item=item):
            return replace(type_, item=exact(source, item))
        case OneOf(options=options):
            return OneOf(tuple(exact(source, option) for option in options))
        case _:
            return type_


def _bodies(cls: ClassDecl) -> dict[tuple[str, bool], cst.FunctionDef]:
    """The definitions of methods, and of setters, by name."""
    bodies = {(name, False): method.function.node for name, method in cls.methods.items()}
    return bodies | {(name, True): function.node for name, function in cls.setters.items()}


def _others(source: Source, cls: ClassDecl) -> Iterator[str]:
    for other in source.classes.values():
        if other is not cls and other.is_a(cls):
            same_methods = _bodies(other).items() >= _bodies(cls).items()
            if not (same_methods and other.constants.keys() == cls.constants.keys()):
                yield other.name
