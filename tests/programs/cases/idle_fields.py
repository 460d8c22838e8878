"""Fields that no function reads: they may be of any type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Optional


@dataclass
class Item:
    weight: float
    meta: dict = field(default_factory=dict)  # type: ignore[type-arg]
    labels: list = field(default_factory=list)  # type: ignore[type-arg]
    payload: Any = None
    hook: Optional[Callable[[float], float]] = None  # noqa: UP045
    past: list[dict[str, Any]] = field(default_factory=list)


def total(items: list[Item]) -> float:
    return sum(item.weight**2 for item in items)


def one(item: Item, k: float) -> float:
    return item.weight * k


def made_here(x: float, n: int) -> float:
    return total([Item(x * k, {"k": k}) for k in range(n)])


def grown(x: float, n: int) -> float:
    items = []
    for k in range(n):
        items.append(Item(x * k, labels=["a", "b"]))
    items[0].weight += x
    return total(items)


def scaled(items: list[Item], k: float) -> float:
    for item in items:
        item.weight *= k
    return total(items)


@dataclass
class Labelled:
    weight: float
    marks: list[int] = field(default_factory=list)


def equal_to_first(x: float, n: int) -> float:
    items = [Labelled(x, [k % 2]) for k in range(n)]
    return sum(item.weight for item in items if item == items[0])


def copied(x: float, n: int) -> float:
    items = [Labelled(x, [k]) for k in range(n)]
    more = [replace(item, weight=2 * item.weight) for item in items]
    return sum(item.weight for item in (*items, *more))
