"""Methods of texts that the run tells: Python is asked for what they give (``RunText``).

name.startswith("tax")          rt.text_startswith(name, 1188...)
line.split(":")                 [rt.text_part(line, 59, k) for k in range(rt.text_parts(line, 59))]
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.container import algorithms
from mooncake_transpiler.frontend.lower.failure import failing, numbers
from mooncake_transpiler.frontend.lower.scalar import kinds, run_texts, scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.leaves import atom_of, describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Cut, Items, Native, Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL, INT

_TELLING = frozenset({"count", "endswith", "find", "isdigit", "startswith"})  # of the text
_MAKING = frozenset({"lower", "removeprefix", "removesuffix", "replace", "strip", "upper"})
KNOWN = _TELLING | _MAKING | {"split"}
_BOOLS = frozenset({"endswith", "isdigit", "startswith"})
_ARGUMENTS = {"isdigit": 0, "lower": 0, "upper": 0, "replace": 2}  # one of the others


def call(ctx: Context, node: cst.CSTNode, name: str, args: Sequence[Operand]) -> Operand:
    """``text.name(*others)``, where the run tells one of ``args``, the text or another."""
    text, *others = args
    if name in _BOOLS and len(others) == 1 and isinstance(others[0], Items):
        each = [call(ctx, node, name, (text, one)) for one in others[0].items]
        found = failing.any_of(ctx, *(one for one in each if scalars.is_scalar(one)))
        return kinds.as_kind(ctx, found, Kind.PYTHON)
    if name in ("split", "strip") and not others:
        others = [run_texts.constant("")]  # which stands for all spaces
    texts = [run_texts.as_one(one) for one in (text, *others)]
    known = [one for one in texts if one is not None]
    if len(known) < len(texts) or len(others) != _ARGUMENTS.get(name, 1):
        message = f"str.{name} of {', '.join(map(describe, args))} is not supported"
        raise ctx.refuse(node, "MK303", message, "compare the text with those that there are")
    if name == "split":
        return _split(ctx, node, known)
    given = [one.number for one in known]
    if name in _MAKING:
        return run_texts.made(ctx, node, name, given)
    return run_texts.asked(ctx, node, name, given, BOOL if name in _BOOLS else INT)


def item(ctx: Context, node: cst.CSTNode, text: RunText, key: Operand) -> Operand:
    """``text[key]``: a letter, or a slice."""
    if not isinstance(key, Cut):
        failing.refuse_any(ctx, node, "an index of a text that the run tells", "IndexError")
        k = numbers.as_place(ctx, node, key)
        return run_texts.made(ctx, node, "letter", [text.number, k])
    if key.step not in (NOTHING, ir.ONE):
        message = "texts that the run tells have no slices with steps"
        raise ctx.refuse(node, "MK214", message, "take the letters one by one")
    bounds = zip((key.lo, key.hi), (ir.ZERO, ir.int_const(2**62)), strict=True)
    ends = [other if end == NOTHING else numbers.as_place(ctx, node, end) for end, other in bounds]
    return run_texts.made(ctx, node, "slice", [text.number, *ends])


def _split(ctx: Context, node: cst.CSTNode, texts: Sequence[RunText]) -> Operand:
    """A list of the parts of a text."""
    each = [one.number for one in texts]
    count = run_texts.asked(ctx, node, "parts", each, INT)

    def part(args: tuple[Operand, ...]) -> Operand:
        k = atom_of(*args)
        return run_texts.made(ctx, node, "part", (*each, k))

    return algorithms.run(ctx, "numbered", count, Native(part))
