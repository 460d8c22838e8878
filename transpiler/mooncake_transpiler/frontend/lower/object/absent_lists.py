"""Variables that are None on some paths and a list on others: objects of a flag and a list.

    best = None                             best.there, best.items = False, []
    for row in rows:                        for row in rows:
        found = [v for v in row if v > 0]       found = [v for v in row if v > 0]
        if best is None or ...:                 if not best.there or ...:
            best = found                            best.there, best.items = True, found

Which variables these are is learnt: where paths meet that differ so, the function is lowered again,
and what is bound to such a variable becomes such an object. Who reads it sees None, the list, or
what may be None (``Maybe``): the program never has the object itself.
"""

from __future__ import annotations

from typing import TypeGuard

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import (
    FALSE,
    RESULT,
    TRUE,
    field_of,
    hint_of,
    is_cell,
    is_hidden,
)
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Maybe, Operand

_CLASS = ClassDecl(
    "builtins", "list or None", cst.ClassDef(cst.Name("_"), cst.IndentedBlock([])), ClassKind.PLAIN
)
CHOSEN = "%chosen"  # stands for the name of the value of a conditional expression
_THERE, _LIST = "is_there", "list"


def is_one(operand: object) -> TypeGuard[Ref]:
    return isinstance(operand, Ref) and operand.cls is _CLASS


def check(ctx: Context, name: str, a: Operand | None, b: Operand | None) -> None:
    """Ask for such an object where the variable ``name`` is None on one path, a list on another."""
    node = ctx.frame.node
    if are_at_odds(a, b) and node is not None:
        is_named = name == RESULT or not is_hidden(name)
        if is_named and (node, name) not in ctx.learnt.absent:
            raise ctx.learnt.let_be_absent(node, name)


def are_at_odds(a: Operand | None, b: Operand | None) -> bool:
    """True if one is None and the other one a list, or may be either."""
    kinds = {_kind(a), _kind(b)}
    return kinds in ({"None", "list"}, {"either", "list"}, {"either", "None"})


def _kind(operand: Operand | None) -> str:
    match operand:
        case Maybe(value=value) if containers.is_list(value):
            return "either"
        case Ref() if containers.is_list(operand):
            return "list"
        case _:
            return "None" if operand == NOTHING else "other"


def bound(ctx: Context, name: str, value: Operand) -> Operand:
    """``value`` as it is kept in ``name``: a list, what may be one, or anything else as it is."""
    match value:
        case Maybe(there=there, value=inner) if containers.is_list(inner):
            return _made(ctx, name, inner, there)
        case Ref() if containers.is_list(value):
            return _made(ctx, name, value, TRUE)
        case _:
            return value


def none(ctx: Context, name: str, empty: Ref) -> Ref:
    """None as it is kept in ``name``: there is an ``empty`` list beside it."""
    return _made(ctx, name, empty, FALSE)


def _made(ctx: Context, name: str, value: Ref, there: ir.Atom) -> Ref:
    ref = objects.new(ctx, _CLASS, hint_of(name))
    ctx.frame.bind(objects.variable(ref, _THERE), there)
    ctx.frame.bind(objects.variable(ref, _LIST), value)
    return ref


def seen(ctx: Context, ref: Ref) -> Operand:
    """None, the list, or what may be either."""
    there = ctx.frame.values[objects.variable(ref, _THERE)]
    inner = ctx.frame.values[objects.variable(ref, _LIST)]
    if there in (TRUE, FALSE):
        return inner if there == TRUE else NOTHING
    return Maybe(atom_of(there), inner)


def refuse(ctx: Context, node: cst.CSTNode, result: Operand) -> None:
    """Refuse the ``result`` of a function that Python calls if it may be None or a list."""
    if _kind(result) == "either":
        message = "the result is None on some paths and a list on others"
        raise ctx.refuse(node, "MK212", message, "return an empty list in place of None")


def kept_as(name: str) -> str:
    """The name of the list of the variable ``name``, by which it is known where lists differ."""
    hint = hint_of(name)
    return f"{hint}_{_LIST}" if hint else _LIST


def is_flag(name: str) -> bool:
    """True if ``name`` is the variable of a flag."""
    return is_cell(name) and field_of(name) == _THERE
