"""Objects that are drawn one by one, linked to each other: a list if they have one link, a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, get_args

import numpy as np


def linked(
    items: Sequence[Any],
    links: Sequence[str],
    lists: Sequence[str],
    hints: Mapping[str, object],
    rng: np.random.Generator,
) -> Any:
    """The first of ``items``, from which all others can be reached; links to none are None.

    Those that can't be None, by the ``hints``, close a circle. ``lists`` of them hold any number.
    """
    free = [(0, name) for name in links]
    for one in items:
        for name in links:
            unlinked = None if _may_be_none(hints.get(name)) else items[0]
            object.__setattr__(one, name, [] if name in lists else unlinked)
    for k in range(1, len(items)):
        at, name = free.pop(int(rng.integers(len(free))))
        if name in lists:
            getattr(items[at], name).append(items[k])
            free.append((at, name))
        else:
            object.__setattr__(items[at], name, items[k])
        free += [(k, name) for name in links]
    return items[0]


def _may_be_none(hint: object) -> bool:
    return hint is None or NoneType in get_args(hint)
