"""Each example's generated gradient, on small generated inputs, against differences."""

from __future__ import annotations

import numpy as np
import pytest
from cases import CASES
from differences import gradient

RELATIVE = 1e-7


@pytest.mark.parametrize("case", CASES, ids=str)
def test_value_and_gradient(case, primal, generated):
    inputs = case.inputs()
    function = primal(case.module, case.function)
    value, grads = generated(case.module, f"{case.function}_value_and_grad")(*inputs)
    if len(case.wrt) == 1:
        grads = (grads,)

    assert value == pytest.approx(function(*case.inputs()), rel=1e-13)
    for place, found in zip(case.wrt, grads, strict=True):
        expected = gradient(function, case.inputs(), place, case.step)
        assert np.shape(found) == expected.shape
        np.testing.assert_allclose(
            found, expected, rtol=RELATIVE, atol=RELATIVE * np.max(np.abs(expected), initial=1e-3)
        )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_arguments_are_as_before(case, generated):
    inputs, untouched = case.inputs(), case.inputs()
    generated(case.module, f"{case.function}_value_and_grad")(*inputs)
    for after, before in zip(inputs, untouched, strict=True):
        np.testing.assert_array_equal(after, before)


def test_pullback_of_all_residuals(primal, generated):
    """``ba_residuals`` has an array as its result: pull back one cotangent of its shape."""
    inputs = next(case for case in CASES if case.function == "ba_cost").inputs()
    errors, residuals = generated("ba", "ba_residuals_fwd")(*inputs)
    np.testing.assert_allclose(errors, primal("ba", "ba_residuals")(*inputs), rtol=1e-13)
    cotangents = generated("ba", "ba_residuals_pullback")(residuals, errors.copy())
    _, grads = generated("ba", "ba_cost_value_and_grad")(*inputs)
    assert cotangents[3] is None
    assert cotangents[4] is None
    for found, expected in zip(cotangents[:3], grads, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
