"""The limit on items of tuples, lists and structs that are values of their own, one by one."""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_transpiler.diagnostic.diagnostics import TooMuch

MAX_ITEMS = 10_000  # of tuples, lists and structs that are taken apart, nested ones together


def total_size(items: Iterable[object]) -> int:
    """The number of items, those of items included; more than ``MAX_ITEMS`` are refused."""
    size = sum(getattr(item, "size", 1) for item in items)
    check_size(size)
    return max(size, 1)


def check_size(items: int) -> None:
    """Refuse more ``items`` than are taken apart."""
    if items > MAX_ITEMS:
        raise TooMuch(f"{items} items that are known one by one: {MAX_ITEMS} are the most")
