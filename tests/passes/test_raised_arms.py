"""Lists that an arm makes whose other arm raises."""

from __future__ import annotations

from tests.helpers.transpile import gradient_text

LISTS = """
def f(xs: list[float], n: int) -> float:
    if n == 1:
        ys = xs
    elif n == 2:
        ys = [0.0, *xs]
    else:
        raise ValueError("neither")
    total = 0.0
    for y in ys:
        total += y * y
    return total
"""
NUMBERS = """
def f(x: float, n: int) -> float:
    if n == 1:
        y = x * x
    else:
        raise ValueError("other")
    return y * x
"""


def test_the_list_is_made_behind_the_exception() -> None:
    body = gradient_text(LISTS)
    assert body.index('raise ValueError("neither")') < body.index("found = np.empty(64)")


def test_branches_that_hand_out_numbers_stay() -> None:
    assert "else:\n        raise" in gradient_text(NUMBERS)
