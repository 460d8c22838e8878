"""Values at module level that are no constants, and what would change those that are."""

from __future__ import annotations

import pytest
from mooncake_transpiler.frontend.constant import pure

from tests.helpers.transpile import Refusal, compiled, gradient_text

HEAD = """
import math
import os
import numpy as np

TABLE = [1.0, 2.0]
NESTED = [[1.0], [2.0]]
SETTINGS = {"a": 1.0, "w": np.zeros(2)}


class Model:
    def __init__(self, a):
        self.a = a
        self.w = np.zeros(2)

    def put(self, x):
        self.w[0] = x
        self.a = x

    def put_twice(self, x):
        self.put(2.0 * x)


MODEL = Model(2.0)


def _cached():
    cache = [0.0]
    kept = np.zeros(2)

    def inner(x, which):
        if which:
            cache[0] += x
        else:
            kept[0] += x
        return cache[0] + kept[0]

    return inner


def _counting():
    n = 0

    def inner(x):
        nonlocal n
        n += 1
        return x * n

    return inner


def _drawn():
    return np.random.rand()


def _append(t):
    t.append(1.0)


def _given():
    return SETTINGS


cached = _cached()
counting = _counting()
DRAWN = _drawn()
NORMAL = np.random.default_rng(0).normal(size=3)
HOME = os.environ.get("X")
POWER = 2 ** (10**9)
def _generator(x):
    yield x


OPS = {"g": _generator}
FILLED = {}
for _k in "a":
    FILLED[_k] = 1.0
GROWN = []
for _k in range(3):
    GROWN.append(1.0)
SHUFFLED = [1.0, 2.0, 3.0]
np.random.shuffle(SHUFFLED)
HIDDEN = [1.0, 2.0]
TUNED = Model(1.0)
SET = Model(1.0)


def _tuned():
    one = TUNED
    one.put(3.0)


def _set():
    SET.put_twice(3.0)


MODELS = {"a": Model(1.0)}
MODELS["a"].a = 2.0


def _hidden():
    other = HIDDEN
    other[0] = 3.0


def f(x: float) -> float:
"""

REFUSED = {
    "an item by another name": ("t = SETTINGS\n    t['a'] = x", "MK217"),
    "an item of an argument": ("_append(TABLE)", "MK320"),
    "an item of a result": ("_given()['a'] = x", "MK320"),
    "a list in a list": ("for row in NESTED:\n        row[0] = x", "MK217"),
    "an array in a dict": ("w = _given()['w']\n    w[0] = x", "MK341"),
    "an attribute": ("MODEL.put(x)", "MK217"),
    "a list that a function keeps": ("x += cached(x, True)", "MK320"),
    "an array that a function keeps": ("x += cached(x, False)", "MK341"),
    "a number that a function keeps": ("x += counting(x)", "MK217"),
    "random numbers": ("x += DRAWN", "MK217"),
    "a random array": ("x += NORMAL[0]", "MK217"),
    "what is outside": ("x += 1.0 if HOME else 0.0", "MK217"),
    "a huge number": ("x += POWER", "MK217"),
    "a generator in a dict": ("x += OPS['g'](x)", "MK213"),
    "filled later": ("x += FILLED['a']", "MK217"),
    "grown later": ("x += GROWN[0]", "MK217"),
    "shuffled later": ("x += SHUFFLED[0]", "MK217"),
    "changed by a function that is not called": ("x += HIDDEN[0]", "MK217"),
    "changed by a method in a function that is not called": ("x += TUNED.a", "MK217"),
    "changed by its method that calls another one": ("x += SET.a", "MK217"),
    "an object in a dict": ("x += MODELS['a'].a", "MK217"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_constant_is_refused(name: str) -> None:
    body, code = REFUSED[name]
    source = f"{HEAD}    {body}\n    return x\n"
    found = compiled({"program.py": source})["program"].diagnostics
    assert {d.code for d in found} == {code}, [(d.code, d.message) for d in found]


BY_OTHERS = {
    "another name": "B = A\nB[0] = 9.0",
    "both names of a statement": "C = A = [1.0]\nC.append(2.0)",
    "a dict that holds it": "B = {'a': A}\nB['a'].append(2.0)",
    "a tuple that holds it": "B = (A, 1.0)\nB[0].append(2.0)",
    "a function whose result counts": "def g(v):\n    v.append(2.0)\n    return 3.0\nB = g(A)",
    "what hands it on": "def g(v):\n    v.append(2.0)\ndef h(v):\n    g(v)\nB = h(A)",
    "an item that a dict is given": "B = {}\nB['a'] = A\nB['a'].append(2.0)",
    "an attribute": "class Box:\n    pass\nB = Box()\nB.a = A\nB.a.append(2.0)",
    "what a method of a dict returns": "B = {'a': A}\nC = B.get('a')\nC.append(2.0)",
    "an object that puts into it": (
        "class Box:\n    def __init__(self, v):\n        self.v = v\n"
        "    def put(self):\n        self.v.append(2.0)\nB = Box(A)\nB.put()"
    ),
    "a lambda": "B = (lambda v: v.append(2.0))(A)",
}
KEPT = ("B = sorted(A)\nB.append(3.0)", "def g(v):\n    return sum(v) / len(v)\nB = g(A)")


@pytest.mark.parametrize("name", BY_OTHERS)
def test_lists_that_others_change_are_refused(name: str) -> None:
    with pytest.raises(Refusal, match="MK217"):
        gradient_text(f"A = [1.0]\n{BY_OTHERS[name]}\n{LENGTH}")


@pytest.mark.parametrize("text", KEPT)
def test_lists_that_others_read_are_accepted(text: str) -> None:
    gradient_text(f"A = [1.0]\n{text}\n{LENGTH}")


LENGTH = "def f(x: float) -> float:\n    return x * len(A)\n"
LONG = (
    ("math.factorial", (10**7,)),
    ("builtins.range", (10**9,)),
    ("numpy.arange", (0.0, 1e9, 1e-3)),
    ("numpy.zeros", ((10**4, 10**4),)),
    ("numpy.eye", (10**4,)),
    ("numpy.tile", ([1.0, 2.0], 10**8)),
    ("numpy.linspace", (0.0, 1.0, 10**8)),
)


@pytest.mark.parametrize(("name", "args"), LONG)
def test_what_takes_long_is_not_begun(name: str, args: tuple[object, ...]) -> None:
    with pytest.raises(pure.Unknowable):
        pure.call(name, args, {})
