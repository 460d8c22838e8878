"""Generated functions for SciPy's optimisers, which know of one vector only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.interop.derivatives import differentiated
from mooncake_runtime.tangents import flat, has_tangent, map_leaves, zero_tangent

Vector = NDArray[np.float64]


def ravel(value: Any) -> tuple[Vector, Callable[[Vector], Any]]:
    """All float and complex numbers of ``value`` as one vector, and the way back.

    ``value`` may be a number, an array, a dataclass, a NamedTuple, a tuple, list or dict of these;
    a complex number is two numbers of the vector. Integers, text and the like stay as they are. The
    way back makes a new value, and takes real numbers: ValueError for another length.
    """
    size = flat(value).size

    def unravel(x: Vector) -> Any:
        if np.shape(x) != (size,):
            raise ValueError(f"expected a vector of {size} numbers, got the shape {np.shape(x)}")
        rest = np.asarray(x, np.float64)

        def fill(leaf: Any) -> Any:
            nonlocal rest
            if not has_tangent(leaf):
                return leaf
            count = np.size(leaf) * (1 + np.iscomplexobj(leaf))
            numbers, rest = rest[:count].copy(), rest[count:]
            return _as(leaf, numbers.view(np.complex128) if np.iscomplexobj(leaf) else numbers)

        return map_leaves(fill, value)

    return flat(value), unravel


def _as(leaf: Any, numbers: NDArray[Any]) -> Any:
    """``numbers`` with the shape and type of ``leaf``."""
    if isinstance(leaf, np.ndarray):
        return numbers.reshape(leaf.shape).astype(leaf.dtype)
    return type(leaf)(numbers[0])


@dataclass(frozen=True, slots=True)
class Problem:
    """A function of some of its parameters, as ``scipy.optimize.minimize`` wants it.

    ``minimize(problem.fun, problem.x0, jac=True)``; with ``hessp=problem.hessp`` for the methods
    that use it, where the module has ``<name>_hvp``. ``problem.values(found.x)`` are the parameters
    again.
    """

    x0: Vector
    fun: Callable[[Vector], tuple[float, Vector]]
    hessp: Callable[[Vector, Vector], Vector] | None
    values: Callable[[Vector], dict[str, Any]]


def problem(
    module: ModuleType, name: str, start: Mapping[str, Any], given: Mapping[str, Any] | None = None
) -> Problem:
    """``name`` of the generated ``module``, to be minimised over the parameters in ``start``.

    ``given``: the values of the others, but for defaults. Raises ValueError for a parameter that is
    not differentiated, TypeError as a call of the function does where arguments are missing.
    """
    value_and_grad = getattr(module, f"{name}_value_and_grad")
    hvp = getattr(module, f"{name}_hvp", None)
    signature, names = differentiated(module, name)
    for param in start:
        if param not in names:
            raise ValueError(f"{name} is not differentiated with respect to {param!r}")
    x0, values = ravel(dict(start))

    def arguments(x: Vector) -> tuple[Any, ...]:
        bound = signature.bind(**values(x), **(given or {}))
        bound.apply_defaults()
        return bound.args

    def chosen(grad: Any) -> Vector:
        found = dict(zip(names, grad if len(names) > 1 else (grad,), strict=True))
        return flat([found[param] for param in start])

    def fun(x: Vector) -> tuple[float, Vector]:
        value, grad = value_and_grad(*arguments(x))
        return value, chosen(grad)

    def hessp(x: Vector, v: Vector) -> Vector:
        args, along = arguments(x), values(np.asarray(v, np.float64).reshape(x0.shape))
        pairs = zip(signature.parameters, args, strict=True)
        tangents = (along.get(p, zero_tangent(arg)) for p, arg in pairs if p in names)
        assert hvp is not None
        return chosen(hvp(*args, *tangents)[1])

    return Problem(x0, fun, None if hvp is None else hessp, values)


def curve(module: ModuleType, name: str) -> Callable[..., NDArray[np.float64]]:
    """The Jacobian ``jac(x, *params)`` of the model ``name(x, *params)``, for ``curve_fit``.

    ``curve_fit(model, x, y, p0, jac=curve(model_grad, "model"))``; the parameters are floats, the
    result has the shape (number of points, number of parameters). Raises AttributeError without
    ``<name>_jvp``.
    """
    jvp = getattr(module, f"{name}_jvp")
    signature, names = differentiated(module, name)
    params = list(signature.parameters)[1:]

    def jac(x: Any, *args: float) -> NDArray[np.float64]:
        still = [zero_tangent(x)] * (next(iter(signature.parameters)) in names)
        columns = []
        for param in params[: len(args)]:
            moving = [float(other == param) for other in params if other in names]
            columns.append(jvp(x, *map(float, args), *still, *moving)[1])
        return np.stack(columns, axis=1)

    return jac
