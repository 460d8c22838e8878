"""Points-to sets: the arrays, made or given, that each name of an array may stand for.

A branch or a loop that chooses between arrays may be either, but these stay apart: other than alias
classes (`memory.py`) the sets have a direction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import definitions_of
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.reaching import grouped
from mooncake_transpiler.types import Array


class PointsTo:
    """The memory that the arrays of a function may be, and which of it is written."""

    def __init__(self, func: ir.Func, writes: ir.Changed = ir.any_argument) -> None:
        self.defs = definitions_of(func)
        self._inputs = frozenset[ir.Atom](func.inputs)
        loops = (stmt for stmt in ir.walk(func.body) if isinstance(stmt, ir.For | ir.While))
        self._carried = frozenset(param for loop in loops for param in loop.params)
        pairs = (pair for stmt in ir.walk(func.body) for pair in ir.aliases(stmt))
        self._sources = grouped((name, array) for array, name in pairs)  # by another name of them
        self._writes = writes

    def roots(self, atom: ir.Atom, stop: Collection[ir.Atom] = ()) -> frozenset[ir.Atom]:
        """The arrays that ``atom`` may be: made, given, carried by a loop, or of ``stop``."""
        return self.sites(atom, self._carried.union(stop))

    def sites(self, atom: ir.Atom, stop: Collection[ir.Atom] = ()) -> frozenset[ir.Atom]:
        """The arrays that ``atom`` may be: made, given, or of ``stop``."""
        pending, seen, found = [atom], set[ir.Atom](), set[ir.Atom]()
        while pending:
            one = pending.pop()
            if one in seen:
                continue
            seen.add(one)
            if one in self._sources and one not in stop:
                pending += self._sources[one]
            else:
                found.add(one)
        return frozenset(found)

    def written(self, block: ir.Block) -> frozenset[ir.Atom]:
        """The roots of all that the statements of ``block`` write to."""
        arrays = (a for stmt in ir.walk(block) for a in ir.written(stmt, self._writes))
        return frozenset().union(*map(self.roots, arrays))

    def are_apart(self, one: ir.Atom, other: ir.Atom) -> bool:
        """True if two roots certainly are different memory: one of them is made here."""
        own = [self._is_made(a) for a in (one, other)]
        given = [a in self._inputs for a in (one, other)]
        return one is not other and (all(own) or (any(own) and any(given)))

    def _is_made(self, root: ir.Atom) -> bool:
        """True if ``root`` certainly is new memory, known by no other name."""
        made = self.defs.stmt.get(root)
        if isinstance(made, ir.Call):
            return is_of_library(made.func) or ir.is_primitive(made)
        return isinstance(made, ir.Alloc | ir.Copy)

    def touch(self, some: frozenset[ir.Atom], others: frozenset[ir.Atom]) -> bool:
        """True if some memory may be both among ``some`` and ``others``."""
        return any(not self.are_apart(a, b) for a in some for b in others)


def arrays_in(block: ir.Block) -> Iterator[ir.Atom]:
    """The arrays that ``block`` uses, each as often as it does."""
    return arrays(ir.used_in(block))


def arrays(atoms: Iterable[ir.Atom]) -> Iterator[ir.Atom]:
    """The arrays among ``atoms``."""
    return (atom for atom in atoms if isinstance(atom.type, Array))
