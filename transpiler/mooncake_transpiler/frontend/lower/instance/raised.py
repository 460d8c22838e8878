"""Exceptions as instances: their class and their text."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.failure.throwing import ARGS
from mooncake_transpiler.frontend.lower.instance import heap
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import ErrorClass
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Conflict,
    Items,
    Operand,
    Static,
)


def class_of(ctx: Context, operand: Operand) -> ErrorClass | None:
    """The exception class that ``operand`` is."""
    match operand:
        case Static(value=External() | ClassDecl() as entity):
            return errors.of_entity(ctx.source, entity)
        case _:
            return None


def text_of(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand | None:
    """``str(e)``, if ``ref`` is an exception with a text that is known."""
    cls = class_of(ctx, Static(ref.cls)) or errors.builtin(ref.cls.name)
    if cls is None or not is_exception(ctx, ref):
        return None
    match heap.read(ctx, node, ref, ARGS):
        case Items(items=()):
            return Static("")
        case Items(items=(Conflict() as one,)) | (Conflict() as one):
            raise ctx.refuse(node, "MK212", one.reason)
        case Items(items=(Static(value=str(text)),)):
            return Static(repr(text) if cls.is_a(errors.known("KeyError")) else text)
        case _:
            return None


def missing_key(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand | None:
    """The key that is missing, if ``operand`` is a KeyError that tells it: it shows that quoted."""
    if not isinstance(operand, Ref) or operand.cls.name != "KeyError":
        return None
    match heap.read(ctx, node, operand, ARGS) if is_exception(ctx, operand) else None:
        case Items(items=(key,)) if not isinstance(key, Conflict | Static):
            return key
        case _:
            return None


def told(ctx: Context, node: cst.CSTNode, operand: Operand) -> str | None:
    """The text of an exception as ``print`` and logs show it, if ``operand`` is one.

    The words of one that Python or NumPy raises are theirs: it is shown by the name of its class.
    """
    if not isinstance(operand, Ref) or not is_exception(ctx, operand):
        return None
    try:
        text = text_of(ctx, node, operand)
    except Refused as refusal:
        if refusal.diagnostic.code != "MK212":
            raise
        return operand.cls.name
    return str(text.value) if isinstance(text, Static) else None


def is_initialiser(ctx: Context, callee: Operand) -> bool:
    """True for ``super().__init__`` of an exception, which keeps what it is given."""
    match callee:
        case Bound(func=Static(value=External("builtins.object.__init__")), args=(Ref() as ref,)):
            return is_exception(ctx, ref)
        case _:
            return False


def is_exception(ctx: Context, ref: Ref) -> bool:
    return ref.cls.module == errors.MODULE or class_of(ctx, Static(ref.cls)) is not None
