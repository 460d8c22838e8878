"""NumPy's older generator of random numbers, written out: ``np.random.RandomState(seed)``.

The functions of ``np.random`` behind ``np.random.seed(seed)`` are those of such a generator. The
numbers are NumPy's, bit for bit; what is made of them has derivatives (``random_numbers.py``).
"""

import math
from collections import namedtuple
from typing import Any

import numpy as np
from mooncake_runtime import kernels

from mooncake_transpiler.frontend.lower.written.random_numbers import (
    _check_count,
    _drawn,
    _draws,
    _filled,
    _items_at,
    _moved,
    _running_sums,
    _unsupported,
)

RandomState = namedtuple(
    "RandomState",
    "random standard_normal normal standard_exponential exponential rand randn random_sample "
    "uniform randint choice shuffle permutation",
)


def _double_of(words: Any) -> float:
    high = kernels.next_word(words) >> 5
    return (high * 67108864.0 + (kernels.next_word(words) >> 6)) / 9007199254740992.0


def _interval(words: Any, last: int) -> Any:
    """A number from 0 to ``last``: as many bits as it has, until they fit."""
    if last == 0:
        return 0
    mask = last
    for shift in (1, 2, 4, 8, 16, 32):
        mask = mask | (mask >> shift)
    number = last + 1
    while number > last:
        number = kernels.next_word(words) & (mask if last <= 0xFFFFFFFF else mask >> 32)
        if last > 0xFFFFFFFF:
            number = number << 32 | kernels.next_word(words)
    return number


def _gauss_of(words: Any, spare: Any) -> float:
    """One of a pair of numbers; the other one is kept for the next draw (Marsaglia, 1962)."""
    if spare[0] > 0.0:
        spare[0] = 0.0
        return float(spare[1])
    x, y, r = 0.0, 0.0, 0.0
    while r >= 1.0 or r == 0.0:
        x = 2.0 * _double_of(words) - 1.0
        y = 2.0 * _double_of(words) - 1.0
        r = x * x + y * y
    scale = math.sqrt(-2.0 * math.log(r) / r)
    spare[0] = 1.0
    spare[1] = scale * x
    return float(scale * y)


def _item_by(number: float, sums: Any) -> int:
    """The item that ``number`` chooses, by running sums of probabilities."""
    k = 0
    while k < len(sums) and sums[k] / sums[-1] <= number:
        k += 1
    return k


def _shuffled(words: Any, x: Any) -> None:
    for i in range(len(x) - 1, 0, -1):
        j = _interval(words, i)
        if isinstance(x, np.ndarray) and np.ndim(x) > 1:
            row = np.copy(x[i])
            x[i] = x[j]
            x[j] = row
        else:
            x[i], x[j] = x[j], x[i]


def _ordered(words: Any, count: int) -> Any:
    places = np.arange(count)
    _shuffled(words, places)
    return places


def _check_range(width: Any) -> None:
    if not np.all(np.isfinite(width)):
        raise OverflowError("Range exceeds valid bounds")


def _older_words(seed: Any) -> Any:
    if seed is None:
        _unsupported("MK194", "drawing random numbers without a seed", "give a seed")
    if not isinstance(seed, int | np.integer):
        _unsupported("MK194", "a seed of this kind", "an integer")
    if seed < 0 or seed > 0xFFFFFFFF:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    return kernels.mt19937(int(seed))


def _older_uniform(double: Any, low: Any, high: Any, size: Any) -> Any:
    width = high - low if np.ndim(low) + np.ndim(high) == 0 else np.subtract(high, low)
    _check_range(width)
    return _moved(double, low, width, size)


def _older_integers(words: Any, low: Any, high: Any, size: Any) -> Any:
    first = 0 if high is None else int(low)
    last = (int(low) if high is None else int(high)) - 1
    if last < first:
        raise ValueError("high <= 0" if high is None else "low >= high")

    def one() -> Any:
        return first + _interval(words, last - first)

    return int(one()) if size is None else _filled(one, size, np.int64)


def _older_choice(words: Any, a: Any, size: Any, replace: bool, p: Any) -> Any:
    items = np.asarray(a)
    count = a if np.ndim(items) == 0 else len(items)
    _check_count(count)
    sums = None if p is None else _running_sums(count, p)
    if not replace and (p is not None or size is None or np.ndim(size) > 0):
        _unsupported(
            "MK194", "choice of this kind without replacement", "np.random.permutation(n)[:k]"
        )

    def one() -> Any:
        return _interval(words, count - 1) if p is None else _item_by(_double_of(words), sums)

    if replace:
        places = one() if size is None else _filled(one, size, np.int64)
    else:
        if size > count:
            raise ValueError("Cannot take a larger sample than population when replace=False")
        places = _ordered(words, count)[:size]
    return _items_at(items, places)


def _older_permutation(words: Any, x: Any) -> Any:
    if np.ndim(x) == 0:
        return _ordered(words, int(x))
    if np.ndim(x) > 1:
        return np.copy(np.asarray(x)[_ordered(words, len(x))])
    copied = np.array(x)
    _shuffled(words, copied)
    return copied


def numpy_random_RandomState(seed: Any = None) -> Any:
    words, spare = _older_words(seed), np.zeros(2)

    def double() -> Any:
        return _double_of(words)

    def gauss() -> Any:
        return _gauss_of(words, spare)

    def waiting() -> Any:
        return -math.log(1.0 - _double_of(words))

    def rand(*shape: Any) -> Any:
        return _drawn(double, shape) if len(shape) > 0 else double()

    def randn(*shape: Any) -> Any:
        return _drawn(gauss, shape) if len(shape) > 0 else gauss()

    def random_sample(size: Any = None) -> Any:
        return _drawn(double, size)

    def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        return _older_uniform(double, low, high, size)

    def randint(low: Any, high: Any = None, size: Any = None) -> Any:
        return _older_integers(words, low, high, size)

    def choice(a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        return _older_choice(words, a, size, replace, p)

    def shuffle(x: Any) -> None:
        _shuffled(words, x)

    def permutation(x: Any) -> Any:
        return _older_permutation(words, x)

    return RandomState(
        *_draws(double, gauss, waiting),
        rand, randn, random_sample, uniform, randint, choice, shuffle, permutation,
    )  # fmt: skip
