"""Exceptions of compiled code whose message tells numbers."""

from __future__ import annotations

from typing import Any


class Formatted(Exception):
    """``Formatted(ValueError, "{} rows", 3)`` is ``ValueError("3 rows")``.

    Compiled code can't put numbers into texts: it hands both over, and this is made in Python.
    """

    def __new__(cls, made: type[BaseException], message: str, *numbers: Any) -> Any:
        return made(message.format(*numbers))
