"""Nested functions and lambdas, and calls that are lowered in line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import libcst as cst
from mooncake_rules import scalar as rules

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Refused
from mooncake_transpiler.frontend.entities import External, FunctionDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.array.delayed import settle
from mooncake_transpiler.frontend.lower.call import (
    decorating,
    lifted,
    lifted_arguments,
    lifted_methods,
    making_objects,
    over_tables,
    settled_flags,
)
from mooncake_transpiler.frontend.lower.container import rebinding
from mooncake_transpiler.frontend.lower.instance.binding import bind_arguments
from mooncake_transpiler.frontend.lower.merge import branches, eithers
from mooncake_transpiler.frontend.lower.object import absent_lists, objects
from mooncake_transpiler.frontend.lower.state import leaving, unset
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Signature
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import RESULT
from mooncake_transpiler.frontend.lower.state.flow import (
    NO_NAMES,
    captured_in,
    walrus_names,
    written,
)
from mooncake_transpiler.frontend.lower.state.leaves import atoms, undefined
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Closure,
    Conflict,
    Frame,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.syntax import Stmt, flat
from mooncake_transpiler.frontend.lower.state.unset import NotReached
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.trees import dotted, own_nodes, parameters, walk

# How often a function may be inside itself: ``integrate(lambda y: integrate(...), ...)`` is no
# recursion, but looks like it. Where no condition of the run decides on it, it may be more often.
MAX_DEPTH = 8
MAX_STATIC_DEPTH = 100
DEEP = "how deep this recursion goes is known at run time only"
DEEP_HELP = "make it a module-level function of numbers and arrays, all annotated, or a loop"


def from_def(ctx: Context, node: cst.FunctionDef) -> Operand:
    name = node.name.value
    made = Closure(name, node, ctx.frame, _defaults(ctx, node.params))
    return decorating.apply(ctx, node, node.decorators, made)


def from_lambda(ctx: Context, node: cst.Lambda) -> Closure:
    return Closure("<lambda>", node, ctx.frame, _defaults(ctx, node.params))


def _defaults(ctx: Context, params: cst.Parameters) -> dict[str, Operand]:
    """Default values, computed where the function is defined."""
    found = {}
    for param in parameters(params):
        if param.default is not None:
            name = param.name.value
            found[name] = delayed.own(ctx, ctx.lower.expression(ctx, param.default), name)
    return found


def signature(closure: Closure) -> Signature:
    return Signature.of(_qualified(closure), closure.node.params, closure.defaults)


def _qualified(closure: Closure) -> str:
    """The name that Python's messages call ``closure`` by: f.<locals>.g."""
    names = [closure.name]
    for frame in closure.frame.outwards:
        match frame.home:
            case _ if frame.decl is not None:
                names.append(frame.decl.name)
            case cst.FunctionDef(name=name):
                names.append(name.value)
            case cst.Lambda():
                names.append("<lambda>")
            case _:
                pass
    return ".<locals>.".join(reversed(names))


class _Deep(Refused):
    """A refusal: ``callee`` calls itself, and when it ends is known at run time only."""

    def __init__(self, diagnostic: Diagnostic, callee: cst.CSTNode) -> None:
        super().__init__(diagnostic)
        self.callee = callee


def call_closure(
    ctx: Context, node: cst.Call, closure: Closure, bound: Mapping[str, Operand]
) -> Operand:
    """Lower the body of a closure in line; one that calls itself ever again, as a function."""
    before = ctx.mark()
    try:
        return _closure_in_line(ctx, node, closure, bound)
    except _Deep as deep:
        if not _is_outermost(ctx, closure.node, deep):
            raise
        ctx.reset(before)
        to = lifted.lifted(ctx, closure)
        found = None if to is None else lifted.call(ctx, node, closure, to, bound)
        if found is None:
            raise
        return found


