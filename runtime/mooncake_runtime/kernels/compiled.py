"""A kernel has two bodies: NumPy's own function, and one that numba compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from mooncake_runtime.compiling import compiled, jit_enabled
from mooncake_runtime.jit import inner

P = ParamSpec("P")
R = TypeVar("R")


def compiled_as(body: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The decorated function in plain Python; compiled, ``body`` in its place."""

    def choose(plain: Callable[P, R]) -> Callable[P, R]:
        if not jit_enabled():
            return plain
        dispatcher = inner(body)
        dispatcher.__doc__ = plain.__doc__
        return dispatcher

    return choose


def part(function: Callable[P, R]) -> Callable[P, R]:
    """A part of a kernel: compiled code calls it, Python does not, which saves wrappers."""
    if not jit_enabled():
        return function
    dispatcher: Callable[P, R] = compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
    return dispatcher
