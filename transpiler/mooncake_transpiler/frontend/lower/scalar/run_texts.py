"""Texts that are known when the program runs: keys of dicts that are parameters (``RunText``).

    for name, w in weights.items():        for k in range(n):
        if name == "cash":         becomes     if names[k] == 4611...:    the number of "cash"
            total += w                             total += w[k]

A text is its number (``mooncake_runtime.text_numbers``): it can be compared with others, kept, and
be the key of a dict. All else is asked of Python, which keeps each text that came in from there;
those that the program names are told to it by the module (``ir.TextNumber``).
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds, told_values
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static, Told
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL, INT, Scalar


def constant(text: str) -> RunText:
    """The ``text``, which is known ahead of time, by its number."""
    return RunText(ir.int_const(ir.TextNumber.of(text)))


def before(ctx: Context, one: RunText, other: RunText) -> ir.Atom:
    """A bool: ``one < other``. Texts that are made of numbers are not known to Python."""
    ctx.heap.orders_texts = True
    return ctx.builder.compute("rt.text_before", (one.number, other.number), BOOL)


def as_one(operand: Operand | None) -> RunText | None:
    """Text by its number, if it is one text and no choice of several; None for anything else."""
    match operand:
        case RunText():
            return operand
        case Static(value=str(text)):
            return constant(text)
        case _:
            return None


def are_texts(a: Operand | None, b: Operand | None) -> bool:
    """True if both are texts, one of which the run tells."""
    is_told = isinstance(a, RunText) or isinstance(b, RunText)
    return is_told and is_text(a) and is_text(b)


def is_text(operand: Operand | None) -> bool:
    """True for text that is known, one of several such, or told by the run."""
    if isinstance(operand, Told):
        return all(option.of is None for option in operand.options)
    return as_one(operand) is not None


def pair(a: Operand | None, b: Operand | None) -> tuple[RunText, RunText] | None:
    """Both by their numbers, if one is known at run time; None if one of them is no text."""
    if not (isinstance(a, RunText) or isinstance(b, RunText)):
        return None
    one, other = as_one(a), as_one(b)
    return None if one is None or other is None else (one, other)


def key(ctx: Context, operand: Operand) -> Operand:
    """A key of a dict: texts by their numbers, one of several texts by that of the one it is."""
    if isinstance(operand, Told):
        texts = [_noted(ctx, one) for one in told_values.known(ctx, operand)]
        numbers = [one.number for one in texts if one is not None]
        if len(numbers) < len(texts):
            return operand
        return RunText(told_values.selected(ctx, operand, numbers))
    return _noted(ctx, operand) or operand


def _noted(ctx: Context, operand: Operand) -> RunText | None:
    """``operand`` by its number; a text that the function names may be in its result."""
    if isinstance(operand, Static) and isinstance(operand.value, str):
        ctx.heap.words[operand.value] = None
    return as_one(operand)


def asked(
    ctx: Context, node: cst.CSTNode, name: str, numbers: Sequence[ir.Atom], type_: Scalar
) -> ir.Atom:
    """The answer of Python: a number, a bool or the number of a text."""
    if ctx.heap.makes_texts:
        message = f"Python is asked for {name} of a text here, and it knows none made of numbers"
        raise ctx.refuse(node, "MK347", message, "ask for this of texts that are passed")
    ctx.heap.orders_texts = True
    found = ctx.builder.compute(f"rt.text_{name}", tuple(numbers), type_)
    return kinds.as_kind(ctx, found, Kind.PYTHON)


def made(ctx: Context, node: cst.CSTNode, name: str, numbers: Sequence[ir.Atom]) -> RunText:
    """The text that Python answers."""
    return RunText(asked(ctx, node, name, numbers, INT))
