"""NumPy's generator of random numbers, written out: ``np.random.default_rng`` with a seed.

The numbers are NumPy's, bit for bit. They count as constants; what is made of them here, as NumPy
makes it (``loc + scale * z``), has derivatives.
"""

from collections import namedtuple
from typing import Any

import numpy as np
from mooncake_runtime import kernels

Generator = namedtuple(
    "Generator",
    "random standard_normal normal standard_exponential exponential uniform integers choice",
)
BitGenerator = namedtuple("BitGenerator", "words")


def _unsupported(code: str, what: str, instead: str) -> None:
    """Nothing: a call of this is refused."""


def _doubles(x: Any) -> Any:
    return np.asarray(x, np.float64)


def _filled(draw: Any, size: Any, dtype: Any) -> Any:
    """New numbers in the order of C."""
    numbers = np.empty(size, dtype)
    flat = numbers.reshape(-1)
    for k in range(len(flat)):
        flat[k] = draw()
    return numbers


def _drawn(draw: Any, size: Any) -> Any:
    return draw() if size is None else _filled(draw, size, np.float64)


def _moved(draw: Any, loc: Any, scale: Any, size: Any) -> Any:
    """``loc + scale * z``, of the shape ``size`` if that is given."""
    if np.ndim(loc) == 0 and np.ndim(scale) == 0:
        return float(loc) + float(scale) * _drawn(draw, size)
    shape = np.shape(_doubles(loc) + _doubles(scale)) if size is None else size
    numbers = _filled(draw, shape, np.float64)
    moved = _doubles(loc) + _doubles(scale) * numbers
    if np.shape(moved) != np.shape(numbers):
        raise ValueError("Output size is not compatible with broadcast dimensions of inputs.")
    return moved


def _check_scale(scale: Any) -> None:
    if np.any(np.signbit(scale)):
        raise ValueError("scale < 0")


def _check_width(width: Any) -> None:
    if not np.all(np.isfinite(width)):
        raise OverflowError("high - low range exceeds valid bounds")
    if np.any(np.signbit(width)):
        raise ValueError("high - low < 0")


def _check_bounds(first: int, last: int, endpoint: bool, upwards: bool) -> None:
    if last < first and endpoint:
        raise ValueError("high < 0" if upwards else "low > high")
    if last < first:
        raise ValueError("high <= 0" if upwards else "low >= high")
    if float(last) - float(first) > 2.0**63:
        raise ValueError("high - low exceeds 64 bits with a sign")


def _check_count(count: int) -> None:
    if count <= 0:
        raise ValueError("a cannot be empty unless no samples are taken")


def _below(words: Any, first: int, last: int) -> Any:
    return first + kernels.next_bounded(words, last - first)


def _place(words: Any, sums: Any) -> int:
    """The item that one number chooses, by running sums of probabilities."""
    number = kernels.next_double(words)
    k = 0
    while k < len(sums) and sums[k] / sums[-1] <= number:
        k += 1
    return k


def _running_sums(count: int, p: Any) -> Any:
    chances = _doubles(p)
    if len(chances) != count:
        raise ValueError("a and p must have same size")
    if not np.all(chances >= 0.0):
        raise ValueError("Probabilities are not non-negative")
    sums = np.cumsum(chances)
    if abs(sums[-1] - 1.0) > 1.5e-8:
        raise ValueError("Probabilities do not sum to 1.")
    return sums


def _words(seed: Any) -> Any:
    if seed is None:
        _unsupported(
            "MK194", "drawing random numbers without a seed", "np.random.default_rng(seed)"
        )
    entropy = np.atleast_1d(np.asarray(seed))
    if not np.issubdtype(entropy.dtype, np.integer) or np.ndim(entropy) > 1:
        _unsupported("MK194", "a seed of this kind", "an integer, or a list or vector of integers")
    whole = entropy.astype(np.int64)
    for one in whole:
        if one < 0:
            raise ValueError("expected non-negative integer")
    return kernels.pcg64(whole)


def numpy_random_PCG64(seed: Any = None) -> Any:
    return BitGenerator(_words(seed))


def numpy_random_default_rng(seed: Any = None) -> Any:
    return _generator(_words(seed))


def numpy_random_Generator(bit_generator: Any) -> Any:
    return _generator(bit_generator.words)


def _draws(double: Any, gauss: Any, waiting: Any) -> tuple[Any, Any, Any, Any, Any]:
    """The functions that each generator has, by three that draw one number."""

    def random(size: Any = None) -> Any:
        return _drawn(double, size)

    def standard_normal(size: Any = None) -> Any:
        return _drawn(gauss, size)

    def normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        _check_scale(scale)
        return _moved(gauss, loc, scale, size)

    def standard_exponential(size: Any = None) -> Any:
        return _drawn(waiting, size)

    def exponential(scale: Any = 1.0, size: Any = None) -> Any:
        _check_scale(scale)
        return _moved(waiting, 0.0, scale, size)

    return random, standard_normal, normal, standard_exponential, exponential


def _items_at(items: Any, places: Any) -> Any:
    """The ``items`` at ``places``; the places where a number stands for what is below it."""
    if np.ndim(items) == 0:
        return places
    return np.copy(items[places]) if np.ndim(items) > 1 else items[places]


def _chosen(words: Any, a: Any, size: Any, replace: bool, p: Any) -> Any:
    if not replace:
        _unsupported("MK194", "choice without replacement", "pass the chosen items as an argument")
    items = np.asarray(a)
    count = a if np.ndim(items) == 0 else len(items)
    _check_count(count)
    sums = None if p is None else _running_sums(count, p)

    def one() -> Any:
        return _below(words, 0, count - 1) if p is None else _place(words, sums)

    places = one() if size is None else _filled(one, size, np.int64)
    return _items_at(items, places)


def _generator(words: Any) -> Any:
    def double() -> Any:
        return kernels.next_double(words)

    def gauss() -> Any:
        return kernels.next_normal(words)

    def waiting() -> Any:
        return kernels.next_exponential(words)

    def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        if np.ndim(low) == 0 and np.ndim(high) == 0:
            width = float(high) - float(low)
            _check_width(width)
            return _moved(double, low, width, size)
        widths = _doubles(high) - _doubles(low)
        _check_width(widths)
        return _moved(double, low, widths, size)

    def integers(low: Any, high: Any = None, size: Any = None, *, endpoint: bool = False) -> Any:
        first = 0 if high is None else int(low)
        last = (int(low) if high is None else int(high)) - (0 if endpoint else 1)
        _check_bounds(first, last, endpoint, high is None)

        def one() -> Any:
            return _below(words, first, last)

        return np.int64(one()) if size is None else _filled(one, size, np.int64)

    def choice(a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        return _chosen(words, a, size, replace, p)

    return Generator(*_draws(double, gauss, waiting), uniform, integers, choice)
