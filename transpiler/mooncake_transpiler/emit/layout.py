"""Text that a formatter leaves alone: groups that do not fit are broken one item per line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LINE_LENGTH = 88
INDENT = "    "


@dataclass(frozen=True, slots=True)
class Group:
    """Items between brackets; ``head`` ends with the opening one."""

    head: str
    items: tuple[Item, ...]
    tail: str

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.items))
        lone = self.head == "(" and len(self.items) == 1
        return f"{self.head}{inner}{',' if lone else ''}{self.tail}"


Item = str | Group


def tuple_group(items: Sequence[Item]) -> Group:
    return Group("(", tuple(items), ")")


def layout(prefix: str, item: Item, suffix: str, depth: int) -> list[str]:
    """The lines of ``prefix item suffix``, broken at the brackets of ``item`` if need be."""
    pad = INDENT * depth
    flat = f"{pad}{prefix}{_bare(prefix, item, suffix)}{suffix}"
    if len(flat) <= LINE_LENGTH or isinstance(item, str) or not item.items:
        return [flat]
    lines = [f"{pad}{prefix}{item.head}"]
    for inner in item.items:
        lines += layout("", inner, ",", depth + 1)
    return [*lines, f"{pad}{item.tail}{suffix}"]


def _bare(prefix: str, item: Item, suffix: str) -> str:
    """Tuples that stand alone in a statement need no parentheses."""
    text = str(item)
    alone = prefix in ("return ", "") and suffix in ("", " = ")
    if isinstance(item, Group) and item.head == "(" and alone and len(item.items) > 1:
        return text[1:-1]
    return text


def quoted(text: str) -> str:
    """A string literal in the quotes that formatters prefer: those that need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = repr(text)[1:-1] if "'" not in text else repr(text + '"')[1:-2].replace("\\'", "'")
    return quote + body.replace('\\"', '"').replace(quote, "\\" + quote) + quote
