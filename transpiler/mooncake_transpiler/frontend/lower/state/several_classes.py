"""The types of objects of several classes of the program: if it is of the first one, and both."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.types import BOOL, ClassRef, Tuple, Type


def kinds(first: Type | None, second: Type | None) -> Tuple | None:
    """The type of an object of one of several classes, in their order; None for anything else."""
    classes = [*classes_of(first), *classes_of(second)]
    is_one = len(classes_of(first)) == 1 and len(classes_of(second)) > 0
    if first is None or second is None or not is_one or classes != sorted(set(classes)):
        return None
    return Tuple((BOOL, first, second), ("is_first", "first", "second"), Held.KINDS)


def classes_of(type_: Type | None) -> list[tuple[str, str]]:
    """The classes of the program that objects of a ``type_`` are of; none for anything else."""
    match type_:
        case Tuple(items=(_, first, second), cls=Held.KINDS):
            return classes_of(first) + classes_of(second)
        case Tuple(of=ClassRef(module=module, name=name)) if not type_.is_record:
            return [(module, name)]
        case _:
            return []


def by_class(type_: Type) -> Iterator[Type]:
    """The types of objects of each class that objects of a ``type_`` are of."""
    if isinstance(type_, Tuple) and type_.cls == Held.KINDS:
        yield type_.items[1]
        yield from by_class(type_.items[2])
    elif classes_of(type_):
        yield type_
