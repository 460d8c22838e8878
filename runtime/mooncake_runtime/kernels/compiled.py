"""A kernel has two bodies: NumPy's own function, and one that numba compiles."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from mooncake_runtime.jit import inner, jit_enabled

P = ParamSpec("P")
R = TypeVar("R")


def compiled_as(body: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The decorated function in plain Python; compiled, ``body`` in its place."""

    def choose(plain: Callable[P, R]) -> Callable[P, R]:
        if not jit_enabled():
            return plain
        compiled = inner(body)
        compiled.__doc__ = plain.__doc__
        return compiled

    return choose


def part(function: Callable[P, R]) -> Callable[P, R]:
    """A part of a kernel: compiled code calls it, Python does not, which saves wrappers."""
    if not jit_enabled():
        return function
    numba: Any = import_module("numba")
    options = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    try:
        compiled: Callable[P, R] = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no cache directory is writable
        compiled = numba.njit(**options)(function)
    return compiled
