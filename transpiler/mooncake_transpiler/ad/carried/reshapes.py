"""Reshaped arrays: they alias their base, in both sweeps, or are reshaped copies.

    r = reshape x[:, 1] (n, m)        c = copy x[:, 1]
                                      r = reshape c (n, m)

The cotangent of ``r`` is added to the shadow of its base, so that must be contiguous; a copy has a
shadow of its own, which is. Whether ``r`` aliases ``x`` may be known at run time only: where it
makes a difference, because ``x`` is written while ``r`` is in use, nobody can tell what ``r`` is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.contiguity import Contiguity
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.types import Array


def settle_reshapes(func: ir.Func, memories: Memories, public: bool) -> ir.Func:
    """``func`` with copies where what is reshaped, or its shadow, may not be contiguous.

    The shadows of the parameters of a ``public`` function are made by its derivative. Raises
    ``Refused`` where a copy would not do.
    """
    if not any(isinstance(stmt, ir.Reshape) for stmt in ir.walk(func.body)):
        return func
    return _ContiguousCopies(func, memories, public).run()


class _ContiguousCopies:
    def __init__(self, func: ir.Func, memories: Memories, public: bool) -> None:
        self._func = func
        self._memories = memories
        self._public = public
        self._inputs = set(func.inputs)
        self._defs = Definitions(func)
        self._arrays = Contiguity(self._defs, lambda array, made: False)
        self._shadows = Contiguity(self._defs, self._has_contiguous_shadow)
        self._copies: dict[ir.Stmt, dict[ir.Value, ir.Copy]] = {}  # before a statement, by base
        self._path: list[tuple[ir.Block, int]] = []  # where we are, outer blocks first
        self._homes = dict(_homes(func.body))
        self._pairs = list(_pairs(func.body))  # names, and others that may show the same content

    def run(self) -> ir.Func:
        return replace(self._func, body=self._block(self._func.body))

    def _block(self, block: ir.Block) -> ir.Block:
        stmts: list[ir.Stmt] = []
        for k, stmt in enumerate(block.stmts):
            self._path.append((block, k))
            if isinstance(stmt, ir.Reshape):
                settled: ir.Stmt = self._settled(stmt)
            else:
                settled = ir.mapped(stmt, self._block)
            stmts += [*self._copies.get(stmt, {}).values(), settled]
            self._path.pop()
        return ir.Block(tuple(stmts), block.yields)

    def _settled(self, stmt: ir.Reshape) -> ir.Reshape:
        base = stmt.base
        if not isinstance(base, ir.Value):
            return stmt
        changes = self._is_written_in_use(stmt)
        if self._shadows.holds(base) and (self._arrays.holds(base) or not changes):
            return stmt
        if changes:
            raise refused(
                "MK404",
                "the array that is reshaped here is written while its new shape is in use",
                stmt.origin or self._func.origin,
                "reshape a copy of it",
            )
        copies = self._copies.setdefault(self._earliest(base), {})
        copy = copies.setdefault(base, ir.Copy(ir.Value("", base.type), base, stmt.origin))
        return replace(stmt, base=copy.out)

    def _earliest(self, base: ir.Value) -> ir.Stmt:
        """The outermost statement around before which ``base`` can be copied."""
        memory = self._memories.of(base)
        home = self._homes.get(base, self._func.body)
        *around, (inside, k) = self._path
        found = inside.stmts[k]
        for block, k in reversed(around):
            stmt = block.stmts[k]
            if inside is home or memory in self._memories.all_writes(stmt):
                break
            found, inside = stmt, block
        return found

    # ---- contiguous ----------------------------------------------------------------------------

    def _has_contiguous_shadow(self, array: ir.Value, made: ir.Stmt | None) -> bool:
        """True if the shadow of ``array``, if it has one, is certainly contiguous."""
        if isinstance(made, ir.Call | ir.Global):
            return True
        return array in self._inputs and self._has_shadow_of_its_own(array)

    def _has_shadow_of_its_own(self, param: ir.Value) -> bool:
        """True if the derivative makes the shadow of ``param`` as new memory, and for it alone."""
        memory = self._memories.of(param)
        others = sum(root in self._inputs for root in memory.roots) > 1
        return self._public and not (memory.written and others)

    # ---- use -----------------------------------------------------------------------------------

    def _is_written_in_use(self, stmt: ir.Reshape) -> bool:
        """True if the memory of ``stmt`` may be written between it and the last use of its result.

        It is the statement where we are.
        """
        written = self._writes_to(stmt.out)
        if not written:
            return False
        shown = ir.reached([stmt.out], self._pairs)
        for block, k in reversed(self._path):
            here, *later = block.stmts[k:]
            leaves = not shown.isdisjoint(block.yields)
            end = max((j for j, s in enumerate(later, 1) if leaves or _uses(s, shown)), default=0)
            meant = later[:end]
            if isinstance(here, ir.For | ir.While):  # which hands it on to its next iteration
                meant.append(here)
            if any(s in written for inner in meant for s in ir.within(inner)):
                return True
            if not leaves:
                return False
        return False

    def _writes_to(self, array: ir.Value) -> set[ir.Stmt]:
        """The statements that may write to the memory of ``array``, under any name."""
        if not self._memories.of(array).written:
            return set()
        sources = ir.reached([array], [(name, atom) for atom, name in self._pairs])
        if not sources.isdisjoint(self._inputs):  # arguments may overlap
            sources |= self._inputs.intersection(self._memories.of(array).roots)
        names = ir.reached(sources, self._pairs)
        changed = self._memories.changed
        return {s for s in ir.walk(self._func.body) if not names.isdisjoint(ir.written(s, changed))}


def _pairs(body: ir.Block) -> Iterator[tuple[ir.Atom, ir.Atom]]:
    for stmt in ir.walk(body):
        yield from ir.aliases(stmt)
        if isinstance(stmt, ir.Call) and not is_of_library(stmt.func):
            outs = [v for v in stmt.outs if isinstance(v.type, Array)]
            yield from ((arg, out) for arg in stmt.args for out in outs)


def _homes(block: ir.Block) -> Iterator[tuple[ir.Value, ir.Block]]:
    """The values that are bound in ``block``, at any depth, and the blocks that bind them."""
    for stmt in block.stmts:
        yield from ((out, block) for out in ir.outs(stmt))
        for inner in ir.blocks(stmt):
            yield from ((value, inner) for value in ir.binders(stmt))
            yield from _homes(inner)


def _uses(stmt: ir.Stmt, atoms: set[ir.Atom]) -> bool:
    """True if ``stmt``, blocks included, uses one of ``atoms``."""
    for inner in ir.within(stmt):
        yields = (atom for block in ir.blocks(inner) for atom in block.yields)
        if not atoms.isdisjoint((*ir.operands(inner), *yields)):
            return True
    return False
