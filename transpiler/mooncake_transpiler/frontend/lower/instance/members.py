"""Members of classes beside fields: methods, properties and constants."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.decorators import is_cached
from mooncake_transpiler.frontend.entities import MethodDecl, MethodKind
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import heap
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Bound, Frame, Operand, Static
from mooncake_transpiler.types import Array


def constant(ctx: Context, module: str, value: cst.BaseExpression) -> Operand:
    """The value that a class binds to a name; the class owns it."""
    with leaving.inside(ctx, Frame(ctx.source.modules[module], (), ())):
        found = ctx.lower.expression(ctx, value)
    return permanent(ctx, cst.Pass(), found)


def permanent(ctx: Context, node: cst.CSTNode, found: Operand) -> Operand:
    """``found``, made anew for each use of something that is made once: it may only be read."""
    found = delayed.settle(ctx, found)
    if any(True for _ in objects.refs(found)):
        message = "this object is shared by all that use it"
        raise ctx.refuse(node, "MK341", message, "make it in a function, or use a tuple")
    ctx.memory.permanent.update(a for a in atoms(found) if isinstance(a, ir.Value))
    return found


def bound_method(
    ctx: Context, node: cst.CSTNode, method: MethodDecl, base: Operand, cls: Static
) -> Operand:
    function = Static(method.function)
    match method.kind:
        case MethodKind.METHOD:
            return Bound(function, (base,))
        case MethodKind.CLASS:
            return Bound(function, (cls,))
        case MethodKind.STATIC:
            return function
        case MethodKind.PROPERTY:
            found = call(ctx, node, function, (base,))
            if is_cached(ctx.source, method.function):
                _keep(ctx, node, method, base, found)
            return found


def _keep(
    ctx: Context, node: cst.CSTNode, method: MethodDecl, base: Operand, found: Operand
) -> None:
    """A cached property is computed once, even if the instance is changed later."""
    if isinstance(base, Ref):
        heap.write(ctx, node, base, method.function.name.rpartition(".")[2], found)
    elif any(isinstance(atom.type, Array) for atom in atoms(base)):
        message = "a cached property of what holds arrays may be out of date"
        raise ctx.refuse(node, "MK340", message, "make it a property")


def call(ctx: Context, node: cst.CSTNode, function: Operand, args: Sequence[Operand]) -> Operand:
    """A call that the program does not spell out."""
    made = node if isinstance(node, cst.Call) else cst.Call(cst.Name("_"))
    return ctx.lower.call(ctx, made, function, args)
