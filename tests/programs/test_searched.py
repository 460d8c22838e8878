"""Dicts that are searched for their keys: errors, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Refusal, gradient_text, transpiled

HEAD = """
from collections import defaultdict
import numpy as np
from numpy.typing import NDArray


def f(x: float, where: NDArray[np.int64]) -> float:
    d = {}
    for k in where:
        d[k] = x * k
"""
RAISED = {
    "missing": "return d[7]",
    "deleted": "del d[7]\n    return x",
    "taken": "return d.pop(7)",
    "taken from nothing": "while d:\n        d.popitem()\n    return d.popitem()[1]",
    "a new key in a loop": "for k in d:\n        d[k + 1000] = x\n    return x",
    "in an enumeration": "for i, k in enumerate(d):\n        d[k + 1000] = x * i\n    return x",
    "by setdefault": "for v in d.values():\n        x += d.setdefault(1000, v)\n    return x",
    "in an inner loop": (
        "for k in d:\n        for j in d:\n            x += j\n        d[1000] = x\n    return x"
    ),
}


@pytest.mark.parametrize("name", RAISED)
def test_errors_are_those_of_python(name: str) -> None:
    plain, made = transpiled(f"{HEAD}    {RAISED[name]}\n")
    where = np.array([3, 1, 3])
    with pytest.raises((KeyError, RuntimeError)) as wanted:
        plain.f(0.5, where)
    with pytest.raises(wanted.type) as found:
        made.f_value_and_grad(0.5, where)
    assert str(found.value) == str(wanted.value)


REFUSED = {
    "text": ("d['a'] = x", "MK333"),
    "a number": ("d[x] = x", "MK333"),
    "a tuple and an integer": ("d[1, 2] = x", "MK347"),
    "taken out in a loop": ("for k in d:\n        d.pop(k)", "MK332"),
    "deleted in a loop over items": ("for k, v in d.items():\n        del d[k]", "MK332"),
    "cleared in a loop": ("for k in d:\n        d.clear()", "MK332"),
    "kept and then grown": ("v = d.values()\n    d[9] = x\n    x += sum(v)", "MK332"),
    "kept and then taken out": (
        "v = d.items()\n    del d[1]\n    for p in v:\n        x += p[1]",
        "MK332",
    ),
    "an iterator of one that grows": (
        "v = iter(d)\n    d[9] = x\n    for k in v:\n        x += k",
        "MK332",
    ),
    "one that is empty at first": (
        "e = {}\n    v = e.keys()\n    e[where[0]] = x\n    x += sum(v)",
        "MK33",
    ),
    "compared": ("e = dict(d)\n    x += d == e", "MK333"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    body, code = REFUSED[name]
    with pytest.raises(Refusal, match=code):
        gradient_text(f"{HEAD}    {body}\n    return x\n")


OTHERS_HOLD = {
    "the caller": "pass",
    "another variable": "first = d = dict(d)",
    "a list": "d = dict(d)\n    kept = [d]",
}


@pytest.mark.parametrize("name", OTHERS_HOLD)
def test_dicts_that_others_hold_are_not_filled_anew(name: str) -> None:
    text = f"""
def f(d: dict[str, float], a: float, n: int) -> float:
    {OTHERS_HOLD[name]}
    for _ in range(n):
        d = {{key: v * a for key, v in d.items()}}
    return sum(d.values())
"""
    with pytest.raises(Refusal, match="MK33"):
        gradient_text(text)
