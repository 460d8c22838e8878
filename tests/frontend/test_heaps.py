"""Heaps that are written out are those of ``heapq``: the same lists, item by item."""

from __future__ import annotations

import heapq
import random

import pytest
from mooncake_transpiler.frontend.lower.written import heaps


@pytest.mark.parametrize("seed", range(20))
def test_lists_are_in_the_same_order(seed: int) -> None:
    rng = random.Random(seed)
    ours = [(rng.randrange(9), k) for k in range(rng.randrange(30))]  # many firsts are equal
    theirs = list(ours)
    heaps.heapq_heapify(ours)
    heapq.heapify(theirs)
    for k in range(100):
        item = (rng.randrange(9), -k)
        match rng.randrange(4):
            case 0:
                heaps.heapq_heappush(ours, item)
                heapq.heappush(theirs, item)
            case 1 if theirs:
                assert heaps.heapq_heappop(ours) == heapq.heappop(theirs)
            case 2 if theirs:
                assert heaps.heapq_heapreplace(ours, item) == heapq.heapreplace(theirs, item)
            case _:
                assert heaps.heapq_heappushpop(ours, item) == heapq.heappushpop(theirs, item)
        assert ours == theirs


@pytest.mark.parametrize("name", ["heappop", "heapreplace"])
def test_nothing(name: str) -> None:
    args: tuple[object, ...] = ([],) if name == "heappop" else ([], 1.0)
    for function in (getattr(heaps, f"heapq_{name}"), getattr(heapq, name)):
        with pytest.raises(IndexError, match=r"^index out of range$"):
            function(*args)
