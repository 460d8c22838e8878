"""The types of what a loop carries: a fixed point, found by lowering its body again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.merge import object_phis, phis
from mooncake_transpiler.frontend.lower.merge.carried import (
    Carried,
    LoopBody,
    before_loop,
    before_some,
    converted,
    flags_of,
    handed_on,
    is_static,
    keeps_shapes,
    memory_of,
    note_common,
    take_shapes,
    twin,
)
from mooncake_transpiler.frontend.lower.object import absent_lists, objects, unifying
from mooncake_transpiler.frontend.lower.row import lengths, longer_tuples
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import (
    CARGO,
    EXIT,
    FALSE,
    FLAGS,
    RAISED,
    RETURNED,
    hint_of,
    is_cell,
    is_flag,
    meet,
    owner_of,
)
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES, Names
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.inner import like
from mooncake_transpiler.frontend.lower.state.leaves import atoms, fresh, same, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import DEAD, Conflict, Operand, State
from mooncake_transpiler.frontend.lower.state.properties import Deeds
from mooncake_transpiler.frontend.lower.state.whose import Whose
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, Type


@dataclass(slots=True)
class Carrier:
    """Lowers one loop body. ``names`` may change in it; those in ``exported`` are live after it."""

    ctx: Context
    names: Iterable[str]
    exported: Callable[[str], bool]
    again: Names = NO_NAMES  # read in an iteration before they are set in it
    carried: dict[str, Carried] = field(default_factory=dict)
    conflicts: dict[str, Conflict] = field(default_factory=dict)
    heads: dict[str, Ref] = field(default_factory=dict)  # objects that differ in each iteration
    given: dict[str, Operand] = field(default_factory=dict)  # fields of heads before the loop
    owners: dict[str, tuple[str, str]] = field(default_factory=dict)  # of these: variable, field
    sources: dict[str, str] = field(default_factory=dict)  # of exported fields: those in the body
    deeds: Deeds = field(default_factory=Deeds)  # of an iteration
    disordered: set[str] = field(default_factory=set)  # arrays whose layout changes
    mixed: dict[str, list[Whose]] = field(default_factory=dict)  # numbers of several kinds
    blended: set[str] = field(default_factory=set)  # those that are bools in some iteration
    integral: set[str] = field(default_factory=set)  # those that are ints in some, and floats
    kept: set[str] = field(default_factory=set)  # results that were there before the loop
    body: Builder = field(default_factory=Builder)  # the last iteration that was lowered

    def run(self, body: Callable[[], None]) -> LoopBody:
        """``body`` lowers one iteration, from the variables as they are at its start."""
        ctx = self.ctx
        entry, statements = ctx.frame.save(), ctx.statements
        for name in self.names:
            value = None if is_flag(name) else entry.values.get(name)
            type_ = None if value is None else type_of(value)
            if type_ is not None and not isinstance(value, Conflict):
                self._carry(name, type_, value)
        ways = [(way, len(way.bounds)) for way in throwing.ways(ctx)]
        known = ctx.memory.local | ctx.memory.inputs
        while True:
            ctx.frame.restore(entry)
            for way, count in ways:
                way.forget(count)
            ctx.statements = statements
            self._enter()
            before = memory_of(ctx, self.carried.values(), known)
            self.body = builder = self._iteration(body)
            latch = ctx.frame.save()
            if self._grows(entry, latch, builder):
                known |= ctx.memory.local
            elif self._settled(entry, latch):
                self._note_memory(latch)
                now = memory_of(ctx, self.carried.values(), known)
                # If not: the body may have written to memory of which there are copies for views.
                if now == before or not ctx.memory.shown:
                    return self._finish(builder, entry, latch)

    def _iteration(self, body: Callable[[], None]) -> Builder:
        """One iteration, and what it does to objects."""
        ctx = self.ctx
        before, ctx.heap.deeds = ctx.heap.deeds, Deeds()
        try:
            return ctx.in_child(body)
        finally:
            self.deeds, ctx.heap.deeds = ctx.heap.deeds, before | ctx.heap.deeds

    def _enter(self) -> None:
        """The variables at the start of an iteration."""
        frame = self.ctx.frame
        frame.values |= self.given | self.heads
        frame.values |= {name: one.head for name, one in self.carried.items()}
        frame.values |= self.conflicts
        if frame.bound is not None:
            frame.bound |= frozenset(self.given)

    def _new(self, name: str, latch: State) -> Operand | None:
        """The value of variable ``name`` at the end of an iteration."""
        if name not in self.owners:
            return latch.values.get(name)
        owner, of = self.owners[name]
        ref = self._new(owner, latch)
        return latch.values.get(objects.variable(ref, of)) if isinstance(ref, Ref) else None

    def _old(self, name: str, entry: State) -> Operand | None:
        """Its value before the loop."""
        return self.given[name] if name in self.given else entry.values.get(name)

    def _changing(self, entry: State) -> Iterator[str]:
        """The variables that may change: those of the program, and what objects hold."""
        yield from self.names
        yield from list(self.given)
        known = {*self.names, *self.given}
        yield from (n for n in entry.values if is_cell(n) and n not in known)

    def _head(self, name: str, old: Ref, entry: State) -> None:
        """Let ``name`` hold another object in each iteration."""
        object_phis.check_number(self.ctx, self.heads)
        head = self.heads[name] = objects.new(self.ctx, old.cls, hint_of(name))
        for of in objects.fields_in(entry.values | self.given, old):
            own, before = objects.variable(head, of), objects.variable(old, of)
            value = self.given.get(before) or entry.values[before]
            self.owners[own] = (name, of)
            self.given[own] = value
            type_ = type_of(value)
            if type_ is not None and not isinstance(value, Conflict):
                self._carry(own, type_, value)

    def _carry(
        self,
        name: str,
        type_: Type,
        before: Operand | None,
        new: Operand | None = None,
        *,
        is_empty: bool = False,
    ) -> None:
        """Arrays are taken to keep the shape that they have before the loop, but for stand-ins.

        Where they don't: what is common to those at the head so far, and ``new`` ones at the end.
        """
        head, old = like(fresh(type_, hint_of(name)), before), self.carried.get(name)
        one = self.carried[name] = Carried(name, type_, head, before)
        if new is not None and old is not None:
            note_common(self.ctx, one.head, old.head, unifying.fitted(new, type_))
        elif before is not None and not is_empty:
            take_shapes(self.ctx, one.head, before, is_ordered=name not in self.disordered)
        values, old_ones = one.params(), [] if before is None else list(atoms(before))
        storage.may_be(self.ctx, zip(values, old_ones, strict=False))
        kinds.hand_on(self.ctx, values, old_ones)
        if name in self.blended:
            kinds.blend(self.ctx, values)
        if name in self.integral:
            kinds.may_be_ints(self.ctx, values)
        if name in self.mixed:
            kinds.mark_all(self.ctx, values, self.mixed[name])

    def _carry_made(self, name: str, type_: Type, new: Operand) -> None:
        """Carry ``new``, which only the body makes."""
        before, fits = before_loop(self.ctx, name, new)
        self._carry(name, type_, before, is_empty=not fits)

    def _grows(self, entry: State, latch: State, body: Builder) -> bool:
        """True if a list changes in length, which grows from now on; what it held is forgotten."""
        changed = lengths.start(self.ctx, entry, latch, body)
        for known in (self.carried, self.conflicts, self.given, self.owners):
            for name in [n for n in known if owner_of(n) in changed]:
                del known[name]
        return bool(changed)

    def _note_memory(self, latch: State) -> None:
        """Note which arrays those at the head may be."""
        for one in self.carried.values():
            new = self._new(one.name, latch)
            if new is not None and not isinstance(new, Conflict) and not latch.raised:
                new = unifying.fitted(new, one.type)
                storage.may_be(self.ctx, zip(one.params(), atoms(new), strict=False))

    def _settled(self, entry: State, latch: State) -> bool:
        """True if the body leaves each variable as it expects it; else widen what differs."""
        settled = True
        for name in self._changing(entry):
            if name in self.conflicts:
                continue
            new, one = self._new(name, latch), self.carried.get(name)
            if one is None:
                settled &= not self._varies(name, new, entry, latch)
            elif new is not None and new is not DEAD and not latch.raised:
                settled &= not self._widened(name, one, new)
        return settled

    def _varies(self, name: str, new: Operand | None, entry: State, latch: State) -> bool:
        """True if ``name``, which is not carried yet, has to be, or can't be what it is."""
        old = self._old(name, entry)
        if old is None:
            if new is None or not self._lasts(name, latch) or self._is_kept(name, new, entry):
                return False
            handed = handed_on(self.ctx, name, new, entry)
            if isinstance(handed, Conflict):
                self.conflicts[name] = handed
            elif handed is not None:
                self._carry_made(name, handed, new)
            return handed is not None
        object_phis.check_dicts(self.ctx, (old, entry), (new, latch))
        if new is None or same(old, new) or object_phis.stands_for(self.heads.get(name), new):
            return False
        self._vary(name, old, new, entry)
        return True

    def _widened(self, name: str, one: Carried, new: Operand) -> bool:
        """True if the carried ``one`` had to change so that ``new`` fits into it."""
        wide = unifying.unify(undefined(one.type), new)
        pairs = list(zip(one.params(), atoms(unifying.fitted(new, one.type)), strict=False))
        for names, bring in ((self.blended, kinds.are_blended), (self.integral, kinds.brings_int)):
            if wide == one.type and bring(self.ctx, pairs):
                names.add(name)
                self._carry(name, wide, one.before)
                return True
        if wide == one.type and not kinds.agree(self.ctx, pairs):
            self.mixed[name] = kinds.joined(self.ctx, pairs)
            self._carry(name, wide, one.before)
        elif wide == one.type and keeps_shapes(self.ctx, one, new):
            if all(storage.is_laid_out_as(self.ctx, head, leaf) for head, leaf in pairs):
                return False
            self.disordered.add(name)
            self._carry(name, wide, one.before)
        elif isinstance(wide, Conflict):
            del self.carried[name]
            self._conflict(name, one.head, new)
        else:
            self.mixed.pop(name if wide != one.type else "", None)
            before, fits = before_some(self.ctx, name, one.before, new)
            self._carry(name, wide, before, new if wide == one.type else None, is_empty=not fits)
        return True

    def _vary(self, name: str, old: Operand, new: Operand, entry: State) -> None:
        """Let ``name`` change from one iteration to the next, if that can be."""
        type_ = type_of(old)
        several = unifying.several(old, new)
        if several is not None:
            self._carry(name, several, old)
        elif isinstance(old, Ref) and isinstance(new, Ref) and old.cls is new.cls:
            self._head(name, old, entry)
        elif type_ and (is_cell(name) or is_flag(name)) and not isinstance(old, Conflict):
            self._carry(name, type_, old)
        else:
            self.heads.pop(name, None)
            self._conflict(name, old, new)

    def _conflict(self, name: str, old: Operand, new: Operand) -> None:
        absent_lists.check(self.ctx, name, old, new)
        longer_tuples.check(self.ctx, name, old, new)
        self.conflicts[name] = unifying.changes(old, new)

    def _behind(self, one: Carried, latch: State) -> Operand:
        """The value of ``one`` behind the loop, with what is known of its shapes."""
        after = like(fresh(one.type, hint_of(one.name)), one.head)
        if one.before is not None and any(p in self.ctx.sizes.shapes for p in one.params()):
            is_ordered = one.name not in self.disordered
            take_shapes(self.ctx, after, one.before, is_ordered=is_ordered)
        else:
            last = one.before, self._new(one.name, latch)
            fitting = (unifying.fitted(x, one.type) for x in last if x is not None)
            note_common(self.ctx, after, *(x for x in fitting if type_of(x) == one.type))
        return after

    def _finish(self, builder: Builder, entry: State, latch: State) -> LoopBody:
        ctx = self.ctx
        self._export(entry, latch)
        ends = {name: (self._old(name, entry), self._new(name, latch)) for name in self.heads}
        if ends:
            object_phis.check(ctx, self.heads, ends, self.deeds.changed, entry, latch)
            object_phis.check_apart(ctx, self.deeds.apart)
        object_phis.check_copies(ctx, self.deeds.copied & self.deeds.changed, entry)
        flags = flags_of(self.ctx, latch)
        first = {flag: Carried(flag, BOOL, ir.Value("", BOOL), FALSE) for flag in flags}
        self.carried = first | self.carried
        outs: list[ir.Value] = []
        yields: list[ir.Atom] = []
        inits: list[ir.Atom] = []
        for one in self.carried.values():
            one.after = self._behind(one, latch)
            kinds.hand_on(ctx, atoms(one.after), atoms(one.head))
            for source in (one.head, self._new(one.name, latch)):
                if source is not None and not isinstance(source, Conflict):
                    possible = atoms(unifying.fitted(source, one.type))
                    storage.may_be(ctx, zip(atoms(one.after), possible, strict=False))
            outs += [atom for atom in atoms(one.after) if isinstance(atom, ir.Value)]
            yields += converted(self.ctx, builder, self._new(one.name, latch), one, latch.raised)
            inits += converted(self.ctx, self.ctx.builder, one.before, one, False)
        params = tuple(p for one in self.carried.values() for p in one.params())
        loop = LoopBody(builder.block(yields), params, tuple(inits), tuple(outs), EXIT in flags)
        loop.sources = self.sources
        frame = self.ctx.frame
        frame.restore(entry)
        if frame.bound is not None:
            frame.bound |= frozenset(self.given)
        loop.after = self._after(entry, latch)
        return loop

    def _export(self, entry: State, latch: State) -> None:
        """Carry out of the loop what only its body defines."""
        for name in (*self.names, *CARGO):
            value = latch.values.get(name)
            if name in {*self.carried, *self.conflicts, *self.heads} or value is None:
                continue
            type_ = type_of(value)
            exported = name in CARGO or self.exported(name)
            if isinstance(value, Ref) and name not in entry.values and exported:
                self._export_object(name, value, latch)
            if self._is_kept(name, value, entry):
                self.kept.add(name)
            elif type_ is not None and exported and not same(value, entry.values.get(name)):
                self._carry_made(name, type_, value)

    def _is_kept(self, name: str, value: Operand, entry: State) -> bool:
        """True for a result that was there before the loop, which only says that it is the one."""
        is_first = name in CARGO and name not in entry.values
        return is_first and phis.is_from_outside(value, self.body.block(()))

    def _lasts(self, name: str, latch: State) -> bool:
        """True if the next iteration, or what is behind it, may see what one sets."""
        exits = self.ctx.frame.loops[-1]
        fresh = meet([latch.bound, *exits.breaks, *exits.continues])
        return name in self.again or fresh is None or name not in fresh

    def _export_object(self, name: str, ref: Ref, latch: State) -> None:
        """Carry an object out of the loop that only its body makes."""
        head = self.heads[name] = objects.new(self.ctx, ref.cls, hint_of(name))
        for of in objects.fields_in(latch.values, ref):
            own, inner = objects.variable(head, of), objects.variable(ref, of)
            value = latch.values[inner]
            self.owners[own] = (name, of)
            self.sources[own] = inner
            for way in throwing.ways(self.ctx):
                way.join(own, [(ref, inner)])
            type_ = type_of(value)
            if isinstance(value, Ref):
                self._export_object(own, value, latch)
            elif type_ is not None:
                self._carry(own, type_, None)
            else:
                self.given[own] = value

    def _after(self, entry: State, latch: State) -> dict[str, Operand]:
        """The variables after the loop."""
        after: dict[str, Operand] = dict(entry.values)
        for name in dict.fromkeys((*latch.values, *self.given, *self.owners)):
            if name in FLAGS:
                continue
            if name in self.carried:
                after[name] = self.carried[name].after
            elif name in self.heads:
                after[name] = self.heads[name]
            elif name in self.given and name not in self.conflicts:
                after[name] = self.given[name]
            elif name in self.conflicts:
                after[name] = self.conflicts[name]
            elif not same(latch.values[name], entry.values.get(name)):
                value = latch.values[name]
                stays = name in self.kept or (is_static(value) and self.exported(name))
                after[name] = value if stays else DEAD
        if (exit_ := self.carried.get(EXIT)) is not None:
            returned = self.carried.get(RETURNED)
            mixed = self.ctx.frame.loops[-1].mixed
            after[EXIT] = exit_.after
            after[RETURNED] = returned.after if returned else FALSE if mixed else exit_.after
            if latch.values[RAISED] != FALSE:
                flags = [f for f in (RAISED, EXIT, RETURNED) if f in self.carried]
                after[RAISED] = self.carried[twin(RAISED, flags, latch) or EXIT].after
        return after
