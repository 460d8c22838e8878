"""Sources that are too large are refused, in little time and memory."""

from __future__ import annotations

import multiprocessing
import resource
from multiprocessing.connection import Connection

import pytest

from tests.helpers.transpile import compiled

HEAD = """
import numpy as np
from dataclasses import dataclass
from enum import Enum
from typing import Annotated
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

"""
NODES = """
@dataclass
class Node:
    values: dict
    next: object = None

def f(a: float, n: int) -> float:
    first, second = Node({0: a}), Node({0: 2 * a})
    first.next, second.next = second, first
    total, node = 0.0, first
"""
ENDLESS = """
def _g(a: float, n: int) -> float:
    if n > 0:
        return _h(a, n - 1)
    raise ValueError("no")

def _h(a: float, n: int) -> float:
    return _g(a, n)

def f(a: float) -> float:
    return _g(a, 3) if a > 9.0 else a * a
"""


def body(*lines: str) -> str:
    return "def f(a: float, x: Vec) -> float:\n" + "".join(f"    {line}\n" for line in lines)


def nested(levels: int) -> str:
    """A list in a list in a list, and so on: the sum of all."""
    element = "a * i0"
    for k in range(levels):
        element = f"sum([{element} for i{k} in range(2)])"
    return element


def recursive(argument: str) -> str:
    return (
        "def _g(a, n: int) -> float:\n"
        "    if n == 0:\n        return 1.0\n"
        f"    return _g({argument}, n - 1)\n"
        "def f(a: float, n: int) -> float:\n    return _g((a,), n) * a\n"
    )


