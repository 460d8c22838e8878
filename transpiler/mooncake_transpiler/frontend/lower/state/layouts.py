"""Layouts of arrays in NumPy's memory: they decide what is a view and what is a copy.

A layout is a stride for each axis, a product of a number and of sizes. What is not known (how the
caller lays out an argument, what a library function makes) is an ``Unknown`` of its own, so even
then parts and transposes of one array are compared well. An answer is None where it depends on
sizes or on the caller.

These are the layouts of NumPy's arrays. Memory is made in C order here whatever NumPy does, as only
views can tell: see `passes/sharing.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from mooncake_transpiler import ir

Same = Callable[[ir.Atom, ir.Atom], bool]  # whether two sizes are equal
Shape = Sequence[ir.Atom]


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """A number that is not known, the same wherever it stands."""


@dataclass(frozen=True, slots=True)
class Stride:
    """The distance of neighbours along an axis in items: ``number`` times all ``factors``."""

    number: int = 1
    factors: tuple[ir.Atom | Unknown, ...] = ()

    def __mul__(self, other: Stride) -> Stride:
        return Stride(self.number * other.number, (*self.factors, *other.factors))


Layout = tuple[Stride, ...]
NONE = Stride(0)  # of an axis that is stretched, or has one item: it leads nowhere


def product(sizes: Shape) -> Stride:
    """``sizes``, multiplied."""
    found = Stride()
    for size in sizes:
        known = constant(size)
        found *= Stride(1, (size,)) if known is None else Stride(known)
    return found


def constant(size: ir.Atom | None) -> int | None:
    """A size that is known ahead of time."""
    return size.value if isinstance(size, ir.Const) and isinstance(size.value, int) else None


def in_order(shape: Shape, axes: Sequence[int]) -> Layout:
    """Memory without gaps, in which ``axes`` lie from the outermost to the innermost."""
    strides = {axis: product([shape[k] for k in axes[at + 1 :]]) for at, axis in enumerate(axes)}
    return tuple(strides[k] for k in range(len(shape)))


def c_order(shape: Shape) -> Layout:
    return in_order(shape, range(len(shape)))


def unknown(ndim: int) -> Layout:
    """Anything, in ``ndim`` axes."""
    return tuple(Stride(1, (Unknown(),)) for _ in range(ndim))


def fresh(shape: Shape) -> Layout:
    """New memory in an order that is not known."""
    long = [size for size in shape if constant(size) != 1]
    return c_order(shape) if len(long) < 2 else unknown(len(shape))


def is_known(layout: Layout) -> bool:
    return not any(isinstance(factor, Unknown) for stride in layout for factor in stride.factors)


# ---- comparing -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layouts:
    """Questions about layouts, for what is known about sizes."""

    same: Same

    def _without_common(self, a: Stride, b: Stride) -> tuple[Stride, Stride]:
        rest = list(b.factors)
        left = []
        for factor in a.factors:
            k = next((k for k, other in enumerate(rest) if self._equal(factor, other)), None)
            if k is None:
                left.append(factor)
            else:
                del rest[k]
        return Stride(a.number, tuple(left)), Stride(b.number, tuple(rest))

    def _equal(self, a: ir.Atom | Unknown, b: ir.Atom | Unknown) -> bool:
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return a is b
        return self.same(a, b)

    def equal(self, a: Stride, b: Stride) -> bool | None:
        """True if two strides are equal, of arrays that are not empty."""
        left, right = self._without_common(a, b)
        if left.factors or right.factors:
            return None
        if left.number == right.number:
            return True
        return None if any(isinstance(f, Unknown) for f in a.factors) else False

    def _exceeds(self, a: Stride, b: Stride) -> bool | None:
        """True if ``a`` is the longer stride; sizes are at least 1."""
        left, right = self._without_common(a, b)
        if any(isinstance(f, Unknown) for f in (*left.factors, *right.factors)):
            return None
        one, other = abs(left.number), abs(right.number)
        if one >= other and not right.factors and (one > other or left.factors):
            return True
        return False if other >= one and not left.factors else None

    # ---- copies in the order of what they are made of --------------------------------------------

    def elementwise(self, operands: Sequence[tuple[Shape, Layout]], shape: Shape) -> Layout:
        """The layout of a ufunc's result for ``operands``, stretched to ``shape``.

        Where they contradict each other, or say nothing, it is C order.
        """
        strides = []
        for own, layout in operands:
            moved = _without_ones(own, layout)
            strides.append((*[NONE] * (len(shape) - len(own)), *moved))
        return self._sorted(strides, shape, stretched=False)

    def like(self, shape: Shape, layout: Layout) -> Layout:
        """A copy that keeps the order (``order="K"``) of an array."""
        return self._sorted([layout], shape, stretched=True)

    def joined(self, operands: Sequence[tuple[Shape, Layout]], axis: int, shape: Shape) -> Layout:
        """The layout that ``concatenate`` makes: the order that all operands agree on.

        One that has one item along ``axis`` has no say about that.
        """
        strides = [_without_ones(own, layout) for own, layout in operands]
        found = self._sorted(strides, shape, stretched=False, outwards=True)
        expected = c_order(shape)
        each = [self._sorted([one], shape, stretched=False, outwards=True) for one in strides]
        if all(all(map(self.equal, one, expected)) for one in each):
            return expected
        sizes = [constant(own[axis]) for own, _ in operands]
        return found if all(sizes) else fresh(shape)

    def fortran(self, own: Shape, layout: Layout, shape: Shape) -> Layout:
        """Fortran order for what is contiguous in that only, else C order."""
        if self.contiguous(own, layout):
            return c_order(shape)
        backwards = self.contiguous(own[::-1], layout[::-1])
        if backwards is False:
            return c_order(shape)
        if backwards and self.contiguous(own, layout) is False:
            return c_order(shape[::-1])[::-1]
        return fresh(shape)

    def _sorted(
        self, operands: Sequence[Layout], shape: Shape, stretched: bool, outwards: bool = False
    ) -> Layout:
        """NumPy's insertion sort of axes, from the innermost or from the outermost."""
        order: list[int] = []
        for axis in range(len(shape)) if outwards else reversed(range(len(shape))):
            place = len(order)
            for at in reversed(range(len(order))):
                pair = (order[at], axis) if outwards else (axis, order[at])
                known, below = self._lies_below(operands, *pair, stretched)
                if not known:
                    return fresh(shape)
                if below is False:
                    break
                place = at if below else place
            order.insert(place, axis)
        return in_order(shape, order if outwards else order[::-1])

    def _lies_below(
        self, operands: Sequence[Layout], axis: int, other: int, stretched: bool
    ) -> tuple[bool, bool | None]:
        """True if that is known; then True if ``axis`` lies inside ``other``, None if neither."""
        votes: list[bool | None] = []
        for layout in operands:
            one, two = layout[axis], layout[other]
            if stretched or (one.number and two.number):
                votes.append(self._exceeds(two, one))
        if not votes:
            return True, None
        if False in votes:
            return True, False
        return None not in votes, True

    # ---- views -----------------------------------------------------------------------------------

    def contiguous(self, shape: Shape, layout: Layout) -> bool | None:
        """True if memory is in C order and without gaps."""
        expected, answer = Stride(), True
        for size, stride in zip(reversed(shape), reversed(layout), strict=True):
            known = constant(size)
            if known == 0:
                return True
            if known == 1:
                continue
            fits = self.equal(stride, expected)
            if fits is False and known is not None:
                return False
            answer = answer and fits is True
            expected *= product([size])
        return True if answer else None

    def reshaped(self, old: Shape, layout: Layout, new: Shape) -> tuple[bool | None, Layout]:
        """True if ``reshape`` gives a view, and the layout of what it gives."""
        strides = dict.fromkeys(range(len(new)), NONE)
        answer: bool | None = True
        for before, after in self.groups(old, new):
            merges = [
                self.equal(layout[a], layout[b] * product([old[b]])) for a, b in pairwise(before)
            ]
            exact = all(constant(size) is not None for size in (*old, *new))
            if False in merges and exact:
                return False, c_order(new)
            if not all(merges):
                answer = None
            inner = layout[before[-1]] if before else NONE
            sizes = [product([new[k]]) for k in reversed(after)]
            steps = accumulate(sizes[:-1], Stride.__mul__, initial=inner)
            strides |= dict(zip(reversed(after), steps, strict=False))
        if answer is None:
            return None, unknown(len(new))
        return True, tuple(strides[k] for k in range(len(new)))

    def groups(self, old: Shape, new: Shape) -> list[tuple[list[int], list[int]]]:
        """Axes of ``old`` and of ``new`` that show the same items; none of size 1 is among them."""
        one = [k for k, size in enumerate(old) if constant(size) != 1]
        other = [k for k, size in enumerate(new) if constant(size) != 1]
        found: list[tuple[list[int], list[int]]] = []
        last: list[tuple[list[int], list[int]]] = []
        while one and other and self.same(old[one[0]], new[other[0]]):
            found.append(([one.pop(0)], [other.pop(0)]))
        while one and other and self.same(old[one[-1]], new[other[-1]]):
            last.insert(0, ([one.pop()], [other.pop()]))
        if one or other:
            found += self._split(old, one, new, other)
        return [*found, *last]

    def _split(
        self, old: Shape, one: list[int], new: Shape, other: list[int]
    ) -> list[tuple[list[int], list[int]]]:
        """The finest groups, if all sizes are known and none is 0; else a single one."""
        sizes = {k: constant(old[k]) or 0 for k in one}, {k: constant(new[k]) or 0 for k in other}
        if not all((*sizes[0].values(), *sizes[1].values())):
            return [(one, other)]
        ends = [set(accumulate(axes.values(), int.__mul__)) for axes in sizes]
        cuts = ends[0] & ends[1]
        return list(zip(_cut(sizes[0], cuts), _cut(sizes[1], cuts), strict=False))


def _without_ones(shape: Shape, layout: Layout) -> Layout:
    """``layout``; axes of one item lead nowhere."""
    pairs = zip(shape, layout, strict=True)
    return tuple(NONE if constant(size) == 1 else stride for size, stride in pairs)


def _cut(sizes: dict[int, int], cuts: set[int]) -> list[list[int]]:
    """The axes in ``sizes``, cut where the product so far is one of ``cuts``."""
    found: list[list[int]] = [[]]
    total = 1
    for axis, size in sizes.items():
        found[-1].append(axis)
        total *= size
        if total in cuts:
            found.append([])
    return [group for group in found if group]
