"""Loops that may carry copies of arrays in place of the arrays: nobody can tell them apart.

    y = x[:2]                            y = copy x[:2]
    for t in 0..n (u = y):               for t in 0..n (u = y):
      ...                                  ...
      yield w[1:]                          yield copy w[1:]

So it is where nothing is written after the copy has been made, to it or to what it is made of; or
where the loop alone knows the array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.types import Array

Path = tuple[ir.Stmt, ...]  # the statements around another, outer ones first


class Copies:
    """The loops of a function that may carry copies in place of arrays."""

    def __init__(self, func: ir.Func, memories: Memories) -> None:
        self._memories = memories
        self._defs = Definitions(func)
        self._inputs, self._yields = func.inputs, func.body.yields
        self._paths: dict[ir.Stmt, Path] = {}
        self._number: dict[ir.Stmt, int] = {}
        self._param_of: dict[ir.Value, Loop] = {}
        for stmt, path in _with_paths(func.body, ()):
            self._number[stmt] = len(self._number)
            self._paths[stmt] = path
            if isinstance(stmt, ir.For | ir.While):
                self._param_of |= dict.fromkeys(stmt.params, stmt)

    def allow(self, loop: Loop, arrays: Sequence[ir.Atom]) -> bool:
        """True if copies are as good as ``arrays``, which ``loop`` begins with or hands on."""
        if not all(isinstance(array, ir.Value) for array in arrays):
            return False
        meant = {self._memories.of(array) for array in arrays}
        held = self._origins(arrays)
        for write in self._number:
            for array in ir.written(write, self._memories.changed):
                if self._memories.of(array) not in meant:
                    continue
                if self._are_apart(held, self._origins([array])):
                    continue  # one name may stand for either, but only later
                if not all(self._is_over(write, root, loop) for root in self._roots(array)):
                    return False
        return True

    def _is_over(self, write: ir.Stmt, root: ir.Value, loop: Loop) -> bool:
        """True if no copy at ``loop`` differs by ``write`` from ``root``, which it writes to."""
        made = self._defs.stmt.get(root)
        if root in (*loop.params, *loop.outs):
            return self._is_alone(root, loop)
        if not self._is_memory(root):
            return False  # chosen among arrays by a loop
        around = self._paths[made] if made is not None else ()
        if loop in around or (made is not None and self._number[made] > self._number[loop]):
            return True  # it is made by an iteration, or when the loop is over
        if self._number[write] > self._number[loop]:
            return False
        return self._loops_around(write) & self._loops_around(loop) <= set(around)

    def _loops_around(self, stmt: ir.Stmt) -> set[ir.Stmt]:
        return {s for s in self._paths[stmt] if isinstance(s, ir.For | ir.While)}

    def _is_alone(self, carried: ir.Value, loop: Loop) -> bool:
        """True if the array that is ``carried`` has no other name, from before the loop on."""
        k = (*loop.params, *loop.outs).index(carried) % len(loop.params)
        memory = self._memories.of(carried)
        others = (p for p in loop.params if isinstance(p.type, Array) and p is not loop.params[k])
        if any(self._memories.of(p) is memory for p in others):
            return False
        start = self._root(loop.inits[k])
        made = self._defs.stmt.get(start)
        if made is None or start not in ir.made(made):
            return False
        if not self._loops_around(loop) <= self._loops_around(made):
            return False  # the next time it begins with what it has written
        if not all(self._is_own(root, loop) for root in self._roots(loop.body.yields[k])):
            return False
        names = self._names(start, loop)
        after = (s for s in self._number if self._number[s] > self._number[loop])
        atoms = (a for s in after for a in (*ir.operands(s), *_yields(s)))
        return names.isdisjoint(atoms) and names.isdisjoint(self._yields)

    def _is_own(self, root: ir.Value, loop: Loop) -> bool:
        """True if ``root`` is what an iteration of ``loop`` makes, or begins with."""
        made = self._defs.stmt.get(root)
        return root in loop.params or (
            made is not None and loop in self._paths[made] and self._is_memory(root)
        )

    def _roots(self, array: ir.Atom) -> Iterator[ir.Value]:
        """The arrays that ``array`` may be, or may be a part of."""
        root = self._root(array)
        sources = self._defs.sources(root)
        for source in sources:
            if not isinstance(source, ir.Undef):
                yield from self._roots(source)
        if not sources:
            yield root

    def _root(self, array: ir.Atom) -> ir.Value:
        """The array that ``array`` is, or is a part of."""
        root = self._defs.root(array)
        assert isinstance(root, ir.Value)
        return root

    def _origins(self, arrays: Iterable[ir.Atom]) -> set[ir.Value]:
        """The arrays that ``arrays`` may be, or be parts of, with those that loops hand on."""
        pending = [root for array in arrays for root in self._roots(array)]
        seen = set[ir.Value]()
        while pending:
            root = pending.pop()
            if root in seen:
                continue
            seen.add(root)
            pending += (one for array in self._sources(root) for one in self._roots(array))
        return seen

    def _sources(self, root: ir.Value) -> Iterator[ir.Value]:
        """The arrays that a loop hands on as ``root``."""
        made = self._defs.stmt.get(root)
        loop = made if isinstance(made, ir.For | ir.While) else self._param_of.get(root)
        if loop is not None:
            k = (*loop.params, *loop.outs).index(root) % len(loop.params)
            atoms = (loop.inits[k], loop.body.yields[k])
            yield from (a for a in atoms if isinstance(a, ir.Value))

    def _are_apart(self, some: set[ir.Value], others: set[ir.Value]) -> bool:
        """True if no array of ``some`` can be one of ``others``; arguments may overlap."""
        known = (r for r in some | others if r not in self._param_of and not self._is_loop(r))
        given = self._inputs
        overlap = not some.isdisjoint(given) and not others.isdisjoint(given)
        return some.isdisjoint(others) and not overlap and all(map(self._is_memory, known))

    def _is_loop(self, root: ir.Value) -> bool:
        return isinstance(self._defs.stmt.get(root), ir.For | ir.While)

    def _is_memory(self, root: ir.Value) -> bool:
        """True if ``root`` is an argument or the result of a statement that makes it."""
        made = self._defs.stmt.get(root)
        if made is None:
            return root in self._inputs
        return root in ir.produced(made)

    def _names(self, array: ir.Value, loop: Loop) -> set[ir.Atom]:
        """The names that may show the content of ``array``, but for those that ``loop`` binds."""
        others = (stmt for stmt in self._number if stmt is not loop)
        return ir.reached([array], (pair for stmt in others for pair in ir.aliases(stmt)))


def _yields(stmt: ir.Stmt) -> Iterator[ir.Atom]:
    return (atom for block in ir.blocks(stmt) for atom in block.yields)


def _with_paths(block: ir.Block, path: Path) -> Iterator[tuple[ir.Stmt, Path]]:
    for stmt in block.stmts:
        yield stmt, path
        for inner in ir.blocks(stmt):
            yield from _with_paths(inner, (*path, stmt))
