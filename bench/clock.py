"""Interleaved minima: contenders take turns, so that a slow spell of the machine hits all."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import perf_counter

Thunk = Callable[[], object]

SAMPLE_S = 2e-3  # the least that one sample lasts
BUDGET_S = 4.0  # the most that one set of contenders takes, beyond the least number of rounds
LEAST_ROUNDS = 3


def first_call(thunk: Thunk) -> float:
    """Seconds that the first call takes, compilation included."""
    start = perf_counter()
    thunk()
    return perf_counter() - start


def minima(thunks: Mapping[str, Thunk], rounds: int) -> dict[str, float]:
    """The least seconds per call of each contender, which must have been called before."""
    repeats = {key: _repeats(thunk) for key, thunk in thunks.items()}
    best = dict.fromkeys(thunks, float("inf"))
    gc.collect()
    gc.disable()
    try:
        end = perf_counter() + BUDGET_S
        for done in range(rounds):
            if done >= LEAST_ROUNDS and perf_counter() > end:
                break
            for key, thunk in thunks.items():
                best[key] = min(best[key], _sample(thunk, repeats[key]))
    finally:
        gc.enable()
    return best


def _sample(thunk: Thunk, repeats: int) -> float:
    start = perf_counter()
    for _ in range(repeats):
        thunk()
    return (perf_counter() - start) / repeats


def _repeats(thunk: Thunk) -> int:
    repeats = 1
    while (once := _sample(thunk, repeats)) * repeats < SAMPLE_S:
        repeats = max(2 * repeats, int(SAMPLE_S / max(once, 1e-9)))
    return repeats
