"""Loop nests whose iterations do not depend on one another: each of these becomes one kernel.

for i in 0..n step 1 (s):            axes i, j; sums s
  for j in 0..m step 1 (t = s):
    v = load x, i, j                 body
    store y, i, j, v
    t.1 = add t, v                   a term of the sum
    yield t.1

Iterations are independent if no two of them touch an element that one of them writes: in all places
where an array that is written is read or written, one and the same axis is the index of the loop.
Sums are left, of numbers and of elements that several iterations add to: their order is free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, WholeAxis
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.emit.cuda.loop.meeting import (
    Known,
    NestAxis,
    Places,
    places_in,
    shared_arrays,
)
from mooncake_transpiler.emit.cuda.loop.wrapped import wrapped
from mooncake_transpiler.types import Scalar

_ADDING = {"add": 2, "radd": 2, "sub": 1}  # and how many arguments may be what terms are added to


@dataclass(frozen=True, slots=True, eq=False)
class Total:
    """A sum over all iterations: ``out = init + sum of terms``, some of which are subtracted."""

    out: ir.Value
    init: ir.Atom
    terms: tuple[tuple[bool, ir.Atom], ...]  # whether it is subtracted


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """A loop nest that becomes a kernel. ``shared`` arrays get sums, ``private`` ones are of one
    iteration each.

    ``apart``: no two parts of one array that it touches may overlap.
    """

    axes: tuple[NestAxis, ...]
    stmts: tuple[ir.Stmt, ...]
    totals: tuple[Total, ...]
    shared: frozenset[ir.Value]
    private: tuple[ir.Alloc, ...] = ()
    apart: bool = False


def independent(loop: ir.For, integers: Integers, *, apart: bool = False) -> list[Nest]:
    """``loop`` as nests of as many axes as its iterations are independent in; none if they aren't.

    There are several where it adds to one array by several views, which may overlap. ``apart``:
    some parts of arrays are taken to be disjoint (`meeting.py`).
    """
    loops = list(chain(loop, integers.defs))
    known = integers, frozenset(ir.bound_by(loop))
    for depth in range(len(loops), 0, -1):
        nests = _nests(loops[:depth], known, apart=apart)
        if nests:
            return nests
    return []


def chain(loop: ir.For, defs: Definitions) -> Iterator[ir.For]:
    """``loop``, the only loop in it if nothing comes behind that, and so on."""
    while not loop.exit and trip(loop, defs) is not None:
        yield loop
        *before, last = loop.body.stmts or (None,)
        if not (isinstance(last, ir.For) and all(map(_is_repeatable, before))):
            return
        outer = set().union(*(ir.outs(stmt) for stmt in before), (loop.index,), loop.params)
        if not outer.isdisjoint((last.lo, last.hi, last.step)):
            return
        loop = last


def interchanged(loop: ir.For, defs: Definitions) -> ir.For | None:
    """``loop`` within those in it, if there are any and none carries a number.

    for i in 0..n step 1:                for j in 0..m step 1:
      for j in 0..m step 1:                for i in 0..n step 1:
        y[j] = max(y[j], x[i, j])            y[j] = max(y[j], x[i, j])

    It is the same loop where iterations of the others turn out to be independent. Those that write
    at places that are data are left to `ordered_runs.py`.
    """
    loops = list(chain(loop, defs))
    inner = list(ir.walk(loop.body))
    has_views = any(not isinstance(out.type, Scalar) for stmt in inner for out in ir.outs(stmt))
    if len(loops) < 2 or has_views or any(one.params for one in loops):
        return None
    data: set[ir.Atom] = set()
    for stmt in inner:
        if isinstance(stmt, ir.Load) or not data.isdisjoint(ir.used_by(stmt)):
            data.update(ir.outs(stmt))
        if isinstance(stmt, ir.Store | ir.Accum) and not data.isdisjoint(stmt.index):
            return None
    before = [stmt for one in loops[:-1] for stmt in one.body.stmts[:-1]]
    found = replace(loop, body=ir.Block((*before, *loops[-1].body.stmts)))
    for one in reversed(loops[1:]):
        found = replace(one, body=ir.Block((found,)))
    return found


def _is_repeatable(stmt: ir.Stmt | None) -> bool:
    """True if ``stmt`` may run in each iteration of a loop that follows it."""
    if stmt is None or isinstance(stmt, ir.For | ir.While):
        return False
    inner = list(ir.within(stmt))
    return all(isinstance(s, ir.Compute | ir.Load | ir.If | ir.View | ir.Dim) for s in inner)


def size_above(value: ir.Value, defs: Definitions) -> ir.Atom | None:
    """The number that ``value`` is written as one less than."""
    match defs.stmt.get(value):
        case ir.Compute(op="sub", args=(size, ir.Const(value=1))):
            return size
        case ir.Compute(op="add", args=(size, ir.Const(value=-1))):
            return size
        case _:
            return None


def trip(loop: ir.For, defs: Definitions) -> ir.Atom | None:
    """The number of iterations of ``range(n)`` and ``range(n - 1, -1, -1)``."""
    match loop:
        case ir.For(lo=ir.Const(value=0), hi=hi, step=ir.Const(value=1)):
            return hi
        case ir.For(lo=ir.Value() as lo, hi=ir.Const(value=-1), step=ir.Const(value=-1)):
            return size_above(lo, defs)
        case ir.For(lo=ir.Const(value=int(lo)), hi=ir.Const(value=-1), step=ir.Const(value=-1)):
            return ir.int_const(lo + 1)
        case _:
            return None


def is_reversed(loop: ir.For) -> bool:
    """True for ``range(n - 1, -1, -1)``."""
    return isinstance(loop.step, ir.Const) and loop.step.value == -1


def axis_of(loop: ir.For, defs: Definitions) -> NestAxis:
    """``loop``, whose number of iterations is known, as an axis of a nest."""
    count = trip(loop, defs)
    assert count is not None
    return NestAxis(loop.index, count)


def _nests(loops: list[ir.For], known: Known, *, apart: bool) -> list[Nest]:
    defs = known[0].defs
    axes = [axis_of(loop, defs) for loop in loops]
    totals = _totals(loops)
    if totals is None:
        return []
    instead = _instead(totals)
    stmts = [s for outer in loops[:-1] for s in outer.body.stmts[:-1]]
    last = [instead.get(s, s) for s in loops[-1].body.stmts]
    stmts += (s for s in last if s is not None)
    private = tuple(s for s in stmts if isinstance(s, ir.Alloc) and _is_plain(s, stmts))
    block = _without_views(ir.Block(tuple(s for s in stmts if s not in private)), defs)
    own = {alloc.out for alloc in private}
    places = places_in(block, defs)
    later = (
        () if places is None else tuple(_overlapping(places, {axis.index for axis in axes}, defs))
    )
    sums = tuple(total for total, _ in totals)
    nests = []
    for k in range(len(later) + 1):
        left = {a for j, view in enumerate(later) if j != k - 1 for a in view}
        part = _without(block, left if k == 0 else None, later[k - 1] if k else ())
        shared = shared_arrays(part, axes, known, own, apart=apart)
        if shared is None:
            return []
        nests.append(Nest(tuple(axes), part.stmts, () if k else sums, shared, private, apart))
    return nests


def _is_plain(alloc: ir.Alloc, stmts: Sequence[ir.Stmt]) -> bool:
    """True if the sizes of an array that an iteration makes are known before the loop."""
    made = {out for stmt in stmts for out in ir.outs(stmt)}
    return not alloc.growable and bool(alloc.shape) and made.isdisjoint(alloc.shape)


def _overlapping(
    places: Places, axes: set[ir.Value], defs: Definitions
) -> Iterator[tuple[ir.Stmt, ...]]:
    """Additions to an array by another view than the first, or other axes, by these views.

    They may run later, on their own: nothing that is written is read.
    """
    if any(
        isinstance(stmt, ir.Load) and any(not isinstance(s, ir.Load) for s, _ in found)
        for found in places.values()
        for stmt, _ in found
    ):
        return
    for found in places.values():
        views: dict[object, list[ir.Stmt]] = {}
        for stmt, _ in found:
            if isinstance(stmt, ir.Accum):
                plain = stmt.index if axes.issuperset(stmt.index) or _is_round(stmt, defs) else None
                views.setdefault((stmt.base, plain), []).append(stmt)
        if len(views) > 1 and sum(map(len, views.values())) == len(found):
            yield from map(tuple, list(views.values())[1:])


def _is_round(stmt: ir.Accum, defs: Definitions) -> bool:
    """True if ``stmt`` counts from the end where an index is negative."""
    return any(wrapped(place, defs) for place in stmt.index)


def _without(
    block: ir.Block, left: Collection[ir.Stmt] | None, only: Collection[ir.Stmt]
) -> ir.Block:
    """``block`` without the writes that are ``left``, or with ``only`` some of them."""

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        is_kept = stmt in only if left is None else stmt not in left
        return None if is_kept or not isinstance(stmt, ir.Store | ir.Accum) else []

    return ir.rewritten(block, change)


def _without_views(block: ir.Block, defs: Definitions) -> ir.Block:
    """``block`` with elements of views as elements of what they show, where that can be said."""

    def visit(inner: ir.Block) -> ir.Block:
        found = list(map(statement, inner.stmts))
        used = {a for stmt in found for a in ir.used_by(stmt)}
        kept = (s for s in found if not isinstance(s, ir.View) or s.out in used)
        return ir.Block(tuple(kept), inner.yields)

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        if not isinstance(stmt, ir.Load | ir.Store | ir.Accum):
            return ir.mapped(stmt, visit)
        found = defs.access(stmt.base, stmt.index)
        index = tuple(a for a in found.index if not isinstance(a, WholeAxis))
        if len(index) < len(found.index) or found.root is stmt.base:
            return stmt
        return replace(stmt, base=found.root, index=index)

    return visit(block)


# ---- sums of numbers ----------------------------------------------------------------------------


def _instead(
    totals: Sequence[tuple[Total, dict[ir.Stmt, ir.Stmt | None]]],
) -> dict[ir.Stmt, ir.Stmt | None]:
    """The statements in place of those that add up; one loop may do so to several sums."""
    found: dict[ir.Stmt, ir.Stmt | None] = {}
    for stmt, new in (pair for _, stmts in totals for pair in stmts.items()):
        before = found.get(stmt)
        if isinstance(stmt, ir.For) and isinstance(before, ir.For) and isinstance(new, ir.For):
            triples = zip(stmt.inits, before.inits, new.inits, strict=True)
            new = replace(new, inits=tuple(b if n is s else n for s, b, n in triples))
        found[stmt] = new
    return found


@dataclass(frozen=True, slots=True)
class _SumFound:
    """The terms of a sum, and the statements that add them up, with what is done in their place."""

    terms: list[tuple[bool, ir.Atom]]
    stmts: dict[ir.Stmt, ir.Stmt | None]


def _totals(loops: list[ir.For]) -> list[tuple[Total, dict[ir.Stmt, ir.Stmt | None]]] | None:
    """The carried values, each with the statements that add to it; None if one is no sum."""
    if any(len(inner.params) > len(outer.params) for outer, inner in pairwise(loops)):
        return None  # what an inner loop carries for itself
    found = []
    for k, (out, init) in enumerate(zip(loops[0].outs, loops[0].inits, strict=True)):
        param = loops[0].params[k]
        for outer, loop in pairwise(loops):
            taken = [at for at, start in enumerate(loop.inits) if start is param]
            if len(taken) != 1 or outer.body.yields[k] is not loop.outs[taken[0]]:
                return None
            if ir.uses(param, outer.body) != 1:
                return None
            k, param = taken[0], loop.params[taken[0]]
        summed = _terms(loops[-1].body, param, loops[-1].body.yields[k])
        if summed is None or not isinstance(out.type, Scalar):
            return None
        found.append((Total(out, init, tuple(summed.terms)), summed.stmts))
    return found


def _terms(body: ir.Block, param: ir.Value, total: ir.Atom) -> _SumFound | None:
    """The terms that make ``total`` of ``param``, if that is all that is done with it.

    The terms that a loop in ``body`` adds are one, which that loop then adds up from zero.
    """
    made = ir.binding(body.stmts)
    found = _SumFound([], {})
    at = total
    while at is not param:
        stmt = made.get(at)
        if stmt is None or not isinstance(at, ir.Value) or ir.uses(at, body) != 1:
            return None
        match stmt:
            case ir.Compute(op="add" | "radd", args=(a, b)) if leads(a, param, made, _ADDING):
                at, term = a, (False, b)
            case ir.Compute(op="add" | "radd", args=(a, b)) if leads(b, param, made, _ADDING):
                at, term = b, (False, a)
            case ir.Compute(op="sub", args=(a, b)) if leads(a, param, made, _ADDING):
                at, term = a, (True, b)
            case ir.For(outs=outs) if not stmt.exit and _adds(stmt, outs.index(at)):
                k = outs.index(at)
                assert isinstance(at.type, Scalar)
                zero = ir.Const(0.0, at.type)
                found.stmts[stmt] = replace(stmt, inits=ir.with_item(stmt.inits, k, zero))
                at, term = stmt.inits[k], (False, at)
            case _:
                return None
        found.terms.insert(0, term)
        found.stmts.setdefault(stmt, None)
    return found if ir.uses(param, body) == 1 and total is not param else None


def _adds(loop: ir.For, k: int) -> bool:
    """True if all that ``loop`` does with its carried value ``k`` is to add to it."""
    param = loop.params[k]
    is_float = isinstance(param.type, Scalar) and param.type.dtype.is_differentiable
    return is_float and _terms(loop.body, param, loop.body.yields[k]) is not None


def leads(
    atom: ir.Atom, param: ir.Value, made: Mapping[ir.Atom, ir.Stmt], through: Mapping[str, int]
) -> bool:
    """True if ``atom`` is ``param`` with others combined to it, one after another.

    ``through``: the ops that do so, and how many of their arguments may be what they add to.
    """
    while atom is not param:
        match made.get(atom):
            case ir.Compute(op=op, args=args) if op in through:
                if any(leads(other, param, made, through) for other in args[1 : through[op]]):
                    return True
                atom = args[0]
            case ir.For(outs=outs, inits=inits) if isinstance(atom, ir.Value):
                atom = inits[outs.index(atom)]
            case _:
                return False
    return True
