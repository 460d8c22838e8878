"""Answers about texts, which compiled code knows by their numbers.

What makes a text gives its number.
"""

from mooncake_runtime.text_numbers import noted, text_known


def startswith_of(text: int, other: int) -> bool:
    return text_known(text).startswith(text_known(other))


def endswith_of(text: int, other: int) -> bool:
    return text_known(text).endswith(text_known(other))


def contains_of(text: int, other: int) -> bool:
    return text_known(other) in text_known(text)


def isdigit_of(text: int) -> bool:
    return text_known(text).isdigit()


def length_of(text: int) -> int:
    return len(text_known(text))


def count_of(text: int, other: int) -> int:
    return text_known(text).count(text_known(other))


def find_of(text: int, other: int) -> int:
    return text_known(text).find(text_known(other))


def lower_of(text: int) -> int:
    return noted(text_known(text).lower())


def upper_of(text: int) -> int:
    return noted(text_known(text).upper())


def strip_of(text: int, letters: int) -> int:
    """The text without ``letters`` at its ends; 0: without spaces."""
    return noted(text_known(text).strip(text_known(letters) or None))


def removeprefix_of(text: int, other: int) -> int:
    return noted(text_known(text).removeprefix(text_known(other)))


def removesuffix_of(text: int, other: int) -> int:
    return noted(text_known(text).removesuffix(text_known(other)))


def replace_of(text: int, old: int, new: int) -> int:
    return noted(text_known(text).replace(text_known(old), text_known(new)))


def letter_of(text: int, k: int) -> int:
    return noted(text_known(text)[int(k)])


def slice_of(text: int, start: int, stop: int) -> int:
    return noted(text_known(text)[int(start) : int(stop)])


def parts_of(text: int, separator: int) -> int:
    """The number of parts of ``text.split(separator)``; 0: it is split at spaces."""
    return len(text_known(text).split(text_known(separator) or None))


def part_of(text: int, separator: int, k: int) -> int:
    """Part ``k`` of ``text.split(separator)``."""
    return noted(text_known(text).split(text_known(separator) or None)[int(k)])
