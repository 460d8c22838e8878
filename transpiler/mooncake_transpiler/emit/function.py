"""A function as text: decorator, signature, docstring, body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from mooncake_transpiler import ir
from mooncake_transpiler.emit.control import Control, End, Return
from mooncake_transpiler.emit.expr import Expressions
from mooncake_transpiler.emit.folding import fold
from mooncake_transpiler.emit.layout import INDENT, LINE_LENGTH, wrapped
from mooncake_transpiler.emit.masked_choices import mask_choices
from mooncake_transpiler.emit.merged_checks import merge_checks
from mooncake_transpiler.emit.module_scope import ModuleScope, Packs
from mooncake_transpiler.emit.packed_lines import packed
from mooncake_transpiler.emit.residuals import names_of_saved
from mooncake_transpiler.emit.signature import decorator, definition
from mooncake_transpiler.emit.uses import Uses
from mooncake_transpiler.emit.variable.coalesce import coalesce
from mooncake_transpiler.emit.variable.liveness import live_ranges
from mooncake_transpiler.emit.variable.packs import find_packs
from mooncake_transpiler.emit.variable.variable_names import assign_names
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.types import Tuple

Jit = Literal["entry", "inner", "python"]
NOTHING: Mapping[str, Sequence[str]] = {}
MAX_ATTEMPTS = 40


@dataclass(frozen=True, slots=True)
class Emitted:
    """The lines of a function and the module-level names that it needs.

    Lines of the body know which statements of ``func`` they write (`traced_lines.Line`).
    """

    lines: tuple[str, ...]
    needs: frozenset[str]
    func: ir.Func

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def emit_function(
    func: ir.Func,
    scope: ModuleScope,
    python_name: str | None = None,
    jit: Jit = "inner",
    *,
    cached: bool = True,
    labels: Sequence[str] = (),
    told: Mapping[str, Sequence[str]] = NOTHING,
) -> Emitted:
    """The text of ``func``, with its decorator, without blank lines around it."""
    func = mask_choices(merge_checks(func))
    name = python_name or short(func.name)
    uses = Uses(scope.imported)
    pins: frozenset[ir.Value] = frozenset()
    for _ in range(MAX_ATTEMPTS):
        body, needs, found = _body(func, scope, pins)
        if not found:
            break
        pins |= found
    head = (
        decorator(jit, uses.use, cached=cached, labels=labels, told=told)
        + definition(func, name, uses.use)
        + docstring(func.doc, 1)
    )
    return Emitted(tuple(packed(head + body)), frozenset(needs | uses.needs), func)


def _body(
    func: ir.Func, scope: ModuleScope, pins: frozenset[ir.Value]
) -> tuple[list[str], set[str], set[ir.Value]]:
    """The lines after the docstring, and which folded values make some line too long."""
    folding = fold(func, pins)
    packs = find_packs(func, folding, scope)
    table = coalesce(func, folding, live_ranges(func, folding), packs)
    for value, name in names_of_saved(func, scope.records).items():
        if value in table and not table[value].hint:
            table[value].hint = name
    names = assign_names(func, table, scope.names, scope.discard)
    whole: Packs = {(p.type, p.leaves): names[p.leaves[0]] for p in packs}
    control = Control(Expressions(folding, names, scope, whole), depth=1)
    for param in func.params:
        control.assigned.update(names[leaf] for leaf in param.leaves)
        control.bound.update(names[leaf] for leaf in param.leaves)
        used = any(folding.uses[leaf] for leaf in param.leaves)
        if isinstance(param.type, Tuple) and used and (param.type, param.leaves) not in whole:
            target = scope.unpack(param.type, iter(param.leaves), control.unused, whole)
            control.target(target, param.name)
    control.block(func.body, End(jump=Return(func.result, func.body.yields)))
    if not control.lines and not func.doc:
        control.line("pass")
    return control.lines, control.expr.needs, control.pins


def docstring(doc: str, depth: int) -> list[str]:
    """The lines of a docstring at ``depth``; none for an empty one."""
    if not doc:
        return []
    pad = INDENT * depth
    text = doc.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first, _, more = text.strip().partition("\n")
    head = f'{pad}"""{first}'
    if not more and len(head) + 3 <= LINE_LENGTH:
        return [f'{head}{" " if first.endswith(chr(34)) else ""}"""']
    if not more and len(head) <= LINE_LENGTH:  # formatters join quotes that stand alone
        head = f"\n{pad}".join(head.rsplit(" ", 1))
        return [*head.split("\n"), f'{pad}"""']
    paragraphs = [head, *(f"{pad}{line}" for line in dedent(more).split("\n") if more)]
    return [*(line for text in paragraphs for line in wrapped(text)), f'{pad}"""']
