"""Exceptions of compiled code whose message tells numbers and texts.

Besides the formats of numbers there are two of texts in the braces: ``{:text}`` takes the number of
one (``text_numbers``), and ``{:argument}`` the path of one, ``"option.kind"``, which is an argument
that compiled code does not see: the function in plain Python in front of it fills that in.
``{:repr text}`` and ``{:repr argument}`` show them in quotes.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from mooncake_runtime.text_numbers import known_text

PENDING = "_mooncake_pending"  # the attribute of an exception that has arguments to tell


class _Texts(string.Formatter):
    """The braces of a message; ``arguments`` are there to be told."""

    def __init__(self, arguments: Mapping[str, object]) -> None:
        self.arguments = arguments

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec.removeprefix("repr "):
            case "text":
                found = known_text(int(value))
            case "argument" if self.arguments:
                found = at(self.arguments, value)
            case "argument":
                return f"{{{value}}}"
            case _:
                return str(super().format_field(value, format_spec))
        return repr(found) if format_spec.startswith("repr ") else str(found)


def at(arguments: Mapping[str, object], path: str) -> Any:
    """The part of the arguments at ``path``: ``option.kind``, ``ends[0].t``, ``bond["kind"]``."""
    name, *inner = re.findall(r'"[^"]*"|\w+', path)
    found: Any = arguments[name]
    for part in inner:
        if part.startswith('"'):
            found = found[part[1:-1]]
        else:
            found = found[int(part)] if part.isdigit() else getattr(found, part)
    return found


def filled(message: str, numbers: Sequence[Any], arguments: Mapping[str, object]) -> str:
    """``message`` with numbers and texts in its braces."""
    return _Texts(arguments).format(message, *numbers)


class Formatted(Exception):
    """``Formatted(ValueError, "{} rows", 3)`` is ``ValueError("3 rows")``.

    Compiled code can't put numbers into texts: it hands both over, and this is made in Python.
    """

    def __new__(
        cls, made: type[BaseException] | BaseException, message: str = "", *numbers: Any
    ) -> Any:
        if isinstance(made, BaseException):  # raised while another exception is handled, Python
            return made  # takes it for the arguments of what it should have been
        error = made(filled(message, numbers, {}))
        if any(isinstance(number, str) for number in numbers):
            setattr(error, PENDING, (made, message, numbers))
        return error


def told(error: BaseException, arguments: Mapping[str, object]) -> BaseException:
    """``error`` with the ``arguments`` that its message tells."""
    made, message, numbers = getattr(error, PENDING)
    found: BaseException = made(filled(message, numbers, arguments))
    return found


def braced(text: str) -> str:
    """``text`` as a message without braces to fill in."""
    return text.replace("{", "{{").replace("}", "}}")


def holes(message: str) -> int:
    """The number of braces to fill in."""
    return sum(name is not None for _, name, _, _ in string.Formatter().parse(message))
