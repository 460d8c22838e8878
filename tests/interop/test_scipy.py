"""SciPy's optimisers, over several parameters and structs."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.interop.scipy import curve, problem, ravel
from scipy.optimize import check_grad, curve_fit, minimize

from tests.helpers.transpile import Modules
from tests.interop.conftest import T, W

Modules = Modules


def test_several_parameters(modules: Modules) -> None:
    found = problem(modules[1], "misfit", {"b": 1.3, "w": W}, {"n": 2, "t": T})
    assert np.array_equal(found.x0, [1.3, *W])
    assert check_grad(lambda x: found.fun(x)[0], lambda x: found.fun(x)[1], found.x0) < 1e-6
    best = minimize(found.fun, found.x0, jac=True, method="trust-ncg", hessp=found.hessp)
    values = found.values(best.x)
    assert modules[0].misfit(values["w"], values["b"], 2, T) < 1e-10


def test_second_derivatives(modules: Modules) -> None:
    found = problem(modules[1], "misfit", {"w": W}, {"b": 1.3, "n": 2, "t": T})
    v, h = np.array([1.0, -2.0, 0.5]), 1e-6
    assert found.hessp is not None
    differences = (found.fun(found.x0 + h * v)[1] - found.fun(found.x0 - h * v)[1]) / (2 * h)
    assert np.allclose(found.hessp(found.x0, v), differences, rtol=1e-7)


def test_structs(modules: Modules) -> None:
    primal, generated = modules
    found = problem(generated, "energy", {"p": primal.Params(W, 0.5)}, {"t": T})
    assert check_grad(lambda x: found.fun(x)[0], lambda x: found.fun(x)[1], found.x0) < 1e-6
    best = minimize(found.fun, found.x0, jac=True)
    assert isinstance(found.values(best.x)["p"], primal.Params)
    assert best.fun < 1e-10
    v, h = np.array([1.0, -2.0, 0.5, 0.3]), 1e-6
    assert found.hessp is not None
    differences = (found.fun(found.x0 + h * v)[1] - found.fun(found.x0 - h * v)[1]) / (2 * h)
    assert np.allclose(found.hessp(found.x0, v), differences, rtol=1e-6)


def test_complex_numbers(modules: Modules) -> None:
    found = problem(modules[1], "widths", {"z": np.array([1.0 + 2.0j, 3.0 - 1.0j])})
    assert np.array_equal(found.x0, [1.0, 2.0, 3.0, -1.0])
    assert np.allclose(found.fun(found.x0)[1], 2.0 * found.x0)


def test_curves(modules: Modules) -> None:
    primal, generated = modules
    t = np.linspace(0.0, 3.0, 20)
    jac = curve(generated, "decay")
    assert np.allclose(jac(t, 2.0, 0.7)[:, 0], np.exp(-0.7 * t))
    assert np.allclose(jac(t, 2.0, 0.7)[:, 1], -2.0 * t * np.exp(-0.7 * t))
    y = primal.decay(t, 2.0, 0.7)
    best, _ = curve_fit(primal.decay, t, y, p0=[1.0, 1.0], jac=jac)
    assert np.allclose(best, [2.0, 0.7])


def test_ravel_keeps_what_has_no_derivative() -> None:
    value = {"a": 1 + 2j, "n": 3, "s": "x", "l": [np.ones((2, 2), np.float32), (1.0, None)]}
    vector, unravel = ravel(value)
    assert vector.size == 7
    found = unravel(np.arange(7.0))
    assert (found["a"], found["n"], found["s"]) == (1j, 3, "x")
    assert np.array_equal(found["l"][0], [[2.0, 3.0], [4.0, 5.0]])
    assert found["l"][0].dtype == np.float32
    assert found["l"][1] == (6.0, None)


def test_refusals(modules: Modules) -> None:
    generated = modules[1]
    with pytest.raises(ValueError, match="'n'"):
        problem(generated, "misfit", {"n": 2}, {"w": W, "b": 1.0, "t": T})
    found = problem(generated, "misfit", {"w": W}, {"b": 1.0, "n": 1})
    with pytest.raises(TypeError, match="'t'"):
        found.fun(found.x0)
    with pytest.raises(ValueError, match="3 numbers"):
        ravel(W)[1](np.ones(2))
    with pytest.raises(AttributeError, match="nowhere"):
        problem(generated, "nowhere", {})
