"""Exceptions of the program: the classes that are caught, and what is raised."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.emitted import borders
from mooncake_transpiler.frontend.lower.failure import attempts, errors, messages
from mooncake_transpiler.frontend.lower.failure.errors import Error, ErrorClass
from mooncake_transpiler.frontend.lower.instance import objects
from mooncake_transpiler.frontend.lower.operands import (
    Bound,
    Conflict,
    Items,
    Operand,
    Ref,
    Static,
    describe,
)

ARGS = "args"
UNKNOWN = Conflict("the text of this exception is known only when the program runs")


def classes(ctx: Context, node: cst.BaseExpression | None) -> tuple[ErrorClass, ...]:
    """The classes after ``except``; without any, it is all exceptions."""
    if node is None:
        return (errors.known("BaseException"),)
    return _classes(ctx, node, ctx.lower.expression(ctx, node))


def _classes(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[ErrorClass, ...]:
    if isinstance(operand, Items):
        return tuple(cls for item in operand.items for cls in _classes(ctx, node, item))
    return (_class(ctx, node, operand),)


def _class(ctx: Context, node: cst.CSTNode, operand: Operand) -> ErrorClass:
    found = class_of(ctx, operand)
    if found is None:
        raise ctx.refuse(node, "MK350", f"{describe(operand)} is no exception that is known here")
    return found


def class_of(ctx: Context, operand: Operand) -> ErrorClass | None:
    """The exception class that ``operand`` is."""
    match operand:
        case Static(value=External() | ClassDecl() as entity):
            return errors.of_entity(ctx.source, entity)
        case _:
            return None


def value(caught: Operand | None) -> Operand:
    """What ``except ... as e`` binds."""
    return UNKNOWN if caught is None else caught


def lower_raise(ctx: Context, stmt: cst.Raise) -> None:
    """``raise SomeError("message")``."""
    match stmt.exc:
        case None:
            attempts.raise_again(ctx, stmt)
        case cst.Call(func=func, args=args):
            operand = ctx.lower.expression(ctx, func)
            if operand == Static(errors.TELLING):
                borders.leave(ctx, stmt, args[2:])
                func, operand = args[0].value, ctx.lower.expression(ctx, args[0].value)
                args = [arg for arg in args[1:2] if not _is_none(arg.value)]
            if operand == Static(errors.OUTSIDE):
                _throw_outside(ctx, stmt, args)
                return
            _throw(ctx, stmt, _class(ctx, func, operand), args)
        case exc:
            operand = ctx.lower.expression(ctx, exc)
            caught = [of for of in ctx.frame.handling if of.error is operand]
            if caught:
                attempts.throw_again(ctx, stmt, caught[-1])
            else:
                _throw(ctx, stmt, _class(ctx, exc, operand), ())


def _throw(ctx: Context, stmt: cst.CSTNode, cls: ErrorClass, args: Sequence[cst.Arg]) -> None:
    if any(arg.star for arg in args):
        raise ctx.refuse(stmt, "MK350", "the arguments of an exception must be written out")
    given = [_argument(ctx, arg.value) for arg in args]
    named = any(arg.keyword is not None for arg in args)
    plain = len(given) <= 1 and not named and all(text is not None for _, text in given)
    message = given[0][1] if plain and given else None
    problem = "" if plain else "what this exception is made with can't leave compiled code"
    error = Error(cls, message, problem)
    ref = made(ctx, stmt, cls, args, [operand for operand, _ in given])
    attempts.throw(ctx, stmt, error, ref)


def _throw_outside(ctx: Context, stmt: cst.CSTNode, args: Sequence[cst.Arg]) -> None:
    """The IndexError of a generated module, whose message tells numbers."""
    cls = errors.known("IndexError")
    if attempts.is_jump(ctx, cls):
        _throw(ctx, stmt, cls, args[:1])
        return
    numbers = tuple(expressions.scalar(ctx, arg.value) for arg in args[1:])
    messages.fail(ctx, cls.name, messages.text(ctx, args[0].value), numbers)


def lower_assertion(ctx: Context, stmt: cst.Assert) -> None:
    """What ``assert`` does where its condition does not hold."""
    args = [] if stmt.msg is None else [cst.Arg(stmt.msg)]
    _throw(ctx, stmt, errors.known("AssertionError"), args)


def _argument(ctx: Context, node: cst.BaseExpression) -> tuple[Operand, str | None]:
    """What an exception is made with, and its text."""
    match node:
        case cst.FormattedString() | cst.ConcatenatedString():
            text = messages.text(ctx, node)
            return (UNKNOWN if _has_holes(node) else Static(text)), text
        case _:
            operand = ctx.lower.expression(ctx, node)
            is_text = isinstance(operand, Static) and isinstance(operand.value, str)
            return operand, str(operand.value) if is_text else None  # type: ignore[union-attr]


def _is_none(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def _has_holes(node: cst.BaseExpression) -> bool:
    match node:
        case cst.FormattedString(parts=parts):
            return any(isinstance(part, cst.FormattedStringExpression) for part in parts)
        case cst.ConcatenatedString(left=left, right=right):
            return _has_holes(left) or _has_holes(right)
        case _:
            return False


def made(
    ctx: Context,
    node: cst.CSTNode,
    cls: ErrorClass,
    args: Sequence[cst.Arg],
    given: Sequence[Operand],
) -> Ref | None:
    """The exception as an object, if a handler may look at it."""
    if not attempts.caught(ctx, cls):
        return None
    ref = objects.new(ctx, cls.decl, cls.decl.name)
    positional = [v for arg, v in zip(args, given, strict=True) if arg.keyword is None]
    objects.write(ctx, node, ref, ARGS, Items(tuple(positional)))
    own = cls.decl.methods.get("__init__")
    if own is not None:
        named = {arg.keyword.value: v for arg, v in zip(args, given, strict=True) if arg.keyword}
        call = cst.Call(cst.Name("_"))
        ctx.lower.call(ctx, call, Bound(Static(own.function), (ref,)), positional, named)
    return ref


def implicit(ctx: Context, cls: ErrorClass) -> Ref:
    """An exception that Python raises by itself: its words are its own affair."""
    ref = objects.new(ctx, cls.decl, cls.decl.name)
    ctx.deeds.changed.add(ref.key)
    ctx.frame.bind(objects.variable(ref, ARGS), UNKNOWN)
    return ref


def text_of(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand | None:
    """``str(e)``, if ``ref`` is an exception with a text that is known."""
    cls = class_of(ctx, Static(ref.cls)) or errors.builtin(ref.cls.name)
    if cls is None or not is_exception(ctx, ref):
        return None
    match objects.read(ctx, node, ref, ARGS):
        case Items(items=()):
            return Static("")
        case Items(items=(Conflict() as one,)) | (Conflict() as one):
            raise ctx.refuse(node, "MK212", one.reason)
        case Items(items=(Static(value=str(text)),)):
            return Static(repr(text) if cls.is_a(errors.known("KeyError")) else text)
        case _:
            return None


def is_exception(ctx: Context, ref: Ref) -> bool:
    return ref.cls.module == errors.MODULE or class_of(ctx, Static(ref.cls)) is not None
