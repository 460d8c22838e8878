"""Complex programs: single precision, results, what entry points refuse, and special points."""

from __future__ import annotations

import re
from math import inf, nan
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime import jit_enabled
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, refusals, transpiled

HEADER = """
import cmath
import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

CVec = Annotated[NDArray[np.complex128], "n"]
CVec64 = Annotated[NDArray[np.complex64], "n"]
Vec = Annotated[NDArray[np.float64], "n"]
Vec32 = Annotated[NDArray[np.float32], "n"]
"""

SINGLE = """
def chain{s}(z: {complex}, x: {float}) -> {complex}:
    w = 2.0 * z * x + 1j / z - z**2 * 3
    for k in range(3):
        w = np.exp(0.1j * w) + np.conj(w) * x / (k + 2) + abs(w) * np.angle(z)
    return np.tanh(w) * np.tan(w) - np.arcsin(w) + complex(w.imag, w.real)


def energy{s}(z: {cvec}, x: {vec}) -> {float}:
    s = {zero}
    work = np.zeros_like(z)
    for i in range(z.shape[0]):
        work[i] = x[i]
        work[i] += z[i] * z[i] * 0.5 + 2j
        s += work[i] * np.sqrt(z[i]) * x[0]
        k = 0
        while abs(s) > 4.0 and k < 5:
            s *= 0.5 + 0.1j
            k += 1
    return {round}(s.real * s.imag)
"""

DOUBLE_NAMES = {
    "s": "", "complex": "complex", "float": "float", "cvec": "CVec", "vec": "Vec", "zero": "0j",
    "round": "float",
}  # fmt: skip
SINGLE_NAMES = {
    "s": "32", "complex": "np.complex64", "float": "np.float32", "cvec": "CVec64",
    "vec": "Vec32", "zero": "np.complex64(0)", "round": "np.float32",
}  # fmt: skip


@pytest.fixture(scope="module", params=["plain", "jitted"])
def jit(request: pytest.FixtureRequest) -> bool:
    if request.param == "jitted" and not jit_enabled():
        pytest.skip("numba is switched off")
    return bool(request.param == "jitted")


def test_single_precision(jit: bool) -> None:
    """Gradients of the declared precision, close to those in double precision."""
    source = HEADER + SINGLE.format(**DOUBLE_NAMES)
    source += (
        SINGLE.format(**SINGLE_NAMES)
        .replace("complex(w.", "np.complex64(complex(w.")
        .replace("w.real)", "w.real))")
    )
    _, generated = transpiled(source, jit=jit)
    y_bar = 0.6 - 0.3j
    y, (z_bar, x_bar) = generated.chain_vjp(0.4 + 0.3j, 0.8, y_bar)
    point = (np.complex64(0.4 + 0.3j), np.float32(0.8), np.complex64(y_bar))
    y32, (z_bar32, x_bar32) = generated.chain32_vjp(*point)
    if jit:
        assert (type(z_bar32), type(x_bar32)) == (complex, float)  # as numba returns scalars
    np.testing.assert_allclose([y32, z_bar32, x_bar32], [y, z_bar, x_bar], rtol=2e-5)
    z, x = np.array([0.4 + 0.3j, -1.2j, 2.0 - 1j]), np.array([0.7, 0.2, -0.4])
    _, (z_bar, x_bar) = generated.energy_value_and_grad(z, x)
    found = generated.energy32_value_and_grad(z.astype(np.complex64), x.astype(np.float32))[1]
    assert (found.z.dtype, found.x.dtype) == (np.complex64, np.float32)
    np.testing.assert_allclose(found.z, z_bar, rtol=1e-4)
    np.testing.assert_allclose(found.x, x_bar, rtol=1e-4)


RESULTS = (
    HEADER
    + """
def to_complex(x: float) -> complex:
    return cmath.exp(1j * x)


def to_real(z: complex) -> float:
    return abs(z) * z.real


def to_array(z: complex, x: Vec) -> CVec:
    out = np.empty(x.shape[0], dtype=np.complex128)
    for i in range(x.shape[0]):
        out[i] = x[i] * z
    return out


def total(z: CVec) -> float:
    s = 0j
    for i in range(z.shape[0]):
        s += z[i] * (i + 1j)
    return s.real
"""
)


@pytest.fixture(scope="module")
def results(jit: bool) -> ModuleType:
    return transpiled(RESULTS, jit=jit)[1]


