"""Attributes of classes are constant unless some text of the program changes them."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, compiled, gradient_body, gradient_text

HEAD = """
import numpy as np
from typing import NamedTuple


class Rates:
    steps = [1.0, 2.0]
    table = {"a": 1.0}
    w = np.array([1.0, 2.0])
    n = 3
"""
CHANGED = {
    "rebound by the module": "Rates.n = 4",
    "rebound in a function": "def other():\n    Rates.n += 1",
    "rebound by a class method": "class B:\n    @classmethod\n    def g(cls):\n        cls.n = 1",
    "rebound by an instance": "class B:\n    def g(self):\n        type(self).n = 1",
    "rebound by name": "setattr(Rates, 'n', 3)",
    "rebound by who holds setattr": "put = setattr\nput(Rates, 'n', 4)",
    "rebound by type": "type.__setattr__(Rates, 'n', 4)",
    "rebound by some name": "def other(name: str):\n    setattr(Rates, name, 3)",
    "rebound by another name": "def other():\n    R = Rates\n    R.n = 2",
    "rebound with an annotation": "Rates.n: int = 2",
    "deleted": "def other():\n    del Rates.n",
    "rebound in a loop": "for one in (Rates,):\n    one.n = 2",
    "rebound in a table": "ALL = {'r': Rates}\nALL['r'].n = 2",
    "rebound by who is handed it": "def tune(one):\n    one.n = 2\ntune(Rates)",
    "an item": "Rates.steps[0] = 2.0",
    "an item of a dict": "for k in 'ab':\n    Rates.table[k] = 2.0",
    "an element": "def other(r):\n    r.w[0] = 3.0",
    "appended": "Rates().steps.append(1.0)",
    "by a variable": "def other():\n    s = Rates.steps\n    s.sort()",
    "by an operator": "def other(r):\n    r.steps += [1.0]",
    "by a function": "def fill(s):\n    s[0] = 1.0\nfill(Rates.steps)",
}
USE = "\n\ndef f(x: float) -> float:\n    r = Rates()\n    return x * (%s)\n"


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_changed_is_refused(name: str) -> None:
    used = (
        "r.n" if name.startswith(("rebound", "deleted")) else "r.w[0] + r.steps[0] + r.table['a']"
    )
    if name in ("an item of a dict", "an element"):
        used = {"an item of a dict": "r.table['a']", "an element": "r.w[0]"}[name]
    with pytest.raises(Refusal, match="MK341"):
        gradient_text(f"{HEAD}\n\n{CHANGED[name]}\n{USE % used}")


METHODS = """
class Held:
    def __init__(self, v):
        self.v = v

    def g(self):
        return self.v

    @property
    def p(self):
        return self.v

    def __len__(self):
        return 1
"""
REPLACED = {
    "a method": ("Held.g = lambda self: 2.0", "Held(x).g()"),
    "a method of the class": ("Held.g = lambda self: 2.0", "Held.g(Held(x))"),
    "a property": ("Held.p = 3.0", "Held(x).p"),
    "a truth": ("Held.__bool__ = lambda self: False", "(x if Held(x) else 2.0)"),
    "a length": ("setattr(Held, '__len__', lambda self: 0)", "(x if Held(x) else 2.0)"),
    "an equality": ("Held.__eq__ = lambda self, other: True", "(x if Held(x) == 1 else 2.0)"),
    "an initialisation": ("Held.__init__ = lambda self, v: None", "Held(x).v"),
}


@pytest.mark.parametrize("name", REPLACED)
def test_methods_that_are_replaced_are_refused(name: str) -> None:
    change, used = REPLACED[name]
    with pytest.raises(Refusal, match="MK341"):
        gradient_text(f"{METHODS}\n\n{change}\n\n\ndef f(x: float) -> float:\n    return {used}\n")


@pytest.mark.parametrize(
    "text",
    [
        "class B:\n    def __init__(self, n):\n        self.n = n\n        self.steps = [n]",
        "if __name__ == '__main__':\n    print(Rates.steps)\n    Rates.n = 7",
        "def other(r):\n    r.steps = [1.0]\n    return [*r.steps]",
    ],
)
def test_what_only_looks_like_it_is_accepted(text: str) -> None:
    gradient_text(f"{HEAD}\n\n{text}\n{USE % 'r.n + r.w[0] + r.steps[0]'}")


IN_FUNCTIONS = {
    "a list of the class": ("Rates.steps.append(x)", "MK341"),
    "an item by the instance": ("r = Rates()\n    r.steps[0] = x", "MK341"),
    "an argument": ("add(Rates.steps, x)", "MK320"),
    "a list in a list": ("for row in Rates.rows:\n        row.append(x)", "MK341"),
    "a default of a tuple": ("Named().steps.append(x)", "MK320"),
    "an array that is a default": ("n = Named()\n    n.w[0] = x", "MK341"),
    "an object of the class": ("o = Rates().other\n    b = o\n    b.y = x", "MK320"),
    "an object of the class by a method": ("Rates.other.set(x)", "MK320"),
}


@pytest.mark.parametrize("name", IN_FUNCTIONS)
def test_functions_can_not_change_it(name: str) -> None:
    body, code = IN_FUNCTIONS[name]
    more = """
