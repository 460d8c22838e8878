"""Loops that push to a stack or pop from it: what all iterations put there is one block of it.

for i in 0..n step 1 (top = t):        part = view stack, t:t + n * 2
  store stack, top, u                  block = reshape part, n, 2
  store stack, top + 1, v              for i in 0..n step 1:
  yield top + 2                          store block, i, 0, u
                                         store block, i, 1, v

So iterations do not depend on one another. Each loop is rewritten for itself: elements stay where
they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.emit.cuda.loop.nests import trip
from mooncake_transpiler.types import INT, Array


def with_blocks(func: ir.Func) -> ir.Func:
    """``func`` with such loops over blocks, in which no top is carried."""
    integers = Integers(Definitions(func))

    def visit(block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for stmt in block.stmts:
            found = _top(stmt, integers) if isinstance(stmt, ir.For) else None
            while found is not None:
                before, stmt, after = _rewritten(found, integers)
                stmts += before
                stmts.append(after)  # the top behind the loop, which needs no iteration of it
                found = _top(stmt, integers)
            stmts.append(ir.mapped(stmt, visit))
        return ir.Block(tuple(stmts), block.yields)

    if not any(isinstance(s, ir.For) and s.params for s in ir.walk(func.body)):
        return func
    return ir.with_body(func, visit(func.body))


@dataclass(frozen=True, slots=True)
class _Top:
    """The top of ``stacks``, which ``loops``, one in the other, carry at the places ``at``.

    Each iteration of the innermost moves it by ``width``; ``offsets`` are the integers there that
    are as far from it.
    """

    loops: tuple[ir.For, ...]
    at: tuple[int, ...]
    trips: tuple[ir.Atom, ...]
    width: int
    offsets: dict[ir.Atom, int]
    stacks: tuple[ir.Value, ...]


def _top(loop: ir.For, integers: Integers) -> _Top | None:
    """The first top that ``loop`` carries, if there is one."""
    tops = (_carried(loop, k, integers) for k in range(len(loop.params)))
    return next((top for top in tops if top is not None), None)


def _carried(loop: ir.For, k: int, integers: Integers) -> _Top | None:
    """The top of a stack, if the carried value ``k`` is one."""
    levels = list(_levels(loop, k))
    if not levels or loop.params[k].type != INT:
        return None
    (inner, at), bound = levels[-1], set(ir.bound_in(loop.body))
    offsets = _offsets(inner, inner.params[at])
    width = offsets.get(inner.body.yields[at], 0)
    trips = [trip(level, integers.defs) for level, _ in levels]
    known = tuple(count for count in trips if count is not None and count not in bound)
    stacks = _stacks(inner, at, offsets, width)
    if not width or len(known) < len(levels) or not stacks or not bound.isdisjoint(stacks):
        return None
    if any(level.exit for level, _ in levels):
        return None
    loops, places = zip(*levels, strict=True)
    return _Top(loops, places, known, width, offsets, tuple(stacks))


def _levels(loop: ir.For, k: int) -> Iterator[tuple[ir.For, int]]:
    """``loop`` and the loops in it that do nothing with its carried value ``k`` but move it."""
    while True:
        yield loop, k
        param, result = loop.params[k], loop.body.yields[k]
        uses = ir.uses(param, loop.body)
        inner = next(
            (s for s in loop.body.stmts if isinstance(s, ir.For) and result in s.outs), None
        )
        if inner is None:
            return
        j = inner.outs.index(result)
        behind = ir.uses(result, loop.body)
        if inner.inits[j] is not param or uses != 1 or behind != 1:
            return
        loop, k = inner, j


def _offsets(loop: ir.For, param: ir.Value) -> dict[ir.Atom, int]:
    """The integers in ``loop`` that are so far from ``param``."""
    found: dict[ir.Atom, int] = {param: 0}
    for stmt in ir.walk(loop.body):
        match stmt:
            case ir.Compute(op="add", args=(a, ir.Const(value=int(by)))) if a in found:
                found[stmt.out] = found[a] + by
            case ir.Compute(op="sub", args=(a, ir.Const(value=int(by)))) if a in found:
                found[stmt.out] = found[a] - by
            case _:
                pass
    return found


def _stacks(
    loop: ir.For, at: int, offsets: dict[ir.Atom, int], width: int
) -> dict[ir.Value, None] | None:
    """The arrays that ``offsets`` are places of; None if they are anything else, too."""
    used = [atom for atom in ir.used_in(loop.body) if atom in offsets]
    fine = 1 if loop.body.yields[at] in offsets else 0
    stacks: dict[ir.Value, None] = {}
    for stmt in ir.walk(loop.body):
        match stmt:
            case (
                ir.Load(base=ir.Value() as base, index=(place,))
                | ir.Store(base=ir.Value() as base, index=(place,))
            ) if place in offsets:
                if not min(width, 0) <= offsets[place] < max(width, 0):
                    return None
                stacks[base] = None
                fine += 1
            case ir.Compute(out=out) if out in offsets:
                fine += 1
            case _:
                pass
    return stacks if fine == len(used) else None


def _rewritten(top: _Top, integers: Integers) -> tuple[list[ir.Stmt], ir.For, ir.Stmt]:
    """The statements that make the block, the loop over it, and the top behind that."""
    outer, k = top.loops[0], top.at[0]
    start, is_pushed = outer.inits[k], top.width > 0
    before: list[ir.Stmt] = []

    def integer(op: str, *args: ir.Atom) -> ir.Value:
        out = ir.Value("", INT)
        before.append(ir.Compute(out, op, args))
        return out

    sizes = [n if integers.nonnegative(n) else integer("np.maximum", n, ir.ZERO) for n in top.trips]
    total: ir.Atom = ir.int_const(abs(top.width))
    for size in sizes:
        total = size if total == ir.ONE else integer("mul", total, size)
    after = ir.Compute(outer.outs[k], "add" if is_pushed else "sub", (start, total))
    end = integer("add", start, total) if is_pushed else integer("sub", start, total)
    span = ir.Slice(start, end) if is_pushed else ir.Slice(end, start)
    turned = [(level.step == ir.ONE) is not is_pushed for level in top.loops]
    back = tuple(ir.Slice(step=ir.int_const(-1)) if t else ir.Slice() for t in (*turned, False))
    blocks: dict[ir.Value, ir.Value] = {}
    for stack in top.stacks:
        assert isinstance(stack.type, Array)
        part = ir.Value("", stack.type)
        before.append(ir.View(part, stack, (span,)))
        shape = (*sizes, ir.int_const(abs(top.width)))
        block = ir.Value("block", replace(stack.type, ndim=len(shape)))
        before.append(ir.Reshape(block, part, shape))
        blocks[stack] = block
        if any(turned):
            blocks[stack] = ir.Value("block", block.type)
            before.append(ir.View(blocks[stack], block, back))
    return before, _over_blocks(top, blocks, 0), after


def _over_blocks(top: _Top, blocks: Mapping[ir.Value, ir.Value], depth: int) -> ir.For:
    """The loop of this ``depth`` without the top."""
    loop, k = top.loops[depth], top.at[depth]
    places = tuple(level.index for level in top.loops)

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if isinstance(stmt, ir.Load | ir.Store) and stmt.index and stmt.index[0] in top.offsets:
            number = ir.int_const(top.offsets[stmt.index[0]] - min(top.width, 0))
            assert isinstance(stmt.base, ir.Value)
            return [replace(stmt, base=blocks[stmt.base], index=(*places, number))]
        is_offset = isinstance(stmt, ir.Compute) and stmt.out in top.offsets
        return [] if is_offset else None

    if depth + 1 < len(top.loops):
        inner_loop = top.loops[depth + 1]
        new = _over_blocks(top, blocks, depth + 1)
        body = ir.Block(
            tuple(new if s is inner_loop else s for s in loop.body.stmts), loop.body.yields
        )
    else:
        body = ir.rewritten(loop.body, change)
    return ir.only_carried(replace(loop, body=body), [j != k for j in range(len(loop.params))])
