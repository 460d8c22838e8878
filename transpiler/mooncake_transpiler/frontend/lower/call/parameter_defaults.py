"""Defaults of the parameters of public functions, for the signatures of their derivatives."""

from __future__ import annotations

import cmath
from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects, structs
from mooncake_transpiler.frontend.entities import FunctionDecl, ParamDecl
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Frame, Items, Operand, Static
from mooncake_transpiler.types import Type

_COMPLEX = {"add": "{} + {}", "sub": "{} - {}", "complex": "complex({}, {})"}
_LITERALS = (cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString)


def default_shown(
    ctx: Context, decl: FunctionDecl, param: ParamDecl
) -> str | ir.ObjectDefault | None:
    """Python text of the default, without names; of an object, where it is in the source."""
    node = param.default
    if node is None or not decl.is_public:
        return None
    text = cst.Module([]).code_for_node(node)
    if is_literal(node):
        return text
    if param.annotation is not None and _is_of_class(param.annotation.type):
        return ir.ObjectDefault(decl.module, decl.name, param.name)

    def evaluate() -> Operand:
        with leaving.inside(ctx, Frame(ctx.source.modules[decl.module], (), ())):
            return ctx.lower.expression(ctx, node)

    aside, found = ctx.aside(evaluate)
    shown = None if aside.guards else _made(tuple(aside.stmts), found)
    if shown is not None:
        return shown
    message = f"the default of {param.name!r} can't be kept in the signatures of derivatives"
    raise ctx.refuse(node, "MK366", message, "use a number, or None and an Optional parameter")


def _is_of_class(type_: Type) -> bool:
    """True for objects and NamedTuples, which only the source can make."""
    return has_objects(type_) or any(struct.names is not None for struct in structs(type_))


def is_literal(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        node = node.expression
    return isinstance(node, _LITERALS) or (
        isinstance(node, cst.Name) and node.value in ("True", "False", "None")
    )


def _made(stmts: tuple[ir.Stmt, ...], value: Operand) -> str | None:
    """Python text of ``value``, made by ``stmts``: complex numbers are made of two others."""
    match stmts:
        case ():
            return _shown(value)
        case (ir.Compute(out=out, op="add" | "sub" | "complex" as op, args=args),) if out is value:
            parts = [_shown(arg) for arg in args]
            if None in parts:
                return None
            left, right = parts
            return _COMPLEX[op].format(left, right)
        case _:
            return None


def _shown(value: Operand) -> str | None:
    match value:
        case ir.Const(value=number):
            return repr(number) if cmath.isfinite(number) else f'float("{number}")'
        case Static(value=str() | None as text):
            return repr(text)
        case Items(items=items, names=None):
            parts = list(_all_shown(items))
            lone = "," if len(parts) == 1 else ""
            return f"({', '.join(parts)}{lone})" if len(parts) == len(items) else None
        case _:
            return None


def _all_shown(items: tuple[Operand, ...]) -> Iterator[str]:
    yield from (shown for item in items if (shown := _shown(item)) is not None)
