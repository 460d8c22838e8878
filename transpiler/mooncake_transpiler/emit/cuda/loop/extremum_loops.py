"""Loops that look for the largest or the smallest element of all.

for i in 0..n step 1 (v = x0, k = 0):      k = argmax(x)
  e = load x[i]                            v = load x[k]
  c = not e <= v and not isnan v
  a, b = if c: e, i else: v, k
  yield a, b

With ``c = e > v or isnan v`` it is that of the numbers among them: ``nanargmax``. It also is with
``c = e > v``, but where x0 is not a number, which stays then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.loop.nests import Nest, axis_of, chain
from mooncake_transpiler.types import is_differentiable

_WHICH = {"le": "argmax", "ge": "argmin", "gt": "nanargmax", "lt": "nanargmin"}


@dataclass(frozen=True, slots=True)
class Extremum:
    """A search: ``value``, its ``places`` along the axes of ``nest``, which makes ``element``.

    ``first`` is the first element where that is the value if it is not a number.
    """

    which: str
    nest: Nest
    element: ir.Value
    value: ir.Value
    places: tuple[ir.Value, ...]
    first: ir.Atom | None


def extremum(loop: ir.For, defs: Definitions) -> Extremum | None:
    """The extremum that ``loop`` looks for, if that is all that it does."""
    loops = list(chain(loop, defs))
    indices = tuple(inner.index for inner in loops)
    if not loops or len(loop.outs) != len(loops) + 1 or not _hands_on(loops):
        return None
    last = loops[-1]
    match last.body.stmts:
        case (*before, ir.If(cond=ir.Value() as cond, outs=outs, then=then, orelse=orelse)):
            pass
        case _:
            return None
    element = then.yields[0] if then.yields else None
    best = last.params[0]
    if not (isinstance(element, ir.Value) and last.body.yields == outs):
        return None
    if then.stmts or then.yields != (element, *indices):
        return None
    if orelse.stmts or orelse.yields != last.params:
        return None
    made = ir.binding(before)
    op = _comparison(made, cond, element, best)
    if op is None or not _is_first(loop.inits[0], element, set(indices), defs):
        return None
    if not all(isinstance(a, ir.Const) and a.value == 0 for a in loop.inits[1:]):
        return None
    axes = [axis_of(inner, defs) for inner in loops]
    outer = [s for each in loops[:-1] for s in each.body.stmts[:-1]]
    nest = Nest(tuple(axes), (*outer, *before), (), frozenset())
    match made[cond]:
        case ir.Compute(op="gt" | "lt"):
            first: ir.Atom | None = loop.inits[0]
        case _:
            first = None
    return Extremum(_WHICH[op], nest, element, loop.outs[0], loop.outs[1:], first)


def unread_starts(
    searches: Collection[ir.For], func: ir.Func, defs: Definitions
) -> frozenset[ir.Value]:
    """Elements, and what is computed of them, that only ``searches`` start with, unlike CuPy's."""
    readers: dict[ir.Atom, set[ir.Stmt]] = defaultdict(set)
    for stmt in ir.walk(func.body) if searches else ():
        used = ir.operands(stmt)
        if isinstance(stmt, ir.For) and stmt in searches:
            used = (stmt.lo, stmt.hi, stmt.step, *stmt.inits[1:])
        for atom in (*used, *(a for block in ir.blocks(stmt) for a in block.yields)):
            readers[atom].add(stmt)
    found: set[ir.Value] = set()
    left = [loop.inits[0] for loop in searches]
    while left:
        value = left.pop()
        made = defs.stmt.get(value)
        is_unread = not readers[value] and value not in func.body.yields
        if is_unread and isinstance(value, ir.Value) and isinstance(made, ir.Load | ir.Compute):
            found.add(value)
            for atom in ir.operands(made):
                readers[atom].discard(made)
                left.append(atom)
    return frozenset(found)


def _hands_on(loops: list[ir.For]) -> bool:
    """True if each loop gives what it carries to the next, and takes it back."""
    pairs = pairwise(loops)
    return all(
        inner.inits == outer.params and outer.body.yields == inner.outs for outer, inner in pairs
    )


def _comparison(
    made: dict[ir.Atom, ir.Stmt], cond: ir.Value, element: ir.Value, best: ir.Value
) -> str | None:
    """``le`` or ``ge``, if ``cond`` says neither of this and that ``best`` is not a number.

    ``gt`` or ``lt``, if it says one of both, or this alone.
    """

    def negated(atom: ir.Atom) -> ir.Stmt | None:
        match made.get(atom):
            case ir.Compute(op="not", args=(ir.Value() as inner,)):
                return made.get(inner)
            case _:
                return None

    match made.get(cond):
        case ir.Compute(op="and", args=(first, second)):
            found, ops = (negated(first), negated(second)), ("le", "ge")
        case ir.Compute(op="or", args=(ir.Value() as first, ir.Value() as second)):
            found, ops = (made.get(first), made.get(second)), ("gt", "lt")
        case ir.Compute(op="gt" | "lt" as order, args=(one, other)) if (
            one is element and other is best and is_differentiable(best.type)
        ):
            return order
        case _:
            return None
    match found:
        case (
            ir.Compute(op=op, args=(ir.Value() as a, ir.Value() as b)),
            ir.Compute(op="np.isnan", args=(ir.Value() as c,)),
        ) if op in ops and a is element and b is best and c is best:
            return op
        case _:
            return None


def _is_first(init: ir.Atom, element: ir.Atom, indices: set[ir.Value], defs: Definitions) -> bool:
    """True if ``init`` is what ``element`` is where all ``indices`` are 0."""
    if element in indices:
        return isinstance(init, ir.Const) and init.value == 0
    if ir.same(init, element):
        return True
    one = defs.stmt.get(init)
    other = defs.stmt.get(element)
    match one, other:
        case ir.Load(), ir.Load():
            pairs = [(one.base, other.base), *zip(one.index, other.index, strict=True)]
        case ir.Compute(), ir.Compute() if one.op == other.op and len(one.args) == len(other.args):
            pairs = list(zip(one.args, other.args, strict=True))
        case _:
            return False
    return all(_is_first(a, b, indices, defs) for a, b in pairs)
