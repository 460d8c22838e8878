"""Fields, lists and dicts of the caller's that a function changes: what they hold in the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import CONTENT, Action, Border, Rebound
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.array import aliasing
from mooncake_transpiler.frontend.lower.call.parameters import Arm
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import select
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import final_path
from mooncake_transpiler.frontend.lower.state.leaves import is_text, type_of
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Items, Maybe, Operand, Told
from mooncake_transpiler.types import NONE, OneOf, Opaque, Tuple, Type, is_differentiable


def rebound(ctx: Context, node: cst.CSTNode, arms: Sequence[Arm]) -> list[tuple[Rebound, Operand]]:
    """The fields of parameters that some arm has assigned, with their last values."""
    changed = {path for arm in arms for path in arm.changed}
    found: list[tuple[Rebound, Operand]] = []
    for name, value in ctx.frame.values.items():
        path = final_path(name)
        if path is None or path not in changed:
            continue
        type_: Type | None = None
        if is_text(value):
            type_ = Opaque("str", json.dumps(value.value, ensure_ascii=False))
        elif not any(path in arm.types for arm in arms):
            type_, value = _shown(ctx, value)
        for arm in arms:
            type_ = arm.types.get(path, type_)
        if path.endswith(CONTENT) and any(path not in arm.types for arm in arms):
            message = f"{path.removesuffix(CONTENT)} is changed, which may be no list"
            raise ctx.refuse(node, "MK361", message, "make a function for each alternative")
        if isinstance(value, Conflict) or type_ is None:
            why = f": {value.reason}" if isinstance(value, Conflict) else ""
            message = f"{path} has no single type at the end{why}"
            raise ctx.refuse(node, "MK361", message, "assign values of one type to it")
        in_place = any(path in arm.in_place for arm in arms)
        relinks = any(path in arm.relinked for arm in arms)
        found.append((Rebound(path, type_, in_place, relinks), value))
    # What an object holds is assigned before that object itself may be replaced.
    return sorted(found, key=lambda pair: (-pair[0].path.count("."), not pair[0].is_content))


def border(ctx: Context, changed: Sequence[tuple[Rebound, Operand]], arms: Sequence[Arm]) -> Border:
    """The border of a function whose ``arms`` have ``changed`` fields of parameters."""
    rows = (one for arm in arms for one in arm.rows if not one.item.links)
    told_apart = tuple(dict.fromkeys(one.path for one in rows))
    assigned = tuple(one for one, _ in changed)
    action = Action.ASSIGN if changed else Action.NONE
    return Border(assigned, action, told_apart=told_apart, words=tuple(ctx.heap.words))


def _shown(ctx: Context, value: Operand) -> tuple[Type | None, Operand]:
    """``value`` with its type at the border, a number where it is one of several; None: no type."""
    match value:
        case Told(options=options):
            return OneOf(options), value
        case Maybe(there=there, value=inner):
            if (told := told_values.as_told(inner)) is not None:
                at = select(ctx, there, told.which, ir.int_const(len(told.options)))
                return OneOf((*told.options, NONE)), Items((at,))
            type_, inner = _shown(ctx, inner)
            if type_ is None or isinstance(type_, OneOf):
                return None, value
            at = select(ctx, there, ir.ZERO, ir.ONE)
            return OneOf((type_, NONE)), Items((at, inner))
        case Items(items=items) if isinstance(type_of(value), Tuple):
            pairs = [_shown(ctx, item) for item in items]
            types = tuple(type_ for type_, _ in pairs if type_ is not None)
            if len(types) < len(pairs):
                return None, value
            made = replace(value, items=tuple(item for _, item in pairs))
            return Tuple(types, value.names, value.cls, value.of), made
        case _:
            return type_of(value), value


def expect_seen(
    ctx: Context,
    decl: FunctionDecl,
    params: Sequence[ir.Param],
    changed: Sequence[tuple[Rebound, Operand]],
) -> None:
    """Refuse a function whose results are in parameters, and in others than the text shows."""
    owners = {leaf: param.name for param in params for leaf in param.leaves}
    floats = {param.name for param in params if is_differentiable(param.type)}
    arrays = ctx.memory.roots(*aliasing.written_in(ctx, ctx.builder.stmts))
    names = [owners[root] for root in arrays if isinstance(root, ir.Value) and root in owners]
    names += [one.root for one, _ in changed]
    for name in names:
        if name in floats and name not in decl.written:
            message = f"{decl.name} writes to {name}, too, which can't be told before"
            help_ = "return what it writes, or write `# mooncake: skip` above it"
            raise ctx.refuse(decl.node.name, "MK237", message, help_)
