"""Text with numbers that are known when the program runs: what exceptions tell.

    f"{n} rows, not {len(x)}"         Filled("{} rows, not {}", (n, dim x, 0))
    "%.3f is too large" % x           Filled("{:.3f} is too large", (x,))

What can't be put in there, such as an array, leaves the text as it is written.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import TypeGuard

import libcst as cst
from mooncake_runtime.formatted import braced

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.builtin import messages
from mooncake_transpiler.frontend.lower.container import views
from mooncake_transpiler.frontend.lower.instance import raised
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import enums, kinds, made_texts, scalars, texts
from mooncake_transpiler.frontend.lower.state.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.operands import (
    Conflict,
    Filled,
    Items,
    Operand,
    Passed,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import walk
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.frontend.text.trees import by_name, by_position
from mooncake_transpiler.types import BOOL, DType

ONLY = "it is text with numbers of the run, another one on each path"
_PERCENT = re.compile(r"%(?P<flags>[-+ 0]*)(?P<width>\d*)(?P<digits>\.\d+)?(?P<kind>[disfegr%])")
_NUMBERS = ("len", "abs", "min", "max", "sum", "round", "int", "float", "complex", "str")
_CALLED = frozenset({*_NUMBERS, "list", "sorted", "tuple"})
_SAMPLES = (0, 1, -2, 13, 1_000_000, 123_456_789, 10**15, 10**17)
_ROUNDED = (DType.FLOAT32, DType.COMPLEX64)  # compiled code hands them over in double precision


def filled(
    ctx: Context, node: cst.BaseExpression, *, is_told: bool = False, is_read: bool = True
) -> Filled | None:
    """``node`` as text, if it is text whose numbers can be told when the program runs.

    What is told at once, by ``print`` and the like, may call any function and show arrays. In text
    that is held, and not read, floats may be integers for all that is known.
    """
    before = ctx.mark()
    try:
        found = _Filling(ctx, is_told, is_read).text(node)
    except Refused:
        if is_told:
            raise
        found = None
    if found is None:
        ctx.reset(before)
    return found


def argument(ctx: Context, node: cst.BaseExpression) -> Filled | ir.Atom | None:
    """An argument of an exception, if it is such text, or a number that Python has, too.

    Without compiled code floats are those of NumPy, which are equal but show themselves as such.
    """
    if (found := filled(ctx, node)) is not None:
        return found
    before = ctx.mark()
    number = None if _is_text(node) else ctx.lower.expression(ctx, node)
    if number is not None and scalars.is_scalar(number) and _is_pythons(scalars.dtype(number)):
        return number
    ctx.reset(before)
    return None


def _is_pythons(dtype: DType) -> bool:
    return dtype.is_int or dtype in (DType.FLOAT64, DType.BOOL)


def _is_text(node: cst.BaseExpression) -> bool:
    """True for f-strings, and what is made of text."""
    return any(isinstance(one, cst.FormattedString | cst.SimpleString) for one in walk(node))


@dataclass(frozen=True, slots=True)
class _Filling:
    ctx: Context
    is_told: bool
    is_read: bool

    def text(self, node: cst.BaseExpression) -> Filled | None:
        match node:
            case cst.SimpleString() if isinstance(node.evaluated_value, str):
                return _literal(node.evaluated_value)
            case (
                cst.ConcatenatedString(left=left, right=right)
                | cst.BinaryOperation(left=left, operator=cst.Add(), right=right)
            ):
                return _joined([self.text(left), self.text(right)])
            case cst.FormattedString(parts=parts):
                return _joined([self._part(node, part) for part in parts])
            case cst.BinaryOperation(left=left, operator=cst.Modulo(), right=right):
                return self._percent(self._known(left), right)
            case cst.Call(func=cst.Attribute(value=left, attr=cst.Name("format")), args=args):
                return self._braces(self._known(left), args)
            case cst.Call(func=cst.Name("str" | "repr" as f), args=[cst.Arg(inner, None, star="")]):
                return self._converted(f[0], inner, "")
            case cst.Name():
                known = messages.bound(self.ctx, node)
                if known is None:
                    text = self._known(node)
                    return self._passed(node) if text is None else _literal(text)
                return known
            case cst.Attribute() | cst.Subscript() if not self.is_told and self._is_plain(node):
                return self._passed(node)
            case _:
                return None

    def _passed(self, node: cst.BaseExpression) -> Filled | None:
        """The text that ``node`` is, if that is the caller's."""
        found = self.ctx.lower.expression(self.ctx, node)
        if self.is_told or not isinstance(found, RunText | Passed):
            return None
        return made_texts.told(self.ctx, found, self.is_read)

    def _is_plain(self, node: cst.BaseExpression) -> bool:
        """True if all functions that ``node`` calls only compute numbers."""
        calls = (inner for inner in walk(node) if isinstance(inner, cst.Call))
        return all(_is_plain_call(self.ctx, call) for call in calls)

    def _known(self, node: cst.BaseExpression) -> str | None:
        """The text that ``node`` is, if that is known ahead of time."""
        if not isinstance(node, cst.SimpleString | cst.ConcatenatedString | cst.Name):
            return None
        found = self.ctx.lower.expression(self.ctx, node)
        return found.value if isinstance(found, Static) and isinstance(found.value, str) else None

    def _part(
        self, node: cst.FormattedString, part: cst.BaseFormattedStringContent
    ) -> Filled | None:
        match part:
            case cst.FormattedStringText():
                return _literal(texts.unescaped(node, part))
            case cst.FormattedStringExpression(
                expression=inner, conversion=None | "s" | "r", equal=equal, format_spec=spec
            ):
                wanted = [texts.unescaped(node, one) for one in spec or ()
                          if isinstance(one, cst.FormattedStringText)]  # fmt: skip
                if len(wanted) < len(spec or ()):
                    return None
                if equal is None:
                    return self._converted(part.conversion, inner, "".join(wanted))
                code = cst.Module([]).code_for_node
                words = "".join(map(code, (part.whitespace_before_expression, inner, equal)))
                conversion = part.conversion or (None if wanted else "r")
                hole = self._converted(conversion, inner, "".join(wanted))
                return _joined([_literal(words), hole])
            case _:
                return None

    def _percent(self, text: str | None, right: cst.BaseExpression) -> Filled | None:
        """``text % right``."""
        if text is None:
            return None
        given = [one.value for one in right.elements] if isinstance(right, cst.Tuple) else [right]
        pieces: list[Filled | None] = []
        at = 0
        for found in _PERCENT.finditer(text):
            pieces.append(_literal(text[at : found.start()]))
            at = found.end()
            if found["kind"] == "%":
                pieces.append(_literal("%"))
            elif given and found["kind"] == "r":
                pieces.append(self._converted("r", given.pop(0), found[0][1:-1]))
            elif given:
                pieces.append(self._hole(given.pop(0), _spec(found), found))
            else:
                return None
        if given or "%" in text[at:]:
            return None
        return _joined([*pieces, _literal(text[at:])])

    def _braces(self, text: str | None, args: Sequence[cst.Arg]) -> Filled | None:
        """``text.format(*args)``."""
        if text is None or any(arg.star for arg in args):
            return None
        given, named = by_position(args), by_name(args)
        named |= {str(k): value for k, value in enumerate(given)}
        parsed = list(string.Formatter().parse(text))
        used = _fields(parsed)
        # They are all evaluated, in the order of the arguments.
        inner = self if used == list(named) else replace(self, is_told=False)
        pieces: list[Filled | None] = []
        for words, field, spec, conversion in parsed:
            pieces.append(_literal(words))
            if field is None:
                continue
            name = used.pop(0)
            if conversion == "a" or name not in named:
                return None
            pieces.append(inner._converted(conversion, named[name], spec or ""))
        return _joined(pieces)

    def _converted(
        self, conversion: str | None, node: cst.BaseExpression, spec: str
    ) -> Filled | None:
        """``node!r`` or ``node!s`` in place of braces with ``spec``."""
        if conversion != "r":
            return self._hole(node, spec)
        if spec or not (self.is_told or self._is_plain(node)):
            return None
        found = self.ctx.lower.expression(self.ctx, node)
        text = None if self.is_told else made_texts.quoted(self.ctx, found, self.is_read)
        if text is not None:
            return text
        is_pythons = scalars.is_scalar(found) and kinds.kind(self.ctx, found) is not Kind.NUMPY
        return self._hole(node, "") if is_pythons else None

    def _hole(
        self, node: cst.BaseExpression, spec: str, percent: re.Match[str] | None = None
    ) -> Filled | None:
        """``node`` in place of braces with ``spec``, or of ``percent``."""
        if messages.is_join(node):
            joined = messages.known_join(self.ctx, node)
            return None if joined is None else _literal(format(joined, spec))
        if not self.is_told and not self._is_plain(node):
            return None
        found = self.ctx.lower.expression(self.ctx, node)
        if self.is_told and (words := raised.told(self.ctx, node, found)) is not None:
            return _literal(format(words, spec))
        if not spec and (key := raised.missing_key(self.ctx, node, found)) is not None:
            return made_texts.quoted(self.ctx, key, self.is_read) or _item(self.ctx, node, key)
        known = texts.shown(self.ctx, node, found)
        if known is not enums.UNKNOWN:
            try:
                return _literal(format(known, spec) if percent is None else percent[0] % (known,))
            except (TypeError, ValueError) as error:
                raise self.ctx.refuse(node, "MK112", str(error)) from None
        if isinstance(found, RunText | Passed):
            return None if spec or self.is_told else made_texts.told(self.ctx, found, self.is_read)
        if isinstance(found, Items) or containers.is_list(found):
            return None if spec else of_tuple(self.ctx, node, found)
        if self.is_told and not spec and _is_array(found):
            return Filled("{}", (found,))
        if not scalars.is_scalar(found) or not _fits(found, spec, percent):
            return None
        if self.is_read and kinds.may_be_int(self.ctx, found) and not shows_the_same(spec):
            raise not_shown(self.ctx, node)
        return Filled(f"{{:{spec}}}" if spec else "{}", (found,))


