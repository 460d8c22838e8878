"""Scopes: the block that generated statements go to, and the names of primal values there."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar


class SavedSlot:
    """The store of a saved primal value between the sweeps.

    An array with one axis per enclosing loop of known trip count, or a stack. What is in a
    ``borrowed`` one is put there by an earlier value.
    """

    __slots__ = ("borrowed", "loops", "store")

    def __init__(
        self, store: ir.Value, loops: tuple[ir.For, ...], *, borrowed: bool = False
    ) -> None:
        self.store = store
        self.loops = loops
        self.borrowed = borrowed

    @property
    def is_array(self) -> bool:
        return isinstance(self.store.type, Array)


class Scope:
    """One block under construction; looks outwards for what it does not bind itself."""

    __slots__ = ("atoms", "b", "iterations", "parent", "pushes", "shadows", "slots")

    def __init__(self, builder: Builder, parent: Scope | None = None) -> None:
        self.b = builder
        self.parent = parent
        self.atoms: dict[ir.Value, ir.Atom] = {}
        self.shadows: dict[ir.Value, ir.Atom] = {}
        self.slots: dict[ir.Value, SavedSlot] = {}
        self.pushes: dict[ir.Value, dict[ir.Value, ir.Atom]] = {}  # by stack
        self.iterations: dict[ir.Stmt, ir.Atom] = {}

    def child(self) -> Scope:
        return Scope(self.b.child(), self)

    def outwards(self) -> Iterator[Scope]:
        """This scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def find(self, value: ir.Value) -> ir.Atom | None:
        return next((s.atoms[value] for s in self.outwards() if value in s.atoms), None)

    def find_shadow(self, array: ir.Value) -> ir.Atom | None:
        return next((s.shadows[array] for s in self.outwards() if array in s.shadows), None)

    def find_slot(self, value: ir.Value) -> SavedSlot | None:
        return next((s.slots[value] for s in self.outwards() if value in s.slots), None)

    def find_iteration(self, loop: ir.Stmt) -> ir.Atom | None:
        return next((s.iterations[loop] for s in self.outwards() if loop in s.iterations), None)


class Bars:
    """The cotangents of scalars at one point of the reverse sweep; absent means zero."""

    __slots__ = ("atoms",)

    def __init__(self) -> None:
        self.atoms: dict[ir.Value, ir.Atom] = {}

    def copy(self) -> Bars:
        twin = Bars()
        twin.atoms = dict(self.atoms)
        return twin

    def get(self, value: ir.Value) -> ir.Atom:
        assert isinstance(value.type, Scalar)
        return self.atoms.get(value, ir.zero(value.type))

    def take(self, value: ir.Value) -> ir.Atom:
        """The cotangent of ``value``, which is used up."""
        bar = self.get(value)
        self.atoms.pop(value, None)
        return bar

    def pop(self, value: ir.Value) -> ir.Atom | None:
        return self.atoms.pop(value, None)

    def set(self, value: ir.Value, bar: ir.Atom) -> None:
        self.atoms[value] = bar

    def add(self, value: ir.Value, bar: ir.Atom, b: Builder) -> None:
        """``value_bar += bar``."""
        assert isinstance(value.type, Scalar)
        if isinstance(bar, ir.Const) and bar.value == 0:
            return
        if bar.type != value.type:
            bar = b.compute("cast", (bar,), value.type)
        old = self.atoms.get(value)
        if old is None or (isinstance(old, ir.Const) and old.value == 0):
            self.atoms[value] = bar
        else:
            self.atoms[value] = b.compute("add", (old, bar), value.type)
