"""Stream compaction: CuPy finds the indices where a mask is true; the host waits for their number.

count = for i in 0..n step 1 (k = 0):      for i in 0..n step 1:
  yield k + int(c)                           flags[i] = c
places = alloc (count)                     places = nonzero(flags)
for i in 0..n step 1 (k = 0):              count = dim places, 0
  if c:
    places[k] = i
    k = k + 1
  yield k

The count may stand further up, for all that needs it, as long as nothing is written in between.
A mask of several axes has an array of places for each of them. No place is there twice, so that
iterations over places do not meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.host_functions import MANY_PLACES, PLACES, is_search_of_places
from mooncake_transpiler.interface.saved_names import returned, taken
from mooncake_transpiler.types import Array, DType

Groups = tuple[tuple[int, ...], ...]  # residuals that are places of one mask, by their numbers


@dataclass(frozen=True, slots=True)
class _Filled:
    """The loops that store places, the arrays of them, and the condition in the loops."""

    loops: tuple[ir.For, ...]
    places: tuple[ir.Value, ...]
    cond: ir.Atom


def with_places(func: ir.Func) -> ir.Func:
    """``func`` with such places found by CuPy."""
    defs = Definitions(func)
    used = [atom for stmt in ir.walk(func.body) for atom in ir.used_by(stmt)]

    def visit(block: ir.Block) -> ir.Block:
        stmts = [ir.mapped(stmt, visit) for stmt in block.stmts]
        for loop in stmts:
            filled = _filled(loop)
            if filled is not None and loop.outs[0] not in (*used, *block.yields):  # type: ignore[union-attr]
                _replace(stmts, filled, defs)
        return ir.with_stmts(block, stmts)

    return ir.with_body(func, visit(func.body))


def selected_in(func: ir.Func, chosen: Mapping[str, Groups]) -> list[tuple[ir.Atom, ...]]:
    """The places of each mask of ``func``, those among its residuals as ``chosen`` says."""
    found: list[tuple[ir.Atom, ...]] = [
        tuple(leaves[k] for k in group)
        for name, leaves in taken(func)
        for group in chosen.get(name, ())
    ]
    return found + [stmt.outs for stmt in ir.walk(func.body) if is_search_of_places(stmt)]  # type: ignore[union-attr]


def chosen_by(func: ir.Func) -> dict[str, Groups]:
    """The places of masks among the residuals that ``func`` returns."""
    groups = selected_in(func, {})
    return {
        name: tuple(tuple(map(kept.index, group)) for group in groups if set(group).issubset(kept))
        for name, kept in returned(func)
    }


def _loops(loop: ir.Stmt) -> Iterator[ir.For]:
    """``loop``, which counts from 0, and the one in it that goes on counting, and so on."""
    while isinstance(loop, ir.For):
        match loop:
            case ir.For(params=(_,), lo=ir.Const(value=0), exit=False, step=ir.Const(value=1)):
                yield loop
            case _:
                return
        match loop.body:
            case ir.Block(stmts=(*_, ir.For(inits=(init,), outs=(out,)) as inner), yields=(last,)):
                if init is not loop.params[0] or out is not last:
                    return
                loop = inner
            case _:
                return


def _filled(loop: ir.Stmt) -> _Filled | None:
    loops = tuple(_loops(loop))
    if not loops or loops[0].inits[0] != ir.ZERO:
        return None
    (k,), body = loops[-1].params, loops[-1].body
    match body:
        case ir.Block(stmts=(*_, ir.If() as branch), yields=(last,)):
            pass
        case _:
            return None
    match branch:
        case ir.If(
            outs=(out,), cond=cond, orelse=ir.Block(stmts=(), yields=(same,)),
            then=ir.Block(
                stmts=(
                    *stores,
                    ir.Compute(out=new, op="add", args=(first, ir.Const(value=1))),
                ),
                yields=(found,),
            ),
        ):  # fmt: skip
            is_such = out is last and same is k and first is k and found is new
            places = tuple(_stored(stores, k, [each.index for each in loops]))
            return _Filled(loops, places, cond) if is_such and len(places) == len(loops) else None
        case _:
            return None


def _stored(stmts: list[ir.Stmt], k: ir.Value, indices: list[ir.Value]) -> Iterator[ir.Value]:
    """The arrays in which ``stmts`` store ``indices``, each at ``k``, and nothing else."""
    for stmt, index in zip(stmts, indices, strict=False):
        if not isinstance(stmt, ir.Store) or len(stmts) != len(indices):
            return
        if stmt.index == (k,) and stmt.value is index and isinstance(stmt.base, ir.Value):
            yield stmt.base


def _replace(stmts: list[ir.Stmt], filled: _Filled, defs: Definitions) -> None:
    """Change those of ``stmts`` that count and store the places."""
    k = stmts.index(filled.loops[0])
    allocs = [*takewhile(lambda stmt: isinstance(stmt, ir.Alloc), reversed(stmts[:k]))]
    allocs = allocs[: len(filled.places)][::-1]
    if tuple(out for alloc in allocs for out in ir.outs(alloc)) != filled.places:
        return
    sizes = {alloc.shape for alloc in allocs if isinstance(alloc, ir.Alloc)}
    start = next((i for i in range(k) if {ir.outs(stmts[i])} == sizes), k)
    count, between = stmts[start], stmts[start + 1 : k - len(allocs)]
    if not (isinstance(count, ir.For) and _counts(count, filled)):
        return
    if not _is_undisturbed(count, ir.Block(tuple(between)), defs):
        return
    rank = len(filled.loops)
    flags = ir.Value("flags", Array(DType.BOOL, rank))
    (size,) = count.outs
    search = PLACES if rank == 1 else MANY_PLACES
    stmts[start : k + 1] = [
        ir.Alloc(flags, tuple(loop.hi for loop in filled.loops)),
        _storing(filled, flags),
        search.call(filled.places, (flags,), filled.loops[0].origin),
        ir.Dim(size, filled.places[0], 0),
        *between,
    ]


def _is_undisturbed(loop: ir.For, between: ir.Block, defs: Definitions) -> bool:
    """True if ``between`` writes to arrays of this function alone, which ``loop`` does not read."""
    written = defs.written(between.stmts)
    made = (defs.stmt.get(array) for array in written)
    return defs.loaded([loop]).isdisjoint(written) and all(
        isinstance(stmt, ir.Alloc) for stmt in made
    )


def _storing(filled: _Filled, flags: ir.Value) -> ir.Stmt:
    """The loops of ``filled``, which store the condition in ``flags``."""
    index = tuple(loop.index for loop in filled.loops)
    stmt: ir.Stmt = ir.Store(flags, index, filled.cond, filled.loops[0].origin)
    for loop in reversed(filled.loops):
        body = ir.Block((*loop.body.stmts[:-1], stmt))
        stmt = replace(loop, params=(), inits=(), outs=(), body=body)
    return stmt


def _counts(count: ir.For, filled: _Filled) -> bool:
    """True if ``count`` counts how often the condition of ``filled`` holds."""
    loops = tuple(_loops(count))
    if len(loops) != len(filled.loops) or loops[0].inits[0] != ir.ZERO:
        return False
    pairs = list(zip(loops, filled.loops, strict=True))
    if any(one.hi is not other.hi and one.hi != other.hi for one, other in pairs):
        return False
    tests = [stmt for pair in pairs for loop in pair for stmt in loop.body.stmts[:-1]]
    if not all(isinstance(stmt, ir.Compute | ir.Load) for stmt in tests):
        return False  # it does more than that
    inner = loops[-1]
    match inner.params, inner.body:
        case (k,), ir.Block(
            stmts=(*_, ir.Compute(out=one, op="cast", args=(cond,)),
                   ir.Compute(out=new, op="add", args=(first, term))),
            yields=(total,),
        ) if first is k and term is one and total is new:  # fmt: skip
            made = ir.binding(s for pair in pairs for loop in pair for s in loop.body.stmts)
            equal: dict[ir.Atom, ir.Value] = {c.index: f.index for c, f in pairs}
            return _same(cond, filled.cond, made, equal)
        case _:
            return False


def _same(
    a: ir.Atom, b: ir.Atom, made: dict[ir.Atom, ir.Stmt], equal: dict[ir.Atom, ir.Value]
) -> bool:
    """True if ``a`` and ``b`` are computed alike, of the same elements."""
    match made.get(a), made.get(b):
        case ir.Compute() as one, ir.Compute() as other:
            is_like = one.op == other.op and one.out.type == other.out.type
            parts = one.args, other.args
        case ir.Load() as one, ir.Load() as other:
            is_like = one.base is other.base
            parts = one.index, other.index
        case None, None:
            return a == b or equal.get(a) is b
        case _:
            return False
    if not is_like or len(parts[0]) != len(parts[1]):
        return False
    return all(_same(x, y, made, equal) for x, y in zip(*parts, strict=True))
