"""Exceptions of compiled code whose message tells numbers."""

from __future__ import annotations

import string
from typing import Any


class Formatted(Exception):
    """``Formatted(ValueError, "{} rows", 3)`` is ``ValueError("3 rows")``.

    Compiled code can't put numbers into texts: it hands both over, and this is made in Python.
    """

    def __new__(cls, made: type[BaseException], message: str, *numbers: Any) -> Any:
        return made(message.format(*numbers))


def braced(text: str) -> str:
    """``text`` as a message without braces to fill in."""
    return text.replace("{", "{{").replace("}", "}}")


def holes(message: str) -> int:
    """The number of braces to fill in."""
    return sum(name is not None for _, name, _, _ in string.Formatter().parse(message))
