"""Texts as numbers: compiled code tells the keys of dicts apart by these.

The number of a text is a hash of it, so that it is the same in every process, and compiled code can
tell that of `f"bus {i}"`. Texts that came in from Python are remembered, for what goes back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_texts = {0: "", **{code + 1: chr(code) for code in range(128)}}  # by their numbers


BASE = 6790264718215380557  # an odd number, drawn once
MASK = 2**63 - 1


def number_of(text: str, before: int = 0) -> int:
    """The number of ``text``, behind a text with the number ``before``: 63 bits.

    It is the polynomial of its bytes, each and 1, at ``BASE``, modulo 2^63: Karp and Rabin (1987).
    """
    for byte in text.encode("utf-8", "surrogatepass"):
        before = (before * BASE + byte + 1) & MASK
    return before


def text_number(path: str, value: Any) -> int:
    """The number of a text; TypeError for anything else."""
    return _noted(path, 0, value)


def text_numbers(path: str, values: Iterable[Any]) -> NDArray[np.int64]:
    """The numbers of texts; TypeError where one is no text."""
    return np.array([_noted(path, k, value) for k, value in enumerate(values)], np.int64)


def _noted(path: str, k: int, value: Any) -> int:
    if not isinstance(value, str):
        raise TypeError(f"parameter {path.format(k)}: expected str, got {type(value).__name__}")
    number = number_of(value)
    if _texts.setdefault(number, value) != value:
        raise ValueError(f"parameter {path.format(k)}: {value!r} and {_texts[number]!r} collide")
    return number


def note_texts(*texts: str) -> None:
    """Note texts that functions name, and put in order."""
    for text in texts:
        _texts[number_of(text)] = text


def noted(text: str) -> int:
    """The number of ``text``, which is noted."""
    number = number_of(text)
    if _texts.setdefault(number, text) != text:
        raise ValueError(f"{text!r} and {_texts[number]!r} collide")
    return number


def comes_first(one: int, other: int) -> bool:
    """True if the text with the number ``one`` is less than that with the number ``other``."""
    return text_known(one) < text_known(other)


def row_text_numbers(path: str, rows: Iterable[Iterable[Any]]) -> NDArray[np.int64]:
    """The numbers of all texts in lists."""
    return text_numbers(path, [value for row in rows for value in row])


def text_rows_of(spans: NDArray[np.int64], numbers: NDArray[np.int64]) -> list[list[str]]:
    """The lists of texts that ``spans`` tells of."""
    texts = texts_of(numbers)
    return [texts[start : start + size] for start, size in spans.tolist()]


def text_of(number: int, *known: str) -> str:
    """The text with this number; see ``texts_of``."""
    (text,) = texts_of(np.array([number]), *known)
    return text


def known_text(number: int) -> str:
    """The text with this number, for a message: "?" where none was passed in this process."""
    return _texts.get(number, "?")


def texts_of(numbers: NDArray[np.int64], *known: str) -> list[str]:
    """The texts with these numbers; KeyError where one was never passed in this process.

    ``known``: texts that the function names itself.
    """
    note_texts(*known)
    return list(map(text_known, numbers.tolist()))


def text_known(number: int) -> str:
    """The text with this number; KeyError where it was never passed in this process."""
    try:
        return _texts[int(number)]
    except KeyError:
        message = "a text of these residuals is not known here: run the forward function first"
        raise KeyError(message) from None
