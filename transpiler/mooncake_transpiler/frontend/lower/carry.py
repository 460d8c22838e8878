"""The values that a loop carries: found by lowering its body until their types no longer change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.frontend.lower import memory
from mooncake_transpiler.frontend.lower.branches import cast_in, unify
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import (
    DEAD,
    EXIT,
    FALSE,
    FLAGS,
    RESULT,
    RETURNED,
    State,
    hint_of,
)
from mooncake_transpiler.frontend.lower.operands import (
    Conflict,
    Operand,
    atoms,
    fresh,
    like,
    same,
    type_of,
    undefined,
)
from mooncake_transpiler.types import BOOL, Array, Type


@dataclass(slots=True)
class Carried:
    """One carried variable: its type, what it holds at the head, its leaves there and after."""

    name: str
    type: Type
    head: Operand
    before: Operand | None
    after: Operand = DEAD

    def params(self) -> list[ir.Value]:
        return [atom for atom in atoms(self.head) if isinstance(atom, ir.Value)]


@dataclass(slots=True)
class LoopBody:
    """A lowered loop body and what it carries."""

    block: ir.Block
    params: tuple[ir.Value, ...]
    inits: tuple[ir.Atom, ...]
    outs: tuple[ir.Value, ...]
    exits: bool
    after: dict[str, Operand] = field(default_factory=dict)


@dataclass(slots=True)
class Carrier:
    """Lowers one loop body. ``names`` may change in it; those in ``exported`` are live after it."""

    ctx: Context
    names: Iterable[str]
    exported: Callable[[str], bool]
    carried: dict[str, Carried] = field(default_factory=dict)
    conflicts: dict[str, Conflict] = field(default_factory=dict)

    def run(self, body: Callable[[], None]) -> LoopBody:
        """``body`` lowers one iteration, from the variables as they are at its start."""
        ctx = self.ctx
        entry, statements = ctx.frame.save(), ctx.statements
        for name in self.names:
            value = entry.values.get(name)
            type_ = None if value is None else type_of(value)
            if type_ is not None and value is not None and not isinstance(value, Conflict):
                self._carry(name, type_, value)
        while True:
            ctx.frame.restore(entry)
            ctx.statements = statements
            ctx.frame.values |= {name: one.head for name, one in self.carried.items()}
            ctx.frame.values |= self.conflicts
            builder = ctx.in_child(body)
            latch = ctx.frame.save()
            if self._settled(entry, latch):
                return self._finish(builder, entry, latch)

    def _carry(self, name: str, type_: Type, before: Operand | None, sized: bool = True) -> None:
        """``sized``: arrays are taken to keep the shape that they have before the loop."""
        head = like(fresh(type_, hint_of(name)), before)
        one = self.carried[name] = Carried(name, type_, head, before)
        if sized and before is not None:
            self._with_shapes(one.head, before)

    def _with_shapes(self, new: Operand, old: Operand) -> None:
        """The arrays in ``new`` have the shapes of those in ``old``, where they are known."""
        shapes = self.ctx.sizes.shapes
        for value, other in zip(atoms(new), atoms(old), strict=False):
            if not isinstance(value, ir.Value) or not isinstance(other, ir.Value):
                continue
            if isinstance(value.type, Array) and other.type == value.type:
                shapes[value] = memory.shape(self.ctx, other)

    def _keeps_shapes(self, one: Carried, new: Operand) -> bool:
        """Whether the arrays in ``new`` have the shapes that are taken for granted."""
        shapes, same = self.ctx.sizes.shapes, self.ctx.sizes.same_shape
        return all(
            head not in shapes or same(head, atom) is not None
            for head, atom in zip(one.params(), atoms(new), strict=True)
        )

    def _settled(self, entry: State, latch: State) -> bool:
        """Whether the body leaves each variable as it expects it; else widen what differs."""
        settled = True
        for name in self.names:
            if name in self.conflicts:
                continue
            new, one = latch.values.get(name), self.carried.get(name)
            if one is None:
                old = entry.values.get(name)
                if old is None or new is None or same(old, new):
                    continue
                self.conflicts[name] = _changes(old, new)
            elif new is not None and new is not DEAD and not latch.raised:
                wide = unify(undefined(one.type), new)
                if wide == one.type and self._keeps_shapes(one, new):
                    continue
                if isinstance(wide, Conflict):
                    del self.carried[name]
                    self.conflicts[name] = _changes(one.head, new)
                else:
                    self._carry(name, wide, one.before, wide != one.type)
            else:
                continue
            settled = False
        return settled

    def _finish(self, builder: Builder, entry: State, latch: State) -> LoopBody:
        ctx = self.ctx
        self._export(entry, latch)
        exits = latch.values[EXIT] != FALSE
        both = self.ctx.frame.loops[-1].mixed and latch.values[RETURNED] != FALSE
        flags = [EXIT, RETURNED] if exits and both else [EXIT] if exits else []
        first = {flag: Carried(flag, BOOL, ir.Value("", BOOL), FALSE) for flag in flags}
        self.carried = first | self.carried
        outs: list[ir.Value] = []
        yields: list[ir.Atom] = []
        inits: list[ir.Atom] = []
        for one in self.carried.values():
            one.after = like(fresh(one.type, hint_of(one.name)), one.head)
            if one.before is not None and any(p in ctx.sizes.shapes for p in one.params()):
                self._with_shapes(one.after, one.before)
            outs += [atom for atom in atoms(one.after) if isinstance(atom, ir.Value)]
            yields += self._converted(builder, latch.values.get(one.name), one, latch.raised)
            inits += self._converted(self.ctx.builder, one.before, one, False)
        params = tuple(p for one in self.carried.values() for p in one.params())
        loop = LoopBody(builder.block(yields), params, tuple(inits), tuple(outs), exits)
        self.ctx.frame.restore(entry)
        loop.after = self._after(entry, latch)
        return loop

    def _export(self, entry: State, latch: State) -> None:
        """Carry out of the loop what only its body defines."""
        for name in (*self.names, RESULT):
            value = latch.values.get(name)
            if name in self.carried or name in self.conflicts or value is None:
                continue
            type_ = type_of(value)
            new = type_ is not None and not same(value, entry.values.get(name))
            if type_ is not None and new and (name == RESULT or self.exported(name)):
                self._carry(name, type_, None)

    def _converted(
        self, builder: Builder, value: Operand | None, one: Carried, raised: bool
    ) -> list[ir.Atom]:
        source = undefined(one.type) if value is None or raised else value
        if type_of(source) is None or isinstance(source, Conflict):
            source = undefined(one.type)
        if any(atom in self.ctx.shown for atom in atoms(source)):
            message = f"{one.name!r} is a view that a loop carries on"
            help_ = "take a copy: np.diagonal(x).copy()"
            raise self.ctx.refuse(cst.Pass(), "MK312", message, help_)
        pairs = zip(atoms(source), one.params(), strict=True)
        return [cast_in(self.ctx, builder, atom, param.type) for atom, param in pairs]

    def _after(self, entry: State, latch: State) -> dict[str, Operand]:
        """What the variables hold after the loop."""
        after: dict[str, Operand] = dict(entry.values)
        for name in latch.values:
            if name in FLAGS:
                continue
            if name in self.carried:
                after[name] = self.carried[name].after
            elif name in self.conflicts:
                after[name] = self.conflicts[name]
            elif not same(latch.values[name], entry.values.get(name)):
                value = latch.values[name]
                static = type_of(value) is None and not any(True for _ in atoms(value))
                after[name] = value if static and self.exported(name) else DEAD
        exit_ = self.carried.get(EXIT)
        if exit_ is not None:
            returned = self.carried.get(RETURNED)
            mixed = self.ctx.frame.loops[-1].mixed
            after[EXIT] = exit_.after
            after[RETURNED] = returned.after if returned else FALSE if mixed else exit_.after
        return after


def _changes(old: Operand, new: Operand) -> Conflict:
    found = unify(old, new)
    if isinstance(found, Conflict):
        return found
    return Conflict("it changes from one iteration to the next")
