"""The fields of each class of statements with their roles, read once from `nodes.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from operator import attrgetter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from mooncake_transpiler.ir.atoms import Atom, Index, NewAxis, Slice, Value
from mooncake_transpiler.ir.nodes import Block, Stmt
from mooncake_transpiler.ir.roles import BOUND, Role


class Count(Enum):
    """The number of atoms that a field holds."""

    ONE = "one"
    MANY = "a tuple of them"
    MIXED = "a tuple of indices, or of atoms and texts"


@dataclass(frozen=True, slots=True)
class Field:
    """A field that holds atoms."""

    name: str
    role: Role
    count: Count


CLASSES: tuple[type[Stmt], ...] = get_args(Stmt)
_HINTS = {cls: get_type_hints(cls, include_extras=True) for cls in CLASSES}


def _described(cls: type[Stmt]) -> Iterator[Field]:
    """The fields of ``cls`` that hold atoms."""
    for name in names_of(cls):
        hint = _HINTS[cls][name]
        if get_origin(hint) is Annotated:
            held, role = get_args(hint)
            yield Field(name, role, _count(held))
        else:
            known = hint is Block or _parts(hint).isdisjoint((Value, Block))
            assert known, f"{cls.__name__}.{name} has no role"


def _count(held: object) -> Count:
    if get_origin(held) is not tuple:
        return Count.ONE
    return Count.MANY if get_args(held)[0] in (Value, Atom) else Count.MIXED


def _parts(hint: object) -> set[object]:
    """All types that ``hint`` mentions."""
    return {hint}.union(*map(_parts, get_args(hint)))


def names_of(cls: type[Stmt]) -> tuple[str, ...]:
    """All fields of ``cls``, in the order that it takes them."""
    return tuple(field.name for field in fields(cls))


FIELDS: Mapping[type[Stmt], tuple[Field, ...]] = {cls: tuple(_described(cls)) for cls in CLASSES}
BLOCKS: Mapping[type[Stmt], tuple[str, ...]] = {
    cls: tuple(name for name in names_of(cls) if _HINTS[cls][name] is Block) for cls in CLASSES
}

INDEX: Mapping[type[Stmt], str | None] = {
    cls: next((field.name for field in found if field.role is Role.INDEX), None)
    for cls, found in FIELDS.items()
}

# ---- what gives the contents of fields ----------------------------------------------------------

_Part = Callable[[Stmt], tuple[Any, ...]]


def atoms(roles: Collection[Role]) -> Mapping[type[Stmt], Callable[[Stmt], tuple[Atom, ...]]]:
    """For each class what gives the atoms of a statement that have one of ``roles``, in order."""
    return {
        cls: _joined([_part(field) for field in found if field.role in roles])
        for cls, found in FIELDS.items()
    }


def values(roles: Collection[Role]) -> Mapping[type[Stmt], Callable[[Stmt], tuple[Value, ...]]]:
    """Likewise for what a statement binds."""
    assert BOUND.issuperset(roles)
    return {
        cls: _joined([_part(field) for field in found if field.role in roles])
        for cls, found in FIELDS.items()
    }


def inner_blocks() -> Mapping[type[Stmt], Callable[[Stmt], tuple[Block, ...]]]:
    """For each class what gives the blocks that are nested directly in a statement."""
    return {cls: _joined([_single(name) for name in names]) for cls, names in BLOCKS.items()}


def _part(field: Field) -> _Part:
    match field.count:
        case Count.ONE:
            return _single(field.name)
        case Count.MANY:
            return attrgetter(field.name)
        case Count.MIXED:
            get = attrgetter(field.name)
            return lambda stmt: tuple(mixed_atoms(get(stmt)))


def _single(name: str) -> _Part:
    get = attrgetter(name)
    return lambda stmt: (get(stmt),)


def _joined(parts: Sequence[_Part]) -> _Part:
    if not parts:
        return lambda stmt: ()
    first, *others = parts
    if not others:
        return first
    rest = _joined(others)
    return lambda stmt: (*first(stmt), *rest(stmt))


def mixed_atoms(items: tuple[Index | str, ...]) -> Iterator[Atom]:
    """The atoms among ``items``, and in slices."""
    for item in items:
        if isinstance(item, Slice):
            yield from (a for a in (item.lo, item.hi, item.step) if a is not None)
        elif not isinstance(item, NewAxis | str):
            yield item
