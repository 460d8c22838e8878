"""``print``, ``warnings.warn`` and ``logging``: what programs tell while they run.

    print(f"{k}: {s:.3f}")              print("{}: {:.3f}\\n", k, s) by ("printed", "stdout")
    warnings.warn(f"only {k} steps")    print("only {} steps", k) by ("warned", "UserWarning")
    logger.info("%d steps", k)          print("{} steps", k) by ("logged", "package", "INFO")

Compiled code can't make texts of numbers: functions of the runtime do, in Python.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import libcst as cst
from mooncake_runtime.formatted import braced

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External, Logger
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.builtin import filled_texts, messages
from mooncake_transpiler.frontend.lower.instance import raised
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Filled,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.text.trees import by_name, by_position
from mooncake_transpiler.types import DType

Handler = Callable[[Context, cst.Call], Operand]

_LEVELS = {
    "debug": "DEBUG", "info": "INFO", "warning": "WARNING", "error": "ERROR",
    "critical": "CRITICAL",
}  # fmt: skip
LOGGER_METHODS = frozenset(_LEVELS)
_METHODS = {f"logging.Logger.{name}": level for name, level in _LEVELS.items()}
_ROOT = Logger("")


def find(callee: Operand) -> Handler | None:
    """The function that lowers calls of ``callee``, if that tells something."""
    match callee:
        case Static(value=External(qualname=name)):
            return _HANDLERS.get(name)
        case Bound(
            func=Static(value=External(qualname=name)), args=(Static(value=Logger() as to),)
        ):
            return partial(_log, to, _METHODS[name])
        case _:
            return None


def _get_logger(ctx: Context, node: cst.Call) -> Operand:
    """``logging.getLogger(name)``."""
    given = _bound(ctx, node, "logging.getLogger", ("name",))
    match ctx.lower.expression(ctx, given["name"]) if given else Static(None):
        case Static(value=None):
            return Static(_ROOT)
        case Static(value=str(text)):
            return Static(Logger(text))
        case _:
            raise ctx.refuse(node, "MK112", "the name of a logger must be known ahead of time")


# ---- print ---------------------------------------------------------------------------------------


def _print(ctx: Context, node: cst.Call) -> Operand:
    """``print(...)`` of numbers, arrays and text."""
    if any(arg.star for arg in node.args):
        raise ctx.refuse(node, "MK303", "print takes no starred arguments here")
    given, named = by_position(node.args), by_name(node.args)
    parts = [part for one in given for part in _parts(ctx, one, is_spaced="sep" not in named)]
    if not named and not any(isinstance(part, Filled) for part in parts):
        shown = tuple(part for part in parts if not isinstance(part, Filled))
        ctx.builder.add(ir.Print(shown, ctx.builder.origin))
        return NOTHING
    stream = _stream(ctx, node, named)
    sep, end = (_known(ctx, named.get(key), usual) for key, usual in (("sep", " "), ("end", "\n")))
    pieces = [_piece(part) for part in parts]
    text = braced(sep).join(piece.text for piece in pieces) + braced(end)
    numbers = tuple(number for piece in pieces for number in piece.numbers)
    return _tell(ctx, Filled(text, numbers), "printed", stream)


def _stream(ctx: Context, node: cst.Call, named: Mapping[str, cst.BaseExpression]) -> str:
    """The stream that ``print`` writes to; it may flush that whenever it likes."""
    unknown = named.keys() - {"sep", "end", "file", "flush"}
    if unknown:
        raise ctx.refuse(node, "MK303", f"print has no argument {min(unknown)!r}")
    match ctx.lower.expression(ctx, named["file"]) if "file" in named else Static(None):
        case Static(value=None | External(qualname="sys.stdout")):
            return "stdout"
        case Static(value=External(qualname="sys.stderr")):
            return "stderr"
        case _:
            raise ctx.refuse(node, "MK303", "print writes to sys.stdout or sys.stderr only")


def _known(ctx: Context, node: cst.BaseExpression | None, usual: str) -> str:
    """The text of ``sep`` or ``end``."""
    match Static(None) if node is None else ctx.lower.expression(ctx, node):
        case Static(value=None):
            return usual
        case Static(value=str(text)):
            return text
        case _:
            assert node is not None
            raise ctx.refuse(node, "MK112", "this text must be known ahead of time")


Part = ir.Atom | str | Filled


def _parts(ctx: Context, node: cst.BaseExpression, *, is_spaced: bool) -> list[Part]:
    """``node`` as arguments of ``print``, which puts a space between each two."""
    if is_spaced and isinstance(node, cst.FormattedString) and _is_apart(node):
        return _apart(ctx, node)
    bound = messages.bound(ctx, node) if isinstance(node, cst.Name) else None
    if bound is not None or filled_texts.is_made(node):
        return [bound or _filled(ctx, node)]
    return [_printable(ctx, node)]


def _is_apart(node: cst.FormattedString) -> bool:
    """True if there are spaces around all braces, and nothing but names and numbers in them."""
    last = len(node.parts) - 1
    for k, part in enumerate(node.parts):
        match part:
            case cst.FormattedStringText(value=words):
                if not ((k == 0 or words[0] == " ") and (k == last or words[-1] == " ")):
                    return False
            case cst.FormattedStringExpression(format_spec=None, conversion=None, equal=None):
                if k and not isinstance(node.parts[k - 1], cst.FormattedStringText):
                    return False
            case _:
                return False
    return bool(node.parts)


def _apart(ctx: Context, node: cst.FormattedString) -> list[Part]:
    """The parts of an f-string with spaces between them."""
    found: list[Part] = []
    for k, part in enumerate(node.parts):
        if isinstance(part, cst.FormattedStringExpression):
            found.append(_printable(ctx, part.expression))
        elif (words := messages.part_text(node, part)) != " ":
            found.append(words[k > 0 : len(words) - (k < len(node.parts) - 1)])
    return found


def _printable(ctx: Context, node: cst.BaseExpression) -> Part:
    found = delayed.settle(ctx, ctx.lower.expression(ctx, node))
    if (words := raised.told(ctx, node, found)) is not None:
        return words
    tuple_ = filled_texts.of_tuple(ctx, node, found) if isinstance(found, Items) else None
    match found:
        case Static(value=str(value) | DType(value=value)):
            return value
        case Static(value=None):
            return "None"
        case ir.Value() if kinds.may_be_int(ctx, found):
            raise filled_texts.not_shown(ctx, node)
        case ir.Value() | ir.Const() | ir.Undef():
            return found
        case _ if tuple_ is not None:
            return tuple_
        case _:
            raise ctx.refuse(node, "MK213", f"{describe(found)} can't be printed")


def _piece(part: Part) -> Filled:
    """An argument of ``print`` as text with braces."""
    match part:
        case Filled():
            return part
        case str():
            return Filled(braced(part), ())
        case _:
            return Filled("{}", (part,))


# ---- warnings and logs ---------------------------------------------------------------------------


def _warn(ctx: Context, node: cst.Call) -> Operand:
    """``warnings.warn(message, category, stacklevel)``; it is said of who calls compiled code."""
    given = _bound(ctx, node, "warnings.warn", ("message", "category", "stacklevel"))
    if "message" not in given:
        raise ctx.refuse(node, "MK303", "warnings.warn needs a message")
    category = "UserWarning"
    if "category" in given:
        match ctx.lower.expression(ctx, given["category"]):
            case Static(value=None):
                pass
            case Static(value=External(qualname=name)) if _is_warning(name):
                category = name.removeprefix("builtins.")
            case other:
                message = f"{describe(other)} is not one of Python's own categories of warnings"
                raise ctx.refuse(node, "MK303", message)
    return _tell(ctx, _filled(ctx, given["message"]), "warned", category)


def _is_warning(name: str) -> bool:
    found = getattr(builtins, name.removeprefix("builtins."), None)
    return isinstance(found, type) and issubclass(found, Warning)


def _filter(ctx: Context, node: cst.Call) -> Operand:
    """``warnings.simplefilter("ignore")``: the filters are left as they are."""
    action = node.args[0].value if node.args else cst.Name("None")
    match ctx.lower.expression(ctx, action):
        case Static(value=str() as name) if name != "error":
            return NOTHING
        case _:
            message = "a filter that makes exceptions of warnings, or may do so"
            raise ctx.refuse(node, "MK303", message, "test what would be warned of, and raise")


def _log(logger: Logger, level: str, ctx: Context, node: cst.Call) -> Operand:
    """``logger.info(message, *args)``, and the other levels."""
    for arg in node.args:
        if arg.star or arg.keyword is not None:
            raise ctx.refuse(arg, "MK303", "logging takes a message and its arguments only")
    if not node.args:
        raise ctx.refuse(node, "MK303", "logging needs a message")
    text, *args = [arg.value for arg in node.args]
    if args:
        filling = cst.Tuple([cst.Element(arg) for arg in args])
        text = cst.BinaryOperation(text, cst.Modulo(), filling)
    return _tell(ctx, _filled(ctx, text), "logged", logger.name, level)


def _bound(
    ctx: Context, node: cst.Call, name: str, params: Sequence[str]
) -> dict[str, cst.BaseExpression]:
    """The arguments of a function, by the names of its parameters."""
    given: dict[str, cst.BaseExpression] = {}
    free = list(params)
    for arg in node.args:
        key = arg.keyword.value if arg.keyword is not None else free[0] if free else ""
        if arg.star or key not in free:
            raise ctx.refuse(arg, "MK303", f"{name} takes {', '.join(params)} only")
        free.remove(key)
        given[key] = arg.value
    return given


def _filled(ctx: Context, node: cst.BaseExpression) -> Filled:
    found = filled_texts.filled(ctx, node, is_told=True)
    if found is None:
        help_ = "numbers, and text that is known ahead of time, can be filled in"
        raise ctx.refuse(node, "MK110", "this text can't be made when the program runs", help_)
    return found


def _tell(ctx: Context, said: Filled, *through: str) -> Operand:
    ctx.builder.add(ir.Print((said.text, *said.numbers), ctx.builder.origin, through))
    return NOTHING


_HANDLERS: Mapping[str, Handler] = {
    "builtins.print": _print,
    "warnings.warn": _warn, "warnings.simplefilter": _filter, "warnings.filterwarnings": _filter,
    "logging.getLogger": _get_logger,
    **{f"logging.{name}": partial(_log, _ROOT, level) for name, level in _LEVELS.items()},
}  # fmt: skip
