"""Growable arrays of the program, and the state of these and of stacks at one point of it.

    reserve xs, n + 1        becomes         xs1 = grow(xs, n + 1)

What shows a growable array is made anew where the memory that it showed has been left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.ad.tape import capacity
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder

FIRST_SIZE = 64  # items of a new stack


@dataclass(frozen=True, slots=True)
class StackState:
    """A stack, or (its top means nothing) a growable array, at one point of the program."""

    array: ir.Atom
    top: ir.Atom


Part = Callable[[StackState], ir.Atom]


@dataclass(slots=True)
class States:
    """The state of stacks and growable arrays at one point of the program.

    ``shown``: views of growable arrays, each with the memory that it shows. ``roomy``: the
    growable arrays that have room for all that comes here.
    """

    of: dict[ir.Value, StackState] = field(default_factory=dict)
    shown: dict[ir.Value, tuple[ir.Atom, ir.Atom]] = field(default_factory=dict)
    roomy: frozenset[ir.Value] = frozenset()

    def copy(self) -> States:
        return States(dict(self.of), dict(self.shown), self.roomy)

    def get(self, parts: Sequence[tuple[ir.Value, Part]]) -> tuple[ir.Atom, ...]:
        """The ``parts`` of stacks and arrays here."""
        return tuple(part(self.of[stack]) for stack, part in parts)

    def set(self, parts: Sequence[tuple[ir.Value, Part]], atoms: Sequence[ir.Atom]) -> None:
        """Record that the ``parts`` of stacks and arrays are ``atoms`` from here on."""
        for (stack, part), atom in zip(parts, atoms, strict=True):
            old = self.of[stack]
            array, top = (atom, old.top) if part is array_of else (old.array, atom)
            self.of[stack] = StackState(array, top)


class Growables:
    """The growable arrays of some blocks."""

    def __init__(self, blocks: Sequence[ir.Block]) -> None:
        self.arrays: dict[ir.Value, None] = {}
        self._views: dict[ir.Value, ir.View | ir.Reshape] = {}
        self._roots: dict[ir.Value, ir.Value] = {}
        self._rooms: dict[ir.Stmt, dict[ir.Value, capacity.Capacity]] = {}
        for stmt in (s for block in blocks for s in ir.walk(block)):
            if isinstance(stmt, ir.Alloc) and stmt.growable:
                self.arrays[stmt.out] = None
                self._roots[stmt.out] = stmt.out
            elif isinstance(stmt, ir.View | ir.Reshape) and stmt.base in self._roots:
                self._views[stmt.out] = stmt
                self._roots[stmt.out] = self._roots[value_of(stmt.base)]

    def rooms(self, loop: Loop) -> dict[ir.Value, capacity.Capacity]:
        """The arrays for which it is known before ``loop`` how much room it needs."""
        if loop not in self._rooms:
            reserves = (s for s in ir.walk(loop.body) if isinstance(s, ir.Reserve))
            arrays = dict.fromkeys(value_of(s.array) for s in reserves)
            found = {array: capacity.capacity(loop, array) for array in arrays}
            self._rooms[loop] = {a: known for a, known in found.items() if known is not None}
        return self._rooms[loop]

    def current(self, stmt: ir.Stmt, states: States, b: Builder) -> ir.Stmt:
        """``stmt`` with the arrays that there are now; a ``Reserve`` as it is."""
        if isinstance(stmt, ir.Reserve):
            return stmt
        found = ir.with_operands(stmt, lambda atom: self.now(atom, states, b))
        if isinstance(found, ir.View | ir.Reshape) and found.out in self._views:
            states.shown[found.out] = found.out, self._memory(found.out, states)
        return found

    def now(self, atom: ir.Atom, states: States, b: Builder) -> ir.Atom:
        """The value that stands for ``atom`` here."""
        if not isinstance(atom, ir.Value) or atom not in self._roots:
            return atom
        memory = self._memory(atom, states)
        if atom in self.arrays:
            return memory
        found = states.shown.get(atom)
        if found is None or found[1] is not memory:
            again = cloning.simple(self._views[atom], lambda a: self.now(a, states, b))
            b.add(again)
            found = states.shown[atom] = ir.outs(again)[0], memory
        return found[0]

    def _memory(self, array: ir.Value, states: States) -> ir.Atom:
        return states.of[self._roots[array]].array

    def begin(self, stmt: ir.Alloc, states: States, b: Builder) -> None:
        """Create the array at an ``Alloc``."""
        shape = stmt.shape if len(stmt.shape) > 1 else (ir.int_const(FIRST_SIZE),)
        b.add(replace(stmt, shape=shape, growable=False))
        states.of[stmt.out] = StackState(stmt.out, ir.ZERO)


def enlarge(
    stack: ir.Value, size: ir.Atom, shape: tuple[ir.Atom, ...], states: States, b: Builder
) -> None:
    """Make room for ``size`` items in all."""
    old = states.of[stack]
    out = fresh(old.array)
    b.add(ir.Grow(out, old.array, size, b.origin, shape))
    states.of[stack] = StackState(out, old.top)


def array_of(state: StackState) -> ir.Atom:
    return state.array


def top_of(state: StackState) -> ir.Atom:
    return state.top


def name_of(atom: ir.Atom) -> str:
    return atom.hint if isinstance(atom, ir.Value) else "top"


def fresh(atom: ir.Atom) -> ir.Value:
    return ir.Value(name_of(atom), atom.type)


def value_of(atom: ir.Atom) -> ir.Value:
    assert isinstance(atom, ir.Value)
    return atom
