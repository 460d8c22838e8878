"""The library that arrays and numbers belong to at the border of a function, if not its own."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler.types import Array, ArrayLibrary, Scalar, Tuple, Type


def at_home(type_: Type, home: ArrayLibrary | None) -> Type:
    """``type_`` with its numbers and arrays at ``home``."""
    match type_:
        case Array(spans=True):  # integers of the host, whatever the arrays in the list are
            return type_
        case Scalar() | Array():
            return replace(type_, home=home)
        case Tuple(items=items):
            return replace(type_, items=tuple(at_home(item, home) for item in items))
        case _:
            return type_


def is_handed(type_: Type) -> bool:
    """True if values of ``type_`` are handed over to another library; residuals are not."""
    match type_:
        case Array(spans=True):
            return False
        case Scalar(home=home) | Array(home=home):
            return home is not None
        case Tuple(items=items):
            return type_.alias is None and any(map(is_handed, items))
        case _:
            return False
