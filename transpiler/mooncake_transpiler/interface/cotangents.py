"""Types of tangents and cotangents, and the leaves that these have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from mooncake_runtime.field_names import field_names

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects
from mooncake_transpiler.types import (
    ANY_DICT,
    NONE,
    Array,
    ClassRef,
    Direction,
    List,
    ListKind,
    OneOf,
    Scalar,
    StructKind,
    Tuple,
    Type,
    is_differentiable,
    leaves,
)

A = TypeVar("A", bound=ir.Atom)

_WORDS = {Direction.COTANGENT: "Cotangent", Direction.TANGENT: "Tangent"}


def grad_type(type_: Type, direction: Direction = Direction.COTANGENT) -> Type:
    """The type of a cotangent, or tangent: floats keep theirs, what carries no float is None."""
    match type_:
        case Scalar(dtype=dtype) | Array(dtype=dtype):
            return type_ if dtype.is_differentiable else NONE
        case Tuple(items=items, names=names, class_name=cls):
            parts = tuple(grad_type(item, direction) for item in items)
            if names is None:
                return Tuple(parts)
            if type_.is_record:
                return replace(type_, items=parts, cls=None, of=ANY_DICT, direction=direction)
            if type_.links:
                parts = _linked(type_, parts)
            owner = cls or type_.given[0]
            name, doc = f"{owner}{direction.value}", f"{_WORDS[direction]} of a `{owner}`."
            own, of = names if type_.links else field_names(names), _derived(type_)
            return Tuple(
                parts, own, name, of, direction=direction, doc=doc, attributes=names,
                links=type_.links,
            )  # fmt: skip
        case OneOf(options=options) if is_differentiable(type_):
            return OneOf(tuple(grad_type(option, direction) for option in options))
        case List(item=item) if is_differentiable(type_):
            return replace(type_, item=_of_item(type_, grad_type(item, direction)))
        case _:
            return NONE


def _linked(type_: Tuple, parts: tuple[Type, ...]) -> tuple[Type, ...]:
    """``parts`` of the derivative of an object that is linked to others: so is that."""
    both = zip(type_.names or (), type_.items, parts, strict=True)
    return tuple(own if name in type_.links else part for name, own, part in both)


def _of_item(of: List, derived: Type) -> Type:
    """The type of items of the derivative of ``of``: those of dicts keep their keys."""
    if of.kind is ListKind.DICT and isinstance(of.item, Tuple) and isinstance(derived, Tuple):
        return replace(derived, items=(of.item.items[0], *derived.items[1:]))
    return derived


def _derived(type_: Tuple) -> ClassRef | None:
    """The class that a NamedTuple of ours is the derivative of, if that is no NamedTuple."""
    return replace(type_.of, kind=StructKind.DERIVED) if type_.of and type_.is_object else None


def given(type_: Type) -> Type:
    """The type of a parameter for a tangent or cotangent of a ``type_``.

    Any tuple will do for a tuple, and any object with the names of its fields for an object.
    """
    return _by_name(type_) if has_objects(type_) else plain(grad_type(type_))


def _by_name(type_: Type) -> Type:
    match type_:
        case Tuple(items=items, names=names, class_name=cls):
            parts = tuple(map(_by_name, items))
            if names is None:
                return Tuple(parts)
            if type_.is_record:
                return replace(type_, items=parts, cls=None, of=ANY_DICT)
            of = None if type_.of is None else replace(type_.of, kind=StructKind.DERIVED)
            classes = (cls, f"{cls}{Direction.COTANGENT.value}") if cls else type_.given
            parts = _linked(type_, parts) if type_.links else parts
            return Tuple(parts, names, None, of, given=classes, links=type_.links)
        case OneOf(options=options) if is_differentiable(type_):
            return OneOf(tuple(map(_by_name, options)))
        case List(item=item) if is_differentiable(type_):
            return replace(type_, item=_of_item(type_, _by_name(item)))
        case _:
            return grad_type(type_)


def plain(type_: Type) -> Type:
    """``type_`` without the names of fields: any tuple will do."""
    match type_:
        case Tuple(items=items):
            return Tuple(tuple(map(plain, items)))
        case _:
            return type_


def named(type_: Type) -> Iterator[Tuple]:
    """The NamedTuples that ``type_`` is made of, inner ones first."""
    match type_:
        case Tuple(items=items) | OneOf(options=items):
            for item in items:
                yield from named(item)
            if isinstance(type_, Tuple) and type_.names is not None and not type_.is_record:
                yield type_
        case List(item=item):
            yield from named(item)
        case _:
            return


def of_gradient(type_: Type, values: Iterator[A]) -> Iterator[A]:
    """The items of ``values``, the leaves of a ``type_``, that its gradient has a leaf for."""
    match type_:
        case OneOf(options=options) if is_differentiable(type_):
            yield next(values)
            for option in options:
                yield from of_gradient(option, values)
        case List() if is_differentiable(type_):
            for kept, leaf in _kept(type_):
                own = [next(values) for _ in leaves(List(leaf))]
                yield from own if kept else ()
        case Tuple(items=items):
            for item in items:
                yield from of_gradient(item, values)
        case _:
            own = [next(values) for _ in leaves(type_)]
            yield from (value for value in own if is_differentiable(value.type))


def _kept(of: List) -> Iterator[tuple[bool, Type]]:
    """The numbers and arrays in an item of a list; true for those of its derivative."""
    item = of.item
    if isinstance(item, Tuple):
        names = item.names or range(len(item.items))
        kept = (0,) if of.kind is ListKind.DICT else of.links
        for name, part in zip(names, item.items, strict=True):
            yield from ((name in kept or own, leaf) for own, leaf in _kept_of(part))
    else:
        yield from _kept_of(item)


def _kept_of(part: Type) -> Iterator[tuple[bool, Type]]:
    """The numbers and arrays in a part of an item; true for those of its derivative."""
    if isinstance(part, List):
        has_own = is_differentiable(part)
        for own, leaf in _kept(part):
            yield from ((own and has_own, column) for column in leaves(List(leaf)))
    else:
        which = isinstance(part, OneOf) and is_differentiable(part)
        yield from ((which or is_differentiable(leaf), leaf) for leaf in leaves(part))


def tangent_leaves(type_: Type) -> Iterator[int]:
    """The leaves of a ``type_`` that its tangent has, as positions."""
    values = [ir.Value("", leaf) for leaf in leaves(type_)]
    yield from (values.index(value) for value in of_gradient(type_, iter(values)))
