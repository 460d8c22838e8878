"""The numba implementation of ``radd``: one instruction, as cheap to compile as ``+``."""

import operator
from collections.abc import Callable
from typing import Any

from numba import extending, types

FLAGS = ("reassoc", "nsz")  # LLVM's: in any order, whatever sign a zero gets


def compile_radd(radd: Callable[[float, float], float]) -> None:
    """Tell numba how to compile the function ``radd`` for two numbers."""
    typing: Any = extending.type_callable
    lowering: Any = extending.lower_builtin

    def resolve(context: Any) -> Any:
        def typer(total: Any, term: Any) -> Any:
            return context.unify_types(total, term)

        return typer

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        result = signature.return_type
        pair = [
            context.cast(builder, value, given, result)
            for value, given in zip(args, signature.args, strict=True)
        ]
        if isinstance(result, types.Float):
            return builder.fadd(*pair, flags=FLAGS)
        add = context.get_function(operator.add, result(result, result))
        return add(builder, pair)

    typing(radd)(resolve)
    lowering(radd, types.Number, types.Number)(lower)
