"""Generated functions by differences, where only derivatives of them are emitted.

`modes=forward-over-reverse` makes `f_grad_jvp` and no `f_grad`: what that would be is computed
from `f`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.checks.against import bare
from mooncake_runtime.numerical import Primal, pulled_back, pushed_forward
from mooncake_runtime.tangents import Tree
from mooncake_runtime.tangents.memory import arrays_of
from numpy.typing import NDArray


def reference(
    kind: str, primal: Primal, names: Sequence[str], wrt: Sequence[str]
) -> Callable[..., Tree]:
    """``f_grad``, ``f_vjp`` or ``f_jvp`` of ``primal`` by differences."""
    chosen = [name in wrt for name in names]
    count = len(names)

    def gradient(args: tuple[Tree, ...], y_bar: Tree) -> Tree:
        slots = pulled_back(primal, args, chosen, y_bar)
        return bare(tuple(slot for slot, c in zip(slots, chosen, strict=True) if c))

    def grad(*args: Tree) -> Tree:
        return gradient(args, 1.0)

    def vjp(*args: Tree) -> Tree:
        return primal(*tangents.copy(args[:count])), gradient(args[:count], args[count])

    def watched(*args: Tree) -> Tree:
        held = [_floats(arg) for arg in args]
        return primal(*args), held

    def jvp(*args: Tree) -> Tree:
        given = iter(args[count:])
        dots = tuple(next(given) if c else None for c in chosen)
        y_dot, written = pushed_forward(watched, args[:count], dots)
        value = primal(*args[:count])
        for dot, left in zip(dots, written, strict=True):
            for array, numbers in zip(_floats(dot), left, strict=dot is not None):
                array[...] = numbers
        return value, y_dot

    return {"grad": grad, "vjp": vjp, "jvp": jvp}[kind]


def _floats(tree: Tree) -> list[NDArray[Any]]:
    """The arrays in ``tree`` that have tangents."""
    return [array for array in arrays_of(tree) if array.dtype.kind in "fc"]


@contextmanager
def unassigned(args: Sequence[Tree]) -> Iterator[None]:
    """Fields of objects and items of lists as they were: so derivatives of ``f_jvp`` leave them."""
    held = list(_held(args))
    try:
        yield
    finally:
        for holder, before in held:
            if isinstance(holder, list):
                holder[:] = before
            else:
                for name, value in before.items():
                    object.__setattr__(holder, name, value)


def _held(tree: Tree) -> Iterator[tuple[Tree, Any]]:
    """The objects and lists in ``tree``, with what they hold."""
    inner: Iterable[Tree] = ()
    match tree:
        case list():
            yield tree, list(tree)
            inner = list(tree)
        case tuple():
            inner = tree
        case dict():
            inner = tree.values()
        case Enum() | np.ndarray() | np.generic():
            pass
        case _ if hasattr(tree, "__dict__"):
            yield tree, dict(vars(tree))
            inner = list(vars(tree).values())
        case _:
            pass
    for part in inner:
        yield from _held(part)
