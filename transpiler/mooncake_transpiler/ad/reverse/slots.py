"""The tape: where saved values are between the sweeps, an axis per counted loop, else a stack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts, Loop
from mooncake_transpiler.ad.fact.linear import is_cheap
from mooncake_transpiler.ad.reverse import counting
from mooncake_transpiler.ad.reverse.primal import Primal
from mooncake_transpiler.ad.reverse.scope import SavedSlot, Scope
from mooncake_transpiler.ad.saving.plan import Plan
from mooncake_transpiler.interface.saved_names import saved_name
from mooncake_transpiler.types import Array, DType, Scalar, Stack


class Slots:
    """Makes, fills and reads the slots of a region."""

    def __init__(self, facts: Facts, primal: Primal) -> None:
        self._facts = facts
        self._primal = primal
        self._names: Counter[str] = Counter()

    def make(self, stmt: ir.Stmt, plan: Plan, s: Scope) -> None:
        """Slots for what is saved inside ``stmt``, created before it in ``s``."""
        stacks: dict[tuple[ir.Block, DType], ir.Value] = {}
        for value in plan.saved_under.get(stmt, ()):
            assert isinstance(value.type, Scalar | Array)
            dtype = value.type.dtype
            sizes = self._sizes(plan.loops[value], s)
            if isinstance(value.type, Array):
                sizes = self._with_extents(sizes, value, s)
            if sizes is None and isinstance(value.type, Array):
                stack = ir.Value("stack", Stack(dtype))
                s.b.add(ir.NewStack(stack, s.b.origin))
                s.slots[value] = SavedSlot(stack, ())
                continue
            if sizes is None:
                key = plan.home[value], dtype
                if key not in stacks:
                    stacks[key] = ir.Value("stack", Stack(dtype))
                    s.b.add(ir.NewStack(stacks[key], s.b.origin))
                s.slots[value] = SavedSlot(stacks[key], ())
                continue
            loops = tuple(x for x in plan.loops[value] if isinstance(x, ir.For))
            equal = s.find_slot(plan.equals[value]) if value in plan.equals else None
            if equal is not None and equal.is_array:
                s.slots[value] = SavedSlot(equal.store, loops, borrowed=True)
                continue
            type_ = Array(dtype, len(sizes))
            s.slots[value] = SavedSlot(s.b.alloc(type_, sizes, None, self._name(value)), loops)

    def _name(self, value: ir.Value) -> str:
        """A name of its own for what is saved of ``value``."""
        made = self._facts.defs.stmt.get(value)
        name = saved_name(value, made or self._facts.writer.get(value))
        self._names[name] += 1
        return name if self._names[name] == 1 else f"{name}_{self._names[name]}"

    def _sizes(self, loops: tuple[Loop, ...], s: Scope) -> list[ir.Atom] | None:
        """The trip counts of ``loops``, if they are known before the outermost of them runs."""
        counted = [loop for loop in loops if isinstance(loop, ir.For)]
        bounds = [atom for loop in counted for atom in (loop.lo, loop.hi, loop.step)]
        if len(counted) < len(loops) or not all(self._known(atom, s) for atom in bounds):
            return None
        return [self._trips(loop, s) for loop in counted]

    def _with_extents(
        self, trips: list[ir.Atom] | None, value: ir.Value, s: Scope
    ) -> list[ir.Atom] | None:
        """``trips`` and the shape of ``value``; None if not all are known before the loop."""
        shape = self._facts.contents.sizes.get(value)
        if shape is None:
            extents = None if trips is None else self._extents(value, s)
            if extents is None and value not in self._facts.writer:
                raise self._primal.lost(value)
            return None if trips is None or extents is None else trips + extents
        if trips is None or not all(self._known(size, s) for size in shape):
            return None
        return trips + [self._primal.use(size, s) for size in shape]

    def _extents(self, value: ir.Value, s: Scope) -> list[ir.Atom] | None:
        """The shape of a snapshot, if it is known before the loop in which it is taken."""
        assert isinstance(value.type, Array)
        found: list[ir.Atom] = []
        for axis in range(value.type.ndim):
            sources = self._facts.integers.shapes.sources(self._source(value), axis)
            known = next((source for source in sources if self._known(source.atom, s)), None)
            if known is None:
                return None
            found.append(self._primal.size(known, s))
        return found

    def _source(self, value: ir.Value) -> ir.Atom:
        """The array that a snapshot is taken of."""
        copy = self._facts.defs.stmt.get(value)
        if isinstance(copy, ir.Copy):
            return copy.src
        (written,) = ir.written(self._facts.writer[value])
        return written

    def _trips(self, loop: ir.For, s: Scope) -> ir.Atom:
        lo, hi, step = (self._primal.use(a, s) for a in (loop.lo, loop.hi, loop.step))
        from_zero = loop.lo == ir.ZERO and loop.step == ir.ONE
        if from_zero and self._facts.integers.nonnegative(loop.hi):
            return hi
        return counting.trips(lo, hi, step, s.b)

    def _known(self, atom: ir.Atom, s: Scope) -> bool:
        """True if ``atom`` can be computed in ``s``, from sizes and values that are bound there."""
        if not isinstance(atom, ir.Value) or self._primal.is_bound(atom, s):
            return True
        stmt = self._facts.defs.stmt.get(atom)
        if isinstance(stmt, ir.Compute) and is_cheap(stmt):
            return all(self._known(a, s) for a in stmt.args)
        return isinstance(stmt, ir.Dim) and self._known(stmt.array, s)

    def save(self, value: ir.Value, s: Scope, source: ir.Atom | None = None) -> None:
        """Save ``value``, just bound in ``s``, or copied from ``source``."""
        slot = s.find_slot(value)
        if slot is None or slot.borrowed:
            return  # handed out of a branch, at hand, or there already
        atom = source or self._primal.use(value, s)
        if isinstance(value.type, Array) and not slot.is_array:
            s.b.add(ir.Push(slot.store, (atom,), s.b.origin))
        elif isinstance(value.type, Array):
            s.b.add(ir.Assign(self._part(slot, value, s), atom, s.b.origin))
        elif slot.is_array:
            s.b.store(slot.store, self._at(slot, s), atom)
        else:
            s.pushes.setdefault(slot.store, {})[value] = atom

    def has_equal(self, value: ir.Value, s: Scope) -> bool:
        """True if an earlier loop has saved an equal of ``value``, which is where it is now."""
        slot = s.find_slot(value)
        return slot is not None and slot.borrowed

    def close(self, values: Iterable[ir.Value], s: Scope) -> None:
        """Push what a block of the forward sweep saves on stacks: ``values``, at its end."""
        order = list(values)
        for stack, atoms in s.pushes.items():
            pushed = tuple(atoms[v] for v in order if v in atoms)
            s.b.add(ir.Push(stack, pushed, s.b.origin))
        s.pushes.clear()

    def restore(self, values: Iterable[ir.Value], s: Scope) -> None:
        """Bind the saved ``values`` in a block of the reverse sweep."""
        s.b.origin = None
        popped: dict[ir.Value, list[ir.Value]] = {}
        arrays: list[tuple[ir.Value, ir.Value]] = []
        for value in values:
            slot = s.find_slot(value)
            if slot is None:
                continue
            if isinstance(value.type, Array) and not slot.is_array:
                arrays.append((value, slot.store))
            elif isinstance(value.type, Array):
                s.atoms[value] = self._part(slot, value, s)
            elif slot.is_array:
                s.atoms[value] = s.b.load(slot.store, self._at(slot, s), value.hint)
            else:
                out = ir.Value(value.hint, value.type)
                popped.setdefault(slot.store, []).append(out)
                s.atoms[value] = out
        for stack, outs in popped.items():
            s.b.add(ir.Pop(tuple(outs), stack, s.b.origin))
        for value, stack in arrays:
            out = ir.fresh(value)
            s.b.add(ir.Pop((out,), stack, s.b.origin, self._popped_shape(value, s)))
            s.atoms[value] = out

    def _popped_shape(self, value: ir.Value, s: Scope) -> tuple[ir.Atom, ...]:
        """The shape of an array on a stack, as noted, or as what it is written back to has it."""
        if value in self._facts.writer:
            return tuple(s.b.shape(self._primal.use(self._source(value), s)))
        return tuple(self._primal.use(size, s) for size in self._facts.contents.sizes[value])

    def _part(self, slot: SavedSlot, value: ir.Value, s: Scope) -> ir.Value:
        """The part of a slot that holds an array."""
        out = ir.Value("", value.type)
        s.b.add(ir.View(out, slot.store, tuple(self._at(slot, s)), s.b.origin))
        return out

    def _at(self, slot: SavedSlot, s: Scope) -> list[ir.Atom]:
        return [counting.iteration(loop, self._primal, s) for loop in slot.loops]
