"""Generated functions under JAX's transformations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.helpers.transpile import Modules
from tests.interop.conftest import T, W

jax = pytest.importorskip("jax", reason="jax is not installed: pip install -e '.[interop]'")
from jax.test_util import check_grads  # noqa: E402
from mooncake_runtime.interop.jax import function  # noqa: E402

Modules = Modules
FAILED = (RuntimeError, ValueError)  # as JAX reads the text of an error


@pytest.fixture(autouse=True)
def _double() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def test_first_and_second_derivatives(modules: Modules) -> None:
    misfit = function(modules[1], "misfit")
    check_grads(lambda w, b, t: misfit(w, b, 2, t), (W, 1.3, T), order=2, modes=["rev"])
    expected = modules[1].misfit_grad(W, 1.3, 2, T)
    assert np.allclose(jax.jit(jax.grad(misfit))(W, 1.3, 2, T), expected.w)


def test_xla_calls_compiled_code(modules: Modules) -> None:
    found = jax.jit(jax.grad(function(modules[1], "misfit"))).lower(W, 1.3, 2, T).as_text()
    assert "mooncake.misfit" in found
    assert "callback" not in found


def test_other_types_and_keywords(modules: Modules) -> None:
    chosen = function(modules[1], "chosen", shapes=lambda a, use, k: ((), a.shape))
    a, use = np.array([[1, 2, 3], [4, 5, 6]], np.float32), np.array([True, False])
    first, out = jax.jit(lambda a: chosen(a, use, k=3))(a)
    assert (first, first.dtype) == (8.0, np.float32)
    assert np.array_equal(out, [[1, 8, 27], [0, 0, 0]])
    for jit in (lambda f: f, jax.jit):
        grad = jit(jax.grad(lambda a: chosen(a, use)[1].sum() + 5.0 * chosen(a, use)[0]))(a)
        assert np.array_equal(grad, [[2, 24, 6], [0, 0, 0]])


def test_errors_of_compiled_code(modules: Modules) -> None:
    chosen = function(modules[1], "chosen", shapes=lambda a, use, k: ((), a.shape))
    call = jax.jit(lambda a, k: chosen(a, np.array([True]), k=k)[0])
    assert call(np.ones((1, 2), np.float32), 2) == 1.0
    with pytest.raises(FAILED, match="ValueError: k is negative"):
        call(np.ones((1, 2), np.float32), -1)
    with pytest.raises(FAILED, match="must have the size n"):
        call(np.ones((2, 2), np.float32), 2)
    wrong = function(modules[1], "sines", shapes=lambda x: (2,))
    with pytest.raises(FAILED, match=r"sines: the results have the shapes.*3.*not.*2"):
        wrong(W).block_until_ready()


def test_vmap(modules: Modules) -> None:
    misfit = function(modules[1], "misfit")
    many = np.stack([W, 2.0 * W])
    found = jax.jit(jax.vmap(jax.grad(misfit), (0, None, None, None)))(many, 1.3, 2, T)
    assert np.allclose(found, [modules[1].misfit_grad(w, 1.3, 2, T).w for w in many])


def test_arrays_and_tuples(modules: Modules) -> None:
    sines = function(modules[1], "sines", shapes=lambda x: x.shape)
    check_grads(sines, (W,), order=1, modes=["rev"])
    assert np.allclose(jax.jit(jax.jacrev(sines))(W), np.diag(np.cos(W)))
    scaled = function(modules[1], "scaled", shapes=lambda w, b: ((), w.shape))
    check_grads(lambda b: scaled(W, b), (1.3,), order=1, modes=["rev"])


def test_arguments_that_are_written(modules: Modules) -> None:
    written = function(modules[1], "written", shapes=lambda x: x.shape)
    check_grads(written, (W,), order=1, modes=["rev"])


def test_zero_cotangents_of_infinite_gradients(modules: Modules) -> None:
    rooted = function(modules[1], "rooted")
    assert np.array_equal(jax.grad(lambda x: 0.0 * rooted(x))(np.zeros(3)), np.zeros(3))


def test_single_precision(modules: Modules) -> None:
    jax.config.update("jax_enable_x64", False)
    found = jax.jit(jax.grad(function(modules[1], "misfit")))(W, 1.3, 2, T)
    assert found.dtype == np.float32
    assert np.allclose(found, modules[1].misfit_grad(W, 1.3, 2, T).w, rtol=1e-5)


def test_refusals(modules: Modules) -> None:
    with pytest.raises(TypeError, match="shapes"):
        function(modules[1], "sines")
    with pytest.raises(NotImplementedError, match="hvp"):
        jax.jacrev(jax.grad(function(modules[1], "rooted")))(W)
