"""``print``, warnings and logs: derivatives tell once what the program tells."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from tests.helpers.transpile import refusals, transpiled

SOURCE = """
import logging
import math
import sys
import warnings
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
logger = logging.getLogger(__name__)
root = logging.getLogger()


def formats(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2
        print(f"step {i:2d}: {s:.3f}")
    print("s = %g, %d" % (s, len(x)))
    print("{:>8.3f}|{{}}|{name}|{:e}".format(x[0], x[1], name="text"))
    return s


def keywords(x: Vec) -> float:
    print("x", x[0], f"n = {len(x)}", x > 1.0, sep="; ", end=".\\n")
    print("to nowhere", end="", file=sys.stdout, flush=True)
    print("bad: {}".format(x[1]), file=sys.stderr)
    print("{braces}", "%d", 100, sep="{}")
    print(sep="-", end="done\\n")
    print(f"a{x[0]}b", f"{x.shape} {x}", x.shape, (len(x), 2))
    return x[0] * x[1]


def _told(v):
    print("doubling")
    return v * 2.0


def calls(x: Vec) -> float:
    print(f"{_told(x[0]):.1f}/{_told(x[1]):.1f}")
    text = f"value {x[0]:.2f} of {len(x)}"
    print(text)
    print(text, "again")
    return x[0] * x[1]


def _root(a):
    s = a
    for k in range(4):
        new = 0.5 * (s + a / s)
        if abs(new - s) < 1e-14:
            return new
        s = new
    warnings.warn("no root after %d steps (%.2e)" % (k + 1, abs(new - s)), RuntimeWarning)
    return s


def warned(x: Vec) -> float:
    if x[0] > 0.0:
        warnings.warn(f"{x[0]} is positive", stacklevel=2)
    warnings.warn("old", category=DeprecationWarning)
    return _root(x[1]) + _root(30.0 * x[0])


def logged(x: Vec) -> float:
    logger.info("begin")
    logger.debug("x = %s, %5.1f", x[0], x[1])
    logging.warning("%d%%", 3)
    root.error("no arguments: %d")
    logging.getLogger("other").critical(f"n={len(x)}")
    return x[0] * x[1]


class Model:
    def __init__(self, k, verbose):
        self.k = k
        self.verbose = verbose

    def step(self, i):
        self.k = self.k * 0.5
        if self.verbose and i % 2 == 0:
            print(f"iter {i:3d} k={self.k:10.4f}")


def verbose(x: Vec) -> float:
    m = Model(x[0], True)
    for i in range(4):
        m.step(i)
    return m.k * x[1]


def doses(given: list[float]) -> float:
    halves = []
    for dose in given:
        print(f"dose {dose}")
        halves.append(dose / 2.0)
    for half in sorted(halves):
        print("half", half)
    return sum(halves)


def _tried(a, kind):
    try:
        if kind == 0:
            raise KeyError("large")
        if kind == 1:
            raise ValueError(f"{a} is no number")
        return math.sqrt(a)
    except Exception as error:
        print(f"failed: {error}")
        print("failed", error, type(error).__name__)
        logger.warning("failed: %s", error)
        return -a


def of_several_kinds(x: Vec) -> float:
    return _tried(x[0], 0) * x[1]


def of_its_class(x: Vec) -> float:
    return _tried(x[0], 1) + _tried(-x[0], 2)
"""
NAMES = ("formats", "keywords", "calls", "warned", "logged", "verbose", "of_several_kinds", "doses")
X = np.array([0.6, 1.3, 2.2])
GIVEN = {"doses": [2.0, 0.5]}


@dataclass(frozen=True, slots=True)
class Heard:
    """Texts that reached streams, logs and warnings."""

    out: str
    err: str
    log: str
    warned: list[tuple[str, str]]


@contextlib.contextmanager
def logs() -> Iterator[io.StringIO]:
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))
    top, numba = logging.getLogger(), logging.getLogger("numba")
    before, level = top.level, numba.level
    top.addHandler(handler)
    top.setLevel(logging.DEBUG)
    numba.setLevel(logging.WARNING)
    try:
        yield text
    finally:
        top.removeHandler(handler)
        top.setLevel(before)
        numba.setLevel(level)


def heard(function: Callable[..., object], *args: object) -> Heard:
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), logs() as log,
        warnings.catch_warnings(record=True, action="always") as found,
    ):  # fmt: skip
        function(*args)
    said = [(one.category.__name__, str(one.message)) for one in found]
    return Heard(out.getvalue(), err.getvalue(), log.getvalue(), said)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_told_once(jit: bool) -> None:
    primal, generated = transpiled(SOURCE, jit=jit)
    for name in NAMES:
        f, given = getattr(primal, name), GIVEN.get(name, X)
        expected = heard(f, given.copy())
        assert expected != Heard("", "", "", []), name
        vjp = getattr(generated, f"{name}_vjp")
        assert heard(getattr(generated, f"{name}_value_and_grad"), given.copy()) == expected
        assert heard(partial(vjp, given.copy(), y_bar=1.0)) == expected


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_warnings_that_are_errors(jit: bool) -> None:
    _, generated = transpiled(SOURCE, jit=jit)
    errors = warnings.catch_warnings(action="error")
    with errors, pytest.raises(UserWarning, match="is positive"):
        generated.warned_value_and_grad(X)
    with warnings.catch_warnings(action="ignore"):
        generated.warned_value_and_grad(X)


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ('print(x[0], file=open("log"))', "MK301"),
        ('print(f"{x[0]!r}")', "MK110"),
        ("print(*x)", "MK303"),
        ("print(x[0], sep=None, to=1)", "MK303"),
        ('warnings.warn("text", ValueError)', "MK303"),
        ('logger.exception("text")', "MK305"),
        ('logger.info("%d and %d", 1)', "MK110"),
    ],
)
def test_refused(statement: str, code: str) -> None:
    head = SOURCE[: SOURCE.index("def formats")]
    refused = refusals(f"{head}\ndef f(x: Vec) -> float:\n    {statement}\n    return x[0]\n")
    assert [d.code for d in refused] == [code]


def test_text_that_is_not_known() -> None:
    """An exception whose text tells numbers is shown by the name of its class."""
    _, generated = transpiled(SOURCE)
    found = heard(generated.of_its_class_value_and_grad, X)
    assert found.out == 2 * "failed: ValueError\nfailed ValueError ValueError\n"
