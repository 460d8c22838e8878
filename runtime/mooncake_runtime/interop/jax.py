"""Generated functions inside JAX: ``function(module, "f")`` works under jit, grad and vmap."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, cast

import jax
import numpy as np
from jax import numpy as jnp

from mooncake_runtime.interop.derivatives import ArraySlot, Derivatives, derivatives
from mooncake_runtime.interop.jax_ffi import HostCall


def function(
    module: ModuleType, name: str, shapes: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """``name`` of the generated ``module``, called on the host.

    XLA calls its compiled code (``jax.ffi``) if that computes in the precision of JAX, else Python
    does (``jax.pure_callback``). JAX computes in float32 unless ``jax_enable_x64`` is set; the
    function itself computes in the precision that it is annotated with.

    ``shapes(*args)`` gives the shape of the result, or a tuple of those of all results; it is not
    needed for numbers. Second derivatives work where the module has ``<name>_hvp``. Raises
    TypeError where ``shapes`` is missing.
    """
    of = derivatives(module, name)
    if shapes is None and any(slot.ndim for slot in of.results):
        raise TypeError(f"{name} returns arrays: give shapes=lambda ...: the shape of the result")
    call = _of_numbers(of) if of.value_and_grad is not None else _of_arrays(of, shapes)

    def apply(*args: Any, **keywords: Any) -> Any:
        bound = of.bound(args, keywords)
        return call(*(jnp.asarray(a, _dtype(s)) for s, a in zip(of.params, bound, strict=True)))

    apply.__name__ = apply.__qualname__ = name
    return apply


def _of_numbers(of: Derivatives) -> Callable[..., Any]:
    """The value and the gradient in one call to the host."""
    step, curved = _with_gradient(of), _curvature(of)

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def both(*args: Any) -> Any:
        y, *grads = _run(step, (_struct(of.results[0], ()), *_likes(of, args)), args)
        return y, tuple(grads)

    def second(args: Any, bars: Any) -> Any:
        y_bar, directions = bars
        grads = both(*args)[1]
        if curved is None:
            raise NotImplementedError(f"{of.name}: second derivatives need modes=...,hvp")
        found = _run(curved, _likes(of, args), (*args, *directions))
        total = tuple(_scaled(g, y_bar) + c for g, c in zip(grads, found, strict=True))
        return _by_parameter(of, args, total)

    both.defvjp(lambda *args: (both(*args), args), second)

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def call(*args: Any) -> Any:
        return both(*args)[0]

    def forward(*args: Any) -> Any:
        y, grads = both(*args)
        return y, (args, grads)

    def backward(kept: Any, y_bar: Any) -> Any:
        args, grads = kept
        return _by_parameter(of, args, tuple(_scaled(g, y_bar) for g in grads))

    call.defvjp(forward, backward)
    return cast(Callable[..., Any], call)


def _of_arrays(of: Derivatives, shapes: Callable[..., Any] | None) -> Callable[..., Any]:
    """The pullback runs the function again: residuals stay on the host."""
    step, pulled_back = _value(of), _pulled_back(of)

    def structs(args: Sequence[Any]) -> tuple[Any, ...]:
        found = [()] * len(of.results) if shapes is None else shapes(*args)
        found = found if of.is_tuple or shapes is None else (found,)
        return tuple(_struct(slot, shape) for slot, shape in zip(of.results, found, strict=True))

    @jax.custom_vjp  # type: ignore[untyped-decorator]
    def call(*args: Any) -> Any:
        made = _run(step, structs(args), args)
        return made if of.is_tuple else made[0]

    def backward(args: Any, y_bars: Any) -> Any:
        bars = y_bars if of.is_tuple else (y_bars,)
        return _by_parameter(of, args, _run(pulled_back, _likes(of, args), (*args, *bars)))

    call.defvjp(lambda *args: (call(*args), args), backward)
    return cast(Callable[..., Any], call)


def _with_gradient(of: Derivatives) -> HostCall:
    """The value, and the cotangents of parameters that have one."""
    assert of.value_and_grad is not None

    def on_host(*given: Any) -> tuple[Any, ...]:
        assert of.value_and_grad is not None
        y, grad = of.value_and_grad(*of.given(given))
        return _in(of.results[0], y), *_cast(of, grad)

    outputs = (("made[0]", of.results[0]), *_grads(of))
    text = _listed(range(len(of.params)))
    return HostCall(of.name, of.value_and_grad, text, of.params, outputs, on_host)


def _curvature(of: Derivatives) -> HostCall | None:
    """The Hessian times a direction."""
    if of.hvp is None:
        return None
    count = len(of.params)
    directions = tuple(of.params[k] for k in of.differentiated())

    def on_host(*given: Any) -> tuple[Any, ...]:
        assert of.hvp is not None
        v = [slot.given(d) for slot, d in zip(directions, given[count:], strict=True)]
        return _cast(of, of.hvp(*of.given(given[:count]), *v)[1])

    inputs = (*of.params, *directions)
    return HostCall(of.name, of.hvp, _listed(range(len(inputs))), inputs, _grads(of), on_host)


def _value(of: Derivatives) -> HostCall:
    def on_host(*given: Any) -> tuple[Any, ...]:
        y, _ = of.fwd(*of.given(given))
        return tuple(_in(s, v) for s, v in zip(of.results, of.values(y), strict=True))

    texts = [f"made[0][{k}]" for k in range(len(of.results))] if of.is_tuple else ["made[0]"]
    outputs = tuple(zip(texts, of.results, strict=True))
    return HostCall(of.name, of.fwd, _listed(range(len(of.params))), of.params, outputs, on_host)


def _pulled_back(of: Derivatives) -> HostCall:
    """The cotangents of parameters, for those of results."""
    count, inputs = len(of.params), (*of.params, *of.results)

    def on_host(*given: Any) -> tuple[Any, ...]:
        _, grad = of.vjp(*of.given(given[:count]), of.seed(given[count:]))
        return _cast(of, grad)

    seeds = _listed(range(count, len(inputs)))
    text = f"{_listed(range(count))}, {f'({seeds},)' if of.is_tuple else seeds}"
    return HostCall(of.name, of.vjp, text, inputs, _grads(of), on_host)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(f"{{{k}}}" for k in numbers)


def _grads(of: Derivatives) -> tuple[tuple[str, ArraySlot], ...]:
    slots = [of.params[k] for k in of.differentiated()]
    texts = [f"made[1][{k}]" for k in range(len(slots))] if len(slots) > 1 else ["made[1]"]
    return tuple(zip(texts, slots, strict=True))


def _run(step: HostCall, results: Any, args: Sequence[Any]) -> Any:
    """``step``, as compiled code that XLA calls where it can, else by a call of Python."""

    def by_python(*given: Any) -> Any:
        return tuple(jax.pure_callback(step.on_host, results, *given, vmap_method="sequential"))

    target = step.target()
    if target is None:
        return by_python(*args)

    def by_address(*given: Any) -> Any:
        return tuple(jax.ffi.ffi_call(target, results, vmap_method="sequential")(*given))

    return jax.lax.platform_dependent(*args, cpu=by_address, default=by_python)


def _dtype(slot: ArraySlot) -> Any:
    return jax.dtypes.canonicalize_dtype(slot.dtype)


def _struct(slot: ArraySlot, shape: tuple[int, ...]) -> Any:
    return jax.ShapeDtypeStruct(shape, _dtype(slot))


def _likes(of: Derivatives, args: Sequence[Any]) -> tuple[Any, ...]:
    """The shapes of the cotangents of ``args``."""
    return tuple(_struct(of.params[k], args[k].shape) for k in of.differentiated())


def _in(slot: ArraySlot, value: object) -> Any:
    return np.asarray(value, _dtype(slot))


def _cast(of: Derivatives, grad: object) -> tuple[Any, ...]:
    pairs = zip(of.differentiated(), of.parts(grad), strict=True)
    return tuple(_in(of.params[k], bar) for k, bar in pairs)


def _scaled(grad: Any, y_bar: Any) -> Any:
    """A cotangent of 0 gives 0, however infinite the gradient is."""
    return jnp.where(y_bar == 0, jnp.zeros_like(grad), y_bar * grad)


def _by_parameter(of: Derivatives, args: Sequence[Any], bars: Sequence[Any]) -> tuple[Any, ...]:
    parts = iter(bars)
    pairs = zip(of.cotangents, args, strict=True)
    return tuple(next(parts) if has else _nothing(arg) for has, arg in pairs)


def _nothing(arg: Any) -> Any:
    """The cotangent of an argument that has none: JAX wants zeros, of ``float0`` for integers."""
    if jnp.issubdtype(arg.dtype, jnp.inexact):
        return jnp.zeros_like(arg)
    return np.zeros(arg.shape, jax.dtypes.float0)
