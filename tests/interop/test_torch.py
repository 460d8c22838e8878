"""Generated functions under torch's autograd."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Modules
from tests.interop.conftest import T, W

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[interop]'")
from mooncake_runtime.interop.torch import function  # noqa: E402

Modules = Modules


def _variable(value: object) -> object:
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def test_first_and_second_derivatives(modules: Modules) -> None:
    misfit = function(modules[1], "misfit")
    args = _variable(W), _variable(1.3), _variable(T)
    assert torch.autograd.gradcheck(lambda w, b, t: misfit(w, b, 2, t), args)
    assert torch.autograd.gradgradcheck(lambda w, b, t: misfit(w, b, n=2, t=t), args)
    some = (args[0], args[2])
    assert torch.autograd.gradgradcheck(lambda w, t: misfit(w, 1.3, 2, t), some)


def test_derivatives_that_are_not_there(modules: Modules) -> None:
    """They are refused where torch would take them for 0."""
    sines, misfit = function(modules[1], "sines"), function(modules[1], "misfit")
    x, b, t = _variable(W), _variable(1.3), _variable(T)
    with pytest.raises(NotImplementedError, match="sines: only functions of one number"):
        torch.autograd.functional.hessian(lambda x: (sines(x) ** 2).sum(), x)
    (slope,) = torch.autograd.grad((sines(x) ** 2).sum(), x, create_graph=True)
    assert np.allclose(slope.detach(), np.sin(2.0 * W))
    with pytest.raises(NotImplementedError, match="misfit: no more than second derivatives"):
        torch.autograd.functional.jacobian(
            lambda w: torch.autograd.functional.hessian(
                lambda v: misfit(v, b, 2, t), w, create_graph=True
            ),
            x,
        )


def test_arrays_and_tuples(modules: Modules) -> None:
    assert torch.autograd.gradcheck(function(modules[1], "sines"), (_variable(W),))
    scaled = function(modules[1], "scaled")
    assert torch.autograd.gradcheck(lambda b: scaled(torch.tensor(W), b), (_variable(1.3),))
    total, parts = scaled(torch.tensor(W))
    assert total.item() == pytest.approx(2.0 * W.sum())
    assert np.allclose(parts.numpy(), 2.0 * W)


def test_keywords(modules: Modules) -> None:
    a = torch.tensor([[1.0, 2.0]], dtype=torch.float32, requires_grad=True)
    _, out = function(modules[1], "chosen")(a, torch.tensor([True]), k=3)
    out.sum().backward()
    assert np.array_equal(a.grad.numpy(), [[3.0, 12.0]])


def test_twice_through_one_graph(modules: Modules) -> None:
    x = _variable(W)
    y = function(modules[1], "written")(x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert np.array_equal(x.detach().numpy(), W)
    assert np.allclose(x.grad.numpy(), 2 * 6.0 * W)


def test_single_precision(modules: Modules) -> None:
    x = torch.tensor(W, dtype=torch.float32, requires_grad=True)
    y = function(modules[1], "sines")(x)
    y.sum().backward()
    assert y.dtype == x.grad.dtype == torch.float32
    assert np.allclose(x.grad.numpy(), np.cos(W), rtol=1e-6)


def test_zero_cotangents_of_infinite_gradients(modules: Modules) -> None:
    x = _variable(np.zeros(3))
    (0.0 * function(modules[1], "rooted")(x)).backward()
    assert np.array_equal(x.grad.numpy(), np.zeros(3))


def test_a_tensor_that_changed(modules: Modules) -> None:
    x = _variable(W)
    moved = x * 1.0
    y = function(modules[1], "sines")(moved)
    with torch.no_grad():
        moved += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_refusals(modules: Modules) -> None:
    with pytest.raises(TypeError, match="p is neither a number nor an array"):
        function(modules[1], "energy")
    with pytest.raises(ValueError, match="x has 2 axes"):
        function(modules[1], "sines")(torch.ones(2, 2))
    with pytest.raises(TypeError, match="x is complex128"):
        function(modules[1], "sines")(torch.ones(2, dtype=torch.complex128))
    x = _variable(W)
    y = function(modules[1], "rooted")(x)
    with pytest.raises(NotImplementedError, match="hvp"):
        torch.autograd.grad(y, x, create_graph=True)
