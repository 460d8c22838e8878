"""PCG64 and what NumPy makes of its outputs, for compiled code: the same bits, in the same order.

Of NumPy's documentation: seeds become states by SeedSequence (O'Neill, 2015), normal and
exponential numbers come from ziggurats of 256 steps, whose tables are those of numba, and bounded
integers from products (Lemire, 2018).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba.np.random import _constants

from mooncake_runtime.kernels.compiled import part

_tables: Any = _constants  # carries no types
_WIDTHS, _SURE, _HEIGHTS = _tables.wi_double, _tables.ki_double, _tables.fi_double
_TAIL, _TAIL_SCALE = float(_tables.ziggurat_nor_r), float(_tables.ziggurat_nor_inv_r)
_E_WIDTHS, _E_SURE, _E_HEIGHTS = _tables.we_double, _tables.ke_double, _tables.fe_double
_E_TAIL = float(_tables.ziggurat_exp_r)

_U = np.uint64
_WORD = _U(0xFFFFFFFF)
_ZERO, _ONE, _TWO, _32, _64 = _U(0), _U(1), _U(2), _U(32), _U(64)
_MULTIPLIER = (_U(0x2360ED051FC65DA4), _U(0x4385DF649FCCF645))
_EIGHTH, _9, _11, _58, _3, _8, _16 = _U(255), _U(9), _U(11), _U(58), _U(3), _U(8), _U(16)
_52 = _U(0xFFFFFFFFFFFFF)
_HASH, _HASH_BY = _U(0x43B0D7E5), _U(0x931E8875)
_OUT, _OUT_BY = _U(0x8B51F9DD), _U(0x58F38DED)
_MIX_LEFT, _MIX_RIGHT = _U(0xCA01F9DD), _U(0x4973F715)


# ---- seeds --------------------------------------------------------------------------------------


@part
def _hashed(word: Any, by: np.ndarray) -> Any:
    """``word`` after one more step of the hash whose constant is ``by``."""
    word ^= by[0]
    by[0] = by[0] * _HASH_BY & _WORD
    word = word * by[0] & _WORD
    return word ^ word >> _16


@part
def _mixed(x: Any, y: Any) -> Any:
    mixed = x * _MIX_LEFT - y * _MIX_RIGHT & _WORD
    return mixed ^ mixed >> _16


@part
def _words(entropy: np.ndarray) -> np.ndarray:
    """The integers in words of 32 bits, the low one first: two for those that need them."""
    words = np.zeros(2 * entropy.size + 4, np.uint64)
    count = 0
    for k in range(entropy.size):
        whole = _U(entropy[k])
        words[count] = whole & _WORD
        count += 1
        if whole > _WORD:
            words[count] = whole >> _32
            count += 1
    return words[: max(count, 4)]


def seeded(entropy: np.ndarray) -> np.ndarray:
    words = _words(entropy)
    pool = np.empty(4, np.uint64)
    by = np.full(1, _HASH)
    for k in range(4):
        pool[k] = _hashed(words[k], by)
    for source in range(4):
        for k in range(4):
            if k != source:
                pool[k] = _mixed(pool[k], _hashed(pool[source], by))
    for source in range(4, words.size):
        for k in range(4):
            pool[k] = _mixed(pool[k], _hashed(words[source], by))
    outputs = np.zeros(4, np.uint64)
    factor = _OUT
    for k in range(8):
        word = pool[k % 4] ^ factor
        factor = factor * _OUT_BY & _WORD
        word = word * factor & _WORD
        word ^= word >> _16
        outputs[k // 2] |= word if k % 2 == 0 else word << _32
    state = np.zeros(6, np.uint64)
    state[2] = outputs[2] << _ONE | outputs[3] >> _U(63)
    state[3] = outputs[3] << _ONE | _ONE
    _step(state)
    low = state[1] + outputs[1]
    state[0] += outputs[0] + (_ONE if low < outputs[1] else _ZERO)
    state[1] = low
    _step(state)
    return state


# ---- outputs ------------------------------------------------------------------------------------


@part
def _high(x: Any, y: Any) -> Any:
    """The high half of the product of 64 by 64 bits."""
    x_low, x_high, y_low, y_high = x & _WORD, x >> _32, y & _WORD, y >> _32
    middle = x_high * y_low + (x_low * y_low >> _32)
    other = x_low * y_high + (middle & _WORD)
    return x_high * y_high + (middle >> _32) + (other >> _32)


@part
def _step(state: np.ndarray) -> None:
    by_high, by_low = _MULTIPLIER
    high, low = state[0], state[1]
    product = low * by_low
    added = product + state[3]
    carry = _ONE if added < product else _ZERO
    state[0] = _high(low, by_low) + high * by_low + low * by_high + state[2] + carry
    state[1] = added


@part
def _next(state: np.ndarray) -> Any:
    """The next 64 bits: the halves of the new state together, rotated."""
    _step(state)
    mixed, turn = state[0] ^ state[1], state[0] >> _58
    return mixed >> turn | mixed << (_64 - turn & _U(63))


@part
def _next_half(state: np.ndarray) -> Any:
    """The next 32 bits: the low half of an output, then its high half."""
    if state[4] != _ZERO:
        state[4] = _ZERO
        return state[5]
    both = _next(state)
    state[4] = _ONE
    state[5] = both >> _32
    return both & _WORD


def double(state: np.ndarray) -> Any:
    return float(_next(state) >> _11) * (1.0 / 9007199254740992.0)


@part
def _double(state: np.ndarray) -> Any:
    return float(_next(state) >> _11) * (1.0 / 9007199254740992.0)


# ---- distributions ------------------------------------------------------------------------------


def normal(state: np.ndarray) -> Any:
    while True:
        bits = _next(state)
        k = bits & _EIGHTH
        place = bits >> _9 & _52
        x = float(place) * _WIDTHS[k]
        if bits >> _8 & _ONE:
            x = -x
        if place < _SURE[k]:
            return x
        if k == _ZERO:
            while True:
                behind = -_TAIL_SCALE * np.log1p(-_double(state))
                height = -np.log1p(-_double(state))
                if height + height > behind * behind:
                    tail = _TAIL + behind
                    return -tail if place >> _8 & _ONE else tail
        step = _HEIGHTS[k - _ONE] - _HEIGHTS[k]
        if step * _double(state) + _HEIGHTS[k] < math.exp(-0.5 * x * x):
            return x


def exponential(state: np.ndarray) -> Any:
    while True:
        bits = _next(state) >> _3
        k = bits & _EIGHTH
        place = bits >> _8
        x = float(place) * _E_WIDTHS[k]
        if place < _E_SURE[k]:
            return x
        if k == _ZERO:
            return _E_TAIL - np.log1p(-_double(state))
        step = _E_HEIGHTS[k - _ONE] - _E_HEIGHTS[k]
        if step * _double(state) + _E_HEIGHTS[k] < math.exp(-x):
            return x


def bounded(state: np.ndarray, span: int) -> Any:
    last = _U(span)
    if last == _ZERO:
        return 0
    if last == _WORD:
        return np.int64(_next_half(state))
    count = last + _ONE
    if count == _ZERO:
        return np.int64(_next(state))
    if last < _WORD:
        product = _next_half(state) * count
        if product & _WORD < count:
            least = (_WORD - last) % count
            while product & _WORD < least:
                product = _next_half(state) * count
        return np.int64(product >> _32)
    bits = _next(state)
    if bits * count < count:
        least = (_U(0xFFFFFFFFFFFFFFFF) - last) % count
        while bits * count < least:
            bits = _next(state)
    return np.int64(_high(bits, count))
