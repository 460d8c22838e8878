"""The decorators of generated functions: numba where it is there, plain Python where it is not.

Both compile lazily, and cache on disk if some cache directory is writable. ``entry`` is for the
functions that users call: a call from Python is checked against the annotations. numba asks us only
where it has no compiled signature; a function in front of it checks the rest (``fronts.py``).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from mooncake_runtime.compiling import compiled, jit_enabled, numba
from mooncake_runtime.fronts import put_in_front, stretched
from mooncake_runtime.plain_math import PlainMath, plain_complex
from mooncake_runtime.spec import Specs, convert, specs_of
from mooncake_runtime.stretched_axes import Stretching, Together

P = ParamSpec("P")
R = TypeVar("R")


def inner(function: Callable[..., R]) -> Callable[..., R]:
    """A compiled function that is called by compiled functions; nothing is checked.

    Neither do type checkers look at arguments: elements of arrays are arrays to some of them.
    """
    if jit_enabled():
        dispatcher: Callable[..., R] = compiled(function)
        return dispatcher
    _see_plain_math(function)
    return function


def uncached(function: Callable[P, R]) -> Callable[P, R]:
    """An ``inner`` function that is recursive: numba's cache breaks it (numba issue 6061)."""
    if jit_enabled():
        dispatcher: Callable[P, R] = compiled(function, cache=False)
        return dispatcher
    _see_plain_math(function)
    return function


@overload
def entry(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def entry(
    *labels: str,
    cache: bool = True,
    stretch: Sequence[str] = (),
    grad: Sequence[str] = (),
    along: Sequence[str] = (),
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def entry(
    *given: Any,
    cache: bool = True,
    stretch: Sequence[str] = (),
    grad: Sequence[str] = (),
    along: Sequence[str] = (),
) -> Any:
    """A compiled function whose arguments, given from Python, must be what annotations say.

    ``labels`` are what messages call the parameters, if not by their names. Without ``cache`` it
    is compiled in each process: for callers of recursive functions. ``stretch`` tells which axes of
    parameters may be stretched together where some are 1; then the cotangents of ``grad`` are the
    result, or its last item, and the tangents of ``along`` the last parameters.
    """
    if given and callable(given[0]):
        return _entry(given[0], labels=(), cache=cache, stretching=None)

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        names = tuple(inspect.signature(function).parameters)
        found = None
        if stretch:
            groups = tuple(map(Together.read, stretch))
            found = Stretching(names, groups, tuple(grad), tuple(along))
        return _entry(function, labels=given, cache=cache, stretching=found)

    return decorated


def _entry(
    function: Callable[P, R], *, labels: Sequence[str], cache: bool, stretching: Stretching | None
) -> Callable[P, R]:
    specs = specs_of(function, labels)
    if not jit_enabled():
        return _checked(function, specs, stretching)
    return _checked_dispatcher(function, specs, stretching, cache=cache)


def _checked_dispatcher(
    function: Callable[P, R], specs: Specs, stretching: Stretching | None, *, cache: bool
) -> Callable[P, R]:
    """A dispatcher that checks arguments of types that it has not been compiled for.

    numba asks ``_compile_for_args`` for code and runs that on the arguments as they were given:
    code for floats takes ints too, so it is enough to compile for the converted scalars.
    """
    dispatcher = compiled(function, cache=cache)
    compile_for_args = dispatcher._compile_for_args

    def check_and_compile(*args: object) -> object:
        omitted = [type(a).__name__ == "OmittedArg" for a in args]
        named = zip(args, omitted, specs.items(), strict=True)
        converted = [
            arg if is_omitted else convert(_shown(function), name, spec, arg)
            for arg, is_omitted, (name, spec) in named
        ]
        try:
            code = compile_for_args(*converted)
        except numba().TypingError as error:
            _explain_read_only(_shown(function), specs, args, error)
            raise
        if any(new is not old for new, old in zip(converted, args, strict=True)):
            # Next time numba finds this code by itself for arguments of these types.
            given = [numba().typeof(a) for a in args]
            dispatcher._insert([t._code for t in given], code)
        return code

    dispatcher._compile_for_args = check_and_compile
    put_in_front(dispatcher, _shown(function), function, specs, stretching)
    typed: Callable[P, R] = dispatcher
    return typed


def _shown(function: Callable[..., object]) -> str:
    """The user's name of the function: compiled functions behind plain ones begin with ``_``."""
    return function.__name__.strip("_")


def _explain_read_only(
    function: str, specs: Specs, args: tuple[object, ...], error: Exception
) -> None:
    """Raise a TypeError of ours if ``error`` is about writing to a read-only argument."""
    frozen = [
        name
        for name, arg in zip(specs, args, strict=True)
        if isinstance(arg, np.ndarray) and not arg.flags.writeable
    ]
    if frozen and "readonly" in str(error):
        raise TypeError(
            f"{function}: parameter {frozen[0]!r} is written to, got a read-only array"
        ) from None


def _checked(
    function: Callable[P, R], specs: Specs, stretching: Stretching | None
) -> Callable[P, R]:
    """``function`` in plain Python: NumPy's scalars make division by zero inf, as compiled."""
    _see_plain_math(function)
    signature = inspect.signature(function)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # which says what Python says
        bound.apply_defaults()
        given = zip(bound.arguments.items(), specs.items(), strict=True)
        for (name, value), (label, spec) in list(given):
            bound.arguments[name] = _numpy_floats(convert(_shown(function), label, spec, value))
        with np.errstate(all="ignore"):
            try:
                return function(*bound.args, **bound.kwargs)
            except ValueError as error:
                values = tuple(bound.arguments.values())
                found = stretched(specs, stretching, function, error, values)
                if found is None:
                    raise
                result: R = found[0]  # type: ignore[assignment]
                return result

    return call


def _see_plain_math(function: Callable[..., object]) -> None:
    """Let the module of ``function`` see ``math``, ``float`` and ``complex`` as compiled code."""
    scope = getattr(function, "__globals__", {})
    for name, value in list(scope.items()):  # modules may call them otherwise
        if value is math:
            scope[name] = PlainMath()
        elif value is float:
            scope[name] = np.float64
        elif value is complex:
            scope[name] = plain_complex
    scope.setdefault("float", np.float64)
    scope.setdefault("complex", plain_complex)


def _numpy_floats(value: object) -> object:
    """``value`` with Python's floats replaced by NumPy's."""
    if type(value) is float:
        return np.float64(value)
    if type(value) is complex:
        return np.complex128(value)
    if isinstance(value, tuple):
        parts = [_numpy_floats(part) for part in value]
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value
