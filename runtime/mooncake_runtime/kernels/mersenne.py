"""NumPy's older generator of random numbers, MT19937 (Matsumoto and Nishimura, 1998), in an array.

The array has 625 items: 624 words of 32 bits, and how many of them have been drawn. Whoever draws
writes it. All numbers fit into 64 bits with a sign.
"""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part

_WORDS, _MIDDLE = 624, 397
_WORD, _TOP, _LOW = 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF


def _seeded(seed: int) -> np.ndarray:
    state = np.empty(_WORDS + 1, np.int64)
    word = int(seed) & _WORD
    state[0] = word
    for k in range(1, _WORDS):
        word = (1812433253 * (word ^ word >> 30) + k) & _WORD
        state[k] = word
    state[_WORDS] = _WORDS
    return state


@part
def _turn(state: np.ndarray) -> None:
    """All words anew."""
    for k in range(_WORDS):
        both = (int(state[k]) & _TOP) | (int(state[(k + 1) % _WORDS]) & _LOW)
        state[k] = int(state[(k + _MIDDLE) % _WORDS]) ^ both >> 1 ^ (0x9908B0DF if both & 1 else 0)
    state[_WORDS] = 0


def _next(state: np.ndarray) -> int:
    if state[_WORDS] == _WORDS:
        _turn(state)
    word = int(state[state[_WORDS]])
    state[_WORDS] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


@compiled_as(_seeded)
def mt19937(seed: int) -> np.ndarray:
    """The state of ``np.random.RandomState(seed)`` for an integer of 32 bits."""
    return _seeded(seed)


@compiled_as(_next)
def next_word(state: np.ndarray) -> int:
    """The next 32 bits."""
    return _next(state)
