"""Users' own rules, overlays and functions without a derivative."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import gradient_text, refusals, transpiled

HEADER = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
from mooncake_runtime import nondiff, overlay, rule_for
V = Annotated[NDArray[np.float64], "n"]
"""

SCALED = (
    HEADER
    + """
def scale(x: V, a: float) -> V:
    return a * x

@rule_for(scale)
def scale_rule(x, a):
    y = scale(x, a)
    def pullback(y_bar):
        return {factor} * a * y_bar, np.sum(x * y_bar)
    return y, pullback

def f(x: V, a: float) -> float:
    return np.sum(np.sin(scale(x * x, a)))
"""
)

X = np.array([0.3, -1.2, 2.0])


def test_rule_gives_the_gradient() -> None:
    module, generated = transpiled(SCALED.format(factor="1.0"))
    check_gradients(module.f, generated, (X, 0.7), layouts=True)


def test_rule_is_believed() -> None:
    """A wrong rule gives a wrong gradient: it is what is used."""
    _, right = transpiled(SCALED.format(factor="1.0"))
    _, wrong = transpiled(SCALED.format(factor="3.0"))
    np.testing.assert_allclose(wrong.f_grad(X, 0.7).x, 3.0 * right.f_grad(X, 0.7).x)


def test_rule_is_jitted() -> None:
    module, generated = transpiled(SCALED.format(factor="1.0"), jit=True)
    check_gradients(module.f, generated, (X, 0.7))


def test_marked_functions_get_no_derivatives() -> None:
    assert "scale_rule_fwd" not in gradient_text(SCALED.format(factor="1.0"))


def test_several_results_and_none() -> None:
    module, generated = transpiled(
        HEADER
        + """
def polar(x: float, y: float, k: int) -> tuple[float, float]:
    return np.hypot(x, y), np.arctan2(y, x)

@rule_for(polar)
def polar_rule(x, y, k):
    r, phi = np.hypot(x, y), np.arctan2(y, x)
    def pullback(bars):
        r_bar, phi_bar = bars
        return (x * r_bar - y / r * phi_bar) / r, (y * r_bar + x / r * phi_bar) / r, None
    return (r, phi), pullback

def f(x: float, y: float) -> float:
    r, phi = polar(x, y, 2)
    return r * r * np.sin(phi)
"""
    )
    check_gradients(module.f, generated, (0.8, -0.3))


def test_rule_in_a_loop() -> None:
    module, generated = transpiled(
        SCALED.format(factor="1.0")
        + """
def g(x: V, a: float, n: int) -> float:
    y = x.copy()
    for k in range(n):
        y = scale(np.sin(y), a)
    return np.sum(y)
"""
    )
    check_gradients(module.g, generated, (X, 0.7, 4))


def test_rule_for_an_external_function() -> None:
    module, generated = transpiled(
        HEADER
        + """
from math import dist as length

@rule_for(length)
def length_rule(x, y):
    d = np.sqrt(np.sum((x - y) ** 2))
    def pullback(d_bar):
        step = d_bar * (x - y) / d
        return step, -step
    return d, pullback

def f(x: V, y: V) -> float:
    return length(x, y) ** 2
"""
    )
    check_gradients(module.f, generated, (X, np.array([1.0, 0.5, -0.5])))


def test_overlay_is_read_instead() -> None:
    module, generated = transpiled(
        HEADER
        + """
from math import dist as length

@overlay(length)
def ours(x, y):
    return np.sqrt(np.sum((x - y) ** 2))

def f(x: V, y: V) -> float:
    return length(x, y)
"""
    )
    check_gradients(module.f, generated, (X, np.array([1.0, 0.5, -0.5])))


def test_nondiff_is_constant() -> None:
    _, generated = transpiled(
        HEADER
        + """
@nondiff
def norm(x: V) -> float:
    return np.sqrt(np.sum(x * x))

def f(x: V) -> float:
    return np.sum(x) / norm(x)
"""
    )
    np.testing.assert_allclose(generated.f_grad(X), np.full(3, 1.0 / np.sqrt(np.sum(X * X))))


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("return x", "MK236"),
        ("def pullback(b):\n        return b, b\n    return x, pullback", "MK236"),
        ("return x, 2.0", "MK236"),
    ],
    ids=["no pullback", "too many cotangents", "a number"],
)
def test_refused(rule: str, code: str) -> None:
    source = f"""{HEADER}
def g(x: float) -> float:
    return x

@rule_for(g)
def g_rule(x):
    {rule}

def f(x: float) -> float:
    return g(x)
"""
    refused = refusals(source)
    assert [d.code for d in refused] == [code]


SHOWING = (
    HEADER
    + """
M = Annotated[NDArray[np.float64], "n m"]
TABLE = np.array([1.0, 2.0, 3.0])

def g(x: {kind}) -> V:
    return {result}

@rule_for(g)
def g_rule(x):
    def pullback(y_bar):
        x_bar = np.zeros(x.shape)
        {into}
        return x_bar
    return {result}, pullback

def f(x: V) -> float:
    z = x * 2.0
    m = np.outer(x, x)
    w = g({given})
    {body}
"""
)
IDENTITY = {"kind": "V", "result": "x", "into": "x_bar += y_bar", "given": "z"}
PART = IDENTITY | {"result": "x[::2]", "into": "x_bar[::2] += y_bar"}
ROW = {"kind": "M", "result": "x[0]", "into": "x_bar[0] += y_bar", "given": "m"}
MODULES = IDENTITY | {"result": "TABLE", "into": "x_bar += 0.0 * y_bar"}


@pytest.mark.parametrize("body", ["return w[0] * z[1]", "w[0] = 3.0; return w[0] * w[1] * x[0]"])
def test_results_that_are_arguments(body: str) -> None:
    module, generated = transpiled(SHOWING.format(**IDENTITY, body=body))
    check_gradients(module.f, generated, (X,))


@pytest.mark.parametrize(
    ("rule", "body", "code"),
    [
        (IDENTITY, "w[0] = 3.0; return z[0] * x[1]", "MK311"),
        (IDENTITY, "z[0] = 3.0; return w[0] * x[1]", "MK311"),
        (IDENTITY | {"given": "x"}, "w[0] = 3.0; return w[0]", "MK311"),
        (PART, "w[1] = 3.0; return z[2] * x[1]", "MK311"),
        (ROW, "w[1] = 3.0; return m[0, 1] * x[1]", "MK311"),
        (MODULES, "w[1] = 3.0; return TABLE[1] * x[1]", "MK341"),
    ],
    ids=["result", "argument", "of caller", "part", "row", "of module"],
)
def test_writes_to_what_rules_return(rule: dict[str, str], body: str, code: str) -> None:
    """In Python the result of ``g`` is its argument's memory; here it is memory of its own."""
    refused = refusals(SHOWING.format(**rule, body=body))
    assert [d.code for d in refused] == [code]
