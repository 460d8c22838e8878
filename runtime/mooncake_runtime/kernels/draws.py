"""NumPy's generator of random numbers, PCG64 (O'Neill, 2014), in an array: the same bits.

The array has 6 items: state and increment, the high half of 64 bits first, whether half of an
output is left for the next draw of 32 bits, and that half. Whoever draws writes it. In plain Python
NumPy itself draws.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.kernels.compiled import compiled_as

if jit_enabled():
    from mooncake_runtime.kernels import draws_numba

    _seeded, _double = draws_numba.seeded, draws_numba.double
    _normal, _exponential = draws_numba.normal, draws_numba.exponential
    _bounded = draws_numba.bounded
else:

    def _seeded(entropy: np.ndarray) -> np.ndarray:
        """Never called, like those below."""
        return entropy

    def _double(state: np.ndarray) -> float:
        return 0.0

    _normal = _exponential = _double

    def _bounded(state: np.ndarray, span: int) -> int:
        return span


_HALF = 2**64 - 1


@cache
def _generator() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(0))


def _take(state: np.ndarray) -> np.random.Generator:
    """NumPy's generator in the state that the array tells."""
    high, low, inc_high, inc_low, has_half, half = map(int, state)
    generator = _generator()
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": inc_high << 64 | inc_low},
        "has_uint32": has_half,
        "uinteger": half,
    }
    return generator


def _put(state: np.ndarray, of: np.random.BitGenerator) -> None:
    found = of.state
    here, inc = found["state"]["state"], found["state"]["inc"]
    halves = (here >> 64, here & _HALF, inc >> 64, inc & _HALF)
    state[:] = np.array((*halves, found["has_uint32"], found["uinteger"]), np.uint64)


@compiled_as(_seeded)
def pcg64(entropy: np.ndarray) -> np.ndarray:
    """The state of ``np.random.default_rng`` for the non-negative integers of a vector."""
    state = np.empty(6, np.uint64)
    _put(state, np.random.PCG64([int(word) for word in entropy]))
    return state


@compiled_as(_double)
def next_double(state: np.ndarray) -> float:
    """The next number of ``Generator.random``."""
    generator = _take(state)
    number = generator.random()
    _put(state, generator.bit_generator)
    return number


@compiled_as(_normal)
def next_normal(state: np.ndarray) -> float:
    """The next number of ``Generator.standard_normal``."""
    generator = _take(state)
    number = generator.standard_normal()
    _put(state, generator.bit_generator)
    return number


@compiled_as(_exponential)
def next_exponential(state: np.ndarray) -> float:
    """The next number of ``Generator.standard_exponential``."""
    generator = _take(state)
    number = generator.standard_exponential()
    _put(state, generator.bit_generator)
    return number


@compiled_as(_bounded)
def next_bounded(state: np.ndarray, span: int) -> int:
    """The next number of ``Generator.integers(0, span, endpoint=True)``; -1 is 2**64 - 1."""
    generator = _take(state)
    last = int(span) & _HALF
    number = int(generator.integers(0, last, dtype=np.uint64, endpoint=True))
    _put(state, generator.bit_generator)
    return number - 2**64 if number >= 2**63 else number