def _is_made_of_numbers(found: Filled) -> bool:
    """True if a text of the caller's is its beginning, or nowhere in it."""
    rest = found.text.removeprefix(made_texts.PREFIX)
    is_of_text = made_texts.PREFIX in rest or made_texts.QUOTED in rest
    return not is_of_text and not any(isinstance(one, str) for one in found.numbers)


def shows_the_same(spec: str) -> bool:
    """True if the format ``spec`` shows an int as it shows the float of the same value."""
    try:
        return all(format(number, spec) == format(float(number), spec) for number in _SAMPLES)
    except ValueError:
        return False


def not_shown(ctx: Context, node: cst.BaseExpression) -> Refused:
    """The refusal to show a number that is an int on one path and a float on another."""
    message = "this number is an int on one path and a float on another, which its text tells"
    return ctx.refuse(node, "MK343", message, "make it a float everywhere: 0.0 instead of 0")


def value(ctx: Context, node: cst.BaseExpression, refused: Refused) -> Operand:
    """The text that ``node`` makes of numbers of the run, which was ``refused`` as a known one."""
    if ctx.unrollable:
        raise MustUnroll(refused.diagnostic)
    found = filled(ctx, node, is_read=False)
    if found is None or not found.numbers or not _is_made_of_numbers(found):
        raise refused
    return made_texts.made(ctx, found)


