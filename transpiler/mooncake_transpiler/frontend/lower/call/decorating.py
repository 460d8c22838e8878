"""Functions with decorators: what the name of such a function stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.entities import EnumMember, External, FunctionDecl
from mooncake_transpiler.frontend.lower.call.list_uses import READING
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import is_cell, owner_of, owners_of
from mooncake_transpiler.frontend.lower.state.operands import (
    Closure,
    Frame,
    Items,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.frontend.text.trees import bound_names, maker, own_nodes, parameters, walk
from mooncake_transpiler.output.outline import MUTATING

NUMBERS = frozenset({"abs", "bool", "divmod", "float", "int", "pow", "print", "range", "round"})
WRITING = frozenset({
    "at", "copyto", "fill_diagonal", "nan_to_num", "place", "put_along_axis", "putmask",
})  # fmt: skip
_LATER = "make it a function of its own that takes the function and the arguments"


def apply(
    ctx: Context, node: cst.CSTNode, given: Sequence[cst.Decorator], function: Operand
) -> Operand:
    """``function`` under decorators, the last of which is applied first."""
    made = [_evaluated(ctx, one) for one in given]
    call = node if isinstance(node, cst.Call) else cst.Call(cst.Name("_"))
    for one in reversed(made):
        if one is not None:
            function = ctx.lower.call(ctx, call, one, (function,))
    return function


def _evaluated(ctx: Context, decorator: cst.Decorator) -> Operand | None:
    """The value of a decorator; None if it leaves functions as they are."""
    head = ctx.lower.expression(ctx, maker(decorator))
    if isinstance(head, Static) and isinstance(head.value, External):
        name = head.value.qualname
        if name in decorators.NEUTRAL:
            return None
        if name in decorators.CACHES:
            return Static(External("functools.cache"))
        if name not in decorators.MAKERS:
            message = f"decorator {name} is not known: what it makes of the function can't be told"
            raise ctx.refuse(decorator, "MK113", message)
    if isinstance(decorator.decorator, cst.Call):
        return ctx.lower.expression(ctx, decorator.decorator)
    return head


def of_program(ctx: Context, node: cst.Call, decl: FunctionDecl) -> Operand:
    """The value of the name ``decl``, which has decorators of the program.

    Python makes it once. Here it is made where it is called, so it must not hold anything that
    one call could leave behind for the next.
    """
    module = ctx.source.modules[decl.module]
    owner, dot, name = decl.name.rpartition(".")
    plain = replace(decl, name=f"{owner}{dot}_{name}_undecorated", is_plain=True)
    given = decorators.applied(ctx.source, decl)
    old = owners_of(ctx.frame.values)

    def make() -> Operand:
        with leaving.inside(ctx, Frame(module, (), ())):
            return apply(ctx, node, given, Static(plain))

    aside, found = ctx.aside(make)
    if aside.guards or any(not isinstance(stmt, ir.Compute) for stmt in aside.stmts):
        message = f"the decorator of {decl.name} does more than make a function"
        raise ctx.refuse(node, "MK344", message, _LATER)
    ctx.insert(aside)
    _check_stateless(ctx, node, decl, found)
    for key in dict.fromkeys(map(owner_of, filter(is_cell, ctx.frame.values))):
        if key not in old:
            ctx.heap.ambiguous.setdefault(key, f"all calls of {decl.name} share it")
    return found


def check_cache(
    ctx: Context, node: cst.Call, of: FunctionDecl | Closure, given: Arguments, found: Operand
) -> None:
    """Refuse a cache of what may change: numbers and text are the same whoever computes them."""
    values = [*given.args, *given.keywords.values(), found]
    module = of.frame.module if isinstance(of, Closure) else ctx.source.modules[of.module]
    made = of.node.decorators if isinstance(of.node, cst.FunctionDef) else ()
    has_cache = any(decorators.is_cache(ctx.source, module, one) for one in made)
    if has_cache and not all(map(_is_fixed, values)):
        raise ctx.refuse(node, "MK340", decorators.WHY_NO_CACHE, "leave the cache out")


def check_nested_cache(ctx: Context, node: cst.CSTNode, function: Closure) -> None:
    """Refuse a cache of a nested function, unless what it sees stays as it is from there on."""
    if not sees_what_stays(function, function.node):
        raise ctx.refuse(node, "MK340", decorators.WHY_NO_CACHE, "leave the cache out")


def sees_what_stays(function: Closure, own: cst.CSTNode) -> bool:
    """True if a cache makes no difference for ``function``, whose text ``own`` is.

    Where it sees more than numbers and text, nothing may be changed in place under any name.
    """
    around = function.frame.node
    body = list(around.body.body) if isinstance(around, cst.FunctionDef) else []
    if (
        isinstance(own, cst.FunctionDef)
        and function.node in body
        and decorators.may_have_cache(own)
    ):
        later = [part for stmt in body[body.index(function.node) + 1 :] for part in walk(stmt)]
        mine = bound_names(own_nodes(own)[0]) | {one.name.value for one in parameters(own.params)}
        read = {one.value for one in walk(own.body) if isinstance(one, cst.Name)} - mine
        values, name = function.frame.values, own.name.value
        seen = (read & set(function.frame.locals)) - {name}
        nodes = [*later, *walk(own.body)]
        is_fixed = all(one in values and _is_fixed(values[one]) for one in seen)
        stays = is_fixed or not any(_may_change(one, {name}) for one in nodes)
        return stays and not read & bound_names(later) and not any(map(_rebinds, later))
    return False


def _rebinds(node: cst.CSTNode) -> bool:
    """True for a function that binds names of the one around it."""
    is_function = isinstance(node, cst.FunctionDef | cst.Lambda)
    return is_function and any(isinstance(one, cst.Nonlocal) for one in walk(node))


def _may_change(node: cst.CSTNode, called: set[str]) -> bool:
    """True if ``node`` may change something in place, but for calls of functions ``called``."""
    match node:
        case cst.AssignTarget(target=target) | cst.For(target=target):
            return any(isinstance(one, cst.Subscript | cst.Attribute) for one in walk(target))
        case cst.AugAssign(target=target, value=value):
            return not isinstance(target, cst.Name) or isinstance(value, cst.List | cst.Name)
        case cst.Call(func=cst.Name(value=name)):
            return name not in called | READING | NUMBERS
        case cst.Call(func=cst.Attribute(attr=attr), args=args):
            has_out = any(arg.keyword is not None and arg.keyword.value == "out" for arg in args)
            return has_out or attr.value in MUTATING or attr.value in WRITING
        case cst.Del():
            return True
        case _:
            return False


def _is_fixed(value: Operand) -> bool:
    match value:
        case Items(items=items, is_list=False, of=None):
            return all(map(_is_fixed, items))
        case Told():
            return True
        case Static(value=found):
            return found is None or isinstance(found, str | EnumMember)
        case _:
            return is_scalar(value)


def _check_stateless(ctx: Context, node: cst.Call, decl: FunctionDecl, made: Operand) -> None:
    if not isinstance(made, Closure):
        return
    inside = list(walk(made.node))
    own, direct = bound_names(inside), own_nodes(made.node)[0]
    for stmt in inside:
        for item in stmt.names if isinstance(stmt, cst.Nonlocal) else ():
            if item.name.value not in own or stmt in direct:
                message = f"the decorator of {decl.name} keeps {item.name.value} between calls"
                raise ctx.refuse(node, "MK344", message, _LATER)
