"""Every operator of every two kinds of numbers gives what Python and NumPy give, and so compiled."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from mooncake_transpiler.products import Product
from numpy.typing import NDArray

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
    "bools": "(x > 0)", "ints": "v", "floats": "x", "single": "w", "numbers": "u",
    "True": "True", "2": "2", "0.5": "0.5", "-1": "-1",
}  # fmt: skip
BINARY = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=")
UNARY = ("-", "+", "~", "not ", "abs")
WHOLE = ("bool", "int", "ints", "True", "2", "-1", "numbers")

# What runs as Python, but is refused: counted, and each a decision.
REFUSED = {
    "MK250": "an operator of bools that NumPy does not have, behind a branch that is not taken",
}


def arguments() -> tuple[object, ...]:
    x = np.array([0.7, -1.3, 2.4])
    return x, x.astype(np.float32), np.array([3, -2, 4]), np.array([2, 1, 3]), 1.7, 3


def program(expression: str) -> str:
    """A module whose result tells value and type of ``expression``: bools add up to a bool."""
    lines = (f"r = {expression}", "s += np.sum(1.0 * r) + np.sum(0.37 * (r + r)) * 7", "return s")
    return HEAD + "".join(f"    {line}\n" for line in lines)


def run(function: Callable[..., object]) -> float | Exception:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            found = function(*arguments())
        except (TypeError, ValueError, ZeroDivisionError) as error:
            return error
    value = found[0] if isinstance(found, tuple) else found
    assert isinstance(value, float)
    return float(value)


def expressions(op: str) -> list[str]:
    if op in UNARY:
        form = "abs({})" if op == "abs" else f"({op}{{}})"
        return [form.format(text) for text in OPERANDS.values()]
    return [f"({a} {op} {b})" for a, b in itertools.product(OPERANDS.values(), repeat=2)]


def differences(op: str, products: dict[str, Product]) -> Iterator[str]:
    """The expressions of which our values are not those of Python; what it refuses we refuse."""
    for k, expression in enumerate(expressions(op)):
        source = module(program(expression), "program")
        want = run(source.f)
        product = products[f"p{k}"]
        if product.diagnostics:
            if not isinstance(want, Exception):
                yield f"{expression}: {want}, refused: {product.diagnostics[0]}"
            continue
        ours = module(gradient_body(product), "program_grad")
        got = run(ours.f_fwd)
        if isinstance(want, Exception) and isinstance(got, Exception):
            continue
        if isinstance(want, Exception) or isinstance(got, Exception):
            yield f"{expression}: {want!r}, ours {got!r}"
        elif not np.isclose(want, got, rtol=1e-6, equal_nan=True):
            yield f"{expression}: {want}, ours {got}"


@pytest.mark.parametrize("op", (*UNARY, *BINARY))
def test_operator(op: str) -> None:
    sources = {f"p{k}.py": program(text) for k, text in enumerate(expressions(op))}
    assert list(differences(op, compiled(sources))) == []
