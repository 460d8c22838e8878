"""The smallest programs of what judging programs over arrays has found, with their arguments."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance.harness import judged
from tests.conformance.inputs import HEADER, Arguments
from tests.helpers.transpile import transpiled

X = np.array([0.0, 2.0, -1.5])
SHORT = 'Annotated[NDArray[np.int16], "n"]'
OTHER = 'Annotated[NDArray[np.float64], "k"]'
SINGLE = """
def f(x: Vec32) -> float:
    return float(np.sum(np.select([x > 1, x < -1], [x, 0.1], 0.7)))
"""
CHOSEN = f"""
def f(x: Vec, h: {SHORT}) -> float:
    return np.sum(x * (np.select([x > 1, x < -1], [h, 3], 5) * 20000))
"""
FOUND: dict[str, tuple[str, Arguments]] = {
    "a power of zero with an open exponent": (
        "def f(x: Vec, k: int) -> float:\n    return np.sum(np.tanh(x ** k))\n", (X, -2)),
    "a power of zero with exponents in an array": (
        "def f(x: Vec, k: Ints) -> float:\n    return np.sum(np.tanh(x ** k))\n",
        (X, np.array([-2, 3, -1]))),
    "a power of zero": (
        "def f(x: Vec) -> float:\n    return np.sum(np.tanh(x ** -2)) + x[1] ** -1\n", (X,)),
    "a power of zero in single precision": (
        "def f(x: Vec32) -> float:\n    return np.sum(np.tanh(x ** -2))\n",
        (X.astype(np.float32),)),
    "a place that a partition has not": (
        "def f(x: Vec) -> float:\n    return np.partition(x, 2)[2]\n", (X[:1],)),
    "an integer of Python's that wraps around": (
        "def f(x: Vec) -> float:\n    return np.sum(np.arange(300).astype(np.uint8)) * x[1]\n",
        (X,)),
    "a shift in place that wraps around": (
        f"def f(x: Vec, h: {SHORT}, k: Ints) -> float:\n    h <<= k\n    return np.sum(x * h)\n",
        (X, np.array([20000, 3, -7], np.int16), np.array([3, 2, 9]))),
    "an integer of NumPy's that does not fit": (
        f"def f(x: Vec, h: {SHORT}, k: Ints) -> float:\n    h[0] = k[0]\n    return x[1] * h[0]\n",
        (X, np.zeros(3, np.int16), np.array([40000, 2, 9]))),
    "a float that does not fit": (
        f"def f(x: Vec, h: {SHORT}) -> float:\n    h[0] = x[1] * 1e5\n    return x[1] * h[0]\n",
        (X, np.zeros(3, np.int16))),
    "literals before single precision": (
        SINGLE, (X.astype(np.float32),)),
    "integers before narrow ones": (
        CHOSEN, (X, np.array([1, 2, 3], np.int16))),
    "an open size beside 0": (
        "def f(m: Mat) -> float:\n    return np.sum(m.reshape(m.shape[0], -1)) + 1.0\n",
        (np.zeros((0, 3)),)),
    "a step of 0 in the other branch": (
        "def f(x: Vec, k: int) -> float:\n    y = x[::k] if k else x\n    return np.sum(y * y)\n",
        (X, 0)),
    "the next number": (
        "def f(x: Vec, y: Vec) -> float:\n    return np.sum(np.nextafter(x, y) * x)\n", (X, -X)),
    "points of other lengths": (
        f"def f(x: Vec, y: {OTHER}) -> float:\n    return np.sum(np.polyfit(x, y, 1))\n",
        (X, X[:2])),
    "a phase that is 0": (
        "def f(z: VecC, x: Vec) -> float:\n    return np.sum(np.angle(np.exp(z)) * x)\n",
        (X + 0j, X)),
    "an absolute value of a number that is imaginary": (
        "def f(z: VecC, x: Vec) -> float:\n    return np.sum(np.abs(np.exp(z) * 1j) * x)\n",
        (X + 0j, X)),
    "weights of another length": (
        f"def f(x: Vec, y: {OTHER}) -> float:\n    return np.sum(np.polyfit(x, x, 1, w=y))\n",
        (X, X[:2])),
}  # fmt: skip


ONE_VARIABLE = """
def f(m: Mat) -> float:
    return np.sum(np.cov(m, rowvar=False))
"""


@pytest.mark.parametrize("jit", [False, True])
def test_one_variable_is_a_number_in_numpy(jit: bool) -> None:
    m = np.array([[1.0, 2.5], [0.5, -1.0], [2.0, 0.3]])
    program, made = transpiled(HEADER + ONE_VARIABLE, jit=jit)
    assert made.f_value_and_grad(m)[0] == pytest.approx(program.f(m), rel=1e-14)
    with pytest.raises(ValueError, match="one variable"):
        made.f_value_and_grad(m[:, :1].copy())


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", FOUND)
def test_what_was_found(name: str, jit: bool) -> None:
    source, args = FOUND[name]
    assert judged(HEADER + source, args, jit=jit).kind == "fine"


OF_COMPLEX = ("np.abs(np.exp(z))", "np.angle(1 / (z + 1))", "np.abs(z ** -1) * np.angle(z * z)")


@pytest.mark.parametrize("value", OF_COMPLEX)
@pytest.mark.parametrize("turn", [1.0, 1j, 1 + 0.5j])
def test_second_derivatives_of_real_functions_of_complex_numbers(value: str, turn: complex) -> None:
    source = f"{HEADER}\ndef f(z: VecC, x: Vec) -> float:\n    return np.sum({value} * x)\n"
    assert judged(source, (X * turn + (0.7 + 0j), X), second=True).kind == "fine"


SECOND: dict[str, tuple[str, Arguments]] = {
    "a power whose exponent is 0": ("a ** b", (1.5, 0.0)),
    "an array of powers whose exponent is 0": ("np.sum(np.array([a, 2 * a]) ** b)", (1.5, 0.0)),
    "a complex power whose exponent is 0": ("(complex(a, 2) ** complex(b, b)).real", (1.5, 0.0)),
    "a distance along one axis": ("math.dist((a, b), (1.5, 2))", (1.5, 0.0)),
    "a distance in four dimensions": ("math.dist((a, b, a, 1), (1.5, 2, 1.5, 1))", (1.5, 0.0)),
    "the length of four numbers": ("math.hypot(a - 1.5, b, a * b, b + 1)", (1.5, 0.0)),
}


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str, jit: bool) -> None:
    value, args = SECOND[name]
    source = f"{HEADER}\ndef f(a: float, b: float) -> float:\n    return {value}\n"
    assert judged(source, args, jit=jit, second=True).kind == "fine"
