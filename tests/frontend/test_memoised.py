"""Dicts in recursive functions that are no caches: these are refused, as any dict there is."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text

SOURCE = """
def f(x: float, n: int) -> float:
    memo = {}

    def go(k: int%s) -> float:
%s

    return %s
"""
NO_CACHES = {
    "another value where it is found": ("", """
        if k in memo:
            return 2.0 * memo[k]
        r = x if k < 2 else go(k - 1) + go(k - 2)
        memo[k] = r
        return r
""", "go(n)"),
    "another value where it is put": ("", """
        if k in memo:
            return memo[k]
        r = x if k < 2 else go(k - 1) + go(k - 2)
        memo[k] = r
        return 2.0 * r
""", "go(n)"),
    "a parameter that is no part of the key": (", y: float = 1.0", """
        if k in memo:
            return memo[k]
        r = x * y if k < 2 else go(k - 1, y) + go(k - 2, y)
        memo[k] = r
        return r
""", "go(n) + go(n, 2.0)"),
    "a key that is not the parameter": ("", """
        if k - 1 in memo:
            return memo[k - 1]
        r = x if k < 2 else go(k - 1) + go(k - 2)
        memo[k] = r
        return r
""", "go(n)"),
    "a dict that others look at": ("", """
        if k in memo:
            return memo[k]
        r = x if k < 2 else go(k - 1) + go(k - 2)
        memo[k] = r
        return r
""", "go(n) + len(memo)"),
    "a parameter that is bound anew": ("", """
        if k in memo:
            return memo[k]
        r = x if k < 2 else go(k - 1) + go(k - 2)
        k += 1
        memo[k] = r
        return r
""", "go(n)"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_CACHES)
def test_no_caches(name: str) -> None:
    params, body, result = NO_CACHES[name]
    with pytest.raises(Refusal, match="MK304"):
        gradient_text(SOURCE % (params, body.strip("\n"), result))


def test_a_cache() -> None:
    _, body, result = NO_CACHES["a dict that others look at"]
    text = gradient_text(SOURCE % ("", body.strip("\n"), result.removesuffix(" + len(memo)")))
    assert "_go" not in text  # no function that calls itself
