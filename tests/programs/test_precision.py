"""A constant of double precision beside float32 arrays counts as what it is, in every digit."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conformance.inputs import HEADER
from tests.helpers.transpile import transpiled

PRODUCTS = (
    "np.full(3, 0.1)", "np.broadcast_to(0.1, (3,))", "np.tile(0.1, 3)", "np.repeat(0.1, 3)",
    "np.array([0.1])", "np.array(0.1)", "np.atleast_1d(0.1)", "np.float64(0.1)",
    "np.full(3, np.float32(0.1), dtype=float)", "np.broadcast_to(np.float64(0.1), (3,))",
)  # fmt: skip
S = np.array([0.3, 1.7, 0.111], np.float32)


@pytest.mark.parametrize("jit", [False, True])
def test_digits(jit: bool) -> None:
    rows = "".join(f"    out[{k}] = {factor} * s\n" for k, factor in enumerate(PRODUCTS))
    body = f"    out = np.zeros(({len(PRODUCTS)}, 3))\n{rows}    return np.cumsum(out)\n"
    primal, generated = transpiled(f"{HEADER}def f(s: Vec32) -> Vec:\n{body}", jit=jit)
    value, tangent = generated.f_jvp(S, np.ones_like(S))
    np.testing.assert_allclose(value, primal.f(S), rtol=1e-14)
    np.testing.assert_allclose(np.diff(tangent), 0.1, rtol=2e-8)


def test_a_float64_is_no_literal() -> None:
    """NumPy has arrays of float64 here, ``0.1 * s`` is of float32."""
    returns = {"np.float64(0.1)": "Vec", "np.array([0.1])": "Vec", "0.1": "Vec32"}
    for factor, kind in returns.items():
        source = f"{HEADER}def f(s: Vec32) -> {kind}:\n    return {factor} * s\n"
        primal, generated = transpiled(source)
        value, _ = generated.f_jvp(S, S)
        assert value.dtype == primal.f(S).dtype


MIXED = {
    "s": ("np.where(s > 0.2, 0.1, 0.3) * s", "np.where(s > 0.2, 0.1, 0.3) + s / 3",
          "s - np.where(s > 0.2, 0.1, 0.3)", "np.where(s > 0.2, s, 0.1) * np.float64(0.1)"),
    "z": ("np.where(s > 0.2, 0.1, 0.3) * z", "z / np.where(s > 0.2, 0.1, 0.3)",
          "s * np.where(s > 0.2, 0.1j, 0.3)"),
}  # fmt: skip


@pytest.mark.parametrize("jit", [False, True])
def test_choices_among_floats_are_arrays_of_doubles(jit: bool) -> None:
    """Text without digits of its own: a variable of double precision is no literal either."""
    header = "import numpy as np\n"
    heads = {"s": "s: np.float32) -> float", "z": "s: np.float32, z: np.complex64) -> complex"}
    functions = [
        f"def f{name}{k}({heads[name]}:\n    return {expression}\n"
        for name, expressions in MIXED.items()
        for k, expression in enumerate(expressions)
    ]
    primal, generated = transpiled(header + "\n".join(functions), jit=jit)
    numbers = {"s": (np.float32(0.7),), "z": (np.float32(0.7), np.complex64(0.3 + 0.111j))}
    for name, expressions in MIXED.items():
        for k in range(len(expressions)):
            value, _ = getattr(generated, f"f{name}{k}_fwd")(*numbers[name])
            expected = getattr(primal, f"f{name}{k}")(*numbers[name])
            np.testing.assert_allclose(value, expected, rtol=1e-14)