def test_complex_results_have_no_value_and_grad(results: ModuleType) -> None:
    assert not hasattr(results, "to_complex_value_and_grad")
    assert not hasattr(results, "to_array_grad")
    y, x_bar = results.to_complex_vjp(0.5, 1j)
    np.testing.assert_allclose((y, x_bar), (np.exp(0.5j), np.cos(0.5)), rtol=1e-14)
    assert isinstance(x_bar, float)


def test_the_convention(results: ModuleType) -> None:
    """dL/dRe + i dL/dIm: a step against it makes L smaller."""
    z = 0.6 - 0.8j
    value, z_bar = results.to_real_value_and_grad(z)
    h = 1e-6
    by_re = (results.to_real_value_and_grad(z + h)[0] - value) / h
    by_im = (results.to_real_value_and_grad(z + 1j * h)[0] - value) / h
    assert z_bar == pytest.approx(complex(by_re, by_im), rel=1e-5)
    assert results.to_real_value_and_grad(z - 0.01 * z_bar)[0] < value
    _, c = results.total_value_and_grad(np.ones(3, dtype=complex))
    np.testing.assert_array_equal(c, [-1j, 1 - 1j, 2 - 1j])


def test_empty_and_strided_arrays(results: ModuleType) -> None:
    _, empty = results.total_value_and_grad(np.zeros(0, dtype=complex))
    assert (empty.shape, empty.dtype) == ((0,), np.complex128)
    strided = (np.arange(8) * (1 + 2j))[::3]
    _, bar = results.total_value_and_grad(strided)
    np.testing.assert_array_equal(bar, [-1j, 1 - 1j, 2 - 1j])


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("total_value_and_grad", (np.ones(3),), "z.astype(np.complex128)"),
        ("total_grad", (np.ones(3, dtype=np.complex64),), "z.astype(np.complex128)"),
        ("to_complex_fwd", (1j,), "parameter 'x' must be a float64 scalar, got complex"),
        ("to_array_fwd", (1j, np.ones(3, dtype=complex)), "x.astype(np.float64)"),
    ],
)
def test_wrong_dtypes_are_refused(
    name: str, args: tuple[object, ...], message: str, results: ModuleType
) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        getattr(results, name)(*args)


def test_real_numbers_are_complex_numbers(results: ModuleType) -> None:
    """As ints are floats: a scalar may be given as a number of a smaller kind."""
    assert results.to_real_value_and_grad(2.0) == (4.0, 4.0 + 0j)
    assert results.to_real_value_and_grad(2) == (4.0, 4.0 + 0j)


POINTS = (
    HEADER
    + """
def modulus(z: complex) -> float:
    return 3.0 * abs(z)


def squared(z: complex) -> float:
    return abs(z) ** 2


def root_times(z: complex, w: complex) -> float:
    return (np.sqrt(z) * w).real


def log_masked(z: complex) -> complex:
    return np.where(abs(z) > 0.0, np.log(z), 0.0)


def power(z: complex, w: complex) -> complex:
    return z**w


def cube(z: complex, k: int) -> complex:
    return z**k


def angle_times(z: complex, x: float) -> float:
    return np.angle(z) * x


def quotient(z: complex, w: complex) -> complex:
    return 1.0 / z + w


def through_real(z: complex) -> complex:
    return complex(z.real)
"""
)


@pytest.fixture(scope="module")
def points(jit: bool) -> ModuleType:
    return transpiled(POINTS, jit=jit)[1]


@pytest.mark.parametrize(
    ("name", "args", "y_bar", "expected"),
    [
        ("modulus", (0j,), 1.0, (0,)),
        ("modulus", (-2j,), 1.0, (-3j,)),
        ("squared", (0j,), 1.0, (0,)),
        ("squared", (1 - 2j,), 1.0, (2 - 4j,)),
        ("root_times", (0j, 0j), 1.0, (0, 0)),
        ("root_times", (-4 + 0j, 1 + 0j), 1.0, (0.25j, -2j)),
        ("log_masked", (0j,), 1 + 1j, (0,)),
        ("log_masked", (2j,), 1.0, (0.5j,)),
        ("power", (0j, 2 + 0j), 1.0, (0, 0)),
        ("power", (0j, 1 + 0j), 1j, (1j, 0)),
        ("power", (0j, 0j), 1.0, (0, 0)),
        ("power", (-1 + 0j, 2 + 0j), 1.0, (-2, -1j * np.pi)),
        ("cube", (0j, 0), 1.0, (0,)),
        ("cube", (0j, 1), 1j, (1j,)),
        ("cube", (0j, 3), 1.0, (0,)),
        ("cube", (1j, 3), 1.0, (-3,)),
        ("angle_times", (0j, 0.0), 1.0, (0, 0)),
        ("angle_times", (-2 + 0j, 3.0), 1.0, (-1.5j, np.pi)),
        ("through_real", (1 + 2j,), 1j, (0,)),
        ("through_real", (1 + 2j,), 2 + 1j, (2,)),
    ],
)
def test_special_points(
    name: str,
    args: tuple[complex, ...],
    y_bar: complex,
    expected: tuple[complex, ...],
    points: ModuleType,
) -> None:
    _, gradient = getattr(points, f"{name}_vjp")(*args, y_bar)
    found = gradient if isinstance(gradient, tuple) else (gradient,)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)


