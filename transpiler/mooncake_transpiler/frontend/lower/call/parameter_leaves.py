"""Parameters in the normal form: the values that they are made of, and how these are called."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import flat as as_name
from mooncake_transpiler.frontend.entities import ParamDecl
from mooncake_transpiler.frontend.lower.state.own_kinds import RowOf
from mooncake_transpiler.types import (
    Array,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    OwnKind,
    Selector,
    Tuple,
    Type,
    leaves,
)


def declared(param: ParamDecl, type_: Type, default: str | ir.ObjectDefault | None) -> ir.Param:
    """The parameter ``param`` of the type ``type_``, with a value for each leaf."""
    hints = zip(_names(param.name, type_), leaves(type_), strict=True)
    values = tuple(ir.Value(hint, leaf) for hint, leaf in hints)
    dims = () if param.annotation is None else param.annotation.dims
    return ir.Param(param.name, type_, values, default, param.kwonly, dims)


def apart(param: ir.Param) -> tuple[ir.Param, ...]:
    """``param``; one for each of its leaves, where it is an object or a table of the caller."""
    if not isinstance(param.type, Tuple) or not isinstance(param.type.cls, OwnKind):
        return (param,)
    return tuple(ir.Param(leaf.hint, leaf.type, (leaf,)) for leaf in param.leaves)


def _names(name: str, type_: Type) -> Iterator[str]:
    """Names for the leaves of a parameter: ``p``; ``p_0``, ``p_1``; ``p_field``."""
    if isinstance(type_, Tuple) and isinstance(type_.cls, RowOf):
        yield from (f"has_{name}", name)
    elif isinstance(type_, Tuple):
        labels = type_.names or tuple(str(k) for k in range(len(type_.items)))
        for label, item in zip(labels, type_.items, strict=True):
            yield from _names(as_name(f"{name}_{label}"), item)
    elif isinstance(type_, List) and type_.kind is ListKind.DICT:
        assert isinstance(type_.item, Tuple)
        for label, item in zip(("keys", "values"), type_.item.items, strict=True):
            yield from _names(f"{name}_{label}", List(item))
    elif isinstance(type_, List):
        for hint, leaf in zip(_names(name, type_.item), leaves(type_.item), strict=True):
            if isinstance(leaf, Array):
                yield f"{hint}_spans"
            yield hint
    elif isinstance(type_, OneOf):
        yield f"{name}_case"
        for option in type_.options:
            yield from _names(name, option)
    elif not isinstance(type_, NoneType | Opaque | Selector):
        yield name
