"""Every operator between every two kinds of operands, each as a row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from tests.conformance.rows import Row, Subject, Theme

PARAMETERS = {
    "x": "Vec", "s": "Vec32", "c": "VecC", "i": "Ints", "m": "Bools", "w": "Vec",
    "p": "bool", "k": "int", "a": "float", "z": "complex", "b": "float",
}  # fmt: skip


def _point(p: bool, k: int, a: float, z: complex, flip: int, x: tuple, i: tuple) -> dict:
    numbers = np.array(x)
    return {
        "x": numbers, "s": (numbers[::-1] + 0.25).astype(np.float32),
        "c": numbers[::-1] + 1j * (numbers + 0.125), "i": np.array(i),
        "m": np.arange(4) % 2 == flip, "w": np.array((0.7, -1.3, 0.4, 1.9)),
        "p": p, "k": k, "a": a, "z": z, "b": 1.7,
    }  # fmt: skip


SUBJECT = Subject(
    PARAMETERS,
    (
        _point(True, 2, 1.3, 0.7 + 0.4j, 0, (0.6, 1.7, 0.3, 1.1), (2, 1, 3, 1)),
        _point(False, -3, -1.3, -0.7 + 0.4j, 1, (-0.6, -1.7, 0.3, -2.1), (-2, -1, 3, -3)),
        _point(False, 0, 0.0, 0j, 1, (0.6, 0.0, -0.3, 1.1), (2, 0, -1, 1)),
        _point(True, 1, 2.0, 2.0 + 0j, 1, (1.0, 2.0, -2.0, 0.5), (1, 2, 2, -2)),
    ),
)

ARRAYS = ("m", "i", "x", "s", "c")
ELEMENTS = tuple(f"{name}[1]" for name in ARRAYS)
RESULTS = ("np.any(m)", "np.sum(x)", "len(x)")
SCALARS = ("p", "k", "a", "z")
CONSTANTS = ("True", "2", "-3", "0", "-1.5")
KINDS = (*SCALARS, *CONSTANTS, *ARRAYS, *ELEMENTS, *RESULTS)
COMPLEX = {"z", "c", "c[1]"}
ASSIGNED = {"p", "k", "a", *ARRAYS}  # what assignments with an operator begin with

ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
UNARY = ("-{}", "+{}", "~{}", "not {}", "abs({})", "-(-{})", "~(~{})", "not not {}", "+(~{})")


def number(text: str, operands: set[str]) -> str:
    """A float that shows the value of ``text``, which is made of ``operands``."""
    return _of_array(text, operands) if operands & {*ARRAYS} else _of_scalar(text, operands)


def _of_array(text: str, operands: set[str]) -> str:
    if operands & COMPLEX:
        return f"np.sum(w * ({text}).real) + b * np.sum(({text}).imag)"
    return f"np.sum(w * ({text}))"


def _of_scalar(text: str, operands: set[str]) -> str:
    return f"b * ({text}).real + ({text}).imag" if operands & COMPLEX else f"b * ({text})"


def binary(left: str, right: str) -> Iterator[Row]:
    """All operators between two operands, and assignments with them."""
    both = {left, right}
    for operator in ARITHMETIC:
        text = f"{left} {operator} {right}"
        if operator == "@":  # of vectors a number
            yield Row(operator, _of_scalar(text, both))
            continue
        yield Row(operator, number(text, both))
        if left in ASSIGNED:
            start = f"{left}.copy()" if left in ARRAYS else left
            lines = (f"{{t}} = {start}", f"{{t}} {operator}= {right}")
            yield Row(f"{operator}=", number("{t}", both), lines)
    for operator in COMPARISONS:
        yield Row(operator, number(f"{left} {operator} {right}", both - COMPLEX))


def unary() -> Iterator[Row]:
    for kind, form in product(KINDS, UNARY):
        text = form.format(kind)
        is_real = "not" in text or "abs" in text
        yield Row(text, number(text, {kind} - COMPLEX if is_real else {kind}))


# ---- results that are bools or integers ---------------------------------------------------------

WHOLE = ("p", "k", "m", "i", "m[1]", "i[1]", "(a > b)")
CLOSED = ("+", "-", "*", "&", "^", "<", "and")
USES = (
    "({0}) + ({0})", "-({0})", "~({0})", "not ({0})", "1.5 ** ({0})", "2 ** ({0})", "({0}) ** -1",
    "x[{0}]", "x[~({0})]", "np.where({0}, x, w)", "({0}) // 2",
)  # fmt: skip


def uses(left: str, right: str) -> Iterator[Row]:
    """Rows of operators on two operands; bools and integers give different results."""
    many = {left, right}
    for operator, use in product(CLOSED, USES):
        value = f"{left} {operator} {right}"
        text, key = use.format(value), use.format(f"l {operator} r")
        if "x[" in text or "where" in text:
            yield Row(key, f"np.sum(2.0 * {text})")
        else:
            yield Row(key, number(text, many))


def themes() -> Iterator[Theme]:
    """The rows, those about the same operands together."""
    yield Theme("one operand", SUBJECT, tuple(unary()))
    for left, right in product(KINDS, KINDS):
        yield Theme(f"{left}, {right}", SUBJECT, tuple(binary(left, right)))
    for left, right in product(WHOLE, WHOLE):
        yield Theme(f"uses of {left}, {right}", SUBJECT, tuple(uses(left, right)))
