"""Generated functions by differences, where only derivatives of them are emitted.

`modes=forward-over-reverse` makes `f_grad_jvp` and no `f_grad`: what that would be is computed
from `f`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_runtime import tangents
from mooncake_runtime.checks.against import bare
from mooncake_runtime.numerical import Primal, pulled_back, pushed_forward
from mooncake_runtime.tangents import Tree


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

    def jvp(*args: Tree) -> Tree:
        given = iter(args[count:])
        dots = tuple(next(given) if c else None for c in chosen)
        value = primal(*tangents.copy(args[:count]))
        return value, pushed_forward(primal, args[:count], dots)

    return {"grad": grad, "vjp": vjp, "jvp": jvp}[kind]
