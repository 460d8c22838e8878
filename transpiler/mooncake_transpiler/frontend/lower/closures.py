"""Nested functions and lambdas, and calls that are lowered in line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower import expressions, statements, whole
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.flow import NO_NAMES, walrus_names, written
from mooncake_transpiler.frontend.lower.frame import RESULT, Frame
from mooncake_transpiler.frontend.lower.operands import NOTHING, Closure, Conflict, Operand
from mooncake_transpiler.frontend.lower.syntax import Stmt, flat

# How often a function may be inside itself: ``integrate(lambda y: integrate(...), ...)`` is no
# recursion, but looks like it.
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function, and the values of those left out."""

    name: str
    names: tuple[str, ...]
    positional: int  # how many can be given by position
    defaults: Mapping[str, Operand]
    posonly: frozenset[str] = frozenset()


def from_def(ctx: Context, node: cst.FunctionDef) -> Closure:
    name = node.name.value
    return Closure(name, node, ctx.frame, _defaults(ctx, node.params))


def from_lambda(ctx: Context, node: cst.Lambda) -> Closure:
    return Closure("<lambda>", node, ctx.frame, _defaults(ctx, node.params))


def _defaults(ctx: Context, params: cst.Parameters) -> dict[str, Operand]:
    """Default values, computed where the function is defined."""
    found = {}
    for param in (*params.posonly_params, *params.params, *params.kwonly_params):
        if param.default is not None:
            found[param.name.value] = expressions.lower(ctx, param.default)
    return found


def signature(ctx: Context, closure: Closure) -> Signature:
    params = closure.node.params
    if isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None:
        raise ctx.refuse(closure.node, "MK110", "*args and **kwargs are not supported")
    posonly = [p.name.value for p in params.posonly_params]
    plain = [p.name.value for p in params.params]
    kwonly = [p.name.value for p in params.kwonly_params]
    names = (*posonly, *plain, *kwonly)
    return Signature(
        closure.name, names, len(posonly) + len(plain), closure.defaults, frozenset(posonly)
    )


def bind_arguments(
    ctx: Context,
    node: cst.Call,
    of: Signature,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand],
) -> dict[str, Operand]:
    """Python's binding of arguments to parameters."""
    if len(args) > of.positional:
        message = f"{of.name} takes {of.positional} positional arguments, got {len(args)}"
        raise ctx.refuse(node, "MK303", message)
    bound = dict(zip(of.names, args, strict=False))
    for name, value in keywords.items():
        if name not in of.names or name in of.posonly:
            raise ctx.refuse(node, "MK303", f"{of.name} has no parameter {name!r}")
        if name in bound:
            raise ctx.refuse(node, "MK303", f"{of.name} got two values for {name!r}")
        bound[name] = value
    missing = [name for name in of.names if name not in bound and name not in of.defaults]
    if missing:
        raise ctx.refuse(node, "MK303", f"{of.name} needs an argument for {missing[0]!r}")
    return {name: bound[name] if name in bound else of.defaults[name] for name in of.names}


def call_closure(
    ctx: Context, node: cst.Call, closure: Closure, bound: Mapping[str, Operand]
) -> Operand:
    """Lower the body of a closure in line."""
    frame = closure.frame
    body = closure.node.body
    if isinstance(body, cst.BaseExpression):
        names = [*bound, *walrus_names(body)]
        inner = Frame(frame.module, (), names, frame)
        return in_line(ctx, node, closure.node, inner, bound, body)
    inner = Frame(frame.module, flat(body), [*bound, *written(flat(body))], frame)
    return in_line(ctx, node, closure.node, inner, bound, flat(body))


def call_function(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> Operand:
    """Lower the body of a module-level function in line: it has arguments that are functions."""
    module = ctx.source.modules[decl.module]
    body = flat(decl.node.body)
    result = None if decl.result is None else decl.result.type
    frame = Frame(module, body, [*bound, *written(body)], None, result)
    return in_line(ctx, node, decl.node, frame, bound, body)


def in_line(
    ctx: Context,
    node: cst.Call,
    callee: cst.CSTNode,
    frame: Frame,
    bound: Mapping[str, Operand],
    body: cst.BaseExpression | Sequence[Stmt],
) -> Operand:
    if ctx.inlining.count(callee) >= MAX_DEPTH:
        help_ = "make it a module-level function with annotated parameters and result"
        raise ctx.refuse(node, "MK304", "recursion of a nested function is not supported", help_)
    single = isinstance(body, cst.BaseExpression)
    for name, value in bound.items():
        frame.bind(name, value if single else whole.settle(ctx, value, name))
    outer, origin = ctx.frame, ctx.builder.origin
    ctx.frame, ctx.inlining = frame, (*ctx.inlining, callee)
    try:
        if isinstance(body, cst.BaseExpression):
            return expressions.lower(ctx, body)
        statements.lower_list(ctx, body, NO_NAMES, False)
    finally:
        ctx.frame, ctx.inlining = outer, ctx.inlining[:-1]
        ctx.builder.origin = origin
    return _result(ctx, node, frame)


def _result(ctx: Context, node: cst.Call, frame: Frame) -> Operand:
    if frame.raised:
        ctx.frame.bound, ctx.frame.raised = None, True
        return NOTHING
    value = frame.values.get(RESULT, NOTHING)
    if isinstance(value, Conflict):
        raise ctx.refuse(node, "MK212", f"the results have no single type: {value.reason}")
    if frame.reachable and value != NOTHING:
        raise ctx.refuse(node, "MK215", "this function may end without returning a value")
    return value
