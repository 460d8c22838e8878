"""Flags by which a function gives results of different kinds: ``full: bool = False``.

def f(x: float, full: bool = False):      the derivatives are those with the default, and raise
    if full:                              a NotImplementedError with the other one
        return x * x, {"x": x}
    return x * x
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Conflict
from mooncake_transpiler.frontend.lower.state.syntax import Stmt
from mooncake_transpiler.types import BOOL


class Differing(Refused):
    """Raised where the results of a function are of several kinds."""


def differing(ctx: Context, node: cst.CSTNode, value: Conflict, whose: str = "") -> Differing:
    """The refusal of ``value``, all results of a function together; ``whose`` names it."""
    message = f"the results{whose} have no single type: {value.reason}"
    return Differing(ctx.refuse(node, "MK212", message).diagnostic)


def flags(decl: FunctionDecl, refusal: Refused) -> Iterator[tuple[str, ...]]:
    """The parameters of ``decl`` that may choose the kind of its result: it is refused for that.

    Each alone, then all of them.
    """
    if not isinstance(refusal, Differing) or not decl.is_public:
        return
    names = tuple(
        param.name
        for param in decl.params
        if param.annotation is not None
        and param.annotation.type == BOOL
        and isinstance(param.default, cst.Name)
        and param.default.value in ("True", "False")
    )
    yield from ((name,) for name in names)
    if len(names) > 1:
        yield names


def settled(decl: FunctionDecl, names: tuple[str, ...]) -> tuple[Stmt, ...]:
    """Statements that let ``names`` be their defaults, in front of the body of ``decl``."""
    stmts: list[Stmt] = []
    for param in decl.params:
        if param.name in names and isinstance(param.default, cst.Name):
            name, default = cst.Name(param.name), param.default
            other = cst.UnaryOperation(cst.Not(), name) if default.value == "True" else name
            text = f"{decl.name} has derivatives for {param.name}={default.value} only"
            told = cst.Arg(cst.SimpleString(json.dumps(text)))
            error = cst.Raise(cst.Call(cst.Name("NotImplementedError"), [told]))
            stmts.append(cst.If(other, cst.SimpleStatementSuite([error])))
            stmts.append(cst.Assign([cst.AssignTarget(name)], default))
    return tuple(stmts)
