"""Names and classes that are changed by other ways than their names: nothing there is constant."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text

HEAD = """
import gc
import importlib
import inspect
import operator
import sys
from functools import partial


class Spring:
    k = 3.0

    def force(self, x):
        return x * self.k


def _other(self, x):
    return 100.0 * x


SCALE = 3.0


def _scaled(x, by=2.0):
    return x * by
"""
TAIL = """
def energy(x: float) -> float:
    return Spring().force(x) * Spring.k * SCALE * _scaled(x)
"""
HIDDEN = (
    'globals()["Spring"].k = 5.0', "sys.modules[__name__].Spring.k = 5.0",
    'vars()["Spring"].force = _other', '_scaled.__globals__["SCALE"] = 5.0',
    'Spring.force.__globals__["Spring"].k = 5.0', "Spring.__mro__[0].k = 5.0",
    "object.__subclasses__()[-1].k = 5.0", 'exec("Spring.k = 5.0")',
    "eval(\"setattr(Spring, 'k', 5.0)\")", "Spring.force.__code__ = _other.__code__",
    "_scaled.__defaults__ = (7.0,)", 'globals()["SCALE"] = 5.0', "globals().update(SCALE=5.0)",
    'locals()["SCALE"] = 5.0', 'setattr(sys.modules[__name__], "SCALE", 5.0)',
    'sys.modules[__name__].__dict__["SCALE"] = 5.0', 'operator.setitem(globals(), "SCALE", 5.0)',
    'def _later():\n    globals()["SCALE"] = 5.0', "[c for c in gc.get_objects()][0].k = 5.0",
    'inspect.currentframe().f_globals["SCALE"] = 5.0',
    "importlib.import_module(__name__).SCALE = 5.0",
)  # fmt: skip
SEEN = (
    '[setattr(c, "k", 5.0) for c in (Spring,)]', "for c in (Spring,):\n    c.k = 5.0",
    'list(map(lambda c: setattr(c, "k", 5.0), (Spring,)))',
    "def _put(c):\n    c.k = 5.0\nlist(map(_put, [Spring]))", 'partial(setattr, Spring)("k", 5.0)',
    "(SCALE := 5.0)", "[SCALE := v for v in (1.0, 5.0)]",
    "def _later():\n    global _scaled\n    _scaled = abs",
    "def _later():\n    global Spring\n    Spring = int",
)  # fmt: skip
HARMLESS = (
    "", 'exec("a = 1", {})', "COPY = dict(vars(Spring))", 'HALF = globals().get("SCALE")',
    "class Bag:\n    def __init__(self, **given):\n        self.__dict__.update(given)",
    "_scaled.__doc__ = 'Scaled.'", "_scaled.calls = 0",
    "__all__ = [n for n in globals() if n != '_other']",
    "if __name__ == '__main__':\n    exec('SCALE = 2')",
)  # fmt: skip


@pytest.mark.parametrize("write", HIDDEN)
def test_hidden_writes(write: str) -> None:
    with pytest.raises(Refusal, match="MK341") as refused:
        gradient_text(f"{HEAD}\n{write}\n{TAIL}")
    assert "this may change energy" in str(refused.value)


def test_the_help_for_eval_works() -> None:
    with pytest.raises(Refusal) as refused:
        gradient_text(f"{HEAD}\ndef _value(text):\n    return eval(text)\n{TAIL}")
    assert "eval(text, {})" in str(refused.value.diagnostics[0].help)
    assert gradient_text(f"{HEAD}\ndef _value(text):\n    return eval(text, {{}})\n{TAIL}")


@pytest.mark.parametrize("write", SEEN)
def test_writes_by_other_names(write: str) -> None:
    with pytest.raises(Refusal, match=r"MK341|MK217"):
        gradient_text(f"{HEAD}\n{write}\n{TAIL}")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_changes_nothing(text: str) -> None:
    assert "def energy_grad" in gradient_text(f"{HEAD}\n{text}\n{TAIL}")


def test_public_functions_that_are_bound_anew() -> None:
    other = "def _later():\n    global energy\n    energy = abs\n"
    with pytest.raises(Refusal, match=r"MK341 .*energy is bound to something else somewhere"):
        gradient_text(f"{HEAD}\n{other}\n{TAIL}")
