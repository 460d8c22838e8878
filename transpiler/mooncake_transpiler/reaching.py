"""Relations as pairs: grouped by their first members, and their transitive closure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The second members of ``pairs``, by the first."""
    found: dict[K, list[V]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
    return found


def closure(start: Iterable[K], after: Callable[[K], Iterable[K]]) -> dict[K, None]:
    """``start`` and all that ``after`` leads to from there, in the order in which it is found."""
    found = dict.fromkeys(start)
    waiting = list(found)
    while waiting:
        for one in after(waiting.pop()):
            if one not in found:
                found[one] = None
                waiting.append(one)
    return found
