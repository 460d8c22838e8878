"""``raise``, and the classes after ``except``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import libcst as cst
from mooncake_runtime.formatted import holes

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.builtin import border_statements, filled_texts, messages
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.failure.numbers import scalar
from mooncake_transpiler.frontend.lower.failure.throwing import ARGS, UNKNOWN
from mooncake_transpiler.frontend.lower.instance import heap, raised
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar import enums, scalars, texts, told_values
from mooncake_transpiler.frontend.lower.state import errors, leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Error, ErrorClass
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Caught,
    Filled,
    Items,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.text.trees import is_name
from mooncake_transpiler.types import BOOL


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
    found = raised.class_of(ctx, operand)
    if found is None:
        raise ctx.refuse(node, "MK350", f"{describe(operand)} is no exception that is known here")
    return found


def value(caught: Operand | None) -> Operand:
    """The value that ``except ... as e`` binds."""
    return UNKNOWN if caught is None else caught


def told(ctx: Context, error: Error) -> Ref:
    """The exception that is raised in that way, by what is known of its text."""
    ref = throwing.implicit(ctx, error.cls)
    if error.is_exact:
        ctx.frame.bind(objects.variable(ref, ARGS), Items((Static(error.text),)))
    return ref


def lower_raise(ctx: Context, stmt: cst.Raise) -> None:
    """``raise SomeError("message")``."""
    match stmt.exc:
        case None:
            raise_again(ctx, stmt)
        case cst.Call(func=func, args=args):
            operand = ctx.lower.expression(ctx, func)
            if operand == Static(errors.TELLING):
                count = 0 if _is_none(args[1].value) else holes(messages.text(ctx, args[1].value))
                border_statements.leave(ctx, stmt, args[2 + count :])
                _throw_formatted(ctx, stmt, args[: 2 + count])
                return
            if operand == Static(errors.FORMATTED):
                _throw_formatted(ctx, stmt, args)
                return
            _throw(ctx, stmt, _class(ctx, func, operand), args)
        case exc:
            operand = ctx.lower.expression(ctx, exc)
            caught = [of for of in ctx.frame.handling if of.error is operand]
            if caught:
                throw_again(ctx, stmt, caught[-1])
            else:
                _throw(ctx, stmt, _class(ctx, exc, operand), ())


def lower_exit(ctx: Context, stmt: cst.Expr) -> bool:
    """``sys.exit("message")``; False if the statement is something else."""
    match stmt.value:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="exit")) as func, args=args) if (
            ctx.lower.expression(ctx, func) == Static(External("sys.exit"))
        ):
            _throw(ctx, stmt, errors.known("SystemExit"), args)
            return True
        case _:
            return False


def _throw(ctx: Context, stmt: cst.CSTNode, cls: ErrorClass, args: Sequence[cst.Arg]) -> None:
    if any(arg.star for arg in args):
        raise ctx.refuse(stmt, "MK350", "the arguments of an exception must be written out")
    if not throwing.is_jump(ctx, cls) and _throw_numbers(ctx, cls, args):
        return
    given = [_argument(ctx, arg.value) for arg in args]
    match given:
        case [(Told() as told, _)]:
            _throw_one_of(ctx, stmt, cls, args, told, range(len(told.options)))
        case _:
            _throw_given(ctx, stmt, cls, args, given)


def _throw_one_of(
    ctx: Context,
    stmt: cst.CSTNode,
    cls: ErrorClass,
    args: Sequence[cst.Arg],
    told: Told,
    numbers: Sequence[int],
) -> None:
    """Raise with the text that ``told`` is, one of those with ``numbers``."""
    first, *others = numbers
    operand = told_values.known(ctx, told)[first]
    text = operand.value if isinstance(operand.value, str) else None
    this = partial(_throw_given, ctx, stmt, cls, args, [(operand, text)])
    if not others:
        this()
        return
    rest = partial(_throw_one_of, ctx, stmt, cls, args, told, others)
    branches.branch(ctx, told_values.is_number(ctx, told, first), this, rest, None, True)


def _throw_given(
    ctx: Context,
    stmt: cst.CSTNode,
    cls: ErrorClass,
    args: Sequence[cst.Arg],
    given: Sequence[tuple[Operand, str | None]],
) -> None:
    named = any(arg.keyword is not None for arg in args)
    plain = len(given) <= 1 and not named and all(text is not None for _, text in given)
    message = given[0][1] if plain and given else None
    problem = "" if plain else "what this exception is made with can't leave compiled code"
    is_exact = plain and all(operand == Static(message) for operand, _ in given)
    error = Error(cls, message, problem, is_exact and message is not None)
    ref = made(ctx, stmt, cls, args, [operand for operand, _ in given])
    throwing.throw(ctx, stmt, error, ref)


def _throw_numbers(ctx: Context, cls: ErrorClass, args: Sequence[cst.Arg]) -> bool:
    """Raise out of the compiled function with numbers, if ``args`` are numbers and text."""
    before = ctx.mark()
    ordered = _positional(cls, args)
    told = None if ordered is None else _told(ctx, ordered)
    if told is None:
        ctx.reset(before)
        return False
    throwing.fail(ctx, cls.raised, *told)
    return True


def _positional(cls: ErrorClass, args: Sequence[cst.Arg]) -> Sequence[cst.Arg] | None:
    """``args`` in the order of the parameters of ``__init__``; None if some are left out."""
    named = {arg.keyword.value: arg for arg in args if arg.keyword is not None}
    if not named:
        return args
    method = cls.decl.methods.get("__init__")
    positional = [arg for arg in args if arg.keyword is None]
    names = (
        [] if method is None else [p.name for p in method.function.params[1 + len(positional) :]]
    )
    wanted = names[: len(named)]
    return [*positional, *(named[n] for n in wanted)] if {*wanted} == named.keys() else None


def _told(
    ctx: Context, args: Sequence[cst.Arg]
) -> tuple[str | None, tuple[ir.Atom | str, ...]] | None:
    """The message and the numbers in it, or no message and the arguments."""
    found = [filled_texts.argument(ctx, arg.value) for arg in args]
    match found:
        case [Filled(text=text, numbers=(_, *_) as numbers)]:
            return text, numbers
        case [Filled(text=text)]:
            return text.format(), ()
        case []:
            return None, ()
        case _:
            pass
    if ctx.assigned():
        return None
    told: list[ir.Atom | str] = []
    for one in found:
        match one:
            case Filled(text=text, numbers=()):
                told.append(text.format())
            case ir.Value() | ir.Const() | ir.Undef():
                told.append(one)
            case _:
                return None
    return None, tuple(told)


def _throw_formatted(ctx: Context, stmt: cst.CSTNode, args: Sequence[cst.Arg]) -> None:
    """The exception of a generated module, whose message tells numbers."""
    func, message, *numbers = (arg.value for arg in args)
    cls = _class(ctx, func, ctx.lower.expression(ctx, func))
    if _is_none(message):
        _throw(ctx, stmt, cls, ())
        return
    text = messages.text(ctx, message)
    if throwing.is_jump(ctx, cls) or not numbers:
        text = text if numbers else text.format()
        _throw(ctx, stmt, cls, [cst.Arg(cst.SimpleString(json.dumps(text)))])
        return
    throwing.fail(ctx, cls.raised, text, tuple(scalar(ctx, number) for number in numbers))


def lower_assertion(ctx: Context, stmt: cst.Assert) -> None:
    """The exception of ``assert``, raised where its condition does not hold."""
    args = [] if stmt.msg is None else [cst.Arg(stmt.msg)]
    _throw(ctx, stmt, errors.known("AssertionError"), args)


def kept(ctx: Context, node: cst.BaseExpression) -> Operand:
    """An argument as an exception keeps it: its text may be known when the program runs only."""
    return _argument(ctx, node)[0]


def _argument(ctx: Context, node: cst.BaseExpression) -> tuple[Operand, str | None]:
    """An argument of an exception, and its text."""
    match node:
        case (
            cst.FormattedString()
            | cst.ConcatenatedString()
            | cst.BinaryOperation(operator=cst.Add())
        ) if filled_texts.is_made(node):
            text = messages.text(ctx, node)
            return (UNKNOWN if _has_holes(ctx, node) else Static(text)), text
        case cst.BinaryOperation(
            left=cst.SimpleString() | cst.ConcatenatedString() as left, operator=cst.Modulo()
        ):
            return _filled(ctx, node, messages.text(ctx, left))
        case cst.Call(
            func=cst.Attribute(
                cst.SimpleString() | cst.ConcatenatedString() as left, cst.Name("format")
            ),
            args=args,
        ) if not all(_is_known(ctx, arg.value) for arg in args):
            return UNKNOWN, messages.text(ctx, left)
        case cst.Call() if messages.is_join(node):
            return UNKNOWN, _as_written(node)
        case _:
            match operand := ctx.lower.expression(ctx, node):
                case Static(value=str(text)):
                    return operand, text
                case Passed(spelled="str") | RunText():
                    return operand, _as_written(node)
                case _:
                    return operand, None


def _as_written(node: cst.BaseExpression) -> str:
    """The message for text that the run tells: the expression, in braces."""
    return f"{{{cst.Module([]).code_for_node(node)}}}"


def _is_known(ctx: Context, node: cst.BaseExpression) -> bool:
    found = texts.shown(ctx, node, ctx.lower.expression(ctx, node))
    return found is not enums.UNKNOWN


def _filled(ctx: Context, node: cst.BinaryOperation, text: str) -> tuple[Operand, str]:
    """``text % value``: filled in where that is known here, else as it is written."""
    known = texts.shown(ctx, node.right, ctx.lower.expression(ctx, node.right))
    if known is enums.UNKNOWN:
        return UNKNOWN, text
    try:
        filled = text % known
    except (TypeError, ValueError) as error:
        raise ctx.refuse(node, "MK112", str(error)) from None
    return Static(filled), filled


def _is_none(node: cst.BaseExpression) -> bool:
    return is_name(node, "None")


def _has_holes(ctx: Context, node: cst.BaseExpression) -> bool:
    match node:
        case cst.SimpleString():
            return False
        case cst.FormattedString(parts=parts):
            return any(isinstance(part, cst.FormattedStringExpression) for part in parts)
        case (
            cst.ConcatenatedString(left=left, right=right)
            | cst.BinaryOperation(left=left, operator=cst.Add(), right=right)
        ):
            return _has_holes(ctx, left) or _has_holes(ctx, right)
        case cst.Call(func=cst.Name("str"), args=[cst.Arg(value=inner)]):
            return _has_holes(ctx, inner)
        case cst.Call() if messages.is_join(node):
            return messages.known_join(ctx, node) is None
        case _:
            return not _is_known(ctx, node)


def made(
    ctx: Context,
    node: cst.CSTNode,
    cls: ErrorClass,
    args: Sequence[cst.Arg],
    given: Sequence[Operand],
) -> Ref | None:
    """The exception as an object, if a handler may look at it."""
    if not throwing.caught(ctx, cls):
        return None
    ref = objects.new(ctx, cls.decl, cls.decl.name)
    positional = [v for arg, v in zip(args, given, strict=True) if arg.keyword is None]
    heap.write(ctx, node, ref, ARGS, Items(tuple(positional)))
    if (own := cls.decl.methods.get("__init__")) is not None:
        named = {arg.keyword.value: v for arg, v in zip(args, given, strict=True) if arg.keyword}
        call = cst.Call(cst.Name("_"))
        ctx.lower.call(ctx, call, Bound(Static(own.function), (ref,)), positional, named)
    return ref


def throw_again(ctx: Context, node: cst.CSTNode, of: Caught) -> None:
    """Raise an exception that was caught: what has no further handler leaves the function."""
    gone = [n for n in of.possible if not throwing.is_jump(ctx, ctx.errors[n].cls)]
    if not gone:
        leaving.raise_here(ctx, of.number, of.possible, of.error)
        return
    first, others = gone[0], tuple(n for n in of.possible if n != gone[0])
    rest = partial(throw_again, ctx, node, Caught(of.number, others, of.error))
    cond = one_of(ctx, node, of, [first])
    branches.branch(
        ctx, cond, partial(throwing.raise_out, ctx, node, ctx.errors[first]), rest, None, True
    )


def one_of(ctx: Context, node: cst.CSTNode, of: Caught, wanted: Sequence[int]) -> ir.Atom:
    """A bool: the exception is one of ``wanted``."""
    if len(wanted) in (0, len(of.possible)):
        return TRUE if wanted else FALSE
    assert isinstance(of.number, ir.Value | ir.Const)
    found: ir.Atom = FALSE
    for number in wanted:
        one = scalars.compute(ctx, node, "eq", (of.number, ir.int_const(number)))
        found = one if found == FALSE else ctx.builder.compute("or", (found, one), BOOL)
    return found


def raise_again(ctx: Context, stmt: cst.Raise) -> None:
    """``raise`` without an exception."""
    if not ctx.frame.handling:
        message = "`raise` alone needs an `except` clause of the same function around it"
        raise ctx.refuse(stmt, "MK350", message, "name the exception: raise ValueError('...')")
    throw_again(ctx, stmt, ctx.frame.handling[-1])
