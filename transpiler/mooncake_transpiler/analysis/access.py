"""Places of array accesses, symbolically: enough to prove that loop iterations don't interfere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.chosen_arrays import Choices
from mooncake_transpiler.types import Array


class WholeAxis(Enum):
    """An index position about which nothing is known (a slice, or a whole axis)."""

    UNKNOWN = "unknown"


Position = ir.Atom | WholeAxis


@dataclass(frozen=True, slots=True)
class Access:
    """One access: the array it starts from and one position per axis of it.

    That is no view, but it may be a reshaped array, or parts of complex numbers, which are less
    than elements: of its base the positions are not known.
    """

    root: ir.Value
    index: tuple[Position, ...]


class Definitions:
    """The statement that binds each value of a function, and the loop of each loop index."""

    def __init__(self, func: ir.Func) -> None:
        self._body = func.body
        self.stmt: dict[ir.Atom, ir.Stmt] = {}
        self.loop: dict[ir.Atom, ir.For] = {}
        self.enter(func.body)
        self.equal = tuple(self._checked(func.body))  # integers that are equal in all loops

    def enter(self, block: ir.Block) -> None:
        """Take in the statements of ``block``, in place of others that bind the same values."""
        for stmt in ir.walk(block):
            for out in ir.outs(stmt):
                self.stmt[out] = stmt
            if isinstance(stmt, ir.For):
                self.loop[stmt.index] = stmt

    def _checked(self, block: ir.Block) -> Iterator[tuple[ir.Atom, ir.Atom]]:
        """The pairs that are equal at the first loop: the function has raised otherwise."""
        for stmt in block.stmts:
            if isinstance(stmt, ir.For | ir.While):
                return
            yield from self.checked(stmt)

    def checked(self, stmt: ir.Stmt) -> Iterator[tuple[ir.Atom, ir.Atom]]:
        """The pair of integers that are equal behind ``stmt``, which raises otherwise."""
        match stmt:
            case ir.If(cond=ir.Value() as cond, then=then, orelse=ir.Block(stmts=())):
                raises = bool(then.stmts) and isinstance(then.stmts[-1], ir.Raise)
                made = self.stmt.get(cond)
                if raises and isinstance(made, ir.Compute):
                    yield from self._fails_unless_equal(made)
            case _:
                pass

    def _fails_unless_equal(self, cond: ir.Compute) -> Iterator[tuple[ir.Atom, ir.Atom]]:
        match cond:
            case ir.Compute(op="ne", args=(a, b)):
                yield a, b
            case ir.Compute(op="not", args=(ir.Value() as negated,)):
                inner = self.stmt.get(negated)
                if isinstance(inner, ir.Compute) and inner.op == "eq":
                    yield inner.args[0], inner.args[1]
            case _:
                pass

    def access(self, base: ir.Atom, index: tuple[ir.Atom, ...], *, parts: bool = False) -> Access:
        """Look through views: the access relative to the array that the view comes from.

        ``parts``: through those of complex numbers, too, which are less than the elements there.
        """
        assert isinstance(base, ir.Value)
        positions: tuple[Position, ...] = index
        while isinstance(view := self.stmt.get(base), ir.View) and (parts or not view.part):
            positions = through(view, positions)
            assert isinstance(view.base, ir.Value)
            base = view.base
        return Access(base, positions)

    def whole(self, base: ir.Atom) -> Access:
        """The access of a bulk statement to ``base``."""
        access = self.access(base, ())
        assert isinstance(access.root.type, Array)
        missing = access.root.type.ndim - len(access.index)
        return Access(access.root, access.index + (WholeAxis.UNKNOWN,) * missing)

    def is_growable(self, array: ir.Atom) -> bool:
        """True if ``array`` is all of the memory of a growable one."""
        made = self.stmt.get(array)
        return isinstance(made, ir.Alloc) and made.growable

    def grows(self, array: ir.Atom) -> bool:
        """True if ``array`` is growable, or shows part of one that is."""
        return self.is_growable(self.root(array))

    def part(self, array: ir.Atom) -> ir.Value | None:
        """The part of a longer array, from one number on to another, that ``array`` is."""
        while isinstance(array, ir.Value) and (made := self.stmt.get(array)) is not None:
            match made:
                case ir.View(index=(ir.Slice(lo=lo, hi=hi, step=None),)) if any(
                    isinstance(bound, ir.Value) for bound in (lo, hi)
                ):
                    return array
                case _ if (base := ir.shown(made)) is not None:
                    array = base
                case _:
                    return None
        return None

    @cached_property
    def choices(self) -> Choices:
        """The names of arrays that branches and loops choose."""
        found = Choices(self.root)
        found.enter(self._body)
        return found

    def sources(self, array: ir.Atom) -> tuple[ir.Atom, ...]:
        """The arrays that ``array`` is a name for: the one that it shows, or those of two arms."""
        made = self.stmt.get(array)
        if isinstance(made, ir.If):
            return ir.arms(made, array)
        base = None if made is None else ir.shown(made)
        return () if base is None else (base,)

    def root(self, array: ir.Atom) -> ir.Atom:
        """The array that ``array`` is, or shows a part of, through any reshaping."""
        while isinstance(array, ir.Value):
            made = self.stmt.get(array)
            base = None if made is None else ir.shown(made)
            if base is None:
                break
            array = base
        return array

    def written(self, stmts: Iterable[ir.Stmt]) -> set[ir.Atom]:
        """The memory that ``stmts`` write, blocks included."""
        inner = (part for stmt in stmts for part in ir.within(stmt))
        return {self.root(array) for part in inner for array in ir.written(part)}

    def loaded(self, stmts: Iterable[ir.Stmt]) -> set[ir.Atom]:
        """The memory that ``stmts`` load elements from, blocks included."""
        inner = (part for stmt in stmts for part in ir.within(stmt))
        return {self.root(part.base) for part in inner if isinstance(part, ir.Load)}


@lru_cache(maxsize=2)
def definitions_of(func: ir.Func) -> Definitions:
    """The definitions of ``func``, kept for the next pass: most leave a function as it is."""
    return Definitions(func)


def view_axes(view: ir.View) -> tuple[tuple[int, ir.Slice] | None, ...]:
    """For each axis of a view the axis of the base that it shows, and how; None: a new axis."""
    assert isinstance(view.base.type, Array)
    found = ir.index_axes(view.index, view.base.type.ndim)
    return tuple(found[axis] for axis in view.axes or range(len(found)))


def through(view: ir.View, positions: tuple[Position, ...]) -> tuple[Position, ...]:
    """Positions on the leading axes of the view's result, turned into positions on its base."""
    assert isinstance(view.base.type, Array)
    integers = (item for item in view.index if not isinstance(item, ir.NewAxis))
    found: list[Position] = [
        WholeAxis.UNKNOWN if isinstance(item, ir.Slice) else item for item in integers
    ]
    found += [WholeAxis.UNKNOWN] * (view.base.type.ndim - len(found))
    for shown, position in zip(view_axes(view), positions, strict=False):
        if shown is not None and shown[1] == ir.Slice():
            found[shown[0]] = position
    return tuple(found)
