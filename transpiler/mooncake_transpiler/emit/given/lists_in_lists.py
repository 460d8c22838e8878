"""Arrays, lists and dicts that are items of lists, made of the results of compiled functions.

list(map(dict, zipped_rows(text_rows_of(rows_keys_spans, rows_keys),
                           rows_of(rows_values_spans, rows_values))))
"""

from __future__ import annotations

from collections.abc import Callable

from mooncake_transpiler.emit.given.given_objects import Use
from mooncake_transpiler.emit.layout import Group, Item
from mooncake_transpiler.types import Array, List, ListKind, NoneType, Scalar, Tuple, Type

Fresh = Callable[[str], str]


def rows(
    item: Array | List, hint: str, suffix: str, targets: list[str], fresh: Fresh, use: Use
) -> Item:
    """The list of what is in variables for its parts, which go to ``targets``."""

    def held(maker: str, hint: str, suffix: str) -> Group:
        """Items by two variables: all their numbers, and where each item is among these."""
        names = (fresh(f"{hint}_spans".lstrip("_")), fresh(hint + suffix))
        targets.extend(names)
        return Group(f"{use(maker)}(", names, ")", compact=True)

    def inner(part: Type, hint: str) -> Item:
        match part:
            case Tuple(items=items):
                columns = tuple(inner(one, f"{hint}_{k}") for k, one in enumerate(items))
                return Group(f"{use('zipped_rows')}(", columns, ")", compact=True)
            case NoneType():
                return "None"
            case Scalar(is_text=True):
                return held("text_rows_of", hint, "")
            case _:
                return held("rows_of", hint, suffix)

    if isinstance(item, Array):
        return held("arrays_of", hint, suffix)
    found = inner(item.item, hint)
    if item.kind is ListKind.LIST:
        return found
    mapped = Group(f"{use('map')}(", (use(item.kind.value), found), ")", compact=True)
    return Group(f"{use('list')}(", (mapped,), ")", compact=True)
