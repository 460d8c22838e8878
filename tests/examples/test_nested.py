"""Gradients that hold gradients: penalties that are learned, a network that solves an equation."""

from __future__ import annotations

import boundary
import boundary_grad
import meta_gradient
import numpy as np
import physics_informed
import pytest
import tuning
import tuning_grad
from mooncake_runtime.testing import check_gradients


def test_gradient_through_gradient_descent():
    rng = np.random.default_rng(1)
    x, x_other = rng.normal(size=(2, 7, 3))
    y, y_other = rng.normal(size=(2, 7))
    args = (np.array([-1.0, 0.2, -2.0]), -1.5, x, y, x_other, y_other, 4)
    check_gradients(
        tuning.held_out_error, tuning_grad, args, wrt=["log_penalties", "log_step"], plain=True
    )


def test_descent_finds_the_minimum():
    rng = np.random.default_rng(2)
    x, y, penalties = rng.normal(size=(9, 3)), rng.normal(size=9), np.array([0.1, 0.5, 2.0])
    found = tuning.descended(penalties, 0.3, x, y, 300)
    expected = np.linalg.solve(x.T @ x / 9 + np.diag(penalties), x.T @ y / 9)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_penalties_are_learned():
    found = meta_gradient.tune()
    assert found.errors[1] < 0.75 * found.errors[0]
    meaningful = np.median(found.penalties[: meta_gradient.MEANINGFUL])
    assert meaningful < 0.1 * np.median(found.penalties[meta_gradient.MEANINGFUL :])


def test_gradient_of_the_residual():
    rng = np.random.default_rng(3)
    args = (rng.normal(size=9), np.linspace(0.0, 1.0, 5), rng.normal(size=5))
    check_gradients(boundary.residual, boundary_grad, args, wrt=["theta"], plain=True)


def test_residual_of_a_known_network():
    a, b, c = 0.7, 1.3, -0.4
    points = np.linspace(0.0, 1.0, 6)
    inner = np.tanh(b * points + c)
    second = a * b * b * -2.0 * inner * (1.0 - inner**2)
    ends = a**2 * (np.tanh(c) ** 2 + np.tanh(b + c) ** 2)
    found = boundary.residual(np.array([a, b, c]), points, -second)
    assert found == pytest.approx(100.0 * ends, rel=1e-12)


def test_network_solves_the_equation():
    assert physics_informed.solve(400).error() < 1e-3
