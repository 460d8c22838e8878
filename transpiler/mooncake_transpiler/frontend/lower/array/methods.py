"""Methods of arrays."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.array import stores, whole
from mooncake_transpiler.frontend.lower.call.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.operands import NOTHING, Operand
from mooncake_transpiler.frontend.lower.rule import library


def call(
    ctx: Context, node: cst.Call, array: Operand, method: str, given: Arguments, hint: str
) -> Operand:
    """``array.method(*given)``."""
    if method == "fill":
        (value,) = given.take(ctx, node, method, "value")
        assert value is not None
        kept = whole.settle(ctx, array)
        assert isinstance(kept, ir.Value | ir.Undef)
        stores.overwrite(ctx, node, kept, expressions.as_scalar(ctx, node, value))
        return NOTHING
    function = library.method(method)
    if function is None:
        raise ctx.refuse(node, "MK305", f"method {method!r} of arrays is not supported yet")
    with_array = Arguments((array, *given.args), given.keywords)
    with_array = failing.before_library(ctx, node, f"numpy.{method}", with_array)
    return library.call(ctx, node, function, method, with_array)
