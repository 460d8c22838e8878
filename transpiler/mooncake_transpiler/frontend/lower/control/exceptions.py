"""``raise``, ``assert``, and exceptions that are made before they are raised."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

import libcst as cst
from mooncake_runtime.formatted import holes

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.builtin import border_statements, filled_texts, messages
from mooncake_transpiler.frontend.lower.control import caught
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.failure.numbers import scalar
from mooncake_transpiler.frontend.lower.failure.throwing import ARGS, UNKNOWN
from mooncake_transpiler.frontend.lower.instance import heap, raised
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar import enums, texts, told_values
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Error, ErrorClass
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Choice,
    Filled,
    Items,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.properties import ReadyError, TellingNumbers
from mooncake_transpiler.frontend.text.trees import is_name


def lower_raise(ctx: Context, stmt: cst.Raise) -> None:
    """``raise SomeError("message")``."""
    match stmt.exc:
        case None:
            caught.raise_again(ctx, stmt)
        case cst.Call(func=func, args=args):
            operand = ctx.lower.expression(ctx, func)
            if isinstance(operand, Choice):
                _throw_chosen(ctx, stmt, operand, args)
                return
            if operand == Static(errors.TELLING):
                count = 0 if _is_none(args[1].value) else holes(messages.text(ctx, args[1].value))
                border_statements.leave(ctx, stmt, args[2 + count :])
                _throw_formatted(ctx, stmt, args[: 2 + count])
                return
            if operand == Static(errors.FORMATTED):
                _throw_formatted(ctx, stmt, args)
                return
            if raised.class_of(ctx, operand) is None:
                _raise_value(ctx, stmt, ctx.lower.expression(ctx, stmt.exc))
                return
            _throw(ctx, stmt, caught.one_class(ctx, func, operand), args)
        case exc:
            _raise_value(ctx, stmt, ctx.lower.expression(ctx, exc))


def _raise_value(ctx: Context, stmt: cst.Raise, operand: Operand) -> None:
    """``raise err``: a class, an exception that was caught, or one that was made before."""
    assert stmt.exc is not None
    of = [one for one in ctx.frame.handling if one.error is operand]
    made_before = ctx.heap.ready.get(operand.key) if isinstance(operand, Ref) else None
    if of:
        caught.throw_again(ctx, stmt, of[-1])
    elif isinstance(operand, Choice):
        _in_turn(ctx, operand, partial(_raise_value, ctx, stmt))
    elif made_before is not None and _is_known_here(ctx, made_before):
        _throw_ready(ctx, stmt, made_before)
    elif isinstance(operand, Ref) and raised.is_exception(ctx, operand):
        message = "which exception this is, and what it tells, is not known here"
        raise ctx.refuse(stmt.exc, "MK350", message, "raise it where it is made")
    else:
        _throw(ctx, stmt, caught.one_class(ctx, stmt.exc, operand), ())


def _is_known_here(ctx: Context, error: ReadyError) -> bool:
    """True if the numbers that ``error`` tells are computed in front of this place."""
    numbers = None if error.told is None else error.told[1]
    is_open = numbers is None or any(isinstance(one, ir.Value) for one in numbers)
    return not is_open or ctx.builder.since(error.at, 0) is not None


def as_value(ctx: Context, node: cst.Call, callee: Operand) -> Ref | None:
    """``ValueError("x")``, which may be raised later; None for what is no exception class."""
    cls = raised.class_of(ctx, callee)
    if cls is None:
        return None
    found = _ready(ctx, node, cls, node.args, _numbers(ctx, cls, node.args))
    before = ctx.mark()
    try:
        ref = _object(ctx, node, cls, node.args, [operand for operand, _ in found.given])
    except Refused:  # it can be raised all the same, where nobody looks at it
        ctx.reset(before)
        ref = throwing.implicit(ctx, cls)
    ctx.heap.ready[ref.key] = found
    return ref


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
    told = None if throwing.is_jump(ctx, cls) else _numbers(ctx, cls, args)
    if told is not None:
        throwing.fail(ctx, cls.raised, *told)
    else:
        _throw_ready(ctx, stmt, _ready(ctx, stmt, cls, args, None))


def _throw_chosen(ctx: Context, stmt: cst.Raise, operand: Operand, args: Sequence[cst.Arg]) -> None:
    """Raise one of two classes, by a condition."""
    if isinstance(operand, Choice):
        _in_turn(ctx, operand, lambda one: _throw_chosen(ctx, stmt, one, args))
    else:
        _throw(ctx, stmt, caught.one_class(ctx, stmt, operand), args)


def _in_turn(ctx: Context, of: Choice, throw: Callable[[Operand], None]) -> None:
    then, orelse = partial(throw, of.then), partial(throw, of.orelse)
    branches.branch(ctx, of.cond, then, orelse, None, True)


def _ready(
    ctx: Context, node: cst.CSTNode, cls: ErrorClass, args: Sequence[cst.Arg],
    told: TellingNumbers | None,
) -> ReadyError:  # fmt: skip
    """An exception that can be raised here; ``told``: the numbers that it tells outside."""
    if any(arg.star for arg in args):
        raise ctx.refuse(node, "MK350", "the arguments of an exception must be written out")
    given = [_argument(ctx, arg.value) for arg in args]
    return ReadyError(cls, tuple(args), tuple(given), told, ctx.builder)


def _throw_ready(ctx: Context, stmt: cst.CSTNode, error: ReadyError) -> None:
    if error.told is not None and not throwing.is_jump(ctx, error.cls):
        throwing.fail(ctx, error.cls.raised, *error.told)
        return
    match error.given:
        case [(Told() as told, _)]:
            options = range(len(told.options))
            _throw_one_of(ctx, stmt, error.cls, error.args, told, options)
        case _:
            _throw_given(ctx, stmt, error.cls, error.args, error.given)


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


def _numbers(ctx: Context, cls: ErrorClass, args: Sequence[cst.Arg]) -> TellingNumbers | None:
    """The message and the numbers that leave the function, if ``args`` are numbers and text."""
    before = ctx.mark()
    ordered = _positional(cls, args)
    told = None if ordered is None or any(arg.star for arg in args) else _told(ctx, ordered)
    if told is None:
        ctx.reset(before)
    return told


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


def _told(ctx: Context, args: Sequence[cst.Arg]) -> TellingNumbers | None:
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
    cls = caught.one_class(ctx, func, ctx.lower.expression(ctx, func))
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
        case cst.Call(func=cst.Name("str" | "repr"), args=[cst.Arg(value=inner)]):
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
    return _object(ctx, node, cls, args, given) if throwing.caught(ctx, cls) else None


def _object(
    ctx: Context,
    node: cst.CSTNode,
    cls: ErrorClass,
    args: Sequence[cst.Arg],
    given: Sequence[Operand],
) -> Ref:
    ref = objects.new(ctx, cls.decl, cls.decl.name)
    positional = [v for arg, v in zip(args, given, strict=True) if arg.keyword is None]
    heap.write(ctx, node, ref, ARGS, Items(tuple(positional)))
    if (own := cls.decl.methods.get("__init__")) is not None:
        named = {arg.keyword.value: v for arg, v in zip(args, given, strict=True) if arg.keyword}
        call = cst.Call(cst.Name("_"))
        ctx.lower.call(ctx, call, Bound(Static(own.function), (ref,)), positional, named)
    return ref
