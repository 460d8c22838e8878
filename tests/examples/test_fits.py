"""The fits of a Gaussian process and of a classifier: their gradients, and what they find."""

from __future__ import annotations

import subprocess
import sys

import gp
import gp_fit
import gp_grad
import mlp
import mlp_classifier
import mlp_grad
import numpy as np
import pytest
from mooncake_runtime.plain import plain_module
from mooncake_runtime.testing import check_gradients

from bench.primal import ROOT


def test_gradient_of_the_likelihood():
    rng = np.random.default_rng(1)
    args = (np.array([-0.3, 0.4, -0.8]), np.sort(rng.uniform(0.0, 3.0, size=7)), rng.normal(size=7))
    check_gradients(gp.negative_log_likelihood, gp_grad, args, wrt=["theta"], plain=True)


def test_likelihood_is_that_of_the_joint_density():
    theta, (x, y) = gp_fit.TRUE, gp_fit.observations(20)
    spread = gp.covariance(theta, x, x) + np.exp(2.0 * theta[2]) * np.eye(20)
    log_det = np.linalg.slogdet(spread)[1]
    expected = 0.5 * (y @ np.linalg.solve(spread, y) + log_det + 20 * np.log(2.0 * np.pi))
    assert gp.negative_log_likelihood(theta, x, y) == pytest.approx(expected, rel=1e-9)


def test_fit_finds_the_process():
    found = gp_fit.fit()
    truth = -gp.negative_log_likelihood(gp_fit.TRUE, found.x, found.y)
    assert found.start < truth < found.best
    np.testing.assert_allclose(found.theta, gp_fit.TRUE, atol=0.25)
    gradient = gp_grad.negative_log_likelihood_grad(found.theta, found.x, found.y)
    assert np.max(np.abs(gradient)) < 0.02
    # Where there are data, about one in twenty lies outside two deviations of a new observation.
    mean, deviation = found.predict(found.x)
    band = 2.0 * np.sqrt(deviation**2 + np.exp(2.0 * found.theta[2]))
    assert 0.9 < np.mean(np.abs(found.y - mean) < band) < 1.0
    far = found.predict(np.array([100.0]))
    np.testing.assert_allclose(np.ravel(far), [0.0, np.exp(found.theta[1])], atol=1e-9)


def network(rng, inputs, hidden, classes):
    return (
        rng.normal(size=(inputs, hidden)), rng.normal(size=hidden),
        rng.normal(size=(hidden, classes)), rng.normal(size=classes),
    )  # fmt: skip


def test_gradient_of_the_cross_entropy():
    rng = np.random.default_rng(2)
    args = (*network(rng, 2, 5, 3), rng.normal(size=(6, 2)), np.array([0, 2, 1, 1, 0, 2]), 0.1)
    wrt = ["w1", "b1", "w2", "b2"]
    check_gradients(mlp.cross_entropy, mlp_grad, args, wrt=wrt, plain=True)


def test_cross_entropy_of_large_scores():
    """Softmax is shifted by the largest score: nothing overflows, in the gradient neither."""
    w1, b1, w2, b2 = network(np.random.default_rng(2), 2, 5, 3)
    args = (w1, b1, 1e4 * w2, b2, np.ones((4, 2)), np.array([0, 1, 2, 0]), 0.0)
    value, gradient = plain_module(mlp_grad).cross_entropy_value_and_grad(*args)
    assert value > 1e3
    assert all(np.all(np.isfinite(slot)) for slot in gradient)


def test_classifier_learns():
    x, labels = mlp_classifier.moons(400, seed=1)
    found = mlp_classifier.train(x, labels)
    assert found.losses[-1] < 0.1 * found.losses[0]
    new_x, new_labels = mlp_classifier.moons(1000, seed=2)
    assert np.mean(found.classify(new_x) == new_labels) > 0.97


PICTURES = ("gp_fit", "mlp_classifier", "particles_fit", "schools_hmc")
WITHOUT = "import sys, runpy; sys.modules['matplotlib'] = None; sys.argv[1:] = ['none.png']; "


def test_without_matplotlib(tmp_path):
    code = WITHOUT + f"runpy.run_path({str(ROOT / 'examples' / 'gp_fit.py')!r}, None, '__main__')"
    path = f"sys.path.insert(0, {str(ROOT / 'examples')!r}); "
    command = [sys.executable, "-c", f"import sys; {path}{code}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "none.png is not drawn" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", PICTURES)
def test_pictures(name, tmp_path):
    pytest.importorskip("matplotlib")
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py"), str(tmp_path / "found.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "found.png").stat().st_size > 5000
