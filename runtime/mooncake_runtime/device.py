"""Imports of generated modules over CuPy's arrays: checks of arguments, and sums in kernels.

CuPy itself is imported when such a module is.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import Any, ForwardRef, ParamSpec, TypeVar, get_args, get_origin, overload

import numpy as np

from mooncake_runtime.exact_values import convert as on_host
from mooncake_runtime.spec import ACCEPTED, ArraySpec, ScalarSpec, Spec, TupleSpec, spec_of
from mooncake_runtime.spec import describe as described

P = ParamSpec("P")
R = TypeVar("R")

BLOCK = 256  # the most threads of a block that sums
TYPES = {  # of what is added up, in C++
    "float32": "float",
    "float64": "double",
    "complex64": "complex<float>",
    "complex128": "complex<double>",
}


@overload
def entry(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def entry(*labels: str) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def entry(*given: Any) -> Any:
    """A function whose arguments must be what annotations say, on the current device.

    ``labels`` are what messages call the parameters, if not by their names. A number that is
    annotated as an array without axes may also be one of Python's.
    """
    if given and callable(given[0]):
        return _entry(given[0], ())
    return lambda function: _entry(function, given)


def _entry(function: Callable[P, R], labels: Sequence[str]) -> Callable[P, R]:
    signature = inspect.signature(function)
    specs = {name: _spec_of(p.annotation) for name, p in signature.parameters.items()}
    shown = dict(zip(specs, labels or specs, strict=True))
    called = function.__name__.strip("_")  # those behind functions that take objects begin with it
    cupy = import_module("cupy")

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            bound.arguments[name] = _converted(cupy, called, shown[name], specs[name], value)
        return function(*bound.args, **bound.kwargs)

    return call


@dataclass(frozen=True, slots=True)
class _SpansSpec(ArraySpec):
    """An array of NumPy that tells where the arrays of a list are (`device_lists.py`)."""


def _spec_of(annotation: Any) -> Spec:
    """``spec_of``, without evaluating annotations again: CuPy's arrays may not be made for that."""
    if annotation is np.ndarray:
        return _SpansSpec("int64", 2)
    if hasattr(annotation, "_fields"):
        names = vars(sys.modules[annotation.__module__])
        fields = (
            eval(field.__forward_code__, names) if isinstance(field, ForwardRef) else field
            for field in annotation.__annotations__.values()
        )
        return TupleSpec(tuple(map(_spec_of, fields)))
    if get_origin(annotation) is tuple:
        return TupleSpec(tuple(_spec_of(arg) for arg in get_args(annotation) if arg != ()))
    return spec_of(annotation)


def _converted(cupy: Any, function: str, name: str, spec: Spec, value: Any) -> object:
    match spec:
        case _SpansSpec():
            return value  # made by us
        case ArraySpec(dtype=dtype, ndim=ndim):
            if ndim == 0 and isinstance(value, ACCEPTED[np.dtype(dtype).kind]):
                return _number(function, name, ScalarSpec(dtype), value)
            is_such = isinstance(value, cupy.ndarray) and value.dtype == dtype
            if not (is_such and value.ndim == ndim):
                given = _shown(cupy, value)
                article = "an" if dtype[0] in "aeiou" else "a"
                raise TypeError(
                    f"{function}: parameter {name!r} must be {article} {spec} of CuPy, got {given}"
                )
            _check_device(cupy, function, name, value)
            return value
        case ScalarSpec() if isinstance(value, cupy.ndarray):
            raise TypeError(
                f"{function}: parameter {name!r} must be a number of Python's, "
                f"got {_shown(cupy, value)}: annotate it as an array without axes"
            )
        case ScalarSpec():
            return _number(function, name, spec, value)
        case TupleSpec(items=items) if isinstance(value, tuple) and len(value) == len(items):
            pairs = enumerate(zip(items, value, strict=True))
            parts = [_converted(cupy, function, f"{name}[{k}]", s, v) for k, (s, v) in pairs]
            return value._make(parts) if hasattr(value, "_make") else tuple(parts)
        case _:
            return on_host(function, name, spec, value)


def _number(function: str, name: str, spec: ScalarSpec, value: object) -> object:
    """A number of Python's that ``value`` is."""
    number = on_host(function, name, spec, value)
    return number.item() if isinstance(number, np.generic) else number


def _check_device(cupy: Any, function: str, name: str, value: Any) -> None:
    current = cupy.cuda.Device().id
    if value.device.id != current:
        raise ValueError(
            f"{function}: parameter {name!r} is on device {value.device.id}, "
            f"but the current device is {current}"
        )


def _shown(cupy: Any, value: Any) -> str:
    if isinstance(value, cupy.ndarray):
        return f"a {value.dtype} array of rank {value.ndim}"
    where = " of NumPy" if isinstance(value, np.ndarray | np.generic) else ""
    return described(value) + where


def iterations(*sizes: int) -> Any:
    """An array of this shape without content: it tells a kernel over which iterations it runs."""
    cupy = import_module("cupy")
    return cupy.broadcast_to(cupy.empty((), cupy.bool_), sizes)


def reshaped(array: Any, shape: int | tuple[int, ...]) -> Any:
    """``array.reshape(shape)``: the same memory if ``array`` is C-contiguous, else a copy."""
    return _module_of(array).ascontiguousarray(array).reshape(shape)


def _module_of(array: Any) -> Any:
    """CuPy, or NumPy for an array that is on the host."""
    return np if isinstance(array, np.ndarray) else import_module("cupy")


def grow(array: Any, size: int) -> Any:
    """``array`` if it holds at least ``size`` items, else a copy of at least twice its length."""
    return grow_rows(array, size, ())


def grow_rows(array: Any, size: int, shape: tuple[int, ...]) -> Any:
    """The same for items of ``shape``; an ``array`` of items of another shape holds none yet."""
    fits = array.shape[1:] == shape
    if fits and size <= array.shape[0]:
        return array
    sizes = (max(size, 2 * array.shape[0], 8), *shape)
    larger = _module_of(array).empty(sizes, array.dtype)
    if fits:
        larger[: array.shape[0]] = array
    return larger


def running_sums(terms: Any, reverse: bool) -> Any:
    """The sum up to each element, or from each to the last."""
    cupy = import_module("cupy")
    return cupy.cumsum(terms[::-1])[::-1] if reverse else cupy.cumsum(terms)


def block_sums(type_: str, count: int) -> str:
    """The end of a kernel in which threads have summed to ``sum0``, ``sum1``, …, as C++.

    Each block adds up the sums of its threads, in a fixed order, and writes them to its places in
    ``sums``, which has a row for each sum. Blocks have ``BLOCK`` threads or fewer, of any number.
    """
    starts = "\n".join(f"  parts[{k}][threadIdx.x] = sum{k};" for k in range(count))
    return f"""{{
  __shared__ {type_} parts[{count}][{BLOCK}];
{starts}
  __syncthreads();
  for (unsigned int w = {BLOCK // 2}; w > 0; w >>= 1) {{
    if (threadIdx.x < w && threadIdx.x + w < blockDim.x) {{
      for (int k = 0; k < {count}; ++k) parts[k][threadIdx.x] += parts[k][threadIdx.x + w];
    }}
    __syncthreads();
  }}
  if (threadIdx.x == 0) {{
    for (int k = 0; k < {count}; ++k) sums[k * gridDim.x + blockIdx.x] = parts[k][0];
  }}
}}"""
