"""Arrays that a loop carries become integers, tags, that number the possible arrays.

    for t in 0..n (u = a, v = b):        for t in 0..n (k = 0, m = 1):
      ...                                  u = a if k == 0 else b; v = a if m == 0 else b
      yield v, u                           ...
                                           yield m, k

So the reverse sweep finds the same array and the same shadow again: which one it was is an
ordinary integer, saved like any other. An array that is made in each iteration and then carried
gets buffers that are made before the loop, one more than there are carried arrays that can be it,
so that one is always free:

    for t in 0..n (u = a):               b = like a; c = like a
      w = copy u                         for t in 0..n (k = 0):
      ...                                  u = (a, b, c)[k]; j = 2 if k == 1 else 1
      yield w                              w = (a, b, c)[j]; w[...] = u
                                           ...
                                           yield j

A loop stays as it is if it carries arrays of other shapes, or parts of arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.shapes import CallExtent, Extent, Extents, carried_shapes
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import BOOL, INT, Array

Made = ir.Alloc | ir.Copy
Shape = tuple[Extent, ...]
Equal = tuple[tuple[ir.Atom, ir.Atom], ...]  # pairs of integers


def tag_arrays(func: ir.Func, calls: CallExtent) -> ir.Func:
    """``func`` with integers carried in place of arrays, wherever that is possible.

    One loop at a time, inner ones first: what an inner loop leaves is a choice between arrays.
    """
    while (body := _one(func.body, _Known.of(func, calls), ())) is not None:
        func = replace(func, body=body)
    return func


@dataclass(frozen=True, slots=True)
class _Known:
    """Shapes in a function: ``inits`` are arrays of the shapes that loops carry."""

    defs: Definitions
    calls: CallExtent
    inits: Mapping[ir.Value, ir.Atom]

    @classmethod
    def of(cls, func: ir.Func, calls: CallExtent) -> _Known:
        defs = Definitions(func)
        return cls(defs, calls, carried_shapes(func, defs, calls))


def _one(block: ir.Block, known: _Known, equal: Equal) -> ir.Block | None:
    """``block`` with one loop rewritten, or None if there is none to rewrite.

    What is in ``equal`` is so before the block.
    """
    for k, stmt in enumerate(block.stmts):
        nested = list(ir.blocks(stmt))
        for j, inner in enumerate(nested):
            if (changed := _one(inner, known, equal)) is not None:
                nested[j] = changed
                stmts = (ir.with_blocks(stmt, tuple(nested)),)
                return ir.Block((*block.stmts[:k], *stmts, *block.stmts[k + 1 :]), block.yields)
        if isinstance(stmt, ir.For | ir.While):
            tagging = _Tagging(stmt, known, equal)
            if tagging.is_possible:
                b = Builder(stmt.origin)
                tagging.emit(b)
                return ir.Block((*block.stmts[:k], *b.stmts, *block.stmts[k + 1 :]), block.yields)
        equal = (*equal, *known.defs.checked(stmt))
    return None


class _Tagging:
    """One loop, and what the arrays that it carries can be."""

    def __init__(self, loop: Loop, known: _Known, equal: Equal) -> None:
        self._loop = loop
        self._integers = Integers(known.defs)
        self._carried = [k for k, p in enumerate(loop.params) if isinstance(p.type, Array)]
        self._inside = ir.bound_by(loop)
        self._chosen: dict[ir.Value, tuple[ir.If, int]] = {}
        self._own: dict[ir.Value, Made] = {}
        self._shapes: dict[ir.Value, Shape | None] = {}  # of `_own`, where they are made
        self._tags: dict[ir.Value, ir.Atom] = {
            loop.params[k]: ir.Value("", INT) for k in self._carried
        }
        self._sources: dict[ir.Value, int] = {}
        self._buffers: dict[ir.Value, list[ir.Value]] = {}  # by the value that is made
        self._set_to: dict[int, set[ir.Value]] = {}  # what the carried arrays are set to
        self._held: dict[int, set[ir.Value]] = {}  # what they can be, those carried left out
        inits = {loop.params[k]: loop.inits[k] for k in self._carried}
        self._extents = Extents(known.defs, {**known.inits, **inits}, known.calls)
        self._extents.learn(equal)
        for stmt in loop.body.stmts:
            self._scan(stmt)
            self._extents.learn(known.defs.checked(stmt), self._inside)
        self.is_possible = bool(self._carried) and self._is_possible()

    def _scan(self, stmt: ir.Stmt) -> None:
        """Note the branches and the makings of arrays that happen once in an iteration."""
        match stmt:
            case ir.If():
                self._chosen.update((out, (stmt, k)) for k, out in enumerate(stmt.outs))
                for inner in (*stmt.then.stmts, *stmt.orelse.stmts):
                    self._scan(inner)
            case ir.Alloc() | ir.Copy():
                self._note(stmt.out, stmt)
            case ir.Call():
                for out in stmt.outs:
                    if isinstance(out.type, Array):
                        self._note(out, ir.Copy(out, out, stmt.origin))
            case _:
                pass

    def _note(self, array: ir.Value, made: Made) -> None:
        self._own[array] = made
        self._shapes[array] = self._extents.shape(array)

    def _is_possible(self) -> bool:
        loop = self._loop
        if isinstance(loop, ir.While) and any(
            a in self._tags for s in ir.walk(loop.cond) for a in ir.operands(s)
        ):
            return False
        for k in self._carried:
            found: list[ir.Value] = []
            if not all(tuple(self._find(a, found) for a in (loop.inits[k], loop.body.yields[k]))):
                return False
            self._set_to[k] = {*found}
            found = [a for a in found if a not in self._tags]
            if any(a in self._own for a in found) and not self._same_shape(loop.inits[k], found):
                return False
        self._held = {k: self._reached(k) for k in self._carried}
        return True

    def _reached(self, k: int) -> set[ir.Value]:
        """The arrays that carried array ``k`` can be, by itself or by other ones."""
        number = {self._loop.params[j]: j for j in self._carried}
        seen = closure([k], lambda j: (number[a] for a in self._set_to[j] if a in number))
        return {array for j in seen for array in self._set_to[j] if array not in number}

    def _find(self, atom: ir.Atom, found: list[ir.Value]) -> bool:
        """Note the arrays that ``atom`` can be; False if it is a part of an array of the loop.

        Those that are carried are noted as they are.
        """
        if not isinstance(atom, ir.Value):
            return False
        if atom in self._tags:
            found.append(atom)
            return True
        if atom in self._chosen:
            stmt, k = self._chosen[atom]
            return all(tuple(self._find(arm.yields[k], found) for arm in (stmt.then, stmt.orelse)))
        found.append(atom)
        if atom in self._own:
            self._buffers.setdefault(atom, [])
            return True
        if atom in self._inside:
            return False
        self._sources.setdefault(atom, len(self._sources))
        return True

    def _same_shape(self, init: ir.Atom, found: Sequence[ir.Value]) -> bool:
        """True if all of ``found`` have the shape of ``init`` when an iteration ends.

        That of those which the loop makes must be known before the loop, when they are made.
        """
        shape = self._extents.shape(init)
        early = (self._shapes[a] for a in found if a in self._own)
        return (
            shape is not None
            and all(map(self._is_early, early))
            and all(self._extents.shape(array) == shape for array in found)
        )

    def _is_early(self, shape: Shape | None) -> bool:
        """True if ``shape`` is known before the loop."""
        return (
            shape is not None
            and not any(e.atom in self._inside for e in shape)
            and all(e.axis is not None or self._integers.nonnegative(e.atom) for e in shape)
        )

    # ---- emission -------------------------------------------------------------------------------

    def emit(self, b: Builder) -> None:
        """Append the loop over tags, and its results as arrays."""
        loop = self._loop
        for made, buffers in self._buffers.items():
            shape = self._shapes[made]
            assert shape is not None
            for _ in range(len(self._holders(made)) + 1):
                buffer = ir.Value(made.hint, made.type)
                buffers.append(buffer)
                self._sources[buffer] = len(self._sources)
                sizes = tuple(_size(extent, b) for extent in shape)
                b.add(ir.Alloc(buffer, sizes, None, loop.origin))
        body = Builder(loop.origin)
        for k in self._carried:
            self._choose(self._tags[loop.params[k]], loop.params[k], body, self._places(k))
        self._statements(loop.body, body)
        outs = list(loop.outs)
        params, inits, yields = list(loop.params), list(loop.inits), list(loop.body.yields)
        for k in self._carried:
            tag = self._tags[loop.params[k]]
            assert isinstance(tag, ir.Value)
            outs[k], params[k] = ir.Value("", INT), tag
            inits[k], yields[k] = self._tag(inits[k]), self._tag(yields[k])
        b.add(
            replace(
                loop,
                outs=tuple(outs),
                params=tuple(params),
                inits=tuple(inits),
                body=body.block(yields),
            )
        )
        for k in self._carried:
            self._choose(outs[k], loop.outs[k], b, self._places(k))

    def _places(self, k: int) -> list[int]:
        """The tags that carried array ``k`` can have."""
        held = (a for array in self._held[k] for a in self._buffers.get(array, [array]))
        return sorted(self._sources[a] for a in held)

    def _holders(self, made: ir.Value) -> list[int]:
        """The carried arrays that can be ``made`` of an earlier iteration."""
        return [k for k in self._carried if made in self._held[k]]

    def _tag(self, atom: ir.Atom) -> ir.Atom:
        assert isinstance(atom, ir.Value)
        if atom in self._tags:
            return self._tags[atom]
        return ir.int_const(self._sources[atom])

    def _statements(self, block: ir.Block, b: Builder) -> None:
        for stmt in block.stmts:
            b.origin = stmt.origin
            if isinstance(stmt, ir.If):
                b.add(self._branch(stmt))
            elif isinstance(stmt, ir.Alloc | ir.Copy) and stmt.out in self._buffers:
                self._make(stmt, b)
            elif isinstance(stmt, ir.Call) and not self._buffers.keys().isdisjoint(stmt.outs):
                self._call(stmt, b)
            else:
                b.add(stmt)

    def _make(self, stmt: Made, b: Builder) -> None:
        """Take the first buffer of ``stmt`` that is not carried, and fill it."""
        places = [self._sources[buffer] for buffer in self._buffers[stmt.out]]
        tag: ir.Atom = ir.int_const(places[-1])
        for place in reversed(places[:-1]):
            free: ir.Atom = ir.Const(True, BOOL)
            for k in self._holders(stmt.out):
                other = self._tags[self._loop.params[k]]
                differs = b.compute("ne", (other, ir.int_const(place)), BOOL)
                free = differs if isinstance(free, ir.Const) else _both(free, differs, b)
            tag = b.compute("select", (free, ir.int_const(place), tag), INT)
        self._tags[stmt.out] = tag
        self._choose(tag, stmt.out, b, places)
        match stmt:
            case ir.Copy(src=src):
                b.add(ir.Assign(stmt.out, src, stmt.origin))
            case ir.Alloc(fill=fill):
                if fill is not None:
                    b.add(ir.Assign(stmt.out, fill, stmt.origin))

    def _call(self, stmt: ir.Call, b: Builder) -> None:
        """Fill buffers with results of a call, which come in memory of their own."""
        results = [ir.Value("", v.type) if v in self._buffers else v for v in stmt.outs]
        b.add(replace(stmt, outs=tuple(results)))
        for result, out in zip(results, stmt.outs, strict=True):
            if result is not out:
                self._make(ir.Copy(out, result, stmt.origin), b)

    def _branch(self, stmt: ir.If) -> ir.Stmt:
        """``stmt``; where it chooses between arrays that have tags, it chooses between these."""
        arms = []
        for arm in (stmt.then, stmt.orelse):
            inner = Builder(stmt.origin)
            self._statements(arm, inner)
            arms.append((inner, arm.yields))
        wanted = [
            k
            for k, out in enumerate(stmt.outs)
            if isinstance(out.type, Array) and all(self._has_tag(ys[k]) for _, ys in arms)
        ]
        tags = [ir.Value("", INT) for _ in wanted]
        blocks = [
            inner.block([*yields, *(self._tag(yields[k]) for k in wanted)])
            for inner, yields in arms
        ]
        self._tags.update((stmt.outs[k], tag) for k, tag in zip(wanted, tags, strict=True))
        return replace(stmt, outs=(*stmt.outs, *tags), then=blocks[0], orelse=blocks[1])

    def _has_tag(self, atom: ir.Atom) -> bool:
        return atom in self._tags or atom in self._sources

    def _choose(self, tag: ir.Atom, out: ir.Value, b: Builder, places: Sequence[int]) -> None:
        """``out`` = the array that ``tag`` stands for, one of ``places``."""
        rest = ir.Block((), (list(self._sources)[places[-1]],))
        for place in reversed(places[1:-1]):
            inner = Builder(b.origin)
            chosen = ir.Value("", out.type)
            self._choose_first(tag, place, chosen, rest, inner)
            rest = inner.block([chosen])
        self._choose_first(tag, places[0], out, rest, b)

    def _choose_first(
        self, tag: ir.Atom, place: int, out: ir.Value, rest: ir.Block, b: Builder
    ) -> None:
        is_this = b.compute("eq", (tag, ir.int_const(place)), BOOL)
        first = ir.Block((), (list(self._sources)[place],))
        b.add(ir.If((out,), is_this, first, rest, b.origin))


def _both(a: ir.Atom, b: ir.Atom, builder: Builder) -> ir.Atom:
    return builder.compute("and", (a, b), BOOL)


def _size(extent: Extent, b: Builder) -> ir.Atom:
    """The size that ``extent`` stands for, computed here."""
    return extent.atom if extent.axis is None else b.dim(extent.atom, extent.axis)