def as_value(
    ctx: Context, targets: Sequence[cst.BaseExpression], value: cst.BaseExpression
) -> Conflict | None:
    """Such text, for a name that only exceptions may read."""
    if len(targets) > 1 or not isinstance(targets[0], cst.Name) or not is_made(value):
        return None
    found = filled(ctx, value)
    return Conflict(ONLY, found) if found is not None and found.numbers else None


def is_made(node: cst.BaseExpression) -> bool:
    """True if ``node`` makes text: an f-string, or an operation on a literal."""
    match node:
        case cst.FormattedString() | cst.ConcatenatedString():
            return True
        case cst.BinaryOperation(left=left, right=right):
            return any(isinstance(one, cst.SimpleString) or is_made(one) for one in (left, right))
        case cst.Call(func=cst.Attribute(value=cst.SimpleString(), attr=cst.Name("format"))):
            return True
        case cst.Call(func=cst.Name("str" | "repr"), args=[cst.Arg(star="", keyword=None)]):
            return True
        case _:
            return False


def _literal(text: str) -> Filled:
    return Filled(braced(text), ())


def _joined(parts: Sequence[Filled | None]) -> Filled | None:
    there = [part for part in parts if part is not None]
    if len(there) < len(parts):
        return None
    numbers = tuple(chain.from_iterable(part.numbers for part in there))
    return Filled("".join(part.text for part in there), numbers)


