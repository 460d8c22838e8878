"""Methods of texts, which are known by their numbers: Python is asked, which has the texts.

What makes a text gives its number.
"""

from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.jit import inner
from mooncake_runtime.text_answers import (
    contains_of,
    count_of,
    endswith_of,
    find_of,
    isdigit_of,
    length_of,
    letter_of,
    lower_of,
    part_of,
    parts_of,
    removeprefix_of,
    removesuffix_of,
    replace_of,
    slice_of,
    startswith_of,
    strip_of,
    upper_of,
)

if jit_enabled():
    from numba import types

    from mooncake_runtime.telling_numba import compile_told

    for is_so in (startswith_of, endswith_of, contains_of, isdigit_of):
        compile_told(is_so, types.boolean)
    for given in (
        length_of,
        count_of,
        find_of,
        lower_of,
        upper_of,
        strip_of,
        removeprefix_of,
        removesuffix_of,
        replace_of,
        letter_of,
        slice_of,
        parts_of,
        part_of,
    ):
        compile_told(given, types.int64)


@inner
def text_startswith(text: int, other: int) -> bool:
    return startswith_of(text, other)


@inner
def text_endswith(text: int, other: int) -> bool:
    return endswith_of(text, other)


@inner
def text_contains(text: int, other: int) -> bool:
    return contains_of(text, other)


@inner
def text_isdigit(text: int) -> bool:
    return isdigit_of(text)


@inner
def text_length(text: int) -> int:
    return length_of(text)


@inner
def text_count(text: int, other: int) -> int:
    return count_of(text, other)


@inner
def text_find(text: int, other: int) -> int:
    return find_of(text, other)


@inner
def text_lower(text: int) -> int:
    return lower_of(text)


@inner
def text_upper(text: int) -> int:
    return upper_of(text)


@inner
def text_strip(text: int, letters: int) -> int:
    """The text without ``letters`` at its ends; 0: without spaces."""
    return strip_of(text, letters)


@inner
def text_removeprefix(text: int, other: int) -> int:
    return removeprefix_of(text, other)


@inner
def text_removesuffix(text: int, other: int) -> int:
    return removesuffix_of(text, other)


@inner
def text_replace(text: int, old: int, new: int) -> int:
    return replace_of(text, old, new)


@inner
def text_letter(text: int, k: int) -> int:
    return letter_of(text, k)


@inner
def text_slice(text: int, start: int, stop: int) -> int:
    return slice_of(text, start, stop)


@inner
def text_parts(text: int, separator: int) -> int:
    """The number of parts of ``text.split(separator)``; 0: it is split at spaces."""
    return parts_of(text, separator)


@inner
def text_part(text: int, separator: int, k: int) -> int:
    """Part ``k`` of ``text.split(separator)``."""
    return part_of(text, separator, k)
