"""Primal values and shadows in generated code: bound in scope, rematerialised, or recorded.

While a plan is made the reverse sweep is generated once on paper: a ``Recorder`` notes what it
asks for, and the code is thrown away. So planning and generating can't disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.carried.arm_arrays import makes, named_too, overlap_by_nested, together
from mooncake_transpiler.ad.fact.facts import Facts, Loop
from mooncake_transpiler.ad.fact.saved_contents import Content
from mooncake_transpiler.ad.reverse.scope import Scope
from mooncake_transpiler.ad.saving.plan import Needs
from mooncake_transpiler.ad.saving.positions import Positions
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.types import Array, Scalar

# For each shadow the arrays that it is the shadow of, in the order in which they were found.
Pairs = dict[ir.Value, dict[ir.Value, None]]


class Recorder:
    """Notes what the reverse sweep of one statement of a region asks for."""

    def __init__(self, places: Positions, split: bool, rerun: frozenset[ir.Stmt]) -> None:
        self.places = places
        self.split = split
        self.rerun = rerun
        self.needs = Needs()
        self.position = 0

    def covers(self, value: ir.Value) -> bool:
        """True if ``value`` is bound in the region, not in a nested region of a rerun loop."""
        if value not in self.places.home:
            return False
        path = self.places.home[value][1]
        around = next((p for p in path if p in self.rerun), None)
        return around is None or (around is path[-1] and value in ir.binders(around))

    def ask(self, value: ir.Value, *, is_kept: bool) -> None:
        """Note ``value``; ``is_kept``: a copy of content, which is there only if it is saved."""
        places = self.places
        if value in places.direct:
            self.needs.captured.add(value)
            if not is_kept and (not self.split or isinstance(value.type, Array)):
                return
        last = self.needs.values.get(value, -1)
        self.needs.values[value] = max(last, self.position)


class Primal:
    """Finds primal values and shadows for a scope."""

    def __init__(self, facts: Facts, pairs: Pairs) -> None:
        self._facts = facts
        self._pairs = pairs  # of what is generated, not of what is only planned
        self.recorder: Recorder | None = None

    def at(self, stmt: ir.Stmt) -> None:
        """Note that the reverse sweep has come to ``stmt``, with nothing inside reversed yet."""
        if self.recorder is not None and stmt in self.recorder.places.end:
            self.recorder.position = self.recorder.places.end[stmt]

    def use(self, atom: ir.Atom, s: Scope) -> ir.Atom:
        """The value of ``atom`` in ``s``, computed again there if need be."""
        if not isinstance(atom, ir.Value):
            return atom
        found = s.find(atom)
        if found is None:
            found = self._make(atom, s)
            s.atoms[atom] = found
        return found

    def is_bound(self, value: ir.Value, s: Scope) -> bool:
        """True if ``value`` is at hand in ``s`` without computing anything."""
        outside = self.recorder is not None and value not in self.recorder.places.home
        return outside or s.find(value) is not None

    def _make(self, value: ir.Value, s: Scope) -> ir.Atom:
        stmt = self._facts.defs.stmt.get(value)
        outside = self.recorder is not None and value not in self.recorder.places.home
        if isinstance(value.type, Array) and not outside:
            match stmt:
                case ir.View() | ir.Reshape() | ir.Global():
                    return self._again(stmt, s)
                case ir.If(outs=outs):
                    k = outs.index(value)
                    return self._choose(stmt, k, value, s, shadow=False)
                case _:
                    pass
        if outside:
            return value
        if self.recorder is not None and self.recorder.covers(value):
            self.recorder.ask(value, is_kept=self._facts.is_kept(stmt))
            if self._facts.is_snapshot(value):
                for size in self._facts.contents.sizes.get(value, ()):
                    self.use(size, s)  # to take it out of where it is saved
            return value
        if isinstance(stmt, ir.Compute | ir.Dim | ir.Load):
            return self._again(stmt, s)
        if isinstance(stmt, ir.Copy) and self._facts.is_kept(stmt):
            return self.use(stmt.src, s)  # which has been wound back
        raise self.lost(value)

    def is_at_hand(self, array: ir.Atom, s: Scope) -> bool:
        """True if ``use`` finds the very array ``array`` in ``s``, or will when it is saved."""
        if not isinstance(array, ir.Value) or self.is_bound(array, s):
            return True
        sources = self._facts.defs.sources(array)
        if sources:
            return all(self.is_at_hand(source, s) for source in sources)
        if isinstance(self._facts.defs.stmt.get(array), ir.Global):
            return True
        places = self.recorder.places if self.recorder is not None else None
        if places is None or self.recorder is None or not self.recorder.covers(array):
            return False
        return not places.loops(places.home[array][1])

    def content(self, content: Content, s: Scope) -> ir.Atom:
        """The content that an array had right after a call."""
        if content.copy is None or (content.lasts and self.is_at_hand(content.array, s)):
            return self.use(content.array, s)
        return self.use(content.copy, s)

    def extents(self, array: ir.Atom, s: Scope) -> list[ir.Atom]:
        """The shape of ``array``, which itself may be gone."""
        assert isinstance(array.type, Array)
        sizes = self._facts.contents.sizes
        if isinstance(array, ir.Value) and array in sizes and s.find(array) is None:
            return [self.use(size, s) for size in sizes[array]]
        return [*s.b.shape(self.use(array, s))]

    def _again(self, stmt: ir.Simple, s: Scope) -> ir.Value:
        copy = cloning.simple(stmt, lambda a: self.use(a, s))
        s.b.add(replace(copy, origin=s.b.origin))
        return ir.outs(copy)[0]

    def _choose(
        self, stmt: ir.If, k: int, value: ir.Value, s: Scope, *, shadow: bool, hint: str = ""
    ) -> ir.Value:
        """An array that a branch has chosen, or its shadow (zeros if the branch made it)."""
        cond = self.use(stmt.cond, s)
        for block in (stmt.then, stmt.orelse) if shadow else ():
            self._choices_around(block, block.yields[k], s)
        arms = []
        if shadow and overlap_by_nested(stmt, k):
            raise self.lost(value)  # two names for one array: which is its shadow?
        for block in (stmt.then, stmt.orelse):
            c = s.child()
            twins = [s.find_shadow(stmt.outs[j]) for j in named_too(block, k) if shadow]
            known = [one for one in twins if one is not None]
            if known:
                chosen = known[0]
            elif shadow and makes(block, block.yields[k]):
                chosen = self.scratch(value, c)
            else:
                chosen = self.shadow(block.yields[k], c) if shadow else self.use(block.yields[k], c)
            arms.append(c.b.block([chosen]))
        out = ir.Value(hint or value.hint, value.type)
        s.b.add(ir.If((out,), cond, arms[0], arms[1], s.b.origin))
        return out

    def _choices_around(self, block: ir.Block, array: ir.Atom, s: Scope) -> None:
        """The shadow of what ``array`` shows, if a branch before ``block`` chose it."""
        stmt = self._facts.defs.stmt.get(array)
        if stmt in block.stmts:
            if (shown := ir.shown(stmt)) is not None:
                self._choices_around(block, shown, s)
        elif isinstance(stmt, ir.If):
            self.shadow(array, s)

    def lost(self, value: ir.Value) -> Refused:
        """The diagnostic for an array that the reverse sweep needs but can't find again."""
        stmt = self._facts.defs.stmt.get(value)
        what = f"'{value.hint}'" if value.hint else "an array"
        loops = (s for s in ir.walk(self._facts.func.body) if isinstance(s, ir.For | ir.While))
        if any(value in ir.bound_by(loop) for loop in loops):
            why = (
                f"the reverse sweep needs {what} of each iteration, but only the last one is there"
            )
            help_ = "start the loop with a copy, or fill an array that is allocated before it"
        else:
            why = f"the reverse sweep needs {what}, which only one branch has made"
            help_ = "let the branch end with a copy of the part: x[1:].copy()"
        return self.refused("MK401", why, stmt.origin if stmt is not None else None, help_)

    def refused(self, code: str, message: str, origin: ir.Origin | None, help_: str) -> Refused:
        """A diagnostic at ``origin``, or at the function."""
        return refused(code, message, origin or self._facts.func.origin, help_)

    # ---- shadows --------------------------------------------------------------------------------

    def shadow(self, array: ir.Atom, s: Scope) -> ir.Atom:
        """The cotangent storage of ``array``: the same view of its base's shadow."""
        if isinstance(array, ir.Undef):
            return array
        assert isinstance(array, ir.Value)
        found = s.find_shadow(array)
        if found is None:
            found = self._make_shadow(array, s)
            s.shadows[array] = found
        if self.recorder is None and isinstance(found, ir.Value):
            primal, primals = s.find(array), self._pairs.setdefault(found, {})
            if isinstance(primal, ir.Value):
                primals[primal] = None
        return found

    def _make_shadow(self, array: ir.Value, s: Scope) -> ir.Atom:
        stmt = self._facts.defs.stmt.get(array)
        outside = self.recorder is not None and array not in self.recorder.places.home
        hint = f"{array.hint}_bar" if array.hint else ""
        if not outside:
            match stmt:
                case ir.View(base=base, index=index, axes=axes, part=part):
                    at = ir.view_index(index, lambda a: self.use(a, s))
                    out = ir.Value(hint, array.type)
                    s.b.add(ir.View(out, self._whole_shadow(base, s), at, s.b.origin, axes, part))
                    return out
                case ir.Reshape(base=base, shape=shape):  # aliases it: see `ad/carried/reshapes.py`
                    sizes = tuple(self.use(a, s) for a in shape)
                    out = ir.Value(hint, array.type)
                    s.b.add(ir.Reshape(out, self._whole_shadow(base, s), sizes, s.b.origin))
                    return out
                case ir.If(outs=outs):
                    for k in together(stmt, outs.index(array)):
                        if s.find_shadow(outs[k]) is None:
                            made = self._choose(stmt, k, outs[k], s, shadow=True, hint=hint)
                            s.shadows[outs[k]] = made
                    return s.shadows[array]
                case ir.Global():
                    return self.scratch(array, s)  # a constant: nobody looks at its cotangent
                case _:
                    pass
        if outside:
            return array
        if self.recorder is not None and self.recorder.covers(array):
            self.recorder.ask(array, is_kept=False)
            return array
        raise self.lost(array)

    def _whole_shadow(self, base: ir.Atom, s: Scope) -> ir.Atom:
        """The shadow of ``base``, of which a part is wanted."""
        stmt = self._facts.defs.stmt.get(base)
        if (
            isinstance(stmt, ir.If)
            and isinstance(base, ir.Value)
            and s.find_shadow(base) is None
            and any(map(makes, (stmt.then, stmt.orelse), ir.arms(stmt, base)))
        ):
            if self.recorder is None:
                raise self.lost(base)  # zeros of its own for each part, nobody's afterwards
            *_, s = s.outwards()  # the region, which makes it before all that touches it
        return self.shadow(base, s)

    # ---- reshaped arrays ------------------------------------------------------------------------
    # Compilers don't move them out of loops, so they are made where that is possible at all.

    def reshape_now(self, stmt: ir.Reshape, s: Scope) -> None:
        """Reshape in ``s`` already, if all operands are bound and the time does not matter."""
        memory = self._facts.memories.of(stmt.out)
        made = (self._facts.defs.stmt.get(root) for root in memory.roots)
        aliases = all(isinstance(m, ir.Alloc | ir.Copy) for m in made)
        if (aliases or not memory.written) and self._is_ready(stmt.out, s, shadow=False):
            self.use(stmt.out, s)

    def reshape_shadow_now(self, stmt: ir.Reshape, s: Scope) -> None:
        """Reshape the shadow in ``s`` already, if all operands are bound."""
        if self._is_ready(stmt.out, s, shadow=True):
            self.shadow(stmt.out, s)

    def _is_ready(self, array: ir.Atom, s: Scope, *, shadow: bool) -> bool:
        if not isinstance(array, ir.Value):
            return True
        if (s.find_shadow(array) if shadow else s.find(array)) is not None:
            return True
        made = self._facts.defs.stmt.get(array)
        if made is None or ir.shown(made) is None:
            return False
        base, *rest = ir.operands(made)
        bound = all(not isinstance(a, ir.Value) or s.find(a) is not None for a in rest)
        return bound and self._is_ready(base, s, shadow=shadow)

    def zero_shadow(self, root: ir.Value, s: Scope) -> None:
        """Create the shadow of ``root``, of its shape and dtype, filled with zeros.

        Those of shadows that overlap do, too.
        """
        stmt = self._facts.defs.stmt.get(root)
        if isinstance(stmt, ir.Shadows):
            outs = tuple(ir.cotangent(v) for v in stmt.outs)
            arrays = tuple(self.use(array, s) for array in stmt.arrays)
            s.b.add(ir.Shadows(outs, arrays, s.b.origin))
            s.shadows.update(zip(stmt.outs, outs, strict=True))
            return
        s.shadows[root] = self.scratch(root, s, f"{root.hint}_bar" if root.hint else "")

    def scratch(self, array: ir.Atom, s: Scope, hint: str = "") -> ir.Value:
        """New zeros of the shape and dtype of ``array``."""
        assert isinstance(array.type, Array)
        zero = ir.zero(Scalar(array.type.dtype))
        found = [self._given_extent(array, axis) for axis in range(array.type.ndim)]
        given = [extent for extent in found if extent is not None]
        if len(given) == len(found):
            shape = [self.size(extent, s) for extent in given]
        else:
            shape = self.extents(array, s)
        return s.b.alloc(array.type, shape, zero, hint)

    def _given_extent(self, array: ir.Atom, axis: int) -> Extent | None:
        """The size of ``axis`` of ``array`` where arguments tell it: it is there anyway."""
        extents = self._facts.integers.shapes.sources(array, axis)
        return next((extent for extent in extents if self._is_given(extent.atom)), None)

    def _is_given(self, atom: ir.Atom) -> bool:
        """True for numbers, arguments that have a cotangent, and extents of any argument."""
        if not isinstance(atom, ir.Value):
            return True
        made, inputs = self._facts.defs.stmt.get(atom), self._facts.func.inputs
        if isinstance(made, ir.Dim):
            return made.array in inputs
        return isinstance(atom.type, Array) and atom in inputs and self._facts.activity.active(atom)

    def size(self, extent: Extent, s: Scope) -> ir.Atom:
        """The number that ``extent`` stands for, in ``s``."""
        found = self.use(extent.atom, s)
        return found if extent.axis is None else s.b.dim(found, extent.axis)

    # ---- loops ----------------------------------------------------------------------------------

    def open_loop(
        self, stmt: Loop, s: Scope, sums: Sequence[ir.Value] = (), sum_inits: Sequence[ir.Atom] = ()
    ) -> tuple[Scope, Loop]:
        """A copy of ``stmt`` with fresh binders and ``sums`` carried too, its body still open."""
        c = s.child()
        params = tuple(map(ir.fresh, stmt.params))
        c.atoms.update(zip(stmt.params, params, strict=True))
        inits = (*(self.use(a, s) for a in stmt.inits), *sum_inits)
        if isinstance(stmt, ir.For):
            index = ir.fresh(stmt.index)
            c.atoms[stmt.index] = index
            lo, hi, step = (self.use(a, s) for a in (stmt.lo, stmt.hi, stmt.step))
            return c, replace(
                stmt, index=index, lo=lo, hi=hi, step=step, params=(*params, *sums), inits=inits
            )
        cond = Scope(s.b.child(), s)
        cond.atoms.update(zip(stmt.params, params, strict=True))
        for inner in stmt.cond.stmts:
            self._copy(inner, cond)
        yields = [self.use(a, cond) for a in stmt.cond.yields]
        return c, replace(stmt, params=(*params, *sums), inits=inits, cond=cond.b.block(yields))

    def _copy(self, stmt: ir.Stmt, s: Scope) -> None:
        """A copy of a statement of a loop's condition, branches and loops included."""
        if isinstance(stmt, ir.If):
            cond = self.use(stmt.cond, s)
            arms = []
            for block in (stmt.then, stmt.orelse):
                c = s.child()
                for inner in block.stmts:
                    self._copy(inner, c)
                arms.append(c.b.block([self.use(a, c) for a in block.yields]))
            copy: ir.Stmt = replace(
                stmt, outs=tuple(map(ir.fresh, stmt.outs)), cond=cond, then=arms[0], orelse=arms[1]
            )
        elif isinstance(stmt, ir.For | ir.While):
            c, loop = self.open_loop(stmt, s)
            for inner in stmt.body.stmts:
                self._copy(inner, c)
            body = c.b.block([self.use(a, c) for a in stmt.body.yields])
            copy = replace(loop, outs=tuple(map(ir.fresh, stmt.outs)), body=body)
        else:
            copy = cloning.simple(stmt, lambda a: self.use(a, s))
        s.b.add(copy)
        s.atoms.update(zip(ir.outs(stmt), ir.outs(copy), strict=True))
