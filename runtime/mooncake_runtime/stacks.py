"""Growable stacks of scalars: plain lists, so that push is ``append`` and pop is ``pop``."""

from __future__ import annotations

from typing import TypeVar

from mooncake_runtime.jit import inner

T = TypeVar("T")


@inner
def new_stack(zero: T) -> list[T]:
    """An empty stack of items like ``zero``; numba types a list by its first item."""
    return [zero][:0]