REFUSED = {
    "tuple": ("MK191", body("return len((a,) * 100000000) * a")),
    "tuple of tuples": ("MK191", body("t = a", *["t = (t, t)"] * 22, "return a")),
    "doubled": ("MK191", body("t = (a,)", *["t = t + t"] * 30, "return a")),
    "list": ("MK191", body("t = [a, a] * 1000000000", "return t[0]")),
    "list that grows": ("MK191", body("t = [a]", *["t.extend(t)"] * 30, "return t[0]")),
    "list of a range": ("MK191", body("return list(range(10**9))[0] * a")),
    "text": ("MK191", body("return len('ab' * 10**10) * a")),
    "dimensions": ("MK191", body("return np.sum(np.ones((2,) * 1000)) * a")),
    "annotated dimensions": (
        "MK191",
        f"def f(x: Annotated[NDArray[np.float64], {'n ' * 1000!r}]) -> float:\n    return 1.0\n",
    ),
    "calls in place": (
        "MK191",
        "def _g0(x):\n    return [x]\n"
        + "".join(
            f"def _g{k}(x):\n    return [_g{k - 1}(x)[0] + _g{k - 1}(2 * x)[0]]\n"
            for k in range(1, 40)
        )
        + "def f(x: float) -> float:\n    return _g39(x)[0]\n",
    ),
    "types that grow": ("MK304", recursive("(a, a)")),
    "types that become deeper": ("MK304", recursive("(a,)")),
    "objects in a circle": (
        "MK367",
        NODES + "    for _ in range(n):\n        total += node.values[0]\n"
        "        node = node.next\n    return total\n",
    ),
    "objects in a circle, while": (
        "MK367",
        NODES + "    while n > 0:\n        total += node.values[0]\n"
        "        node = node.next\n        n -= 1\n    return total\n",
    ),
    "recursion without an end": (
        "MK368",
        ENDLESS,
    ),
    "base classes": (
        "MK321",
        "class A0:\n    def v(self, x: float) -> float:\n        return x\n"
        + "".join(f"class A{k}(A{k - 1}):\n    pass\n" for k in range(1, 1000))
        + "def f(x: float) -> float:\n    return A999().v(x)\n",
    ),
    "modes": (
        "MK230",
        f"# mooncake: modes={'forward-over-' * 300}reverse\n" + body("return a * a"),
    ),
    "annotation": (
        "MK201",
        f"def f(x: '{'(' * 5000}float{')' * 5000}') -> float:\n    return x * x\n",
    ),
    "an enum without members": (
        "MK204",
        "class E(Enum):\n    pass\ndef f(a: float, e: E) -> float:\n    return a\n",
    ),
    "early returns": (
        "MK190",
        body(*(f"if a > {k}.5: return a * {k}.0" for k in range(300)), "return a"),
    ),
    "tries in a row": (
        "MK190",
        body(*["try:\n        a = 1.0 / a", "except ZeroDivisionError:\n        a *= 2.0"] * 300)
        + "    return a\n",
    ),
    "nested comprehensions": (
        "MK004",
        body(f"return {'sum([' * 8}a{' for _ in range(2)])' * 8}"),
    ),
    "nested operations": ("MK004", body("return " + " + ".join(["a * x[0]"] * 1000))),
    "fields of swapped kinds": (
        "MK213",
        "@dataclass\nclass S:\n    a: float\n    b: Vec\ndef f(s: S) -> S: return S(s.b, s.a)\n",
    ),
}
# What is long, and taken.
LONG = {
    "early returns": body(*(f"if a > {k}.5: return a * {k}.0" for k in range(80)), "return a"),
    "functions in a chain": "def _g0(x):\n    return x * 1.5\n"
    + "".join(f"def _g{k}(x):\n    return _g{k - 1}(x) * 1.01 + x\n" for k in range(1, 150))
    + "def f(x: float) -> float:\n    return _g149(x)\n",
    "nested branches": body(
        *("    " * k + f"if a > {k}.0:" for k in range(90)),
        "    " * 90 + "return a",
        "return 2 * a",
    ),
    "statements": body(*(f"a = a * 1.0001 + {k}.0" for k in range(600)), "return a"),
    "stores": body(*(f"x[{k}] = a * {k}.0" for k in range(400)), "return x[3]"),
    "a table of numbers": body(
        f"t = np.array([{', '.join(f'{k}.0' for k in range(10000))}])", "return np.sum(t) * a"
    ),
    "a dict": body(f"t = {{{', '.join(f'{k}: a * {k}' for k in range(5000))}}}", "return t[7]"),
    "arrays": body(*(f"x = x * 1.0001 + {k}.0" for k in range(400)), "return np.sum(x)"),
    "stores in loops": body(*["x *= a"] * 80, "return np.sum(x)"),
    "nested comprehensions": body(f"return {nested(6)}"),
    "a sum": body("return " + " + ".join(f"a * {k}.0" for k in range(200))),
}
SECONDS, BYTES = 60, 2 << 30
FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["tests.helpers.transpile"])


def _codes(source: str, answer: Connection) -> None:
    """The codes of `source`, sent by a process that may take SECONDS and BYTES at most."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    product = compiled({"program.py": HEAD + source})["program"]
    assert product.body is not None or product.diagnostics
    answer.send(" ".join({d.code for d in product.diagnostics}))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    """In a fresh process: what takes too much is killed there, or fails."""
    code, source = REFUSED[name]
    assert _found(source) == code


@pytest.mark.parametrize("name", LONG)
def test_taken(name: str) -> None:
    """Nothing here takes time that grows with the square of the length, or worse."""
    assert _found(LONG[name]) == ""


def _found(source: str) -> object:
    reading, writing = FRESH.Pipe(duplex=False)
    child = FRESH.Process(target=_codes, args=(source, writing))
    child.start()
    writing.close()
    child.join()
    assert child.exitcode == 0, f"ended with {child.exitcode}"
    return reading.recv()


def test_long_lists_of_numbers_are_arrays() -> None:
    product = compiled({"program.py": HEAD + body("t = [a] * 1000000000", "return t[0]")})
    assert product["program"].body is not None
