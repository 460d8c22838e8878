"""The IndexError of ``--check-bounds``."""

from __future__ import annotations


class OutOfBounds(IndexError):
    """Compiled code can't put numbers into texts: ``OutOfBounds("index {} ... size {}", 5, 3)``."""

    def __str__(self) -> str:
        text, *numbers = map(str, self.args)
        for number in numbers:
            text = text.replace("{}", number, 1)
        return text
