"""Generated functions as PyTensor's ops."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Modules
from tests.interop.conftest import T, W

pytensor = pytest.importorskip("pytensor", reason="no pytensor: pip install -e '.[interop]'")
from mooncake_runtime.interop.pytensor import op  # noqa: E402
from pytensor import tensor as pt  # noqa: E402

Modules = Modules


@pytest.mark.parametrize("mode", ["CVM", "NUMBA"])
def test_values_and_gradients(modules: Modules, mode: str) -> None:
    w, b, t = pt.vector("w"), pt.scalar("b"), pt.vector("t")
    y = op(modules[1], "misfit")(w, b, 2, t)
    call = pytensor.function([w, b, t], [y, *pytensor.grad(y, [w, b, t])], mode=mode)
    value, *grads = call(W, 1.3, T)
    expected, grad = modules[1].misfit_value_and_grad(W, 1.3, 2, T)
    assert value == pytest.approx(expected)
    assert all(np.allclose(a, e) for a, e in zip(grads, grad, strict=True))


@pytest.mark.parametrize("mode", ["CVM", "NUMBA"])
def test_several_results(modules: Modules, mode: str) -> None:
    w, b = pt.vector("w"), pt.scalar("b")
    total, parts = op(modules[1], "scaled")(w, b)
    both = pytensor.grad(total + pt.sum(parts), b)
    one = pytensor.grad(total, b)
    found = pytensor.function([w, b], [total, parts, both, one], mode=mode)(W, 1.3)
    for value, expected in zip(found, (W.sum() * 1.3, W * 1.3, 2 * W.sum(), W.sum()), strict=True):
        assert np.allclose(value, expected)


@pytest.mark.parametrize("mode", ["CVM", "NUMBA"])
def test_keywords(modules: Modules, mode: str) -> None:
    a = pt.fmatrix("a")
    out = op(modules[1], "chosen")(a, np.array([True]), 3)[1]
    call = pytensor.function([a], [out, pytensor.grad(pt.sum(out), a)], mode=mode)
    value, grad = call(np.array([[1.0, 2.0]], np.float32))
    assert np.array_equal(value, [[1.0, 8.0]])
    assert np.array_equal(grad, [[3.0, 12.0]])


@pytest.mark.parametrize("mode", ["CVM", "NUMBA"])
def test_arguments_that_are_written(modules: Modules, mode: str) -> None:
    x = pt.vector("x")
    y = pt.sum(op(modules[1], "written")(x))
    given = W.copy()
    found = pytensor.function([x], [y, pytensor.grad(y, x), x], mode=mode)(given)
    for value, expected in zip(found, (np.sum(3 * W**2), 6 * W, W), strict=True):
        assert np.allclose(value, expected)
    assert np.array_equal(given, W)


def test_equal_ops_are_merged(modules: Modules) -> None:
    assert op(modules[1], "misfit") == op(modules[1], "misfit")
    assert op(modules[1], "misfit") != op(modules[1], "rooted")


def test_sampling(modules: Modules) -> None:
    pm = pytest.importorskip("pymc", reason="pymc is not installed: pip install -e '.[interop]'")
    with pm.Model():
        b = pm.Normal("b")
        pm.Potential("likelihood", -0.5 * op(modules[1], "misfit")(W, b, 100, T))
        trace = pm.sample(
            draws=500,
            tune=300,
            chains=1,
            progressbar=False,
            random_seed=1,
            compute_convergence_checks=False,
        )
    # The posterior is normal: precision 1 + 100 s.s, mean 100 s.t / precision, for s = sin(w).
    s = np.sin(W)
    precision = 1.0 + 100.0 * (s @ s)
    draws = trace.posterior["b"].to_numpy()
    assert draws.mean() == pytest.approx(100.0 * (s @ T) / precision, abs=0.02)
    assert draws.std() == pytest.approx(precision**-0.5, rel=0.2)
