"""Objects that refer to others of their class, at the border: linked lists, trees, circles.

They are taken apart as a list of all objects that can be reached, each once, the first one being
where that starts; what refers to one of them is its number there, -1 for None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.instances import is_a
from mooncake_runtime.lists import instances_of

T = TypeVar("T")
Wanted = type | tuple[type | None, ...]


def linked(path: str, root: object, wanted: Wanted, *links: str) -> list[Any]:
    """All objects that ``links`` lead to from ``root``, in order of the first visit, by depth.

    TypeError where one is of none of the classes ``wanted``, by their names; there are no objects
    where ``root`` is None, and that is wanted.
    """
    named = wanted if isinstance(wanted, tuple) else (wanted,)
    if root is None and None in named:
        return []
    classes = [cls for cls in named if cls is not None]
    found: dict[int, object] = {}
    waiting: list[tuple[Any, str]] = [(root, path)]
    while waiting:
        one, place = waiting.pop()
        if id(one) in found:
            continue
        if not any(is_a(one, cls) for cls in classes):
            names = " or ".join(cls.__name__ for cls in classes)
            raise TypeError(f"parameter {place!r} must be a {names}, got {type(one).__name__}")
        found[id(one)] = one
        for name in reversed(links):
            waiting += _targets(getattr(one, name), f"{_short(place)}.{name}")
    return list(found.values())


def _targets(value: Any, place: str) -> list[tuple[Any, str]]:
    """The objects that a field refers to, the last one first: it has one, a list, or None."""
    if isinstance(value, list):
        return [(one, f"{place}[{k}]") for k, one in reversed(list(enumerate(value)))]
    return [] if value is None else [(value, place)]


def _short(place: str) -> str:
    """``place``; of one that is far from the start the ends."""
    return place if len(place) < 60 else f"{place[:20]}....{place[-20:].partition('.')[2]}"


def links_of(items: Sequence[object], name: str) -> NDArray[np.int64]:
    """The numbers of the ``items`` that the fields ``name`` refer to; -1 for None."""
    numbers = {id(one): k for k, one in enumerate(items)} | {id(None): -1}
    found = [getattr(one, name) for one in items]
    if any(isinstance(one, list) for one in found):
        raise TypeError(f"{name!r} is a list: expected an object, or None")
    return np.array([numbers[id(one)] for one in found], np.int64)


def link_lists_of(items: Sequence[object], name: str) -> list[list[int]]:
    """For each of the ``items`` the numbers of those in the list that is its field ``name``."""
    numbers = {id(one): k for k, one in enumerate(items)}
    found = [getattr(one, name) for one in items]
    if not all(isinstance(one, list) for one in found):
        raise TypeError(f"{name!r} is no list: expected a list of objects")
    return [[numbers[id(one)] for one in several] for several in found]


def relink(items: Sequence[object], name: str, numbers: Iterable[int]) -> None:
    """Let the fields ``name`` of the ``items`` refer to those of these numbers; -1 is None."""
    for one, number in zip(items, numbers, strict=True):
        target = None if number < 0 else items[number]
        if getattr(one, name) is not target:
            setattr(one, name, target)


def unlinked(path: str, items: Iterable[object], other: str, others: Iterable[object]) -> None:
    """Raise ValueError if an object can be reached from both parameters."""
    if not {id(one) for one in items}.isdisjoint(map(id, others)):
        raise ValueError(f"parameters {path} and {other} share objects: pass a copy of one of them")


def root_of(cls: Callable[..., T], links: Sequence[str], /, **columns: Sequence[Any] | None) -> T:
    """The first of objects made of what the columns hold; those for ``links`` are numbers."""
    found = root_or_none(cls, links, **columns)
    assert found is not None
    return found


def root_or_none(
    cls: Callable[..., T], links: Sequence[str], /, **columns: Sequence[Any] | None
) -> T | None:
    """As ``root_of``; None where there are no objects."""
    made = instances_of(cls, *(None if name in links else one for name, one in columns.items()))
    for name in links:
        for one, number in zip(made, columns[name] or (), strict=True):
            if isinstance(number, list):
                setattr(one, name, [made[k] for k in number])
            elif number >= 0:
                setattr(one, name, made[number])
    return made[0] if made else None
