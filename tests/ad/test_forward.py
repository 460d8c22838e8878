"""Forward mode: what the checks of the other tests, which see ``f_jvp`` too, do not look at."""

from __future__ import annotations

import re

import numpy as np
import pytest
from mooncake_runtime.differences import richardson

from tests.ad.deriving import HEADER
from tests.helpers.transpile import Modules, gradient_text, module, transpiled


def jvp_text(source: str, name: str = "f_jvp") -> str:
    """The text of one generated function."""
    text = gradient_text(HEADER + source)
    found = re.search(rf"^def {name}\(.*?(?=\n\n\n|\Z)", text, re.M | re.S)
    assert found is not None, text
    return found.group()


def modules(source: str) -> Modules:
    return transpiled(HEADER + source)


def test_inactive_values_have_no_tangents() -> None:
    source = """
# mooncake: wrt=x
def f(x: float, a: Vec) -> float:
    s = 0.0
    for i in range(len(a)):
        s += math.sin(a[i])
    work = np.empty(3)
    work[0] = s
    return work[0] * x
"""
    text = jvp_text(source)
    assert set(re.findall(r"\w+_dot", text)) == {"x_dot"}
    assert "cos" not in text


def test_what_influences_nothing_has_no_tangent() -> None:
    text = jvp_text("""
def f(x: float, n: int) -> float:
    trace = np.empty(n)
    for i in range(n):
        trace[i] = math.exp(x)
        print(trace[i])
    return x * x
""")
    assert "trace_dot" not in text


def test_tangents_stand_below_their_statements() -> None:
    body = jvp_text("""
def f(x: float) -> float:
    y = math.sin(x)
    z = y * y
    return z * y
""").rpartition('"""\n')[2]
    assert re.search(r" y = math\.sin\(x\)\n +y_dot = x_dot \* np\.cos\(x\)\n +z = y \* y", body)


SHAPES = "def f(x: Vec, m: Mat) -> float:\n    return x[0] * m[0, 0]\n"


@pytest.mark.parametrize("wrong", [(np.ones(2), np.ones((2, 2))), (np.ones(3), np.ones((2, 3)))])
def test_tangents_of_another_shape(wrong: tuple[object, object]) -> None:
    _, generated = modules(SHAPES)
    with pytest.raises(ValueError, match="must have the shape of"):
        generated.f_jvp(np.ones(3), np.ones((2, 2)), *wrong)


def test_modes() -> None:
    source = "# mooncake: modes={}\ndef f(x: float) -> float:\n    return x * x\n"
    for modes, has_vjp, has_jvp in (
        ("reverse", 1, 0),
        ("forward", 0, 1),
        ("reverse,forward", 1, 1),
    ):
        text = gradient_text(HEADER + source.format(modes))
        assert [f"def f_{name}(" in text for name in ("vjp", "jvp")] == [has_vjp, has_jvp]


OVERLAP = """
# mooncake: wrt=x
def f(x: Vec, other: Vec) -> float:
    for i in range(len(x)):
        x[i] = x[i] * other[0]
    return x[1] + other[2]
"""


def test_an_argument_without_tangent_that_overlaps() -> None:
    """``other`` is not differentiated, but shows memory that is."""
    primal, generated = modules(OVERLAP)
    start, direction = np.array([0.3, 0.7, 1.1]), np.array([0.2, -0.4, 0.5])

    def along(t: float) -> np.ndarray:
        x = start + t * direction
        value = primal.f(x, x)
        return np.array([value, *x])

    expected, _ = richardson(along)
    x, x_dot = start.copy(), direction.copy()
    _, y_dot = generated.f_jvp(x, x, x_dot)
    np.testing.assert_allclose([y_dot, *x_dot], expected, rtol=1e-9)


def test_an_argument_without_tangent_is_written() -> None:
    primal, generated = modules("""
# mooncake: wrt=a
def f(a: float, work: Vec, last: Vec) -> float:
    for i in range(len(work)):
        work[i] = a * last[i] * (i + 1)
        last[i] = work[i] * a
    return work[0] + last[1] * last[2]
""")
    work, last = np.array([0.4, 0.2, 0.9]), np.array([1.1, 0.8, 1.2])

    def along(t: float) -> np.ndarray:
        return np.array([primal.f(0.7 + t, work.copy(), last.copy())])

    expected, _ = richardson(along)
    _, y_dot = generated.f_jvp(0.7, work.copy(), last.copy(), 1.0)
    np.testing.assert_allclose(y_dot, expected[0], rtol=1e-9)


