"""Lists, dicts, objects and functions at module level: made where they are used, and only read."""

from __future__ import annotations

import libcst as cst
import numpy as np

from mooncake_transpiler.frontend.constant import pure
from mooncake_transpiler.frontend.entities import ClassDecl, FunctionDecl, SharedDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import dicts, keyed
from mooncake_transpiler.frontend.lower.instance import members
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Frame, Items, Operand, Static
from mooncake_transpiler.frontend.name.scopes import resolve_name
from mooncake_transpiler.types import DType, Scalar


def value(ctx: Context, node: cst.CSTNode, decl: SharedDecl) -> Operand:
    """The operand of the module-level name ``decl``."""

    if (decl.module, decl.name) in ctx.heap.being_filled:
        return ctx.heap.being_filled[decl.module, decl.name]

    def make() -> Operand:
        if decl.value is not None:
            return delayed.own(ctx, from_python(ctx, node, decl.value, decl.expr))
        with leaving.inside(ctx, Frame(ctx.source.modules[decl.module], (), ())):
            found = ctx.lower.expression(ctx, decl.expr)
            found = delayed.own(ctx, delayed.settle(ctx, found))
            _fill(ctx, decl, found)
            return found

    return members.made_once(ctx, node, decl.name, make)


def _fill(ctx: Context, decl: SharedDecl, made: Operand) -> None:
    """Put into the registry ``made`` what its module puts there; its name stands for it."""
    module, key = ctx.source.modules[decl.module], (decl.module, decl.name)
    ctx.heap.being_filled[key] = made
    try:
        for filling, name in decl.fillings:
            if not isinstance(filling, cst.Decorator):
                ctx.lower.block(ctx, [filling], frozenset(), follow=True)
                continue
            callee = ctx.lower.expression(ctx, filling.decorator)
            given = resolve_name(module, name)
            if not isinstance(given, FunctionDecl | ClassDecl):
                message = f"the module-level name {name!r} is bound to something else somewhere"
                raise ctx.refuse(filling, "MK217", message)
            ctx.lower.call(ctx, cst.Call(cst.Name("_")), callee, (Static(given),))
    finally:
        del ctx.heap.being_filled[key]


def from_python(
    ctx: Context, node: cst.CSTNode, value: object, made_by: cst.CSTNode | None = None
) -> Operand:
    """A constant of the program as an operand; ``made_by`` the expression that makes a dict."""
    match value:
        case np.generic():
            return kinds.NumpyConst(value.item(), Scalar(DType(value.dtype.name)))
        case bool() | int() | float() | complex():
            return constant(value)
        case str() | None | np.finfo() | np.iinfo():
            return Static(value)
        case np.dtype() if pure.is_known_dtype(value):
            return Static(DType(value.name))
        case tuple() | list():
            items = tuple(from_python(ctx, node, item) for item in value)
            return Items(items, is_list=isinstance(value, list))
        case dict():
            held = {
                dicts.name_of(ctx, node, from_python(ctx, node, key)): from_python(ctx, node, item)
                for key, item in value.items()
            }
            return keyed.new(ctx, made_by or node, held)
        case _:
            raise ctx.refuse(node, "MK213", f"a constant of this kind can't be used: {value!r}")
