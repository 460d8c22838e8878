"""Permutations and combinations by number, and the best item of a set, written out."""

import math
from typing import Any


def math_perm(n: int) -> int:
    return math.perm(n, n)


def mooncake_transpiler_permutation(n: int, r: int, k: int, /) -> Any:
    """The places of the ``r`` items, among ``n``, of the permutation with the number ``k``."""
    places = [0] * r
    for i in range(r - 1, -1, -1):  # the number of the item among those that are left
        places[i] = k % (n - i)
        k //= n - i
    for i in range(r - 1, -1, -1):
        for j in range(i + 1, r):
            if places[j] >= places[i]:
                places[j] += 1
    return places


def mooncake_transpiler_combination(n: int, r: int, k: int, /) -> Any:
    """The places of the ``r`` items, among ``n``, of the combination with the number ``k``."""
    places = [0] * r
    place = 0
    for i in range(r):
        behind = math.comb(n - place - 1, r - i - 1)  # combinations that begin with this item
        while k >= behind:
            k -= behind
            place += 1
            behind = math.comb(n - place - 1, r - i - 1)
        places[i] = place
        place += 1
    return places


def mooncake_transpiler_repeated_combination(n: int, r: int, k: int, /) -> Any:
    """The places of ``r`` items, of ``n``, which may be there again, with the number ``k``."""
    places = [0] * r
    place = 0
    for i in range(r):
        behind = math.comb(n - place + r - i - 2, r - i - 1)
        while k >= behind:
            k -= behind
            place += 1
            behind = math.comb(n - place + r - i - 2, r - i - 1)
        places[i] = place
    return places


def mooncake_transpiler_min_of_set(items: Any, key: Any, /) -> Any:
    return _best_of_set(items, key, lambda one, other: one < other, "min", "least")


def mooncake_transpiler_max_of_set(items: Any, key: Any, /) -> Any:
    return _best_of_set(items, key, lambda one, other: one > other, "max", "greatest")


def _best_of_set(items: Any, key: Any, is_better: Any, name: str, kind: str) -> Any:
    """The item with the best key; which of several it is would depend on the order of the set."""
    kept = list(items)
    if len(kept) == 0:
        raise ValueError(f"{name}() iterable argument is empty")
    keys = [key(one) for one in kept]
    at, is_alone = 0, True
    for k in range(1, len(kept)):
        if is_better(keys[k], keys[at]):
            at, is_alone = k, True
        elif not is_better(keys[at], keys[k]):
            is_alone = False
    if not is_alone:
        raise RuntimeError(f"which item of the set has the {kind} key depends on the set's order")
    return kept[at]
