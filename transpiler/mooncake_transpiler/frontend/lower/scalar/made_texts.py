"""Texts that are made of numbers of the run.

Those of integers are known by their numbers, as texts of the caller's are: `f"bus {i:02d}"`. Of
those with a float in them no more is known than that they are texts: they can be held.
"""

from __future__ import annotations

import re
import string
from dataclasses import replace

import libcst as cst
from mooncake_runtime.formatted import braced
from mooncake_runtime.text_numbers import BASE, MASK, number_of

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.operands import Filled, Operand, Passed, Static
from mooncake_transpiler.types import INT, Scalar, Type, parts

PREFIX = "{:text}"
QUOTED = "{:repr text}"
_WIDTH = re.compile(r"(?:0(\d+))?d?")  # formats of integers that are filled with zeros, or nothing


def made(ctx: Context, found: Filled) -> RunText:
    """The text by its number: 0 if other numbers than integers, or other formats, are in it."""
    ctx.heap.makes_texts = True
    held = [number for number in found.numbers if not isinstance(number, str)]
    text, begin = found.text, None
    if text.startswith(PREFIX):  # a text of the run, whose number is that of a beginning
        text, begin = text.removeprefix(PREFIX), held.pop(0)
    pieces = [
        (words, None if field is None else _WIDTH.fullmatch(spec or ""))
        for words, field, spec, _ in string.Formatter().parse(text)
    ]
    wanted = len(found.numbers) - (begin is not None)  # of texts of the caller's others are paths
    are_plain = sum(width is not None for _, width in pieces) == wanted
    if not are_plain or not all(scalars.dtype(number).is_int for number in held):
        ctx.heap.hides_texts = True
        return RunText(ir.ZERO)
    numbers = iter(held)
    text_number: ir.Atom = ir.ZERO if begin is None else begin
    for words, width in pieces:
        text_number = _with_words(ctx, text_number, words)
        if width is not None:
            places = ir.int_const(int(width[1] or 0))
            args = (text_number, next(numbers), places)
            text_number = ctx.builder.compute("rt.text_with_integer", args, INT)
    return RunText(text_number)


def check(ctx: Context, node: cst.CSTNode, result: Type) -> None:
    """Refuse a ``result`` with texts where some may be made of numbers: these have no way back.

    So are comparisons of texts where floats are in some.
    """
    texts = (part for part in parts(result) if isinstance(part, Scalar) and part.is_text)
    if ctx.heap.makes_texts and any(True for _ in texts):
        message = "a text that is made of numbers may be in what is returned or assigned"
        raise ctx.refuse(node, "MK363", message, "return the numbers, and make the text of these")
    if ctx.heap.makes_texts and ctx.heap.orders_texts:
        message = "texts are put in order here, and one that is made of numbers may be among them"
        raise ctx.refuse(node, "MK347", message, "sort by the numbers: sorted(d, key=...)")
    if ctx.heap.hides_texts and ctx.heap.asks_texts:
        message = "texts are compared here, and one with a float in it may be among them"
        raise ctx.refuse(
            node, "MK112", message, "compare numbers, and make texts of integers alone"
        )


def _with_words(ctx: Context, before: ir.Atom, words: str) -> ir.Atom:
    """The number of the text with the number ``before``, and ``words`` behind it."""
    if isinstance(before, ir.Const):
        assert isinstance(before.value, int)
        return ir.int_const(number_of(words, before.value))
    if not words:
        return before
    power = pow(BASE, len(words.encode("utf-8", "surrogatepass")), MASK + 1)
    behind = (before, ir.int_const(number_of(words)), ir.int_const(power))
    return ctx.builder.compute("rt.text_with", behind, INT)


def told(ctx: Context, text: RunText | Passed, is_read: bool = True) -> Filled | None:
    """A text of the caller's, by its number, or by its place among the arguments.

    Messages can't tell texts that are made of numbers.
    """
    if isinstance(text, RunText):
        is_told = not (is_read and ctx.heap.makes_texts)
        return Filled(PREFIX, (text.number,)) if is_told else None
    return None if text.methods else Filled("{:argument}", (text.path,))


def quoted(ctx: Context, found: Operand, is_read: bool = True) -> Filled | None:
    """``found!r`` for text and None."""
    match found:
        case Static(value=str() | None as known):
            return Filled(braced(repr(known)), ())
        case RunText() | Passed():
            text = told(ctx, found, is_read)
            return None if text is None else replace(text, text=text.text.replace(":", ":repr "))
        case _:
            return None
