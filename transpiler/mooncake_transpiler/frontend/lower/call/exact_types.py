"""Types of parameters that say what must not be given for an object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler.border.border_types import with_parts
from mooncake_transpiler.frontend.entities import ClassDecl, Source
from mooncake_transpiler.types import Tuple, Type


def exact(source: Source, type_: Type) -> Type:
    """``type_``, which says what must not be given for an object: what it does is compiled in."""
    if isinstance(type_, Tuple):
        of = type_.of
        cls = None if of is None else source.classes.get((of.module, of.name))
        others = () if cls is None else tuple(_others(source, cls))
        type_ = replace(type_, others=others)
    return with_parts(type_, partial(exact, source))


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
