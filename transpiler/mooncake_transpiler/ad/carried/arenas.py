"""Arrays of any shape that a loop carries lie one behind the other in an arena, a growable array.

    for t in 0..n (u = a):               reserve all, top0; all[0:top0] = a
      w = alloc (m)                      for t in 0..n (at = 0, size = k, top = top0):
      ...                                  u = all[at:at + size]
      yield w                              top1 = top + m; reserve all, top1
                                           w = all[top:top1]
                                           ...
                                           yield top, m, top1

So the reverse sweep finds each of them again, and its shadow, by integers that are saved like any
other. The arena is never emptied; what others may see is copied out of it. An array is moved to the
arena where the loop begins, and where an iteration ends that does not make it in its own block:
`copies.py` tells where copies will do.

Loops whose carried arrays have one shape, known before the loop, have buffers (``array_tags.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.carried.copies import Copies
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT, Array, DType


def store_in_arenas(
    func: ir.Func, memories: Memories, is_active: Callable[[ir.Value], bool]
) -> ir.Func:
    """``func`` with arenas for the loops that carry arrays which ``is_active``."""
    loops = [
        stmt
        for stmt in ir.walk(func.body)
        if isinstance(stmt, ir.For | ir.While)
        and any(isinstance(p.type, Array) and is_active(p) for p in stmt.params)
    ]
    copies = Copies(func, memories)
    chosen = [loop for loop in loops if copies.allow(loop, _carried(loop))]
    if not chosen:
        return func
    return ir.with_body(func, _Arenas(chosen, _leaving(func)).function(func.body))


def carries_arrays(func: ir.Func) -> bool:
    """True if a loop of ``func`` carries an array."""
    loops = (stmt for stmt in ir.walk(func.body) if isinstance(stmt, ir.For | ir.While))
    return any(isinstance(param.type, Array) for loop in loops for param in loop.params)


def _carried(loop: Loop) -> list[ir.Atom]:
    """The arrays that ``loop`` begins with, and those that it hands on."""
    return [a for a in (*loop.inits, *loop.body.yields) if isinstance(a.type, Array)]


def _leaving(func: ir.Func) -> set[ir.Atom]:
    """The arrays that callers or callees may see, or what comes behind a branch.

    Where in the arena that is which one arm has left, only this arm knows.
    """
    seen, pairs = [*func.body.yields], list[tuple[ir.Atom, ir.Atom]]()
    for stmt in ir.walk(func.body):
        if isinstance(stmt, ir.If):
            seen += (*stmt.then.yields, *stmt.orelse.yields)
        if ir.acts(stmt):
            seen += ir.operands(stmt)
        pairs += [(name, base) for base, name in ir.aliases(stmt)]
    return ir.reached(seen, pairs)


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of an array in the arena of its dtype."""

    start: ir.Atom
    sizes: tuple[ir.Atom, ...]

    @property
    def atoms(self) -> tuple[ir.Atom, ...]:
        return (self.start, *self.sizes)


Tops = dict[DType, ir.Atom]  # of each arena, the number of items that are taken
Places = dict[int, _Place]  # of the arrays that a loop carries, by position


