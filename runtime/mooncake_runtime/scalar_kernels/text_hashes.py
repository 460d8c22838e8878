"""Numbers of texts that are made of integers: `f"bus {i}"` by that of `"bus "`; their order.

The number of a text is a polynomial of its bytes (``mooncake_runtime.text_numbers``), so that the
number of a text with more at its end comes from its own: Rabin and Karp, "Efficient randomized
pattern-matching algorithms" (1987).
"""

from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.jit import inner
from mooncake_runtime.text_numbers import BASE, MASK, comes_first

if jit_enabled():
    from numba import types

    from mooncake_runtime.telling_numba import compile_told

    compile_told(comes_first, types.boolean)


@inner
def text_before(one: int, other: int) -> bool:
    """True if the text with the number ``one`` is less than that with the number ``other``.

    Python is asked, which has the texts.
    """
    return comes_first(one, other)


@inner
def text_with(text: int, digits: int, power: int) -> int:
    """The number of a text and another one behind it, whose ``digits`` have so many bytes.

    ``power``: that of ``BASE`` with as many factors as there are bytes, modulo 2^63.
    """
    return (int(text) * int(power) + int(digits)) & MASK


@inner
def text_with_integer(text: int, n: int, width: int) -> int:
    """The number of a text and the integer ``n`` behind it, with zeros up to so many places."""
    found, rest, places, unit = int(text), abs(int(n)), 1, 1
    while rest // unit > 9:
        unit, places = unit * 10, places + 1
    if n < 0:
        found, width = (found * BASE + 46) & MASK, width - 1
    for _ in range(width - places):
        found = (found * BASE + 49) & MASK
    for _ in range(places):
        found = (found * BASE + 49 + rest // unit % 10) & MASK
        unit //= 10
    return found
