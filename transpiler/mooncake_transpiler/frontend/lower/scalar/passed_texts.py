"""Text of parameters where something is asked of it: whether it is empty, or one of some texts."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostics import Refused
from mooncake_transpiler.frontend.lower.state import passed_text
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import TRUE
from mooncake_transpiler.frontend.lower.state.operands import Passed


def not_known(ctx: Context, node: cst.CSTNode, passed: Passed) -> Refused:
    """The refusal where a value is looked at that is only passed on."""
    message = f"{passed.path} may be any value of type {passed.spelled}"
    help_ = f'say which ones there are: {passed.path}: Literal["a", "b"]'
    return ctx.refuse(node, "MK363", message, help_)


def truth(ctx: Context, node: cst.CSTNode, passed: Passed) -> ir.Atom:
    """True for text that is known not to be empty; it is told apart from the empty one."""
    if not passed_text.is_filled(passed):
        raise not_known(ctx, node, passed)
    return TRUE
