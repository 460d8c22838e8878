"""Running the bodies of generator functions, where somebody asks for their items."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.call import closures
from mooncake_transpiler.frontend.lower.state import yielding
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.operands import Closure, Generator, Operand, Static


def run(ctx: Context, node: cst.CSTNode, of: Generator, take: Operand) -> None:
    """Run the body, which calls ``take`` with each item: it says whether to stop."""
    assert of.call is not None
    if ctx.frame.values.get(of.begun) != FALSE:
        message = "this generator may be at its end: it can be run through once"
        raise ctx.refuse(node, "MK346", message, "make a list of it: list(...)")
    ctx.frame.bind(of.begun, TRUE)
    bound = {**of.call.keywords, yielding.TAKE.value: take}
    call = cst.Call(cst.Name("generator"))
    match of.call.func:
        case Closure(node=cst.FunctionDef() as function) as closure:
            body = replace(closure, node=yielding.giving(function))
            closures.call_closure(ctx, call, body, bound)
        case Static(value=FunctionDecl() as decl):
            closures.call_function(ctx, call, replace(decl, node=yielding.giving(decl.node)), bound)
        case _:
            raise AssertionError("generators come from functions")