RECURSIVE = """
# mooncake: modes=forward
def f(x: Vec, a: float, n: int) -> Vec:
    if n == 0:
        return a * x
    x[n % 3] = x[n % 3] * a
    return math.sin(a) * f(x, a * x[0], n - 1)
"""


def test_recursion_that_returns_and_writes_arrays() -> None:
    primal, generated = modules(RECURSIVE)
    start, direction = np.array([0.3, 0.7, 1.1]), np.array([0.2, -0.4, 0.5])

    def along(t: float) -> np.ndarray:
        x = start + t * direction
        y = primal.f(x, 0.8 + 0.3 * t, 4)
        return np.concatenate([y, x])

    expected, _ = richardson(along)
    x, x_dot = start.copy(), direction.copy()
    _, y_dot = generated.f_jvp(x, 0.8, 4, x_dot, 0.3)
    np.testing.assert_allclose([*y_dot, *x_dot], expected, rtol=1e-9)


def test_one_pushforward_for_each_set_of_active_arguments() -> None:
    source = """
def g(x: float, a: float, n: int) -> float:
    return a if n == 0 else x * g(x, a, n - 1)


# mooncake: wrt=x
def f(x: float, a: float, n: int) -> float:
    return g(x, a, n) + g(a, x, n) + g(a, a, n)
"""
    text = gradient_text(HEADER + source)
    assert {"_g_push_x", "_g_push_a"} <= set(re.findall(r"def (_g_push\w*)\(", text))
    _, generated = modules(source)
    _, y_dot = generated.f_jvp(0.7, 1.3, 3, 1.0)
    assert y_dot == pytest.approx(3 * 0.7**2 * 1.3 + 1.3**3, rel=1e-14)


MARKED = """
from mooncake_runtime import nondiff, rule_for


def clipped(x: float, k: float) -> float:
    return math.sin(x) * k


@rule_for(clipped)
def clipped_rule(x: float, k: float):
    def pullback(y_bar):
        return 3.0 * y_bar, None

    return math.sin(x) * k, pullback


@nondiff
def level(x: Vec) -> float:
    return np.sum(x)


def f(x: float, k: float, v: Vec) -> float:
    return clipped(x, k) + level(v) * k
"""


def test_rules_of_users_hold() -> None:
    """A declared derivative is taken, not that of the body; of numbers by the pullback."""
    _, generated = modules(MARKED)
    v = np.array([0.5, 1.5])
    y, y_dot = generated.f_jvp(0.3, 2.0, v, 0.1, 10.0, np.ones(2))
    assert y == pytest.approx(np.sin(0.3) * 2.0 + 4.0)
    assert y_dot == pytest.approx(3.0 * 0.1 + 2.0 * 10.0, rel=1e-14)


def test_keyword_only_parameters() -> None:
    _, generated = modules("""
def f(x: float, n: int = 2, *, a: float = 2.0) -> float:
    return x * a * n
""")
    _, y_dot = generated.f_jvp(3.0, 2, 1.0, a=5.0, a_dot=0.5)
    assert y_dot == 1.0 * 5.0 * 2 + 0.5 * 3.0 * 2


def test_named_tuples() -> None:
    _, generated = modules("""
from typing import NamedTuple


class Point(NamedTuple):
    x: float
    n: int
    v: Vec


def f(p: Point) -> Point:
    return Point(p.x * p.x, p.n, p.v * p.x)
""")
    point = (2.0, 3, np.array([1.0, 2.0]))
    _, dot = generated.f_jvp(point, (0.5, None, np.array([0.1, 0.2])))
    assert type(dot).__name__ == "PointDot"
    assert (dot.x, dot.n) == (2.0, None)
    np.testing.assert_allclose(dot.v, [0.2 + 0.5, 0.4 + 1.0])


def test_jitted() -> None:
    text = gradient_text(HEADER + OVERLAP + RECURSIVE.replace(" f(", " g("))
    plain = module(text, "forward_plain_grad")
    jitted = module(text, "forward_jitted_grad", jit=True)
    for made in (plain, jitted):
        x, x_dot = np.array([0.3, 0.7, 1.1]), np.array([0.2, -0.4, 0.5])
        made.first = (made.f_jvp(x, x, x_dot), x_dot)
        x, x_dot = np.array([0.3, 0.7, 1.1]), np.array([0.2, -0.4, 0.5])
        made.second = (made.g_jvp(x, 0.8, 4, x_dot, 0.3), x_dot)
    for one in ("first", "second"):
        (y, y_dot), x_dot = getattr(plain, one)
        (z, z_dot), z_x_dot = getattr(jitted, one)
        np.testing.assert_allclose(np.hstack([z, z_dot, z_x_dot]), np.hstack([y, y_dot, x_dot]))
