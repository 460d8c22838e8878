"""Every operator of every two sorts of numbers gives what Python and NumPy give; so compiled."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest

from tests.helpers.transpile import compiled, gradient_body, module

HEAD = """
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Single = Annotated[NDArray[np.float32], "n"]
Ints = Annotated[NDArray[np.int64], "n"]


def f(x: Vec, w: Single, v: Ints, u: Ints, a: float, n: int) -> float:
    s = x[0]
"""

# What there is of each sort, as Python and NumPy make it.
OPERANDS = {
    "Python's bool": "(a > 0)", "Python's int": "n", "Python's float": "a",
    "NumPy's bool": "(x[1] > 0)", "NumPy's int": "v[1]", "NumPy's float": "x[1]",
    "bools": "(x > 0)", "ints": "v", "floats": "x", "single": "w", "positive": "u",
    "True": "True", "2": "2", "0.5": "0.5", "-1": "-1", "0": "0",
}  # fmt: skip
BINARY = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=")
UNARY = ("(-{})", "(+{})", "(~{})", "(not {})", "abs({})", "round({})", "np.abs({})", "float({})",
         "int({})", "bool({})", "np.floor({})")  # fmt: skip
FAILS = (TypeError, ValueError, ZeroDivisionError, OverflowError)


def arguments() -> tuple[object, ...]:
    x = np.array([0.7, -1.3, 2.4])
    return x, x.astype(np.float32), np.array([3, -2, 4]), np.array([2, 1, 3]), 1.7, 3


def program(expressions: Sequence[str]) -> str:
    """A module whose result tells values and types of ``expressions``: bools add up to a bool."""
    lines = []
    for k, expression in enumerate(expressions, 1):
        lines += [f"r{k} = {expression}", f"s += np.sum(1.0 * r{k}) * {k}"]
        lines += [f"s += np.sum(0.37 * (r{k} + r{k})) * {k}"]
    return HEAD + "".join(f"    {line}\n" for line in (*lines, "return s"))


def run(function: Callable[..., object]) -> float | Exception:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = function(*arguments())
        except FAILS as error:
            return error
    value = found[0] if isinstance(found, tuple) else found
    assert isinstance(value, float)
    return float(value)


def value(expression: str) -> float | Exception:
    """The result of the expression in Python."""
    return run(module(program((expression,)), "program").f)


@cache
def divided(expressions: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The expressions that give finite numbers, and those that raise."""
    values = {expression: value(expression) for expression in expressions}
    fine = [e for e, v in values.items() if isinstance(v, float) and np.isfinite(v)]
    return tuple(fine), tuple(e for e, v in values.items() if isinstance(v, Exception))


def rows(op: str) -> list[tuple[str, ...]]:
    if op in UNARY:
        return [tuple(op.format(text) for text in OPERANDS.values())]
    return [tuple(f"({a} {op} {b})" for b in OPERANDS.values()) for a in OPERANDS.values()]


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_plain(op: str) -> None:
    check([divided(row)[0] for row in rows(op)[::2]], jit=False)


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_compiled(op: str) -> None:
    """Of each operand with one other."""
    size = len(OPERANDS)
    every = rows(op)
    some = [every[0]] if op in UNARY else [
        tuple(row[(k + step) % size] for k, row in enumerate(every)) for step in (5,)
    ]  # fmt: skip
    check([divided(row)[0] for row in some], jit=True)


def check(found: Sequence[tuple[str, ...]], *, jit: bool) -> None:
    """The values of our functions are those of Python's."""
    products = compiled({f"p{k}.py": program(row) for k, row in enumerate(found)})
    for k, row in enumerate(found):
        want = run(module(program(row), "program").f)
        ours = module(gradient_body(products[f"p{k}"]), "program_grad", jit=jit)
        assert run(ours.f_fwd) == pytest.approx(want, rel=1e-6), row


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_what_fails(op: str) -> None:
    """An expression that fails in Python is refused, or raises likewise."""
    failing = [expression for row in rows(op) for expression in divided(row)[1]][::3]
    products = compiled({f"p{k}.py": program((e,)) for k, e in enumerate(failing)})
    for k, expression in enumerate(failing):
        if products[f"p{k}"].diagnostics:
            continue
        found = run(module(gradient_body(products[f"p{k}"]), "program_grad").f_fwd)
        if isinstance(found, float):
            assert _divides_floats(expression, op), expression
            assert not np.isfinite(found), expression


def _divides_floats(expression: str, op: str) -> bool:
    """By 0, which gives inf or nan here, as in NumPy (KNOWN_LIMITATIONS)."""
    left, _, right = expression.strip("()").partition(f" {op} ")
    return op == "/" or (op in ("//", "%") and not {left, right}.isdisjoint(("a", "0.5")))