class Other:
    y = 1.0
    def __init__(self):
        self.y = 2.0
    def set(self, y):
        self.y = y

class Rates:
    steps = [1.0, 2.0]
    rows = [[1.0], [2.0]]
    other = Other()

class Named(NamedTuple):
    steps: list[float] = [1.0]
    w: np.ndarray = np.array([1.0])

def add(xs, x):
    xs.append(x)

"""
    source = (
        f"{HEAD.partition('class')[0]}{more}\ndef f(x: float) -> float:\n    {body}\n    return x\n"
    )
    with pytest.raises(Refusal, match=code):
        gradient_text(source)


@pytest.mark.parametrize("text", ["steps.sort()", "fill(steps)", "steps[0] = 1.0", "n += 1"])
def test_bodies_of_classes_only_bind(text: str) -> None:
    more = "def fill(s):\n    s[0] = 5.0\n\n" + HEAD.partition("\n\n\n")[2] + f"    {text}\n"
    with pytest.raises(Refusal, match="MK321"):
        gradient_text(f"{HEAD.partition('class')[0]}{more}{USE % 'r.steps[0] + r.n'}")


GETTER = "def get(self):\n        return 1.0\n    "


@pytest.mark.parametrize(
    "text",
    [
        f"{GETTER}w = property(get)\n    {GETTER}",
        f"{GETTER}w = property(get, lambda self, v: None)",
        f"{GETTER}@staticmethod\n    def put(v):\n        pass\n    w = property(get, put)",
    ],
)
def test_properties_are_made_of_methods_that_stay(text: str) -> None:
    source = f"class Box:\n    {text}\n\ndef f(x: float) -> float:\n    return Box().w * x\n"
    with pytest.raises(Refusal):
        gradient_text(source)


READING = HEAD + USE % "r.n + r.steps[0]"
WRITING = """

class Other:
    n = 1

    @classmethod
    def count(cls):
        cls.n += 1


def fill(r):
    r.steps[0] = 1.0
"""
APART = [
    {"program.py": READING, "other.py": WRITING},
    {"program.py": READING, "other.py": f"import numpy as np\n{WRITING}"},
    {"program.py": READING, "near.py": "import other", "other.py": WRITING},
    {"program.py": READING, "package/other.py": f"from . import near\n{WRITING}"},
]
TOGETHER = [
    {"program.py": READING, "other.py": f"import program\n{WRITING}"},
    {"program.py": f"import other\n{READING}", "other.py": WRITING},
    {"program.py": f"{READING}\ndef g():\n    from other import fill\n", "other.py": WRITING},
    {"program.py": READING, "third.py": "import other\nimport program", "other.py": WRITING},
    {
        "program.py": READING,
        "near.py": "from program import *",
        "other.py": f"import near{WRITING}",
    },
    {"program.py": f"import package\n{READING}", "package/other.py": WRITING},
    {
        "program.py": READING,
        "package/__init__.py": "import program",
        "package/other.py": f"from . import program\n{WRITING}",
    },
    {
        "program.py": READING,
        "other.py": f"import importlib\nprogram = importlib.import_module('pro' 'gram'){WRITING}",
    },
]


@pytest.mark.parametrize("sources", APART)
def test_modules_that_no_import_connects_are_apart(sources: dict[str, str]) -> None:
    alone = gradient_body(compiled({"program.py": sources["program.py"]})["program"])
    assert gradient_body(compiled(sources)["program"]) == alone


@pytest.mark.parametrize("sources", TOGETHER)
def test_writes_of_connected_modules_count(sources: dict[str, str]) -> None:
    with pytest.raises(Refusal, match="MK341"):
        gradient_body(compiled(sources)["program"])
