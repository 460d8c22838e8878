"""Attributes of plain classes, as their ``__init__`` tells them."""

from __future__ import annotations

import libcst as cst
import pytest
from mooncake_transpiler.frontend.class_text.attributes import Attributes, attributes_of, calls_base
from mooncake_transpiler.frontend.text.trees import dotted

TOLD = {
    "self.a = x": "a: float",
    "self.a = v\nself.b = v.copy()": "a: Vec, b: Vec",
    "self.a = x * 2\nself.b = -n": "a: float, b: int",
    "self.a = n / 2\nself.b = n + 1\nself.c = n - x": "a: float, b: int, c: float",
    "self.a = 0.0\nself.b = True\nself.c = 'text'\nself.d = -1": (
        "a: float, b: bool, c: str, d: int"
    ),
    "self.a: Vec = anything()": "a: Vec",
    "self.a, self.b = x, n": "a: float, b: int",
    "self.a = float(untyped)\nself.b = len(v)": "a: float, b: int",
    "if n > 2:\n    self.a = x\nelse:\n    self.a = 2.0": "a: float",
    "self.a = x\nself.a *= 2": "a: float",
    "y = x\nother.b = y\nself.a = x": "a: float",
    "self.a = np.array(untyped, dtype=np.float64)": "a: np.ndarray",
    "self.a = np.asarray(untyped, dtype=float)\nself.b = np.array(v)": "a: np.ndarray, b: Vec",
    "self.a = np.zeros(3)": "a: np.ndarray[tuple[int], np.dtype[np.float64]]",
    "self.a = np.ones((1, n))": "a: np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    "self.a = np.array([[0.0, n]])": "a: np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    "self.a = x\nself.b = np.sqrt(self.a) / 2": "a: float, b: float",
}
UNTOLD = {
    "an array of integers": "self.a = np.array(v, dtype=int)",
    "an array of a shape that is not known": "self.a = np.zeros(untyped)",
    "an array of whole numbers": "self.a = np.array([1, 2])",
    "an unknown name": "self.a = untyped",
    "a call": "self.a = make(x)",
    "a list": "self.a = []",
    "nothing yet": "self.a = None",
    "a local variable": "y = x\nself.a = y",
    "a parameter that is bound anew": "x = 3\nself.a = x",
    "two types": "self.a = x\nself.a = n",
    "a power, which may be an int or a float": "self.a = n ** n",
    "an int that counts floats": "self.a = 0\nself.a += x",
    "a loop": "for self.a in v:\n    pass",
    "items of something": "self.a, b = v",
}
HEAD = "class C:\n    def __init__(self, x: float, n: int, v: Vec, untyped):\n"


def a_class(body: str, rest: str = "") -> cst.ClassDef:
    text = HEAD + "".join(f"        {line}\n" for line in body.split("\n")) + rest
    found = cst.parse_module(text).body[0]
    assert isinstance(found, cst.ClassDef)
    return found


def told_by(node: cst.ClassDef) -> Attributes:
    """The attributes, where ``np`` is NumPy."""

    def qualname(name: cst.BaseExpression) -> str | None:
        path = dotted(name)
        if path is None:
            return None
        return "builtins.float" if path == ("float",) else f"numpy.{path[-1]}"

    return attributes_of(node, qualname)


@pytest.mark.parametrize("body", TOLD)
def test_what_is_told(body: str) -> None:
    found = told_by(a_class(body))
    spelled = (f"{name}: {cst.Module([]).code_for_node(of)}" for name, of in found.told.items())
    assert (", ".join(spelled), found.untold) == (TOLD[body], None)


@pytest.mark.parametrize("name", UNTOLD)
def test_what_is_not_told(name: str) -> None:
    found = told_by(a_class(UNTOLD[name]))
    assert (found.told, found.untold) == ({}, "a")


@pytest.mark.parametrize(
    ("method", "untold"),
    [
        ("self.count += 1", None),
        ("self.count = 0", None),
        ("self.count += y", "count"),
        ("self.count = y", "count"),
        ("self.more = y", "more"),
        ("for self.count in y: pass", "count"),
    ],
)
def test_methods_keep_it(method: str, untold: str | None) -> None:
    node = a_class("self.count = 0", f"    def add(self, y):\n        {method}\n")
    assert attributes_of(node).untold == untold


def test_without_an_init_there_are_none() -> None:
    node = cst.parse_module("class C:\n    def f(self):\n        self.x = 1.0\n").body[0]
    assert isinstance(node, cst.ClassDef)
    assert attributes_of(node).told == {}
    assert calls_base(node)


def test_the_init_of_a_base_must_be_called() -> None:
    assert calls_base(a_class("super().__init__(x)"))
    assert calls_base(a_class("Base.__init__(self, x)"))
    assert not calls_base(a_class("self.x = x"))
