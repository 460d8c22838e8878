"""GMM, LSTM and BA on the files of ADBench: reference values, norms, and differences."""

from __future__ import annotations

import numpy as np
import pytest
from adbench_data import read_ba, read_gmm, read_lstm
from cases import BA_BLOCK_NORM, BA_FILES, BA_FIRST, GMM_FILES, LSTM_FILES
from differences import directional


def check_along_random_direction(function, inputs, wrt, grads, step):
    rng = np.random.default_rng(3)
    directions = {}
    for place in wrt:
        direction = rng.normal(size=np.shape(inputs[place]))
        directions[place] = direction / np.linalg.norm(direction)
    found = sum(np.sum(g * d) for g, d in zip(grads, directions.values(), strict=True))
    scale = sum(np.linalg.norm(g) for g in grads)
    expected = directional(function, inputs, directions, step)
    assert found == pytest.approx(expected, rel=1e-7, abs=1e-9 * scale)


def check_reference(value, grads, reference):
    expected, norms, relative = reference
    assert value == pytest.approx(expected, rel=1e-13)
    for grad, norm in zip(grads, norms, strict=True):
        assert np.linalg.norm(grad) == pytest.approx(norm, rel=relative)


@pytest.mark.parametrize("name", GMM_FILES)
def test_gmm(name, adbench, primal, generated):
    inputs = read_gmm(adbench / name)
    value, grads = generated("gmm", "gmm_objective_value_and_grad")(*inputs)
    check_reference(value, grads, GMM_FILES[name])
    function = primal("gmm", "gmm_objective")
    check_along_random_direction(function, inputs, range(4), grads, 0.04)


@pytest.mark.parametrize("name", LSTM_FILES)
def test_lstm(name, adbench, primal, generated):
    inputs = read_lstm(adbench / name)
    value, grads = generated("lstm", "lstm_objective_value_and_grad")(*inputs)
    check_reference(value, grads, LSTM_FILES[name])
    function = primal("lstm", "lstm_objective")
    check_along_random_direction(function, inputs, range(2), grads, 0.1)


@pytest.mark.parametrize("name", BA_FILES)
def test_ba_cost(name, adbench, primal, generated):
    inputs = read_ba(adbench / name)
    errors = primal("ba", "ba_residuals")(*inputs)
    assert errors[0, :2] == pytest.approx(BA_FIRST, abs=5e-9)
    value, grads = generated("ba", "ba_cost_value_and_grad")(*inputs)
    assert value == pytest.approx(0.5 * np.sum(errors**2), rel=1e-11)
    check_along_random_direction(primal("ba", "ba_cost"), inputs, range(3), grads, 0.01)


@pytest.mark.parametrize("name", BA_FILES)
def test_ba_jacobian_block(name, adbench, generated):
    """The 2 x 15 block of one observation: a row per pullback, on the same residuals."""
    cameras, points, weights, _, features = read_ba(adbench / name)
    arguments = (cameras[0], points[0], float(weights[0]), features[0])
    errors, residuals = generated("ba", "reprojection_error_fwd")(*arguments)
    assert errors == pytest.approx(BA_FIRST, abs=5e-9)
    pullback = generated("ba", "reprojection_error_pullback")
    rows = [pullback(residuals, seed) for seed in ((1.0, 0.0), (0.0, 1.0))]
    block = np.array([[*camera, *point, weight] for camera, point, weight, _ in rows])
    assert np.linalg.norm(block) == pytest.approx(BA_BLOCK_NORM, rel=1e-12)
    weight_error = generated("ba", "weight_error_grad")
    assert weight_error(float(weights[0])) == pytest.approx(-2.0 * weights[0], rel=1e-15)
