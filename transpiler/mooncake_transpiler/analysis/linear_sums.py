"""Indices and sizes as linear sums, and proofs that such sums are not negative."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, view_axes
from mooncake_transpiler.types import INT


@dataclass(frozen=True, slots=True)
class Size:
    """The length of an array on one axis."""

    array: ir.Value
    axis: int


@dataclass(frozen=True, slots=True)
class Rest:
    """The length of ``x[1:-1]``: that of ``x`` less 2, and 0 if that is negative."""

    const: int
    terms: frozenset[tuple[Term, int]]


Term: TypeAlias = "ir.Value | Size | Rest"


@dataclass(frozen=True, slots=True)
class LinearSum:
    """A constant and multiples of terms."""

    const: int = 0
    terms: Mapping[Term, int] = field(default_factory=dict)

    def plus(self, other: LinearSum, times: int = 1) -> LinearSum:
        terms = dict(self.terms)
        for term, factor in other.terms.items():
            terms[term] = terms.get(term, 0) + times * factor
        return LinearSum(self.const + times * other.const, {t: k for t, k in terms.items() if k})

    def with_term(self, term: Term, value: LinearSum) -> LinearSum:
        """The same sum with ``value`` in place of ``term``."""
        factor = self.terms[term]
        rest = {t: k for t, k in self.terms.items() if t != term}
        return LinearSum(self.const, rest).plus(value, factor)


class Sums:
    """Integers of one function as sums."""

    def __init__(self, defs: Definitions) -> None:
        self._defs = defs

    def of(self, atom: ir.Atom) -> LinearSum:
        if isinstance(atom, ir.Const) and isinstance(atom.value, int):
            return LinearSum(int(atom.value))
        if not isinstance(atom, ir.Value):
            return LinearSum(0, {ir.Value("", INT): 1})  # something
        match self._defs.stmt.get(atom):
            case ir.Dim(array=array, axis=axis) if not self._defs.grows(array):
                return self.size(array, axis)
            case ir.Compute(op="add", args=(a, b)) if atom.type == INT:
                return self.of(a).plus(self.of(b))
            case ir.Compute(op="sub", args=(a, b)) if atom.type == INT:
                return self.of(a).plus(self.of(b), -1)
            case ir.Compute(op="neg", args=(a,)) if atom.type == INT:
                return LinearSum().plus(self.of(a), -1)
            case ir.Compute(op="mul", args=(a, ir.Const(value=int(k)))) if atom.type == INT:
                return LinearSum().plus(self.of(a), k)
            case ir.Compute(op="mul", args=(ir.Const(value=int(k)), a)) if atom.type == INT:
                return LinearSum().plus(self.of(a), k)
            case _:
                return LinearSum(0, {atom: 1})

    def size(self, array: ir.Atom, axis: int) -> LinearSum:
        """The length of ``array``, which does not grow, on ``axis``."""
        assert isinstance(array, ir.Value)
        match self._defs.stmt.get(array):
            case ir.Alloc(shape=shape) | ir.Reshape(shape=shape):
                return self.of(shape[axis])
            case ir.Copy(src=src):
                return self.size(src, axis)
            case ir.View() as view if not self._defs.grows(array):
                match view_axes(view)[axis]:
                    case None:
                        return LinearSum(1)
                    case (place, shown) if shown == ir.Slice():
                        return self.size(view.base, place)
                    case (place, shown) if (less := _left_out(shown)) is not None:
                        left = self.size(view.base, place).plus(LinearSum(-less))
                        return LinearSum(0, {Rest(left.const, frozenset(left.terms.items())): 1})
                    case _:
                        return LinearSum(0, {Size(array, axis): 1})
            case _:
                return LinearSum(0, {Size(array, axis): 1})

    def is_natural(self, total: LinearSum, known: Iterable[LinearSum]) -> bool:
        """True if ``total`` is certainly not negative, where all of ``known`` are not."""
        if self._is_natural(total):
            return True
        return any(self._is_natural(total.plus(fact, -1)) for fact in known)

    def _is_natural(self, total: LinearSum) -> bool:
        while not (total.const >= 0 and all(k > 0 and self._counts(t) for t, k in _items(total))):
            found = next(((t, e) for t, k in _items(total) if (e := self._extreme(t, k))), None)
            if found is None:
                return False
            total = total.with_term(*found)
        return True

    def _counts(self, term: Term) -> bool:
        return isinstance(term, Size | Rest) or self._defs.nonnegative(term)

    def _extreme(self, term: Term, factor: int) -> LinearSum | None:
        """The least value of ``term``, or the greatest if ``factor`` is negative; None if
        unknown.
        """
        if isinstance(term, Size):
            return None
        if isinstance(term, Rest):
            return LinearSum(term.const, dict(term.terms)) if factor > 0 else None
        loop = self._defs.loop.get(term)
        if loop is None or not isinstance(loop.step, ir.Const):
            least = self._defs.least(term) if factor > 0 else None
            return LinearSum(least) if least else None
        upwards, one = int(loop.step.value.real) > 0, LinearSum(1)
        if upwards:
            return self.of(loop.lo) if factor > 0 else self.of(loop.hi).plus(one, -1)
        return self.of(loop.hi).plus(one) if factor > 0 else self.of(loop.lo)


def _items(total: LinearSum) -> list[tuple[Term, int]]:
    """The terms, indices first: what is known of these may cancel lengths."""
    return sorted(total.terms.items(), key=lambda item: not isinstance(item[0], ir.Value))


def _left_out(part: ir.Slice) -> int | None:
    """The number of items that a slice with constant bounds leaves out; None if it is not fixed."""
    if part.step is not None:
        return None
    match part.lo, part.hi:
        case ((None | ir.Const(value=int(0))), ir.Const(value=int(hi))) if hi < 0:
            return -hi
        case ir.Const(value=int(lo)), None if lo >= 0:
            return lo
        case ir.Const(value=int(lo)), ir.Const(value=int(hi)) if lo >= 0 > hi:
            return lo - hi
        case _:
            return None
