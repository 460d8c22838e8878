"""The decorators of generated functions: numba where it is there, plain Python where it is not.

Both compile lazily, and cache on disk if some cache directory is writable. ``entry`` is for the
functions that users call: a call from Python is checked against the annotations. numba asks us only
where it has no compiled signature; a function in front of it checks the rest (``fronts.py``).
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar, overload

import numpy as np

from mooncake_runtime.compiling import compiled, jit_enabled, numba
from mooncake_runtime.exact_values import always
from mooncake_runtime.fronts import put_in_front, stretched
from mooncake_runtime.plain_math import PlainMath, plain_complex
from mooncake_runtime.stretched_axes import Stretching, Together
from mooncake_runtime.taken import Taken

P = ParamSpec("P")
R = TypeVar("R")
SHORT = 400  # bytes of a function's code: a call of it takes a good part of its time
_READ_ONLY = ("assignment destination is read-only", "output array is read-only")  # NumPy says


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
    """An ``inner`` function that is recursive: numba's cache breaks it (numba issue 6061).

    Its options must not come from its caller: a version for literal arguments, as in ``f(v, 2)``,
    calls the one for integers by a name that tells the options, and would not find it.
    """
    if jit_enabled():
        dispatcher: Callable[P, R] = compiled(function, cache=False, forceinline=False)
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
    taken = Taken.by(function, labels)
    if not jit_enabled():
        return _checked(function, taken, stretching)
    return _checked_dispatcher(function, taken, stretching, cache=cache)


def _checked_dispatcher(
    function: Callable[P, R], taken: Taken, stretching: Stretching | None, *, cache: bool
) -> Callable[P, R]:
    """A dispatcher that converts arguments of types that it has not been compiled for.

    numba asks ``_compile_for_args`` for code and runs that on the arguments as they were given:
    code for floats takes bools, too. Where that is not so what it gets to run is a call of ours.
    """
    short = len(function.__code__.co_code) < SHORT
    dispatcher = compiled(function, cache=cache, forceinline=short)
    compile_for_args = dispatcher._compile_for_args

    def check_and_compile(*args: object) -> object:
        converted = taken.all(args)
        if taken.lacks_shape(converted):
            return lambda *_: _swept(taken, stretching, *converted)
        pairs = zip(taken.specs.values(), args, converted, strict=True)
        changed = [(spec, old) for spec, old, new in pairs if new is not old]
        if not all(always(spec, old) for spec, old in changed):
            return lambda *_: front(*converted)
        try:
            code = compile_for_args(*converted)
        except (numba().TypingError, AttributeError) as error:
            # numba fails with the latter where x += y is compiled for an x that is read-only.
            if "readonly" in str(error) or isinstance(error, AttributeError):
                _explain_read_only(taken, args)
            raise
        if changed:
            # Next time numba finds this code by itself for arguments of these types.
            given = [numba().typeof(a) for a in args]
            dispatcher._insert([t._code for t in given], code)
        return code

    dispatcher._compile_for_args = check_and_compile
    front = put_in_front(dispatcher, taken, stretching)
    typed: Callable[P, R] = dispatcher
    return typed


def _swept(taken: Taken, stretching: Stretching | None, *args: object) -> object:
    """The result of an ``f_vjp`` by ``f_fwd`` and ``f_pullback``, which do not stretch."""
    found = None if stretching is None else stretching.call(taken.by_sweeps, args)
    return taken.by_sweeps(*args) if found is None else found[0]


def _explain_read_only(taken: Taken, args: Sequence[object]) -> None:
    """Raise TypeError if one of ``args``, to which something is written, is read-only."""
    frozen = [
        repr(name)
        for name, arg in zip(taken.specs, args, strict=True)
        if isinstance(arg, np.ndarray) and not arg.flags.writeable
    ]
    if frozen:
        which = (
            f"parameter {frozen[0]} is" if len(frozen) == 1 else f"one of {', '.join(frozen)} is"
        )
        raise TypeError(
            f"{taken.name}: {which} written to, got a read-only array, or one that was converted "
            "and would not keep it: pass an array of that dtype that can be written"
        ) from None


def _checked(
    function: Callable[P, R], taken: Taken, stretching: Stretching | None
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
        values = [_numpy_floats(value) for value in taken.all(list(bound.arguments.values()))]
        swept = partial(_swept, taken, stretching)
        run: Callable[..., Any] = swept if taken.lacks_shape(values) else function
        with np.errstate(all="ignore"):
            try:
                found: R = run(*values)
            except ValueError as error:
                if str(error) in _READ_ONLY:
                    _explain_read_only(taken, values)
                other = stretched(taken.specs, stretching, run, error, values)
                if other is None:
                    raise
                found = other[0]  # type: ignore[assignment]
        return found

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
