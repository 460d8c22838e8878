"""Axes of parameters that may be stretched before a function is called, if their size is 1 then.

The function is one that stretches such axes wherever NumPy does (``Stage.stretching``): the size of
what comes out is ``where(n == 1, m, n)``, and an element is at ``where(n == 1, 0, i)``. If a size
is used for nothing else and the array for nothing but loads at such places, then giving the array
with that axis repeated changes no number in the function. So the function that has one size for all
of them, and no such choices, can be called with the arrays stretched; a cotangent of one of those
is summed over the axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mooncake_runtime.fronts import DIFFER

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, mutated
from mooncake_transpiler.types import Array

Axis = tuple[str, int]  # of a parameter
Member = Axis | int | ir.Value  # a size of a parameter, a known one, another one
Size = frozenset[Member]  # what sizes of several arrays come to, stretched
_WHOLE = (ir.Slice(), ir.NewAxis())


@dataclass(frozen=True, slots=True)
class Stretch:
    """Axes that are stretched to the size that they and the ``fixed`` ones have together.

    Each of these sets must come to that size, stretched, before anything is.
    """

    axes: tuple[Axis, ...]
    fixed: tuple[tuple[Axis | int, ...], ...] = ()

    def __str__(self) -> str:
        fixed = ("=" + "*".join(map(_shown, one)) for one in self.fixed)
        return " ".join([*map(_shown, self.axes), *fixed])


def _shown(member: Axis | int) -> str:
    return str(member) if isinstance(member, int) else f"{member[0]}.{member[1]}"


def tests_sizes(program: ir.Program) -> bool:
    """True if a function tests that sizes are the same."""
    raises = (
        stmt
        for func in program.funcs.values()
        for stmt in ir.walk(func.body)
        if isinstance(stmt, ir.Raise)
    )
    return any(stmt.message is not None and stmt.message.endswith(DIFFER) for stmt in raises)


def stretches(program: ir.Program, name: str) -> tuple[Stretch, ...]:
    """The axes of parameters of ``name``, a function that stretches, for doing so beforehand.

    There are none if calling the function twice can be noticed: the call that found out that sizes
    differ may have come far.
    """
    func = program.funcs[name]
    prints = any(isinstance(stmt, ir.Print) for stmt in ir.walk(func.body))
    changes = mutated([*program.funcs.values()])
    if prints or Memories(func, changes).written_params:
        return ()
    facts = _Facts(func)
    found = []
    for members in _components(facts.joined):
        axes = _in_order(func, [m for m in members if isinstance(m, tuple)])
        own = tuple(axis for axis in axes if facts.is_free(axis))
        order: list[Axis | int] = [*axes, *(m for m in members if isinstance(m, int))]
        sets = {tuple(m for m in order if m in size) for size in facts.used if size < members}
        sets |= {(m,) for m in order if m not in own}
        if own and len(order) == len(members):
            fixed = sorted(sets, key=lambda one: [order.index(m) for m in one])
            found.append(Stretch(own, tuple(fixed)))
    return tuple(sorted(found, key=str))


def _in_order(func: ir.Func, axes: list[Axis]) -> tuple[Axis, ...]:
    names = [param.name for param in func.params]
    return tuple(sorted(axes, key=lambda axis: (names.index(axis[0]), axis[1])))


def _components(joined: set[Size]) -> Iterator[Size]:
    """The largest sets that are made of overlapping ones."""
    left = set(joined)
    while left:
        one = left.pop()
        while touching := {other for other in left if other & one}:
            left -= touching
            one = one.union(*touching)
        yield one


class _Facts:
    """Sizes: ``used`` to make or run something; ``joined``: stretched together."""

    def __init__(self, func: ir.Func) -> None:
        # Of arrays that are parameters, or show all of one, which axis of that each axis is.
        self.arrays: dict[ir.Value, tuple[str, tuple[int | None, ...]]] = {
            p.leaves[0]: (p.name, tuple(range(p.type.ndim)))
            for p in func.params
            if isinstance(p.type, Array)
        }
        self.made: dict[ir.Value, tuple[ir.Atom, ...]] = {}  # arrays by their shapes
        self.sizes: dict[ir.Value, Size] = {}
        self.tests: dict[ir.Value, ir.Atom] = {}  # of ``size == 1``, the size
        self.places: dict[ir.Atom, ir.Atom] = {}  # of ``where(size == 1, 0, i)``, the size
        self.used: set[Size] = set()
        self.joined: set[Size] = set()
        self.kept: set[str] = set()  # arrays that are used as a whole
        self.bound: set[Axis] = set()  # axes that are loaded from at other places
        for stmt in ir.walk(func.body):
            self._statement(stmt)
            for block in ir.blocks(stmt):
                self._use(block.yields)
        self._use(func.body.yields)

    def is_free(self, axis: Axis) -> bool:
        return (
            axis[0] not in self.kept and axis not in self.bound
            and frozenset({axis}) not in self.used
        )  # fmt: skip

    def size(self, atom: ir.Atom) -> Size:
        if isinstance(atom, ir.Const):
            assert isinstance(atom.value, int)
            return frozenset({atom.value})
        assert isinstance(atom, ir.Value)
        return self.sizes.get(atom, frozenset({atom}))

    def _use(self, atoms: tuple[ir.Atom, ...]) -> None:
        """Something else than stretching makes use of ``atoms``."""
        for atom in atoms:
            if not isinstance(atom, ir.Value):
                continue
            if atom in self.arrays:
                self.kept.add(self.arrays[atom][0])
            for size in (atom, self.tests.get(atom), self.places.get(atom)):
                if isinstance(size, ir.Value) and size in self.sizes:
                    self.used.add(self.sizes[size])

    def _statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Dim(out=out, array=ir.Value() as array, axis=axis) if array in self.arrays:
                name, axes = self.arrays[array]
                own = axes[axis]
                self.sizes[out] = frozenset({1 if own is None else (name, own)})
            case ir.Dim(out=out, array=ir.Value() as array, axis=axis) if array in self.made:
                self.sizes[out] = self.size(self.made[array][axis])
            case ir.Alloc(out=out, shape=shape, growable=False):
                self.made[out] = shape
                self._use(shape)
            case ir.View(out=out, base=ir.Value() as base, index=index, axes=order, part="") if (
                base in self.arrays and all(item in _WHOLE for item in index)
            ):
                self._view(out, base, index, order)
            case ir.Load(base=base, index=index) if base in self.arrays:
                self._load(base, index)
            case ir.Load(index=index):
                self._use(tuple(atom for atom in index if atom not in self.places))
            case ir.Compute(out=out, op="np.maximum", args=(ir.Value() as size, zero)) if (
                size in self.sizes and zero == ir.ZERO
            ):
                self.sizes[out] = self.sizes[size]
            case ir.Compute(out=out, op="eq", args=(size, one)) if one == ir.ONE:
                self.tests[out] = size
            case ir.Compute(out=out, op="where", args=(ir.Value() as test, wide, size)) if (
                test in self.tests
            ):
                self._choice(out, self.tests[test], wide, size)
            case _:
                self._use(ir.operands(stmt))

    def _choice(self, out: ir.Value, tested: ir.Atom, wide: ir.Atom, other: ir.Atom) -> None:
        if other == tested:
            self.sizes[out] = self.size(wide) | self.size(other)
            self.joined.add(self.sizes[out])
        elif wide == ir.ZERO:
            self.places[out] = tested
            if other not in self.places:
                self._use((other,))
        else:
            self._use((tested, wide, other))

    def _view(
        self, out: ir.Value, base: ir.Value, index: tuple[ir.Index, ...], order: tuple[int, ...]
    ) -> None:
        name, axes = self.arrays[base]
        shown = [at and axes[at[0]] for at in ir.index_axes(index, len(axes))]
        self.arrays[out] = name, tuple(shown[k] for k in order) if order else tuple(shown)

    def _load(self, base: ir.Value, index: tuple[ir.Atom, ...]) -> None:
        name, axes = self.arrays[base]
        for axis, at in zip(axes, index, strict=True):
            if axis is None:
                continue
            own = self.places.get(at)
            if own is not None and self.size(own) == {(name, axis)}:
                continue
            if at != ir.ZERO:
                self.bound.add((name, axis))
                self._use((at,))
