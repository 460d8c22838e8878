"""The examples themselves, before any differentiation."""

from __future__ import annotations

import numpy as np
import pytest
from adbench_data import read_gmm, read_lstm
from cases import GMM_FILES, LSTM_FILES, kalman_inputs


@pytest.mark.parametrize("name", GMM_FILES)
def test_gmm_reference(name, adbench, primal):
    value = primal("gmm", "gmm_objective")(*read_gmm(adbench / name))
    assert value == pytest.approx(GMM_FILES[name][0], rel=1e-13)


@pytest.mark.parametrize("name", LSTM_FILES)
def test_lstm_reference(name, adbench, primal):
    value = primal("lstm", "lstm_objective")(*read_lstm(adbench / name))
    assert value == pytest.approx(LSTM_FILES[name][0], rel=1e-13)


def test_kalman_is_the_joint_density(primal):
    """The filter's likelihood is that of all observations under one joint Gaussian."""
    transition, emission, process, noise, observed = kalman_inputs(2, 5)
    count = observed.size
    joint = noise * np.eye(count)
    state = np.eye(2)
    for i in range(count):
        state = transition @ state @ transition.T + process
        ahead = state
        for j in range(i, count):
            joint[i, j] += emission @ ahead @ emission
            joint[j, i] = joint[i, j]
            ahead = transition @ ahead
    logdet = np.linalg.slogdet(joint)[1]
    square = observed @ np.linalg.solve(joint, observed)
    expected = -0.5 * (count * np.log(2.0 * np.pi) + logdet + square)
    found = primal("kalman", "kalman_log_likelihood")(
        transition, emission, process, noise, observed
    )
    assert found == pytest.approx(expected, rel=1e-12)


def test_relaxed_grid_solves_poisson(primal):
    """After convergence the differences between neighbours balance the source."""
    rng = np.random.default_rng(0)
    u, source = rng.normal(size=(2, 6, 7))
    primal("gauss_seidel", "poisson_misfit")(u, source, np.zeros((6, 7)), 0.5, 1e-13)
    around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
    laplacian = (around - 4.0 * u[1:-1, 1:-1]) / 0.25
    np.testing.assert_allclose(laplacian, source[1:-1, 1:-1], atol=1e-10)


def test_runge_kutta_has_order_four(primal):
    loss = primal("rk4", "predator_prey_loss")
    rates, start = np.array([1.1, 0.4, 0.1, 0.4]), np.array([3.0, 1.5])
    data = np.zeros((5, 2))
    exact = loss(rates, start, data, 0.4 / 256, 256)
    coarse, fine = (loss(rates, start, data, 0.4 / n, n) for n in (2, 4))
    assert np.log2((coarse - exact) / (fine - exact)) == pytest.approx(4.0, abs=0.3)


def test_rosenbrock_minimum(primal):
    assert primal("rosenbrock", "rosenbrock")(np.ones(5)) == 0.0
    assert primal("rosenbrock", "rosenbrock")(np.array([-1.2, 1.0])) == pytest.approx(24.2)
