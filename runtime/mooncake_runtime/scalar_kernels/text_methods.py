"""Methods of texts, which are known by their numbers: Python is asked, which has the texts.

What makes a text gives its number.
"""

from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.text_numbers import noted, text_known


def text_startswith(text: int, other: int) -> bool:
    return text_known(text).startswith(text_known(other))


def text_endswith(text: int, other: int) -> bool:
    return text_known(text).endswith(text_known(other))


def text_contains(text: int, other: int) -> bool:
    return text_known(other) in text_known(text)


def text_isdigit(text: int) -> bool:
    return text_known(text).isdigit()


def text_length(text: int) -> int:
    return len(text_known(text))


def text_count(text: int, other: int) -> int:
    return text_known(text).count(text_known(other))


def text_find(text: int, other: int) -> int:
    return text_known(text).find(text_known(other))


def text_lower(text: int) -> int:
    return noted(text_known(text).lower())


def text_upper(text: int) -> int:
    return noted(text_known(text).upper())


def text_strip(text: int, letters: int) -> int:
    """The text without ``letters`` at its ends; 0: without spaces."""
    return noted(text_known(text).strip(text_known(letters) or None))


def text_removeprefix(text: int, other: int) -> int:
    return noted(text_known(text).removeprefix(text_known(other)))


def text_removesuffix(text: int, other: int) -> int:
    return noted(text_known(text).removesuffix(text_known(other)))


def text_replace(text: int, old: int, new: int) -> int:
    return noted(text_known(text).replace(text_known(old), text_known(new)))


def text_letter(text: int, k: int) -> int:
    return noted(text_known(text)[int(k)])


def text_slice(text: int, start: int, stop: int) -> int:
    return noted(text_known(text)[int(start) : int(stop)])


def text_parts(text: int, separator: int) -> int:
    """The number of parts of ``text.split(separator)``; 0: it is split at spaces."""
    return len(text_known(text).split(text_known(separator) or None))


def text_part(text: int, separator: int, k: int) -> int:
    """Part ``k`` of ``text.split(separator)``."""
    return noted(text_known(text).split(text_known(separator) or None)[int(k)])


if jit_enabled():
    from numba import types

    from mooncake_runtime.telling_numba import compile_told

    for is_so in (text_startswith, text_endswith, text_contains, text_isdigit):
        compile_told(is_so, types.boolean)
    for given in (
        text_length, text_count, text_find, text_lower, text_upper, text_strip,
        text_removeprefix, text_removesuffix, text_replace, text_letter, text_slice, text_parts,
        text_part,
    ):  # fmt: skip
        compile_told(given, types.int64)