Parsed = tuple[str, str | None, str | None, str | None]


def _fields(parsed: Sequence[Parsed]) -> list[str]:
    """The names of the arguments that are filled in; those without get numbers."""
    named = [field for _, field, _, _ in parsed if field is not None]
    numbers = map(str, count())
    return [field or next(numbers) for field in named]


def _spec(found: re.Match[str]) -> str:
    """The format for one ``%``, which puts numbers and text on the right of their width."""
    flags, kind = found["flags"], found["kind"]
    width = found["width"]
    zeros = "0" if "0" in flags and "-" not in flags and width and kind != "s" else ""
    side = "" if not width or zeros else "<" if "-" in flags else ">"
    sign = "+" if "+" in flags else " " if " " in flags else ""
    digits = found["digits"] or ""
    if kind == "s":
        return f"{side}{width}{digits}"
    return f"{side}{sign}{zeros}{width}{digits}{'d' if kind in 'di' else kind}"


def _fits(number: ir.Atom, spec: str, percent: re.Match[str] | None) -> bool:
    """True if what compiled code hands over for ``number`` has the same text."""
    dtype = scalars.dtype(number)
    if dtype in _ROUNDED or (spec and number.type == BOOL):
        return False
    kind = "" if percent is None else percent["kind"]
    return dtype.is_int if kind in ("d", "i") else not (kind == "s" and spec)


def of_tuple(ctx: Context, node: cst.CSTNode, found: Operand) -> Filled | None:
    """A tuple or list of integers, and of what is known ahead of time, as Python shows it."""
    found = views.view(ctx, node, found) if containers.is_list(found) else found
    if not isinstance(found, Items) or found.names is not None or found.once is not None:
        return None
    items = [_item(ctx, node, item) for item in found.items]
    inner = list(chain.from_iterable((_literal(", "), item) for item in items))[1:]
    begin, end = "[]" if found.is_list else ("(", ",)" if len(items) == 1 else ")")
    return _joined([_literal(begin), *inner, _literal(end)])


def _item(ctx: Context, node: cst.CSTNode, item: Operand) -> Filled | None:
    """An item of a tuple or list, as that shows it."""
    if scalars.is_scalar(item) and scalars.dtype(item).is_int:
        return Filled("{}", (item,))
    known = texts.shown(ctx, node, item)
    return of_tuple(ctx, node, item) if known is enums.UNKNOWN else _literal(repr(known))


def _is_plain_call(ctx: Context, call: cst.Call) -> bool:
    """True for calls of Python's own functions of numbers, and of NumPy's and those of ``math``."""
    match call.func:
        case cst.Name(value=name):
            return name in _CALLED
        case cst.Attribute(value=cst.Name() as base):
            match ctx.lower.expression(ctx, base):
                case Static(value=External(qualname=qualname)):
                    return qualname in ("numpy", "math")
                case operand:
                    return _is_array(operand) or isinstance(operand, RunText)
        case _:
            return False


def _is_array(operand: Operand) -> TypeGuard[ir.Value]:
    return isinstance(operand, ir.Value) and not scalars.is_scalar(operand)