def _is_outermost(ctx: Context, callee: cst.CSTNode, deep: _Deep) -> bool:
    """True if ``deep`` is about ``callee``, which is not being lowered here."""
    return deep.callee is callee and all(callee is not other for other, _ in ctx.inlining)


def _closure_in_line(
    ctx: Context, node: cst.Call, closure: Closure, bound: Mapping[str, Operand]
) -> Operand:
    outer = closure.frame
    body = closure.node.body
    shared = ctx.learnt.shared.get(closure.node, NO_NAMES)
    if isinstance(body, cst.BaseExpression):
        inner = Frame(outer.module, (), [*bound, *walrus_names(body)], outer)
        inner.share(ctx.new_key(), closure.node, captured_in(body) | shared)
        return in_line(ctx, node, closure.node, inner, bound, body)
    inner = Frame(outer.module, flat(body), [*bound, *written(flat(body))], outer)
    inner.share(ctx.new_key(), closure.node, shared)
    inner.cells |= _rebound(closure)
    return in_line(ctx, node, closure.node, inner, bound, flat(body))


def _rebound(closure: Closure) -> dict[str, str]:
    """The variables that a closure declares as ``nonlocal``, with the names they are kept under."""
    found: dict[str, str] = {}
    for stmt in own_nodes(closure.node)[0]:
        for item in stmt.names if isinstance(stmt, cst.Nonlocal) else ():
            name = item.name.value
            owner = next((frame for frame in closure.frame.outwards if name in frame.cells), None)
            if owner is not None:
                found[name] = owner.cells[name]
    return found


