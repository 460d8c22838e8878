"""Integers that there are not, decimals and sums of single precision: as Python and NumPy do it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels

from tests.helpers.transpile import Modules, Refusal, gradient_text, refusals, transpiled

HEAD = """
import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Single = Annotated[NDArray[np.float32], "n"]
Ints = Annotated[NDArray[np.int64], "n"]
"""

RAISES = """
def remainder(a: float, n: int) -> float:
    return a * (7 % n)

def quotient(a: float, n: int) -> float:
    return a * (7 // n)

def both(a: float, n: int) -> float:
    return a * divmod(7, n)[0]

def whole(a: float, n: int) -> float:
    return a * int(a)

def floor(a: float, n: int) -> float:
    return a * math.floor(a)

def nearest(a: float, n: int) -> float:
    return a * round(a)

def shifted(a: float, n: int) -> float:
    return a * (1 << n)

def sizes(a: float, n: int) -> float:
    s = 0.0
    for _ in range(2**n):
        s += a
    return s
"""
ARGUMENTS = [
    ("remainder", 1.5, 0), ("quotient", 1.5, 0), ("both", 1.5, 0), ("whole", math.nan, 1),
    ("whole", math.inf, 1), ("floor", math.nan, 1), ("floor", -math.inf, 1),
    ("nearest", math.inf, 1), ("shifted", 1.5, -1), ("sizes", 1.5, -1),
]  # fmt: skip


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "compiled"])
def modules(request: pytest.FixtureRequest) -> Modules:
    return transpiled(HEAD + RAISES, jit=request.param)


@pytest.mark.parametrize(("name", "a", "n"), ARGUMENTS)
def test_raises(modules: Modules, name: str, a: float, n: int) -> None:
    ours = getattr(modules[1], f"{name}_value_and_grad")
    with pytest.raises((ZeroDivisionError, ValueError, OverflowError, TypeError)) as expected:
        getattr(modules[0], name)(a, n)
    if name != "sizes":  # for Python a float, and so no size
        with pytest.raises(expected.type):
            ours(a, n)
    else:
        with pytest.raises(ValueError, match="negative integer powers"):
            ours(a, n)
    assert ours(2.5, 2)[0] == getattr(modules[0], name)(2.5, 2)


@pytest.mark.parametrize("jit", [False, True])
def test_decimals(jit: bool) -> None:
    """``round(x, digits)`` is correctly rounded, and what is a tie is so exactly."""
    round_to: Callable[[float, int], float] = scalar_kernels.round_to
    if jit:
        text = HEAD + "def f(a: float) -> float:\n    return round(a, 2) + a\n"
        _, ours = transpiled(text, jit=True)
        for x in (2.675, 0.125, 0.135, -0.005, 1e300, math.inf):
            assert ours.f_fwd(x)[0] == round(x, 2) + x
        return
    draw = random.Random(11)
    for _ in range(5000):
        digits = draw.randint(-22, 22)
        x = (draw.randint(-(10**9), 10**7) + 0.5 * draw.randint(0, 1)) * 10.0**-digits
        found = round_to(x, digits)
        assert (found, math.copysign(1, found)) == (round(x, digits), math.copysign(1, x))


OF_INTEGERS = (
    "math.fmod(-n, 3)", "math.fmod(n, -3)", "math.fmod(n > 2, 2)", "np.fmod(-n, 3)",
    "np.fmod(n, -4)", "np.fmod(-n, 2.5)", "np.fmod(k, 3)[0]", "np.sum(np.fmod(k, -n))",
    "math.remainder(-n, 3)", "np.remainder(-n, 3)", "np.floor_divide(-n, 3)", "divmod(n, -3)[0]",
    "np.lcm(-n, 4)", "math.gcd(-n, 6)", "np.float_power(-n, 2)", "np.heaviside(-n, 1)",
    "math.ldexp(n, -2)", "math.copysign(-n, 1)", "np.sum(k // 2)", "math.trunc(-n / 2)",
)  # fmt: skip


def test_functions_of_integers() -> None:
    """Compiled functions of integers have the values of Python's and NumPy's."""
    items = ", ".join(f"a + float({text})" for text in OF_INTEGERS)
    types = ", ".join(["float"] * len(OF_INTEGERS))
    body = f"    k = np.array([-n, 4])\n    return {items}\n"
    program, ours = transpiled(
        f"{HEAD}def f(a: float, n: int) -> tuple[{types}]:\n{body}", jit=True
    )
    for n in (2, 5, 7):
        assert ours.f_fwd(0.5, n)[0] == pytest.approx(program.f(0.5, n), rel=1e-12)


def test_single_precision() -> None:
    """16 million times 0.1: the digits that NumPy's sums keep."""
    source = HEAD + (
        "def f(x: Single) -> np.float32:\n    return np.sum(x)\n"
        "def g(x: Single) -> np.float32:\n    return np.mean(x * x) + np.var(x)\n"
    )
    program, ours = transpiled(source, jit=True)
    x = np.full(2**24, 0.1, np.float32)
    exact = x.astype(np.float64)
    assert ours.f_fwd(x)[0] == pytest.approx(np.sum(exact), rel=1e-6)
    assert ours.g_fwd(x)[0] == pytest.approx(np.mean(exact**2), rel=1e-6)
    small = x[:1000] * np.arange(1000, dtype=np.float32)
    assert ours.f_fwd(small)[0] == pytest.approx(program.f(small), rel=1e-6)
    bar = ours.f_grad(small)
    assert bar.dtype == np.float32
    assert np.all(bar == 1)


REFUSED = [
    ("MK250", "-(v[0] > 0)"), ("MK250", "(v > 0) - (v > 1)"), ("MK250", "+(v[0] > 0)"),
    ("MK250", "np.negative(a > 0)"), ("MK250", "np.subtract(a > 0, a > 1)"),
    ("MK251", "k[0] ** -1"), ("MK251", "np.power(2, -1)"), ("MK251", "np.sum(k ** -2)"),
    ("MK252", "np.exp(a > 0)"), ("MK252", "np.sqrt(np.int8(4))"),
    ("MK250", "2 ** (k[0] or len(v))"),
    ("MK250", "v[len(v) and v[1] > 0]"), ("MK250", "~(len(v) and v[1] > 0)"),
    ("MK253", "float(a > 9007199254740993)"), ("MK213", "np.int32(2**40)"), ("MK213", "3 << 70"),
    ("MK213", "abs(-9223372036854775807 - 1)"), ("MK213", "7 % 0"), ("MK310", "round(a, 30)"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "expression"), REFUSED)
def test_refused(code: str, expression: str) -> None:
    source = (
        HEAD
        + f"def f(a: float, v: Vec, k: Ints) -> float:\n    return np.sum(a * ({expression}))\n"
    )
    refusal = refusals(source)
    assert [diagnostic.code for diagnostic in refusal] == [code]


HELPERS = [
    ("MK250", "_larger(a, v[0])"), ("MK250", "_power(v[0], 2)"), ("MK250", "_recursive(a, 2)"),
    ("MK251", "2 ** -_three()"), ("MK251", "_inverse(np.int64(3))"),
]  # fmt: skip
OF_HELPERS = """
def _larger(x: float, y: float) -> float:
    return max(x, y)

def _power(x: float, n: int) -> float:
    found = 1.0
    for _ in range(n):
        found *= x
    return found

def _three() -> int:
    return np.int64(3)

def _inverse(n: int) -> float:
    return 2**-n

def _recursive(x: float, n: int) -> float:
    return round(x, 1) if n == 0 else _recursive(x, n - 1) * x
"""


@pytest.mark.parametrize(("code", "expression"), HELPERS)
def test_refused_of_helpers(code: str, expression: str) -> None:
    """NumPy raises, or whose number there is depends on the path (or on the level)."""
    returned = f"return round({expression}, 1) * a"
    refusal = refusals(HEAD + OF_HELPERS + f"def f(a: float, v: Vec) -> float:\n    {returned}\n")
    assert [diagnostic.code for diagnostic in refusal] == [code]


@pytest.mark.parametrize(
    "change", ["m //= True", "m += 1", "m += k", "k += v", "m **= 2", "m -= 2"]
)
def test_in_place(change: str) -> None:
    """NumPy raises a UFuncTypeError."""
    lines = ("m = v > 0", change, "return a * np.sum(m)")
    body = "".join(f"    {line}\n" for line in lines)
    with pytest.raises(Refusal, match="MK213"):
        gradient_text(HEAD + f"def f(a: float, v: Vec, k: Ints) -> float:\n{body}")


SIGNS = """
import math

def side(x: float, y: float) -> float:
    return math.copysign(1.0, x + 0.0) * y

def other(x: float, y: float) -> float:
    return math.copysign(y * y, 0.0 - (0.0 - x))
"""


@pytest.mark.parametrize("jit", [False, True])
def test_derivatives_keep_the_signs_of_zeros_in_values(jit: bool) -> None:
    source, grad = transpiled(SIGNS, jit=jit)
    for name in ("side", "other"):
        value = getattr(source, name)(-0.0, 3.0)
        assert getattr(grad, f"{name}_value_and_grad")(-0.0, 3.0)[0] == value
        assert getattr(grad, f"{name}_fwd")(-0.0, 3.0)[0] == value
        assert getattr(grad, f"{name}_jvp")(-0.0, 3.0, 0.0, 1.0)[0] == value
    assert grad.side_grad(-0.0, 3.0).y == 1.0
    assert grad.side_jvp(-0.0, 3.0, 0.0, 1.0)[1] == 1.0
