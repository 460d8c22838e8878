"""Integers of one function as linear sums, and proofs about these.

    n - 1 - i        where ``for i in range(n)``: 0 at least, so an index from the end is in bounds

What a loop visits, what is in bounds, what is at most what: all that is a sum that is not negative.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import (
    Access,
    Definitions,
    Position,
    WholeAxis,
    definitions_of,
    view_axes,
)
from mooncake_transpiler.analysis.shapes import Shapes
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


def values_in(term: Term) -> Iterator[ir.Value]:
    """The values that ``term`` is computed of."""
    match term:
        case Size(array=array):
            yield array
        case Rest(terms=terms):
            for inner, _ in terms:
                yield from values_in(inner)
        case ir.Value():
            yield term


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

    def over(self, number: int) -> LinearSum | None:
        """A part of the sum; None if ``number`` does not divide all that is in it."""
        if any(k % number for k in (self.const, *self.terms.values())):
            return None
        return LinearSum(
            self.const // number, {term: k // number for term, k in self.terms.items()}
        )

    def with_term(self, term: Term, value: LinearSum) -> LinearSum:
        """The same sum with ``value`` in place of ``term``."""
        factor = self.terms[term]
        rest = {t: k for t, k in self.terms.items() if t != term}
        return LinearSum(self.const, rest).plus(value, factor)


@dataclass(frozen=True, slots=True)
class Range:
    """``lo <= index < hi``."""

    lo: LinearSum
    hi: LinearSum


ONE = LinearSum(1)


class Integers:
    """Proofs about the integers of one function; False means not proved."""

    def __init__(
        self,
        defs: Definitions,
        sizes: Collection[ir.Atom] = (),
        selected: Collection[tuple[ir.Atom, ...]] = (),
    ) -> None:
        """``sizes``: integers that are not negative, as arrays were made with them.

        ``selected``: arrays that hold places, one for each axis, no place more than once.
        """
        self.defs = defs
        self.sizes = sizes
        self.selected = selected
        self.shapes = Shapes(defs.stmt)
        self._sums: dict[ir.Value, LinearSum] = {}
        self._natural: dict[ir.Value, bool] = {}

    # ---- sums -----------------------------------------------------------------------------------

    def of(self, atom: ir.Atom) -> LinearSum:
        if isinstance(atom, ir.Const) and isinstance(atom.value, int):
            return LinearSum(int(atom.value))
        if not isinstance(atom, ir.Value):
            return LinearSum(0, {ir.Value("", INT): 1})  # something
        if atom not in self._sums:
            self._sums[atom] = self._of(atom)
        return self._sums[atom]

    def _of(self, atom: ir.Value) -> LinearSum:
        match self.defs.stmt.get(atom):
            case ir.Dim(array=array, axis=axis) if not self.defs.grows(array):
                return self.length(array, axis)
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
            case ir.Compute(op="floordiv", args=(a, ir.Const(value=int(k)))) if k:
                return self.of(a).over(k) or LinearSum(0, {atom: 1})
            case _:
                return LinearSum(0, {atom: 1})

    def length(self, array: ir.Atom, axis: int) -> LinearSum:
        """The length of ``array``, which does not grow, on ``axis``."""
        origin = self.shapes.origin(array, axis)
        if origin.axis is None:
            return self.of(origin.atom)
        assert isinstance(origin.atom, ir.Value)
        made = self.defs.stmt.get(origin.atom)
        if isinstance(made, ir.View) and not self.defs.grows(origin.atom):
            shown = view_axes(made)[origin.axis]
            assert shown is not None
            if shown[1].step is None and (less := shown[1].cut):
                left = self.length(made.base, shown[0]).plus(LinearSum(-less))
                return LinearSum(0, {Rest(left.const, frozenset(left.terms.items())): 1})
        return LinearSum(0, {Size(origin.atom, origin.axis): 1})

    # ---- proofs ---------------------------------------------------------------------------------

    def is_natural(self, total: LinearSum, known: Iterable[LinearSum] = ()) -> bool:
        """True if ``total`` is certainly not negative, where all of ``known`` are not."""
        if self._is_natural(total):
            return True
        return any(self._is_natural(total.plus(fact, -1)) for fact in known)

    def nonnegative(self, atom: ir.Atom) -> bool:
        """True if the integer ``atom`` is proved to be ≥ 0."""
        if not isinstance(atom, ir.Value):
            return self._is_natural(self.of(atom))
        if atom not in self._natural:
            self._natural[atom] = atom in self.sizes or self._is_natural(self.of(atom))
        return self._natural[atom]

    def at_most(self, a: LinearSum, b: LinearSum) -> bool:
        """True if ``a <= b`` is proved."""
        return self._is_natural(b.plus(a, -1))

    def _is_natural(self, total: LinearSum) -> bool:
        while not (total.const >= 0 and all(k > 0 and self._counts(t) for t, k in _items(total))):
            found = next(((t, e) for t, k in _items(total) if (e := self._extreme(t, k))), None)
            if found is None:
                return False
            total = total.with_term(*found)
        return True

    def _counts(self, term: Term) -> bool:
        """True if ``term`` is never negative."""
        if isinstance(term, Size | Rest):
            return True
        if term in self.defs.loop:
            least = self._extreme(term, 1)
            return least is not None and self._is_natural(least)
        return self._is_size(term)

    def _extreme(self, term: Term, factor: int) -> LinearSum | None:
        """The least value of ``term``, or the greatest if ``factor`` is negative; None if
        unknown.
        """
        if isinstance(term, Size):
            return None
        if isinstance(term, Rest):
            return LinearSum(term.const, dict(term.terms)) if factor > 0 else None
        loop = self.defs.loop.get(term)
        visited = None if loop is None else self.visited(loop)
        if visited is None:
            return None
        return visited.lo if factor > 0 else visited.hi.plus(ONE, -1)

    def _is_size(self, value: ir.Value) -> bool:
        """True if what is no linear sum is never negative, by what it is computed of."""
        match self.defs.stmt.get(value):
            case ir.Dim() | ir.Compute(op="abs"):
                return True
            case ir.Load(base=base):
                return any(base in arrays for arrays in self.selected)
            case ir.Compute(op="mul" | "floordiv", args=(a, b)):
                return self.nonnegative(a) and self.nonnegative(b)
            case ir.Compute(op="np.maximum", args=(a, b)):
                return self.nonnegative(a) or self.nonnegative(b)
            case ir.Compute(op="select", args=(ir.Value() as cond, a, b)):
                both = (self.nonnegative(a), self.nonnegative(b))
                return all(both) or (any(both) and self._is_gt(cond, a, b))
            case _:
                return False

    def _is_gt(self, cond: ir.Value, a: ir.Atom, b: ir.Atom) -> bool:
        made = self.defs.stmt.get(cond)
        return isinstance(made, ir.Compute) and made.op == "gt" and made.args == (a, b)

    # ---- ranges ---------------------------------------------------------------------------------

    def visited(self, loop: ir.For) -> Range | None:
        """A range that has all indices that ``loop`` visits, and maybe others."""
        if not isinstance(loop.step, ir.Const) or loop.step.value == 0:
            return None
        lo, hi = self.of(loop.lo), self.of(loop.hi)
        return Range(lo, hi) if loop.step.value.real > 0 else Range(hi.plus(ONE), lo.plus(ONE))

    def span(self, loop: ir.For) -> Range | None:
        """The indices that ``loop`` visits, if they are without gaps."""
        has_gaps = not isinstance(loop.step, ir.Const) or loop.step.value not in (1, -1)
        return None if has_gaps else self.visited(loop)

    def covers(self, loop: ir.For, array: ir.Value, axis: int) -> bool:
        """True if ``loop`` visits each index on ``axis`` of ``array`` exactly once."""
        span = None if loop.exit else self.span(loop)
        return span is not None and self._is_all(span, array, axis)

    def differ(self, p: Position, q: Position) -> bool:
        """True if two positions on an axis certainly are different elements: -1 is the last one."""
        if isinstance(p, WholeAxis) or isinstance(q, WholeAxis):
            return False
        a, b = self.of(p), self.of(q)
        if not (a.terms or b.terms) and a.const < 0 and b.const < 0:
            return a.const != b.const
        if not (self.nonnegative(p) and self.nonnegative(q)):
            return False
        return self.at_most(a.plus(ONE), b) or self.at_most(b.plus(ONE), a)

    def contains(self, range_: Range, position: Position, array: ir.Value, axis: int) -> bool:
        """True if ``position`` on ``axis`` of ``array`` is proved to lie in ``range_``."""
        if self._is_all(range_, array, axis):
            return True
        loop = self.defs.loop.get(position) if isinstance(position, ir.Value) else None
        inner = None if loop is None else self.visited(loop)
        return (
            inner is not None
            and self.at_most(range_.lo, inner.lo)
            and self.at_most(inner.hi, range_.hi)
        )

    def in_bounds(self, access: Access) -> bool:
        """True if ``access`` is certainly inside its array, even if it is never executed."""
        if self.defs.is_growable(access.root):
            return False
        for axis, position in enumerate(access.index):
            if isinstance(position, WholeAxis) or not self.nonnegative(position):
                return False
            if not self.at_most(self.of(position).plus(ONE), self.length(access.root, axis)):
                return False
        return True

    def has_length(self, array: ir.Value, axis: int, size: LinearSum) -> bool:
        """True if ``size`` is the length of ``array`` on ``axis``."""
        return not self.defs.is_growable(array) and self.length(array, axis) == size

    def _is_all(self, range_: Range, array: ir.Value, axis: int) -> bool:
        return range_.lo == LinearSum() and self.has_length(array, axis, range_.hi)


@lru_cache(maxsize=2)
def integers_of(func: ir.Func) -> Integers:
    """The integers of ``func``, kept for the next pass: most leave a function as it is."""
    return Integers(definitions_of(func))


def _items(total: LinearSum) -> list[tuple[Term, int]]:
    """The terms, indices first: what is known of these may cancel lengths."""
    return sorted(total.terms.items(), key=lambda item: not isinstance(item[0], ir.Value))
