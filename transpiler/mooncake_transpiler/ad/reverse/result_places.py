"""Results of the primal: their places in memory, and the shapes of their cotangents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.reverse.primal import Primal
from mooncake_transpiler.ad.reverse.scope import Scope
from mooncake_transpiler.ad.reverse.shape_checks import check_like, check_sizes
from mooncake_transpiler.interface.last_values import user_results
from mooncake_transpiler.interface.reverse_mode import ReverseInterface
from mooncake_transpiler.types import KEYS, SPANS, Array, Scalar


class Results:
    def __init__(self, facts: Facts, primal: Primal, names: ReverseInterface) -> None:
        self._facts = facts
        self._primal = primal
        self._names = names
        self._atoms = user_results(facts.func)

    def places(self) -> Iterator[ir.Value]:
        """The numbers, to be saved, that tell the parts of arrays that results are."""
        pending: list[ir.Atom] = [a for a in self._atoms if isinstance(a.type, Array)]
        seen: set[ir.Atom] = set()
        while pending:
            value = pending.pop()
            if value in seen or not isinstance(value, ir.Value):
                continue
            seen.add(value)
            made = self._facts.defs.stmt.get(value)
            match made:
                case None:
                    continue  # an argument
                case ir.If(cond=cond) if isinstance(value.type, Array):
                    pending += [cond, *ir.arms(made, value)]
                case ir.Compute(args=args):
                    pending += args
                case ir.Dim() | ir.Load() if not self._is_changed(made):
                    pending += reversed(ir.operands(made))
                case _ if ir.shown(made) is not None:
                    pending += reversed(ir.operands(made))
                case _:
                    if isinstance(value.type, Scalar):
                        yield value

    def _is_changed(self, stmt: ir.Stmt) -> bool:
        """True if what ``stmt`` reads may be something else later."""
        return any(memory.written for memory in self._facts.memories.reads(stmt))

    def sizes(self) -> Iterator[ir.Value]:
        """The sizes of results, to be saved, that are not known from the arguments."""
        for size in (size for array in self._atoms for size in self._shape(array)):
            if isinstance(size, ir.Value) and not self._is_of_argument(size):
                yield size

    def check_shapes(self, y_bars: Sequence[ir.Value | None], r: Scope) -> None:
        """Emit checks that cotangents have the shapes of the results."""
        for atom, bar, path in zip(self._atoms, y_bars, self._names.y_bar_paths, strict=True):
            if bar is None or not isinstance(bar.type, Array) or self._is_gone(atom, r):
                continue
            message = f"{self._names.name}: {path} must have the shape of the result"
            if bar.type == KEYS:
                message = f"{self._names.name}: {path} must be that of the result"
            if bar.type in (SPANS, KEYS):
                places = self._primal.use(atom, r)
                assert isinstance(places, ir.Value)
                check_like(bar, places, message, r.b)
            else:
                check_sizes(bar, self._sizes(atom, r), message, r.b)

    def _is_gone(self, atom: ir.Atom, r: Scope) -> bool:
        """True if an array is neither active nor at hand in the reverse sweep."""
        return not (self._facts.activity.active(atom) or self._primal.is_at_hand(atom, r))

    def _sizes(self, array: ir.Atom, r: Scope) -> list[ir.Atom]:
        """The shape of a result: what it was made with, rather than to keep it for its shape."""
        shape = self._shape(array)
        if shape and all(self._is_known(size, r) for size in shape):
            return [self._primal.use(size, r) for size in shape]
        return self._primal.extents(array, r)

    def _shape(self, array: ir.Atom) -> tuple[ir.Atom, ...]:
        made = self._facts.defs.stmt.get(array)
        return made.shape if isinstance(made, ir.Alloc) and not made.growable else ()

    def _is_known(self, size: ir.Atom, r: Scope) -> bool:
        if not isinstance(size, ir.Value):
            return True
        return self._is_of_argument(size) or r.find(size) is not None

    def _is_of_argument(self, size: ir.Value) -> bool:
        stmt = self._facts.defs.stmt.get(size)
        return isinstance(stmt, ir.Dim) and stmt.array in self._facts.func.inputs