def test_division_by_zero_raises_nothing(points: ModuleType) -> None:
    y, (z_bar, w_bar) = points.quotient_vjp(0j, 1j, 1.0)
    assert not np.isfinite(y)
    assert not np.isfinite(z_bar)
    assert w_bar == 1.0


def test_primals_keep_what_is_not_finite() -> None:
    """``z * 1`` and ``z + 0`` are not ``z`` where a part is infinite: values must not change."""
    text = (
        HEADER
        + """
def kept(z: complex) -> complex:
    return z * 1.0 + 0.0

def negated(z: complex) -> complex:
    return z * -1
"""
    )
    primal, generated = transpiled(text)
    for z in (complex(inf, 1.0), complex(nan, 1.0), complex(1.0, -inf), complex(-0.0, -0.0)):
        for name in ("kept", "negated"):
            y, _ = getattr(generated, f"{name}_fwd")(z)
            with np.errstate(all="ignore"):
                expected = getattr(primal, name)(np.complex128(z))
            assert repr(complex(y)) == repr(complex(expected))


REFUSED = {
    "z < w": "complex numbers have no order",
    "z // w": "complex numbers have no order",
    "z % w": "complex numbers have no order",
    "max(z, w)": "complex numbers have no order",
    "math.sin(z)": "use the function of NumPy or cmath",
    "float(z)": "a complex number has no float64 value",
    "int(z)": "a complex number has no int64 value",
    "np.maximum(z, w)": "does not take complex numbers",
    "np.floor(z)": "does not take complex numbers",
    "np.sign(z)": "does not take complex numbers",
    "np.arctan2(z, w)": "does not take complex numbers",
    "round(z)": "does not take complex numbers",
    "np.real_if_close(z)": "whether real_if_close gives real numbers depends on values",
    "z.modulus": "no attribute 'modulus'",
    "z.hex()": "method 'hex' of numbers",
    "complex('a')": "'a' is not a number",
    "z if z > 0 else w": "complex numbers have no order",
}


@pytest.mark.parametrize(("expression", "message"), REFUSED.items())
def test_refusals(expression: str, message: str) -> None:
    text = HEADER + f"\ndef f(z: complex, w: complex) -> complex:\n    return z * ({expression})\n"
    caught = refusals(text)
    shown = "; ".join(f"{d.message} {d.help}" for d in caught)
    assert message in shown


@pytest.mark.parametrize(
    "statement",
    ["x[0] = z", "x[0] += z", "x[0] = x[0] * z", "x[:] = z", "x[0] -= 1j", "y: float = z"],
)
def test_complex_into_real_is_refused(statement: str) -> None:
    text = HEADER + f"\ndef f(x: Vec, z: complex) -> float:\n    {statement}\n    return x[0]\n"
    with pytest.raises(Refusal, match="MK213"):
        gradient_text(text)


def test_check_gradients_moves_both_parts() -> None:
    """A gradient that is wrong in its imaginary part is found."""
    primal, generated = transpiled(HEADER + "\ndef f(z: complex) -> float:\n    return z.imag\n")
    right = generated.f_pullback
    check_gradients(primal.f, generated, (0.3 + 0.4j,))
    check_gradients(primal.f, generated, (0.3 + 0.4j,), analytic=True)
    generated.f_pullback = lambda residuals, y_bar: (np.conj(right(residuals, y_bar)[0]),)
    with pytest.raises(AssertionError, match="differences"):
        check_gradients(primal.f, generated, (0.3 + 0.4j,))


def test_text() -> None:
    """The emitted text for the usual idioms."""
    source = """
def f(z: complex, w: complex, x: float) -> float:
    u = z**3 / w + 2j * x
    return u.real * w.imag
"""
    text = gradient_text(HEADER + source)
    body = text[text.index("def f_vjp") : text.index("def f_value_and_grad")]
    for part in (
        "np.divide(rt.whole_power(z, 3), w)",  # numba's / raises, its ** is slow
        "complex(0.0, ",
        "3.0 * np.conj(z**2)",
        "complex(0.0, -2.0)).real",
    ):
        assert part in body, body
