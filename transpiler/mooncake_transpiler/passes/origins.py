"""Points-to sets of arrays, and statements that can tell an array from a copy of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import definitions_of
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.reaching import grouped
from mooncake_transpiler.types import Array

Loop = ir.For | ir.While
Blocks = tuple[ir.Block, ...]
Follower = tuple[Loop, tuple[Loop | None, Blocks]]


class Origins:
    """Whose memory the arrays of a function are, and which of it is written."""

    def __init__(self, func: ir.Func, writes: ir.Changed = ir.any_argument) -> None:
        self.defs = definitions_of(func)
        self._inputs = frozenset[ir.Atom](func.inputs)
        self._results = func.body.yields
        self._rest = dict(_followers(func.body, None, ()))
        self._carried = frozenset(param for loop in self._rest for param in loop.params)
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

    def can_be_told(self, loop: Loop, k: int) -> bool:
        """True if it matters that ``loop.outs[k]`` is the array of before, or a copy of it.

        It does where one of them is written after the loop, or the first handed to the caller, and
        the other is seen.
        """
        out, first = loop.outs[k], self.sites(loop.inits[k])
        is_handed_on = any(out in self.sites(a, {out}) for a in _arrays(self._results))
        if not is_handed_on:
            written = (root for block in self._later(loop) for root in self.written(block))
            if not any(self.touch(first, self.sites(root)) for root in written):
                return False
        return self._is_seen(loop, k)

    def _is_seen(self, loop: Loop, k: int) -> bool:
        """True if ``loop.inits[k]`` is reached after the loop begins, not by what is carried."""
        first, known = self.sites(loop.inits[k]), {loop.outs[k], loop.params[k]}
        if not self._inputs.isdisjoint(first):
            return True
        blocks = (*ir.blocks(loop), *self._rest[loop][1])
        others = known.union(*map(ir.bound_in, blocks))  # what is made later is another array
        used = (self.sites(a, known) - others for block in blocks for a in arrays_in(block))
        if any(self.touch(first, own) for own in used):
            return True
        around = self._rest[loop][0]
        return around is not None and any(
            self._is_found_again(root, around) for root in self.roots(loop.inits[k])
        )

    def _is_found_again(self, root: ir.Atom, around: Loop) -> bool:
        """True if later iterations of ``around`` reach the array ``root`` of an earlier one."""
        if root in around.params:
            return self._is_shared(around, around.params.index(root))
        return root not in frozenset().union(*map(ir.bound_in, ir.blocks(around)))

    def _is_shared(self, loop: Loop, k: int) -> bool:
        """True if the array that ``loop`` carries in ``params[k]`` is reached by another name."""
        own = self.sites(loop.body.yields[k])
        others = _arrays(a for j, a in enumerate(loop.body.yields) if j != k)
        return any(self.touch(own, self.sites(a)) for a in others) or self._is_seen(loop, k)

    def _later(self, loop: Loop) -> Iterator[ir.Block]:
        """The blocks that may run after ``loop``, also in further iterations of outer loops."""
        around, rest = self._rest[loop]
        yield from rest
        if around is not None:
            yield from (*ir.blocks(around), *self._later(around))

    def touch(self, some: frozenset[ir.Atom], others: frozenset[ir.Atom]) -> bool:
        """True if some memory may be both among ``some`` and ``others``."""
        return any(not self.are_apart(a, b) for a in some for b in others)


def arrays_in(block: ir.Block) -> Iterator[ir.Atom]:
    """The arrays that ``block`` uses, each as often as it does."""
    return _arrays(ir.used_in(block))


def _arrays(atoms: Iterable[ir.Atom]) -> Iterator[ir.Atom]:
    return (atom for atom in atoms if isinstance(atom.type, Array))


def _followers(block: ir.Block, around: Loop | None, rest: Blocks) -> Iterator[Follower]:
    """The loops of ``block``, each with the loop around it, and what follows in its iteration."""
    for at, stmt in enumerate(block.stmts):
        later = (ir.Block(block.stmts[at + 1 :], block.yields), *rest)
        match stmt:
            case ir.For() | ir.While():
                yield stmt, (around, later)
                for inner in ir.blocks(stmt):
                    yield from _followers(inner, stmt, ())
            case ir.If(then=then, orelse=orelse):
                yield from _followers(then, around, later)
                yield from _followers(orelse, around, later)
            case _:
                pass
