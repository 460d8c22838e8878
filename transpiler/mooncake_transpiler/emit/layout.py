"""Text that a formatter leaves alone: groups that do not fit are broken one item per line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

LINE_LENGTH = 88
INDENT = "    "


@dataclass(frozen=True, slots=True)
class Group:
    """Items between brackets; ``head`` ends with the opening one.

    The items of a ``compact`` group may stand on one line of their own.
    """

    head: str
    items: tuple[Item, ...]
    tail: str
    compact: bool = False

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.items))
        lone = self.head == "(" and len(self.items) == 1
        return f"{self.head}{inner}{',' if lone else ''}{self.tail}"


Item = str | Group


def tuple_group(items: Sequence[Item]) -> Group:
    return Group("(", tuple(items), ")")


def layout(prefix: str, item: Item, suffix: str, depth: int, bare: bool = False) -> list[str]:
    """The lines of ``prefix item suffix``, broken at the brackets of ``item`` if need be.

    A ``bare`` tuple needs no parentheses as long as it fits on one line.
    """
    pad = INDENT * depth
    text = str(item)
    if bare and isinstance(item, Group) and item.head == "(" and len(item.items) > 1:
        text = text[1:-1]
    flat = f"{pad}{prefix}{text}{suffix}"
    long = isinstance(item, str) and len(flat) > LINE_LENGTH and not item.startswith(("'", '"'))
    if isinstance(item, str) and long and suffix == "," and " if " in item:
        return [f"{pad}{line}" for line in _broken(f"{prefix}{text}{suffix}")]
    if len(flat) <= LINE_LENGTH or isinstance(item, str) or not item.items:
        return [flat]
    lines = [f"{pad}{prefix}{item.head}"]
    one = f"{pad}{INDENT}{', '.join(map(str, item.items))}"
    if item.compact and len(one) <= LINE_LENGTH:
        return [*lines, one, f"{pad}{item.tail}{suffix}"]
    for inner in item.items:
        lines += layout("", inner, ",", depth + 1)
    return [*lines, f"{pad}{item.tail}{suffix}"]


def wrapped(text: str) -> list[str]:
    """A paragraph of a docstring, with its indentation; what stands in backticks stays whole."""
    pad = text[: len(text) - len(text.lstrip())]
    glued = re.sub("`[^`]*`", lambda quoted: quoted[0].replace(" ", "\0"), text)
    lines = wrap(
        glued, LINE_LENGTH, subsequent_indent=pad, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace("\0", " ") for line in lines] or [""]


# Binary operators by precedence, loosest first; a long expression is broken at the loosest.
_OPERATORS = (
    ("if", "else"), ("or",), ("and",), ("==", "!=", "<", "<=", ">", ">="), ("|",), ("^",), ("&",),
    ("<<", ">>"), ("+", "-"), ("*", "/", "//", "%"), ("**",),
)  # fmt: skip


def parenthesized(prefix: str, text: str, suffix: str, depth: int) -> list[str]:
    """``text`` between parentheses on lines of its own, broken at its loosest operators."""
    pad = INDENT * (depth + 1)
    lines = [text] if len(pad + text) <= LINE_LENGTH else _broken(text)
    outer = INDENT * depth
    return [f"{outer}{prefix}(", *(pad + line for line in lines), f"{outer}){suffix}"]


def in_call(prefix: str, text: str, suffix: str, depth: int) -> list[str]:
    """A call whose only argument stands on a line of its own."""
    head, _, inner = text.removesuffix(")").partition("(")
    pad = INDENT * depth
    return [f"{pad}{prefix}{head}(", f"{pad}{INDENT}{inner}", f"{pad}){suffix}"]


def _broken(text: str) -> list[str]:
    words: list[str] = []
    nesting = 0
    for word in text.split(" "):
        words = [*words[:-1], f"{words[-1]} {word}"] if nesting else [*words, word]
        nesting += sum(map(word.count, "([")) - sum(map(word.count, ")]"))
    level = next((ops for ops in _OPERATORS if not set(ops).isdisjoint(words)), ())
    lines: list[str] = []
    for word in words:
        if not lines or word in level:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return lines


def quoted(text: str) -> str:
    """A string literal in the quotes that formatters prefer: those that need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    body = repr(text)[1:-1] if "'" not in text else repr(text + '"')[1:-2].replace("\\'", "'")
    return quote + body.replace('\\"', '"').replace(quote, "\\" + quote) + quote


def assigned(target: Item, value: Item) -> list[str]:
    """The lines of ``target = value``."""
    lines, head = before(target, value, 1)
    lone = f"{INDENT}{target} = "
    if len(lines) == 2 and len(lone) < LINE_LENGTH:  # a tuple of one item
        return [f"{lone}(", *layout("", value, "", 2), f"{INDENT})"]
    return [*lines, *layout(head, value, "", 1)]


def before(target: Item, value: Item, depth: int) -> tuple[list[str], str]:
    """The lines before the last one of ``target = value``, and what ``value`` stands behind there.

    Names of a tuple stand without parentheses if they fit.
    """
    head = layout("", target, " = ", depth, bare=True)
    call = len(value.head) if isinstance(value, Group) else 0
    fits = len(head) == 1 and len(head[0]) + max(call, 24) <= LINE_LENGTH
    if fits or isinstance(target, str):
        return [], head[0].lstrip()
    lines = [f"{INDENT * depth}{target.head}"]
    for part in target.items:
        lines += layout("", part, ",", depth + 1)
    return lines, f"{target.tail} = "
