"""Helpers that stay functions, as the text of gradient modules shows."""

from __future__ import annotations

from tests.helpers.transpile import gradient_text

LONG = """
import math

def _long(x: float, y: float) -> float:
    a = x * (0.271 + y * (1.31 + x * (0.57 + y * (0.91 + x * (0.113 + y * (0.37 + x))))))
    b = math.exp(-a * a) + y * (2.51 + a * (0.77 + a * (0.19 + a * (0.83 + a * 0.41))))
    if b > a:
        return b * math.log1p(a * a) - x * math.sqrt(1.0 + b * b)
    return a / (1.0 + b * b) + math.sin(a * y) * b

def _short(x: float) -> float:
    return x * x + 0.125

"""


def many_calls(helper: str, count: int) -> str:
    """A program that calls ``helper`` so often."""
    calls = "".join(f"    s = {helper} + s * x\n" for _ in range(count))
    return f"{LONG}\ndef f(x: float) -> float:\n    s = x\n{calls}    return s\n"


def test_a_long_helper_stands_once() -> None:
    few, many = (gradient_text(many_calls("_long(s, x)", count)) for count in (4, 8))
    assert few.count("0.271 ") == many.count("0.271 ") == 2  # as code, and as a comment
    lines = (len(many.splitlines()) - len(few.splitlines())) / 4
    assert lines < 20  # a call with its adjoint, in each of the sweeps


def test_a_short_helper_is_put_in_line() -> None:
    assert "def _short" not in gradient_text(many_calls("_short(s)", 8))


def test_a_helper_that_is_called_once_is_put_in_line() -> None:
    assert "def _long" not in gradient_text(many_calls("_long(s, x)", 1))


def test_a_very_long_helper_stands_once_for_its_only_call() -> None:
    """All derivatives of its caller would hold it."""
    source = many_calls("_long(s, x)", 1)
    lines = "".join(f"    a = math.sin(a * x) + {k}.5 * math.exp(a * y)\n" for k in range(12))
    text = gradient_text(source.replace("    if b > a:", f"{lines}    if b > a:"))
    assert text.count("def _long_partials(") == 1
    assert text.count(" 7.5 ") == 2  # all derivatives call that; the other is a comment


def test_a_public_helper_calls_what_its_callers_call() -> None:
    text = gradient_text(many_calls("_long(s, x)", 4).replace("_long", "long"))
    assert text.count("def _long_partials(") == 1
    assert text.count("0.271 ") == 2  # all derivatives call that; the other is a comment
