"""Lists that recursive functions may give back: where they may be changed, that is refused."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import gradient_text, refusals

HEAD = """
def rotated(xs: list[float]) -> list[float]:
    if len(xs) < 2:
        return xs
    return rotated(xs[1:]) + [xs[0]]

"""
CHANGING = {
    "the result": "    s = rotated(xs)\n    s[0] = 3.0\n    return xs[0]\n",
    "the argument": "    s = rotated(xs)\n    xs.append(3.0)\n    return sum(s)\n",
    "another name": "    s = rotated(xs)\n    t = s\n    t.sort()\n    return xs[0]\n",
    "an item": "    rows = [rotated(xs), xs]\n    rows[0][0] = 2.0\n    return rows[1][0]\n",
    "in a function": "    return helper(rotated(xs))\n",
}
READING = {
    "a sum": "    return sum(rotated(xs)) * rotated(xs)[0]\n",
    "a name": "    s = rotated(xs)\n    return sum(v * k for k, v in enumerate(s)) + len(s)\n",
    "a copy": "    s = sorted(rotated(xs))\n    s.append(2.0)\n    return s[-1] * s[0]\n",
}
HELPER = "def helper(ys):\n    ys[0] = 1.0\n    return ys[0]\n\n"


@pytest.mark.parametrize("body", CHANGING.values(), ids=CHANGING)
def test_changes_are_refused(body: str) -> None:
    (found,) = refusals(HEAD + HELPER + "def f(xs: list[float]) -> float:\n" + body)
    assert found.code == "MK304"
    assert found.help == "return a copy there: return xs[:]"


@pytest.mark.parametrize("body", READING.values(), ids=READING)
def test_reading_is_fine(body: str) -> None:
    assert "def f_value_and_grad" in gradient_text(
        HEAD + "def f(xs: list[float]) -> float:\n" + body
    )


INNER = {
    "a swap": "        xs[0], xs[1] = xs[1], xs[0]\n        return f(xs, n - 1) + xs[1]\n",
    "a loop": "        for xs[0] in range(n):\n            n -= 1\n        return f(xs, n) + 1\n",
    "identity": "        ys = xs\n        return f(ys, n - 1) + (1.0 if ys is xs else 0.0)\n",
    "a function": "        helper(xs)\n        return f(xs, n - 1) + xs[0]\n",
    "another name": "        y = xs\n        y.append(1.0)\n        return f(xs, n - 1) + 1\n",
    "a default": "        y = xs or [1.0]\n        y[0] = 2.0\n        return f(xs, n - 1) + 1\n",
}


@pytest.mark.parametrize("body", INNER.values(), ids=INNER)
def test_changes_that_another_level_sees_are_refused(body: str) -> None:
    head = "def f(xs: list[float], n: int) -> float:\n    if n > 0:\n"
    found = refusals(HELPER + head + body + "    return sum(xs)\n")
    assert {one.code for one in found} == {"MK304"}


def test_a_builtin_function_that_is_another_one() -> None:
    text = "def sum(xs):\n    xs[0] = 3.0\n    return xs[0]\n\n"
    body = "    return xs[0] if n == 0 else sum(xs) + f(xs, n - 1)\n"
    (found,) = refusals(text + "def f(xs: list[float], n: int) -> float:\n" + body)
    assert found.code == "MK304"
