"""Generated functions inside torch: ``function(module, "f")`` is ``f`` with autograd."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import torch

from mooncake_runtime.interop.derivatives import Derivatives, derivatives
from mooncake_runtime.tangents import zero_tangent


def function(module: ModuleType, name: str) -> Callable[..., Any]:
    """``name`` of the generated ``module``, for tensors on the CPU and for numbers.

    Results have the dtype of the tensors given, if they are all float32 (computed in the precision
    that the function is annotated with). Derivatives of derivatives work where the module has
    ``<name>_hvp`` (``# mooncake: modes=reverse,forward,hvp``). Arguments that the function writes
    are left as they are. Raises TypeError for tensors elsewhere than on the CPU.
    """
    of = derivatives(module, name)
    node = _scalar_node(of) if of.value_and_grad is not None else _node(of)

    def call(*args: Any, **keywords: Any) -> Any:
        return node.apply(*of.bound(args, keywords))

    call.__name__ = call.__qualname__ = name
    return call


def _node(of: Derivatives) -> type[torch.autograd.Function]:
    class Node(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            y, ctx.residuals = of.fwd(*_given(of, args))
            _keep(ctx, args)
            made = tuple(_tensor(value, ctx.dtype) for value in of.values(y))
            return made if of.is_tuple else made[0]

        @staticmethod
        def backward(ctx: Any, *y_bars: torch.Tensor) -> Any:
            args, residuals = _kept(ctx), ctx.residuals
            ctx.residuals = None  # the pullback of a function that writes its arguments undoes that
            if residuals is None:
                _, residuals = of.fwd(*_given(of, args))
            bars = of.pullback(residuals, of.seed([bar.detach().numpy() for bar in y_bars]))
            made = tuple(_like(bar, arg) for bar, arg in zip(bars, args, strict=True))
            return _last(f"{of.name}: only functions of one number have", made, (*args, *y_bars))

    return Node


def _scalar_node(of: Derivatives) -> type[torch.autograd.Function]:
    """The value and the gradient in one call; the gradient is a node of its own, if need be."""
    gradient = None if of.hvp is None else _gradient_node(of)

    class Node(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            assert of.value_and_grad is not None
            y, grad = of.value_and_grad(*_given(of, args))
            _keep(ctx, args)
            ctx.grads = _by_parameter(of, grad, args)
            return _tensor(y, ctx.dtype)

        @staticmethod
        def backward(ctx: Any, y_bar: torch.Tensor) -> Any:
            args = _kept(ctx)
            if not torch.is_grad_enabled():
                return tuple(None if g is None else _scaled(g, y_bar) for g in ctx.grads)
            if gradient is None:
                raise NotImplementedError(f"{of.name}: second derivatives need modes=...,hvp")
            made = dict(zip(_followed(of, args), gradient.apply(*args), strict=True))
            return tuple(y_bar * made[k] if k in made else None for k in range(len(args)))

    return Node


def _gradient_node(of: Derivatives) -> type[torch.autograd.Function]:
    class Gradient(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            assert of.value_and_grad is not None
            _keep(ctx, args)
            _, grad = of.value_and_grad(*_given(of, args))
            bars = _by_parameter(of, grad, args)
            return tuple(bars[k] for k in _followed(of, args))

        @staticmethod
        def backward(ctx: Any, *directions: torch.Tensor) -> Any:
            assert of.hvp is not None
            args = _kept(ctx)
            given = _given(of, args)
            moving = dict(zip(_followed(of, args), directions, strict=True))
            v = [
                of.params[k].given(moving[k].detach().numpy())
                if k in moving
                else zero_tangent(given[k])
                for k in of.differentiated()
            ]
            made = _by_parameter(of, of.hvp(*given, *v)[1], args)
            return _last(f"{of.name}: no more than", made, (*args, *directions))

    return Gradient


class _EndOfWay(torch.autograd.Function):  # type: ignore[misc]
    """Cotangents that depend on what comes behind them, and have no derivative by it.

    torch's ``once_differentiable`` does not say what they depend on, so Hessians would be 0.
    """

    @staticmethod
    def forward(ctx: Any, why: str, count: int, *tensors: torch.Tensor) -> Any:
        ctx.why = why
        return tuple(tensor.view_as(tensor) for tensor in tensors[:count])

    @staticmethod
    def backward(ctx: Any, *_: torch.Tensor) -> Any:
        raise NotImplementedError(ctx.why)


def _last(why: str, made: Sequence[Any], of: Sequence[Any]) -> tuple[Any, ...]:
    """``made``, which is computed from ``of``; where torch follows it, the end of the way."""
    found = [tensor for tensor in made if tensor is not None]
    if not torch.is_grad_enabled() or not found:
        return tuple(made)
    others = [tensor for tensor in of if isinstance(tensor, torch.Tensor)]
    ends = iter(_EndOfWay.apply(f"{why} second derivatives", len(found), *found, *others))
    return tuple(None if tensor is None else next(ends) for tensor in made)


def _given(of: Derivatives, args: Sequence[Any]) -> list[object]:
    for slot, arg in zip(of.params, args, strict=True):
        if isinstance(arg, torch.Tensor) and arg.device.type != "cpu":
            raise TypeError(f"{of.name}: {slot.name} is on {arg.device}, it must be on the CPU")
    return of.given([a.detach().numpy() if isinstance(a, torch.Tensor) else a for a in args])


def _keep(ctx: Any, args: Sequence[Any]) -> None:
    """Keep the arguments; torch refuses the pullback where a tensor has changed meanwhile."""
    ctx.save_for_backward(*(arg for arg in args if isinstance(arg, torch.Tensor)))
    ctx.others = [None if isinstance(arg, torch.Tensor) else (arg,) for arg in args]
    floats = {a.dtype for a in args if isinstance(a, torch.Tensor) and a.is_floating_point()}
    ctx.dtype = torch.float32 if floats == {torch.float32} else None


def _kept(ctx: Any) -> list[Any]:
    tensors = iter(ctx.saved_tensors)
    return [next(tensors) if other is None else other[0] for other in ctx.others]


def _by_parameter(of: Derivatives, grad: object, args: Sequence[Any]) -> tuple[Any, ...]:
    parts = iter(of.parts(grad))
    pairs = zip(of.cotangents, args, strict=True)
    return tuple(_like(next(parts), arg) if has else None for has, arg in pairs)


def _followed(of: Derivatives, args: Sequence[Any]) -> list[int]:
    """The numbers of the parameters that have a cotangent, and are tensors here."""
    return [k for k in of.differentiated() if isinstance(args[k], torch.Tensor)]


def _scaled(grad: torch.Tensor, y_bar: torch.Tensor) -> torch.Tensor:
    """A cotangent of 0 gives 0, however infinite the gradient is."""
    return torch.zeros_like(grad) if y_bar == 0 else y_bar * grad


def _tensor(value: object, dtype: torch.dtype | None) -> torch.Tensor:
    made = torch.from_numpy(np.asarray(value))
    return made.to(dtype) if dtype is not None and made.is_floating_point() else made


def _like(bar: object, arg: Any) -> torch.Tensor | None:
    """The cotangent of ``arg``, in its dtype; None for numbers, which torch does not follow."""
    if bar is None or not isinstance(arg, torch.Tensor):
        return None
    return torch.from_numpy(np.asarray(bar)).to(arg.dtype)
