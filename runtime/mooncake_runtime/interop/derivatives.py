"""The derivative functions of one function, found in its generated module."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Annotated, Any, cast, get_args, get_origin, get_type_hints

import numpy as np

from mooncake_runtime.compiling import numba

NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True, slots=True)
class ArraySlot:
    """A parameter or a result: a number (``ndim`` is 0) or an array of these many axes."""

    name: str
    dtype: np.dtype[Any]
    ndim: int
    is_array: bool

    def given(self, value: object) -> object:
        """``value`` as the generated function takes it; NumPy must be able to read it.

        Raises TypeError where a dtype would lose digits, ValueError for another number of axes.
        """
        array = np.asarray(value)
        if array.ndim != self.ndim:
            raise ValueError(f"{self.name} has {array.ndim} axes, it needs {self.ndim}")
        if not np.can_cast(array.dtype, self.dtype, "safe"):
            raise TypeError(f"{self.name} is {array.dtype}, it needs {self.dtype}")
        if self.is_array:
            return np.array(array, self.dtype, order="C")  # f_fwd may write it
        return array.astype(self.dtype).item()


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The functions that a generated module has for ``name``.

    ``cotangents`` says which parameters have one; ``value_and_grad``, ``grad`` and ``hvp`` are None
    where the result is no single float, or the mode was not asked for. All take the arguments by
    position, keyword-only ones too, in the order of the parameters.
    """

    name: str
    params: tuple[ArraySlot, ...]
    cotangents: tuple[bool, ...]
    results: tuple[ArraySlot, ...]
    is_tuple: bool  # of the result
    signature: inspect.Signature
    fwd: Callable[..., Any]
    pullback: Callable[..., Any]
    vjp: Callable[..., Any]
    value_and_grad: Callable[..., Any] | None
    hvp: Callable[..., Any] | None

    def bound(self, args: Sequence[Any], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the parameters, defaults filled in."""
        found = self.signature.bind(*args, **keywords)
        found.apply_defaults()
        return tuple(found.arguments.values())

    def given(self, args: Sequence[object]) -> list[object]:
        """Arguments of another library as the generated functions take them."""
        return [slot.given(arg) for slot, arg in zip(self.params, args, strict=True)]

    def seed(self, cotangents: Sequence[object]) -> object:
        """Cotangents of the results as ``f_pullback`` takes them."""
        slots = zip(self.results, cotangents, strict=True)
        found = tuple(slot.given(value) for slot, value in slots)
        return found if self.is_tuple else found[0]

    def values(self, result: object) -> tuple[Any, ...]:
        """The results one by one."""
        return tuple(cast(tuple[Any, ...], result)) if self.is_tuple else (result,)

    def parts(self, grad: object) -> tuple[Any, ...]:
        """The cotangents of the parameters that have one, of a gradient or Hessian product."""
        return tuple(cast(tuple[Any, ...], grad)) if sum(self.cotangents) > 1 else (grad,)

    def differentiated(self) -> Iterator[int]:
        """The numbers of the parameters that have a cotangent."""
        return (k for k, has in enumerate(self.cotangents) if has)


def derivatives(module: ModuleType, name: str) -> Derivatives:
    """The derivative functions of ``name`` in the generated ``module``.

    Raises AttributeError if it has none, TypeError for parameters and results that are not numbers
    and arrays.
    """
    fwd = getattr(module, f"{name}_fwd", None)
    if fwd is None:
        raise AttributeError(f"{module.__name__} has no derivatives of {name!r}")
    pullback = getattr(module, f"{name}_pullback")
    hints = _hints(fwd)
    result = get_args(hints.pop("return"))[0]
    is_tuple = get_origin(result) is tuple
    results = get_args(result) if is_tuple else (result,)
    found = {
        kind: _by_position(function, tuple(hints))
        for kind in ("value_and_grad", "hvp")
        if (function := getattr(module, f"{name}_{kind}", None)) is not None
    }
    return Derivatives(
        name=name,
        params=tuple(_slot(name, key, hint) for key, hint in hints.items()),
        cotangents=_has_cotangents(pullback),
        results=tuple(_slot(name, "the result", hint) for hint in results),
        is_tuple=is_tuple,
        signature=inspect.signature(_plain(fwd)),
        fwd=_by_position(fwd, tuple(hints)),
        pullback=pullback,
        vjp=_by_position(getattr(module, f"{name}_vjp"), tuple(hints)),
        value_and_grad=found.get("value_and_grad"),
        hvp=found.get("hvp"),
    )


@cache
def _by_position(function: Callable[..., Any], params: tuple[str, ...]) -> Callable[..., Any]:
    """``function`` with arguments for ``params`` first, then those for cotangents and tangents.

    It is another one where some are keyword-only: then a function in Python stands in front of the
    one that compiled callers need, which has the same parameters, all by position.
    """
    plain = _plain(function)
    signature = inspect.signature(plain).parameters
    by_name = {n for n, p in signature.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
    if not by_name:
        return function
    behind = plain.__globals__.get(f"_{plain.__name__}")
    is_compiled = hasattr(behind, "py_func")
    given = [n if is_compiled or n not in by_name else f"{n}={n}" for n in signature]
    order = [*params, *(n for n in signature if n not in params)]
    called = "_" * (1 + max(map(len, order)))  # what no parameter is called
    scope = {called: behind if is_compiled else function}
    text = f"lambda {', '.join(order)}: {called}({', '.join(given)})"
    made: Callable[..., Any] = eval(text, scope)
    return cast(Callable[..., Any], numba().njit(made)) if is_compiled else made


def differentiated(module: ModuleType, name: str) -> tuple[inspect.Signature, tuple[str, ...]]:
    """The signature of ``name``, and the names of the parameters that have a cotangent.

    Raises AttributeError if the generated ``module`` has no derivatives of ``name``.
    """
    fwd = getattr(module, f"{name}_fwd", None)
    if fwd is None:
        raise AttributeError(f"{module.__name__} has no derivatives of {name!r}")
    signature = inspect.signature(_plain(fwd))
    pairs = zip(
        signature.parameters, _has_cotangents(getattr(module, f"{name}_pullback")), strict=True
    )
    return signature, tuple(param for param, has in pairs if has)


def _has_cotangents(pullback: Callable[..., Any]) -> tuple[bool, ...]:
    return tuple(slot not in (None, type(None)) for slot in get_args(_hints(pullback)["return"]))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(_plain(function), include_extras=True)


def _slot(name: str, what: str, hint: Any) -> ArraySlot:
    if hint in NUMBERS or (isinstance(hint, type) and issubclass(hint, np.generic)):
        return ArraySlot(what, np.dtype(hint), 0, is_array=False)
    if get_origin(hint) is Annotated:
        array, axes = get_args(hint)[:2]
        if get_origin(array) is np.ndarray:
            dtype = get_args(get_args(array)[1])[0]
            return ArraySlot(what, np.dtype(dtype), len(str(axes).split()), is_array=True)
    help_ = "mooncake_runtime.interop.scipy packs structs into one array"
    raise TypeError(f"{name}: {what} is neither a number nor an array; {help_}")
