"""Values that can share one variable: loop-carried values, results of branches, same names.

Classes of values grow by merging along the copies that the tree implies (initial value to carried
value, yielded value to carried value, yield of an arm to result), as long as no two members are
alive at the same time, their types are equal, and the user did not name them differently.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from mooncake_transpiler import ir
from mooncake_transpiler.emit.folding import Folding
from mooncake_transpiler.emit.uses import DISCARD
from mooncake_transpiler.emit.variable.liveness import Interval
from mooncake_transpiler.emit.variable.packs import Pack

_TRIES = 16  # variables of one name that another value may share


@dataclass(slots=True, eq=False)
class Variable:
    """A class of values: one Python variable."""

    hint: str
    spans: list[Interval]  # sorted and disjoint
    members: list[ir.Value] = field(default_factory=list)
    param: bool = False
    packed: bool = False  # a whole tuple
    index: bool = False  # of a loop


def coalesce(
    func: ir.Func, folding: Folding, ranges: dict[ir.Value, list[Interval]], packs: Sequence[Pack]
) -> dict[ir.Value, Variable]:
    """The variable of each value in ``ranges``; one for each of ``packs``."""
    table = {value: Variable(_hint(value), list(spans), [value]) for value, spans in ranges.items()}
    for param in func.params:
        for leaf in param.leaves:
            table[leaf].param = True
            if leaf.type == param.type:
                table[leaf].hint = param.name
    for stmt in ir.walk(func.body):
        if isinstance(stmt, ir.For) and stmt.index in table:
            _name_index(table[stmt.index], folding.uses[stmt.index] > 0)
    for pack in packs:
        spans = sorted(span for leaf in pack.leaves for span in ranges[leaf])
        variable = Variable(pack.hint, spans, list(pack.leaves), pack.is_param, True)
        table |= dict.fromkeys(pack.leaves, variable)
    for a, b in _same_place(func.body):
        _unite(table, table[a], table[b])
    for a, b in (*_copies(func.body, folding), *_starts(func.body)):
        if a in table and b in table:
            _merge(table, a, b)
    _merge_names(table)
    return table


def _hint(value: ir.Value) -> str:
    """The user's name for a class of values; ``_`` is none for values that are read."""
    return value.hint if value.hint.strip("_") else ""


def _name_index(index: Variable, is_used: bool) -> None:
    """Name an index that nothing reads ``_``; nothing else but parameters has this name."""
    index.index = True
    if not is_used:
        index.hint = DISCARD


def _same_place(block: ir.Block) -> Iterator[tuple[ir.Value, ir.Value]]:
    """The pairs of a carried value and its last value, which never need two variables."""
    for stmt in ir.walk(block):
        if isinstance(stmt, ir.For | ir.While):
            yield from zip(stmt.params, stmt.outs, strict=True)


def _copies(block: ir.Block, folding: Folding) -> Iterator[tuple[ir.Value, ir.Value]]:
    """The copies at the ends of blocks, outermost first, so that their names win."""
    for stmt in folding.roots(block):
        match stmt:
            case ir.If(outs=outs, then=then, orelse=orelse):
                pairs = [*zip(then.yields, outs, strict=True)]
                pairs += zip(orelse.yields, outs, strict=True)
            case ir.For(params=params, body=body) | ir.While(params=params, body=body):
                pairs = [*zip(body.yields, params, strict=True)]
            case _:
                continue
        yield from ((a, b) for a, b in pairs if isinstance(a, ir.Value))
        for inner in ir.blocks(stmt):
            yield from _copies(inner, folding)


def _starts(block: ir.Block) -> Iterator[tuple[ir.Value, ir.Value]]:
    """The copies of initial values into loops."""
    for stmt in ir.walk(block):
        if isinstance(stmt, ir.For | ir.While):
            pairs = zip(stmt.inits, stmt.params, strict=True)
            yield from ((a, b) for a, b in pairs if isinstance(a, ir.Value))


def _merge(table: dict[ir.Value, Variable], a: ir.Value, b: ir.Value) -> None:
    large, small = table[a], table[b]
    if large is small or a.type != b.type:
        return
    if len(large.spans) < len(small.spans):
        large, small = small, large
    hints = {large.hint, small.hint} - {""}
    if len(hints) > 1 or ((large.param or small.param) and large.hint != small.hint):
        return
    if any(_overlaps(large.spans, span) for span in small.spans):
        return
    _unite(table, large, small)


def _unite(table: dict[ir.Value, Variable], large: Variable, small: Variable) -> None:
    for span in small.spans:
        insort(large.spans, span)
    large.members += small.members
    large.hint = large.hint or small.hint
    large.param |= small.param
    for member in small.members:
        table[member] = large


def _overlaps(spans: list[Interval], span: Interval) -> bool:
    at = bisect_left(spans, span)
    after = at < len(spans) and spans[at][0] <= span[1]
    return after or (at > 0 and spans[at - 1][1] >= span[0])


def _merge_names(table: dict[ir.Value, Variable]) -> None:
    """Let values that the user gave one name share it where they can."""
    named: dict[str, list[ir.Value]] = {}
    for value in sorted(table, key=lambda v: table[v].spans[0]):
        hint = table[value].hint
        if not hint or table[value].packed:
            continue
        others = named.setdefault(hint, [])
        for other in islice(reversed(others), _TRIES):
            _merge(table, value, other)
            if table[value] is table[other]:
                break
        else:
            others.append(value)