class _Arenas:
    """Rewrites a function: threads the tops of arenas, and the places of arrays, through it."""

    def __init__(self, loops: Sequence[Loop], leaving: set[ir.Atom]) -> None:
        self._loops = set(loops)
        self._leaving = leaving
        self._arenas: dict[DType, ir.Value] = {}
        self._places: dict[ir.Atom, _Place] = {}
        self._sizes: dict[ir.Value, ir.Atom] = {}  # what stands for sizes of arrays with a place
        self._yielded: set[ir.Atom] = set()  # by the body of a loop, to its next iteration
        for loop in loops:
            carried = [p for p in loop.params if isinstance(p.type, Array)]
            for param in carried:
                assert isinstance(param.type, Array)
                hint = f"{param.hint}_all" if param.hint else "arrays"
                arena = ir.Value(hint, Array(param.type.dtype, 1))
                self._arenas.setdefault(param.type.dtype, arena)
            self._yielded |= {loop.body.yields[loop.params.index(p)] for p in carried}

    def function(self, body: ir.Block) -> ir.Block:
        b = Builder()
        for arena in self._arenas.values():
            b.add(ir.Alloc(arena, (ir.ZERO,), growable=True))
        tops: Tops = dict.fromkeys(self._arenas, ir.ZERO)
        self._statements(body, tops, b)
        return self._yielding(b, body.yields)

    def _statements(self, block: ir.Block, tops: Tops, b: Builder) -> None:
        own = self._yielded.intersection(block.yields)
        for stmt in block.stmts:
            b.origin = stmt.origin
            filled = self._filled(stmt)
            match stmt:
                case ir.Dim(out=out, array=array, axis=axis) if array in self._places:
                    self._sizes[out] = self._places[array].sizes[axis]
                case ir.Alloc(out=out, shape=shape, fill=fill) if out in own:
                    self._take(out, [self._use(size) for size in shape], tops, b)
                    if fill is not None:
                        b.assign(out, fill)
                case ir.If() if filled:
                    self._branch(stmt, filled, tops, b)
                case ir.For() | ir.While() if filled:
                    self._loop(stmt, filled, tops, b)
                case _:
                    b.add(ir.mapped(ir.with_operands(stmt, self._use), self._unfilled))

    def _unfilled(self, block: ir.Block) -> ir.Block:
        """``block``, which puts nothing into arenas."""
        b = Builder()
        self._statements(block, {}, b)
        return self._yielding(b, block.yields)

    def _use(self, atom: ir.Atom) -> ir.Atom:
        return self._sizes.get(atom, atom) if isinstance(atom, ir.Value) else atom

    def _yielding(self, b: Builder, atoms: Sequence[ir.Atom]) -> ir.Block:
        return b.block([self._use(atom) for atom in atoms])

    def _filled(self, stmt: ir.Stmt) -> list[DType]:
        """The dtypes of the arenas that ``stmt`` puts arrays into, inner statements included."""
        found = {
            p.type.dtype
            for inner in ir.within(stmt)
            if isinstance(inner, ir.For | ir.While) and inner in self._loops
            for p in inner.params
            if isinstance(p.type, Array)
        }
        return [dtype for dtype in self._arenas if dtype in found]

    # ---- arrays ---------------------------------------------------------------------------------

    def _take(self, out: ir.Value, sizes: Sequence[ir.Atom], tops: Tops, b: Builder) -> None:
        """Bind ``out`` to the next items of its arena, which are taken from now on."""
        assert isinstance(out.type, Array)
        start = tops[out.type.dtype]
        place = self._places[out] = _Place(start, tuple(sizes))
        top = b.compute("add", (start, b.product(sizes)), INT, "top")
        b.add(ir.Reserve(self._arenas[out.type.dtype], top, (), b.origin))
        self._show(out, place, b, top)
        tops[out.type.dtype] = top

    def _show(self, out: ir.Value, place: _Place, b: Builder, stop: ir.Atom | None = None) -> None:
        """Bind ``out`` to the array at ``place``."""
        assert isinstance(out.type, Array)
        if stop is None:
            stop = b.compute("add", (place.start, b.product(place.sizes)), INT)
        arena = self._arenas[out.type.dtype]
        items = out if out.type.ndim == 1 else ir.Value("", arena.type)
        b.add(ir.View(items, arena, (ir.Slice(place.start, stop),), b.origin))
        if items is not out:
            b.add(ir.Reshape(out, items, place.sizes, b.origin))

    def _place(self, array: ir.Atom, tops: Tops, b: Builder) -> _Place:
        """The place of ``array``, which is copied if it has none."""
        if array not in self._places:
            assert isinstance(array, ir.Value)
            assert isinstance(array.type, Array)
            copy = ir.fresh(array)
            sizes = b.shape(array)
            self._take(copy, sizes, tops, b)
            b.assign(copy, array)
            return self._places[copy]
        return self._places[array]

    # ---- control --------------------------------------------------------------------------------

    def _branch(self, stmt: ir.If, dtypes: Sequence[DType], tops: Tops, b: Builder) -> None:
        arms = []
        for arm in (stmt.then, stmt.orelse):
            inner, child = dict(tops), b.child()
            self._statements(arm, inner, child)
            arms.append(self._yielding(child, [*arm.yields, *(inner[dtype] for dtype in dtypes)]))
        found = [ir.Value("top", INT) for _ in dtypes]
        tops.update(zip(dtypes, found, strict=True))
        outs, cond = (*stmt.outs, *found), self._use(stmt.cond)
        b.add(replace(stmt, outs=outs, cond=cond, then=arms[0], orelse=arms[1]))

    def _loop(self, stmt: Loop, dtypes: Sequence[DType], tops: Tops, b: Builder) -> None:
        carried = [k for k, p in enumerate(stmt.params) if self._is_stored(stmt, p)]
        found = ir.with_operands(stmt, self._use)
        assert isinstance(found, ir.For | ir.While)
        starts = {k: self._place(stmt.inits[k], tops, b) for k in carried}
        inits = _spread(found.inits, starts, [tops[dtype] for dtype in dtypes])
        places = {k: _fresh(starts[k], stmt.params[k].hint) for k in carried}
        inner: Tops = {**tops, **{dtype: ir.Value("top", INT) for dtype in dtypes}}
        params = _spread(stmt.params, places, [inner[dtype] for dtype in dtypes])
        if isinstance(found, ir.While):
            found = replace(found, cond=self._condition(found, places))
        body = self._body(stmt, places, inner, b.child())
        left = {k: _fresh(starts[k], stmt.params[k].hint) for k in carried}
        tops.update((dtype, ir.Value("top", INT)) for dtype in dtypes)
        outs = _spread(stmt.outs, left, [tops[dtype] for dtype in dtypes])
        b.add(
            replace(
                found, outs=ir.values_of(outs), params=ir.values_of(params), inits=inits, body=body
            )
        )
        for k in carried:
            self._leave(stmt.outs[k], left[k], b)

    def _leave(self, out: ir.Value, place: _Place, b: Builder) -> None:
        """Bind the result ``out`` of a loop: an array of its own if others may see it."""
        self._places[out] = place
        shown = ir.fresh(out) if out in self._leaving else out
        self._show(shown, place, b)
        if shown is not out:
            b.add(ir.Alloc(out, place.sizes, None, b.origin))
            b.assign(out, shown)

    def _body(self, stmt: Loop, places: Places, tops: Tops, b: Builder) -> ir.Block:
        """The body of a loop that starts with arrays at ``places``, and arenas up to ``tops``."""
        for k, place in places.items():
            self._places[stmt.params[k]] = place
            self._show(stmt.params[k], place, b)
        self._statements(stmt.body, tops, b)
        ends = {k: self._place(stmt.body.yields[k], tops, b) for k in places}
        dtypes = self._filled(stmt)
        return self._yielding(b, _spread(stmt.body.yields, ends, [tops[dtype] for dtype in dtypes]))

    def _is_stored(self, loop: Loop, param: ir.Value) -> bool:
        return loop in self._loops and isinstance(param.type, Array)

    def _condition(self, stmt: ir.While, places: Places) -> ir.Block:
        """The condition of ``stmt``, over what is carried in place of arrays."""
        used = set(ir.used_in(stmt.cond))
        b, shown = Builder(stmt.origin), {}
        for k, place in places.items():
            if stmt.params[k] in used:
                shown[stmt.params[k]] = out = ir.fresh(stmt.params[k])
                self._places[out] = place
                self._show(out, place, b)
        cond = cloning.block(stmt.cond, shown)
        self._statements(cond, {}, b)
        return self._yielding(b, cond.yields)


def _fresh(place: _Place, hint: str) -> _Place:
    return _Place(
        ir.Value(f"{hint}_at" if hint else "", INT), tuple(ir.Value("", INT) for _ in place.sizes)
    )


def _spread(
    atoms: Sequence[ir.Atom], places: Places, tops: Sequence[ir.Atom]
) -> tuple[ir.Atom, ...]:
    """``atoms`` with the integers of places in place of arrays, and ``tops`` behind."""
    found: list[ir.Atom] = []
    for k, atom in enumerate(atoms):
        found += places[k].atoms if k in places else (atom,)
    return (*found, *tops)
