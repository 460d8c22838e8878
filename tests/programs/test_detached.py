"""``stop_gradient``: gradients with what is read or written under that name held constant.

Differences of the programs themselves don't know about it, so the gradients stand here.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime import stop_gradient

from tests.helpers.transpile import Refusal, compiled, gradient_body, gradient_text, module
from tests.programs.catalogue import CASES

X = np.array([0.7, -0.4, 1.3, 0.9])
A = 1.7


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "jitted"])
def generated(request: pytest.FixtureRequest) -> ModuleType:
    files = {f"{name}.py": (CASES / f"{name}.py").read_text() for name in ("detached", "kinds")}
    return module(gradient_body(compiled(files)["detached"]), "detached_grad", jit=request.param)


def check(gradient: object, *expected: object) -> None:
    for found, wanted in zip(gradient, expected, strict=True):  # type: ignore[call-overload]
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


def test_runs_as_identity() -> None:
    assert stop_gradient(X) is X


def test_write(generated: ModuleType) -> None:
    x = X.copy()
    value, grad = generated.write_is_constant_value_and_grad(x)
    assert value == 2.0 + X[1] ** 2
    np.testing.assert_allclose(grad, [0.0, 2.0 * X[1], 0.0, 0.0])
    np.testing.assert_array_equal(x, X)


def test_read(generated: ModuleType) -> None:
    check(generated.read_is_constant_grad(X, A), A * X, X @ X)


def test_scalar(generated: ModuleType) -> None:
    check(generated.scalar_grad(0.6, A), 0.6 * A, 1.0)


def test_through_views(generated: ModuleType) -> None:
    constant = 2.0 * X[2]  # what y[0] = a * z[1] reads
    check(generated.through_views_grad(X, A), [0.0, 1.0, 0.0, 0.0], 2.0 * A * constant**2)


def test_into_a_primitive(generated: ModuleType) -> None:
    m = np.outer(X, X) + np.eye(4)
    ones = np.linalg.solve(m, np.ones(4))  # m is symmetric
    check(generated.into_a_primitive_grad(X, A), A * ones + X, ones @ X)


def test_in_a_loop(generated: ModuleType) -> None:
    m = np.arange(12.0).reshape(4, 3) / 7.0 - 0.4
    final = m.copy()
    final[:2] *= A
    final[:2, 0] = final[:2, 1]
    by_m = final.copy()
    by_m[:2] *= A
    by_m[:2, 0] = 0.0
    check(generated.in_a_loop_grad(m, A, 2), by_m, np.sum(m[:2, 1:] * final[:2, 1:]))


def test_given_to_a_helper(generated: ModuleType) -> None:
    total = A + A * np.sum(X[1:])
    check(generated.given_to_a_helper_grad(X, A), np.zeros(4), total)


def test_returned(generated: ModuleType) -> None:
    y_bar = np.array([1.0, -2.0, 0.5, 3.0])
    y, grad = generated.returned_vjp(X, A, y_bar)
    np.testing.assert_allclose(y, 2.0 * A * X)
    check(grad, A * y_bar, y_bar @ X)


ON_ONE_PATH = """
from typing import Annotated

import numpy as np
from mooncake_runtime import stop_gradient
from numpy.typing import NDArray

def f(x: Annotated[NDArray[np.float64], "n"], a: float) -> float:
    y = stop_gradient(x) if a > 0.0 else x
    return np.sum(y * y)
"""


def test_on_one_path_only() -> None:
    with pytest.raises(Refusal, match="MK406"):
        gradient_text(ON_ONE_PATH)
