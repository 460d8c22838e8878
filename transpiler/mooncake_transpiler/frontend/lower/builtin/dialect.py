"""The dialect of numba: names of its own for Python's and NumPy's, and decorators."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.inner import is_function
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static
from mooncake_transpiler.frontend.name import typenames

# Names of numba, and those with the same meaning: numbers of a type are NumPy's.
SAME: Mapping[str, str] = {
    "numba.prange": "builtins.range",
    "numpy.asnumpy": "numpy.array",  # CuPy's, of what is returned
    "numba.typed.List": "builtins.list",
    "numba.typed.Dict": "builtins.dict",
    **{
        name: f"numpy.{dtype.value}"
        for name, dtype in typenames.SCALARS.items()
        if name.startswith("numba.")
    },
}


def _compiled(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``njit(f)`` is ``f``; ``njit(cache=True)`` and ``njit(signature)`` leave functions as is."""
    match given.args:
        case [first] if is_function(first):
            return first
        case [] | [Static(value=str())]:
            return Static(External("numba.njit"))
        case _:
            message = "what numba makes of this can't be told"
            raise ctx.refuse(node, "MK303", message, "use it as a decorator: @njit(...)")


def _unrolled(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "literal_unroll", "container")
    return value


def _empty(name: str) -> Handler:
    """``List.empty_list(float64)``: the type of items follows from what is put in."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        return ctx.lower.call(ctx, node, Static(External(name)), (), hint=hint)

    return handler


HANDLERS: Mapping[str, Handler] = {
    "numba.njit": _compiled, "numba.jit": _compiled, "numba.literal_unroll": _unrolled,
    "numba.typed.List.empty_list": _empty("builtins.list"),
    "numba.typed.Dict.empty": _empty("builtins.dict"),
}  # fmt: skip
