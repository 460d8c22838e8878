"""The places where a mask is true: CuPy finds them, and the host waits for their number.

count = for i in 0..n step 1 (k = 0):      for i in 0..n step 1:
  yield k + int(c)                           flags[i] = c
places = alloc (count)                     places = flatnonzero(flags)
for i in 0..n step 1 (k = 0):              count = dim places, 0
  if c:
    places[k] = i
    k = k + 1
  yield k
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.launch_signatures import PLACES
from mooncake_transpiler.types import Array, DType


@dataclass(frozen=True, slots=True)
class _Filled:
    """The loop that stores places, the array of them, and the condition in the loop."""

    loop: ir.For
    places: ir.Value
    cond: ir.Atom


def with_places(func: ir.Func) -> ir.Func:
    """``func`` with such places found by CuPy."""
    used = [atom for stmt in ir.walk(func.body) for atom in ir.used_by(stmt)]

    def visit(block: ir.Block) -> ir.Block:
        stmts = [ir.mapped(stmt, visit) for stmt in block.stmts]
        for loop in stmts:
            filled = _filled(loop)
            if filled is not None and loop.outs[0] not in (*used, *block.yields):  # type: ignore[union-attr]
                _replace(stmts, filled)
        return ir.with_stmts(block, stmts)

    return ir.with_body(func, visit(func.body))


def _filled(loop: ir.Stmt) -> _Filled | None:
    match loop:
        case ir.For(params=(k,), inits=(ir.Const(value=0),), lo=ir.Const(value=0), exit=False,
                    step=ir.Const(value=1),
                    body=ir.Block(stmts=(*_, ir.If() as branch), yields=(last,))):  # fmt: skip
            pass
        case _:
            return None
    match branch:
        case ir.If(
            outs=(out,), cond=cond, orelse=ir.Block(stmts=(), yields=(same,)),
            then=ir.Block(
                stmts=(
                    ir.Store(base=ir.Value() as places, index=(at,), value=value),
                    ir.Compute(out=new, op="add", args=(first, ir.Const(value=1))),
                ),
                yields=(found,),
            ),
        ):  # fmt: skip
            is_such = out is last and same is k and at is k and first is k and found is new
            return _Filled(loop, places, cond) if is_such and value is loop.index else None
        case _:
            return None


def _replace(stmts: list[ir.Stmt], filled: _Filled) -> None:
    """Change those of ``stmts`` that count and store the places."""
    loop, k = filled.loop, stmts.index(filled.loop)
    alloc = stmts[k - 1]
    count = stmts[k - 2] if k > 1 else None
    if not (isinstance(alloc, ir.Alloc) and alloc.out is filled.places):
        return
    if not (isinstance(count, ir.For) and alloc.shape == count.outs and _counts(count, filled)):
        return
    flags = ir.Value("flags", Array(DType.BOOL, 1))
    store = ir.Store(flags, (loop.index,), filled.cond, loop.origin)
    body = ir.Block((*loop.body.stmts[:-1], store))
    (size,) = count.outs
    stmts[k - 2 : k + 1] = [
        ir.Alloc(flags, (loop.hi,)),
        replace(loop, params=(), inits=(), outs=(), body=body),
        ir.Call((filled.places,), PLACES, (flags,), loop.origin),
        ir.Dim(size, filled.places, 0),
    ]


def _counts(count: ir.For, filled: _Filled) -> bool:
    """True if ``count`` counts how often the condition of ``filled`` holds."""
    loop = filled.loop
    if (count.lo, count.hi, count.step) != (loop.lo, loop.hi, loop.step) or count.exit:
        return False
    tests = (*count.body.stmts, *loop.body.stmts[:-1])
    if not all(isinstance(stmt, ir.Compute | ir.Load) for stmt in tests):
        return False  # it does more than that
    match count.params, count.inits, count.body:
        case (k,), (ir.Const(value=0),), ir.Block(
            stmts=(*_, ir.Compute(out=one, op="cast", args=(cond,)),
                   ir.Compute(out=new, op="add", args=(first, term))),
            yields=(total,),
        ) if first is k and term is one and total is new:  # fmt: skip
            made = {out: s for body in (count.body, loop.body) for s in body.stmts
                    for out in ir.outs(s)}  # fmt: skip
            return _same(cond, filled.cond, made, {count.index: loop.index})
        case _:
            return False


def _same(
    a: ir.Atom, b: ir.Atom, made: dict[ir.Value, ir.Stmt], equal: dict[ir.Value, ir.Value]
) -> bool:
    """True if ``a`` and ``b`` are computed alike, of the same elements."""
    match (made.get(a), made.get(b)) if isinstance(a, ir.Value) and isinstance(b, ir.Value) else ():
        case ir.Compute() as one, ir.Compute() as other:
            is_like = one.op == other.op and one.out.type == other.out.type
            parts = one.args, other.args
        case ir.Load() as one, ir.Load() as other:
            is_like = one.base is other.base
            parts = one.index, other.index
        case None, None:
            return a is b or (isinstance(a, ir.Value) and equal.get(a) is b)
        case ():
            return isinstance(a, ir.Const) and a == b
        case _:
            return False
    if not is_like or len(parts[0]) != len(parts[1]):
        return False
    return all(_same(x, y, made, equal) for x, y in zip(*parts, strict=True))