def call_function(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> Operand:
    """Lower the body of a module-level function in line: it has arguments that are functions."""
    module = ctx.source.modules[decl.module]
    body = flat(decl.node.body)
    result = None if decl.result is None else decl.result.type
    frame = Frame(module, body, [*bound, *written(body)], None, result)
    frame.share(ctx.new_key(), decl.node, ctx.learnt.shared.get(decl.node, NO_NAMES))
    frame.decl = decl
    if over_tables.is_made(ctx, decl):
        raise ctx.refuse(node, "MK304", DEEP, DEEP_HELP)
    if over_tables.is_known(ctx, decl):
        found = over_tables.call(ctx, node, decl, bound)
        if found is not None:
            return found
    before = ctx.mark()
    try:
        return in_line(ctx, node, decl.node, frame, bound, body)
    except _Deep as deep:
        if not _is_outermost(ctx, decl.node, deep):
            raise
        ctx.reset(before)
        found = lifted_methods.call(ctx, node, decl, bound)
        found = found or lifted_arguments.call(ctx, node, decl, bound)
        found = found or over_tables.call(ctx, node, decl, bound)
        if found is None:
            frozen = making_objects.frozen(ctx.source, decl)
            help_ = f"let {frozen} be no frozen dataclass" if frozen else deep.diagnostic.help
            raise Refused(replace(deep.diagnostic, help=help_)) from None
        return found


def in_line(
    ctx: Context,
    node: cst.Call,
    callee: cst.CSTNode,
    frame: Frame,
    bound: Mapping[str, Operand],
    body: cst.BaseExpression | Sequence[Stmt],
) -> Operand:
    _check_depth(ctx, node, callee)
    ctx.spend(len(ctx.frame.values) // 5)  # what objects hold moves there and back
    pure = isinstance(body, cst.BaseExpression) and _only_reads(ctx, frame, body)
    origin, inlining, found = ctx.builder.origin, ctx.inlining, None
    ctx.inlining = (*inlining, (callee, ctx.depth))
    try:
        with leaving.inside(ctx, frame):
            unset.begin(frame, callee, ctx.learnt)
            rebinding.begin(ctx, callee)
            for name, value in bound.items():
                delayed = pure and name not in frame.cells
                kept = value if delayed else settle(ctx, value, name)
                may_miss = (callee, name) in ctx.learnt.absent
                frame.bind(name, absent_lists.bound(ctx, name, kept) if may_miss else kept)
            if isinstance(body, cst.BaseExpression):
                found = _value(ctx, body)
            else:
                ctx.lower.block(ctx, (*body, cst.Return()), NO_NAMES, False)  # as Python does
    except NotReached:
        ctx.frame.bound, ctx.frame.raised = None, True
        raise
    finally:
        ctx.inlining = inlining
        ctx.builder.origin = origin
    result = _result(ctx, node, frame) if found is None else found
    objects.forget(ctx, frame, result)
    return result


def _value(ctx: Context, body: cst.BaseExpression) -> Operand | None:
    """The value of a lambda; None if it always raises."""
    made = partial(ctx.lower.expression, ctx, body)
    try:
        return branches.closed_value(ctx, partial(eithers.value, ctx, body, made))
    except NotReached:
        ctx.frame.bound, ctx.frame.raised = None, True
        return None


def _only_reads(ctx: Context, frame: Frame, body: cst.BaseExpression) -> bool:
    """True if an expression certainly leaves all memory as it is: it calls NumPy's functions."""
    for node in walk(body):
        if not isinstance(node, cst.Call):
            continue
        path = dotted(node.func)
        if path is None or any(path[0] in around.locals for around in frame.outwards):
            return False
        entity = resolve(ctx.source, frame.module, node.func)
        if not isinstance(entity, External) or path[-1] in (*decorating.WRITING, "put"):
            return False
        if any(arg.keyword is not None and arg.keyword.value == "out" for arg in node.args):
            return False
        op = rules.resolve(entity.qualname, len(node.args))
        if op is not None and rules.OPS[op].arity < len(node.args):  # the last one is out=
            return False
    return True


def _check_depth(ctx: Context, node: cst.Call, callee: cst.CSTNode) -> None:
    """Refuse recursion whose end is not seen while it is lowered."""
    depths = [depth for other, depth in ctx.inlining if other is callee]
    if len(set(depths)) >= MAX_DEPTH:
        raise _Deep(ctx.refuse(node, "MK304", DEEP, DEEP_HELP).diagnostic, callee)
    if len(depths) >= MAX_STATIC_DEPTH:
        raise ctx.refuse(node, "MK304", "this recursion does not end", "write a loop")


def _result(ctx: Context, node: cst.Call, frame: Frame) -> Operand:
    if frame.raised:
        ctx.frame.bound, ctx.frame.raised = None, True
        return _of_no_return(frame)
    value = frame.values.get(RESULT, NOTHING)
    if RESULT not in frame.values and not frame.reachable:  # it always raises
        return _of_no_return(frame)
    if absent_lists.is_one(value):
        return absent_lists.seen(ctx, value)
    if isinstance(value, Conflict):
        raise settled_flags.differing(ctx, node, value)
    return value


def _of_no_return(frame: Frame) -> Operand:
    if frame.result is None:
        raise NotReached
    return undefined(frame.result)


def bound_arguments(
    ctx: Context, node: cst.Call, decl: FunctionDecl, given: Arguments
) -> dict[str, Operand]:
    """Python's binding of ``given`` to the parameters of ``decl``."""
    of = Signature.of(decl.name, decl.node.params, _parameter_defaults(ctx, decl, given))
    return bind_arguments(ctx, node, of, given.args, given.keywords)


def _parameter_defaults(
    ctx: Context, decl: FunctionDecl, given: Arguments
) -> Mapping[str, Operand]:
    """The defaults that are needed, evaluated in the callee's module."""
    found: dict[str, Operand] = {}
    inside = leaving.inside(ctx, Frame(ctx.source.modules[decl.module], (), ()))
    with objects.shared(ctx), inside:
        for k, param in enumerate(decl.params):
            needed = k >= given.sure and param.name not in given.keywords
            if param.default is not None and (needed or param.kwonly):
                value = delayed.own(ctx, ctx.lower.expression(ctx, param.default), param.name)
                found[param.name] = value
                ctx.memory.permanent.update(a for a in atoms(value) if isinstance(a, ir.Value))
    return found
