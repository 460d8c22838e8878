"""Registries that decorators fill: which ones are known, and what keeps them from being known."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import compiled

HEAD = """
REG = {}


def register(name):
    def wrap(function):
        REG[name] = function
        return function

    return wrap


def doubled(function):
    def inner(x):
        return 2.0 * function(x)

    return inner


def _size():
    return len(REG)


@register("a")
def a(x: float) -> float:
    return x

"""
KNOWN = '@register("b")\ndef b(x: float) -> float:\n    return 2.0 * x\n'
READ = "def read(x: float) -> float:\n    return REG['b'](x)\n"

KNOWN_PROGRAMS = {
    "two functions": KNOWN,
    "a read once it is full": f"{KNOWN}NAMES = sorted(REG)\n",
    "filled by a statement, too": f'{KNOWN}REG["c"] = a\nREG.update(d=a)\n',
    "beside another function with that attribute": (
        f"{KNOWN}import functools\n@functools.singledispatch\ndef d(v):\n    return 0.0\n"
        "@d.register\ndef _(v: int):\n    return 1.0\n"
    ),
    "over another decorator": KNOWN.replace("\ndef", "\n@doubled\ndef"),
    "over a decorator of numba": KNOWN.replace("\ndef", "\n@numba.njit\ndef") + "import numba\n",
}
NOT_KNOWN = {
    "looked at before it is full": f"N = len(REG)\n{KNOWN}",
    "looked at by a function before it is full": f"N = _size()\n{KNOWN}",
    "looked at by a default": f"def g(x: float, n=len(REG)) -> float:\n    return x\n{KNOWN}",
    "two functions of one name": KNOWN + KNOWN.replace('"b"', '"c"'),
    "a function that is bound to something else": f"{KNOWN}b = a\n",
    "under another decorator": f"@doubled\n{KNOWN}",
    "filled by a function, too": f'{KNOWN}def more():\n    register("c")(a)\n',
    "filled by another name": f"{KNOWN}also = register\n",
    "changed in a function": f"{KNOWN}def more():\n    REG.clear()\n",
    "filled with what is drawn": f'{KNOWN}import random\nREG["c"] = random.random()\n',
    "shrunk at the top": f'{KNOWN}del REG["a"]\n',
    "filled by a loop": f'{KNOWN}for k in "cd":\n    REG[k] = a\n',
    "filled in a branch": f"{KNOWN}if True:\n    @register('c')\n    def c(x):\n        return x\n",
}
OTHERS = {
    "what it returns is another function": """
REG = {}
def register(function):
    def inner(x):
        return 2.0 * function(x)
    REG["b"] = inner
    return inner
@register
def b(x: float) -> float:
    return x
""",
    "an attribute of a class": """
class Registry:
    entries = {}
    @classmethod
    def register(cls, function):
        cls.entries["b"] = function
        return function
REG = Registry.entries
@Registry.register
def b(x: float) -> float:
    return x
""",
    "an object that a method wraps for": """
class Registry:
    def __init__(self):
        self.entries = {}
    def register(self, function):
        def inner(x):
            return 2.0 * function(x)
        self.entries["b"] = inner
        return inner
    def __getitem__(self, name):
        return self.entries[name]
REG = Registry()
@REG.register
def b(x: float) -> float:
    return x
""",
    "handed to what makes the decorator": """
REG = {}
def register(into, name):
    def wrap(function):
        into[name] = function
        return function
    return wrap
@register(REG, "b")
def b(x: float) -> float:
    return x
""",
}


@pytest.mark.parametrize("name", KNOWN_PROGRAMS)
def test_registry_is_known(name: str) -> None:
    found = compiled({"program.py": f"{HEAD}{KNOWN_PROGRAMS[name]}{READ}"})["program"]
    assert not found.diagnostics


@pytest.mark.parametrize("name", [*NOT_KNOWN, *OTHERS])
def test_what_is_not_known_is_refused(name: str) -> None:
    source = HEAD + NOT_KNOWN[name] if name in NOT_KNOWN else OTHERS[name]
    found = compiled({"program.py": source + READ})["program"].diagnostics
    assert {d.code for d in found} & {"MK217", "MK341", "MK113"}, found


def test_another_module_may_read_but_not_fill() -> None:
    reads = f"from program import REG\n{READ}"
    fills = f"from program import register\n{KNOWN.replace('b', 'c')}"
    found = compiled({"program.py": HEAD + KNOWN, "reading.py": reads})
    assert not found["reading"].diagnostics
    found = compiled({"program.py": HEAD + KNOWN, "reading.py": reads, "filling.py": fills})
    assert {d.code for d in found["reading"].diagnostics} == {"MK217"}
