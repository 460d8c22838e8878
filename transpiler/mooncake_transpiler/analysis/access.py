"""Places of array accesses, symbolically: enough to prove that loop iterations don't interfere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Memory
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
        self.stmt: dict[ir.Value, ir.Stmt] = {}
        self.loop: dict[ir.Value, ir.For] = {}
        for stmt in ir.walk(func.body):
            for out in ir.outs(stmt):
                self.stmt[out] = stmt
            if isinstance(stmt, ir.For):
                self.loop[stmt.index] = stmt
        self.equal = tuple(self._checked(func.body))  # integers that are equal in all loops

    def _checked(self, block: ir.Block) -> Iterator[tuple[ir.Atom, ir.Atom]]:
        """The pairs that are equal at the first loop: the function has raised otherwise."""
        for stmt in block.stmts:
            match stmt:
                case ir.For() | ir.While():
                    return
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

    def access(self, base: ir.Atom, index: tuple[ir.Atom, ...]) -> Access:
        """Look through views: the access relative to the array that the view comes from."""
        assert isinstance(base, ir.Value)
        positions: tuple[Position, ...] = index
        while isinstance(view := self.stmt.get(base), ir.View) and not view.part:
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

    def whole_axis(self, array: ir.Atom, axis: int) -> tuple[ir.Atom, int]:
        """The array and axis, as far outwards as possible, of which ``axis`` is the whole."""
        while isinstance(array, ir.Value) and isinstance(view := self.stmt.get(array), ir.View):
            shown = view_axes(view)[axis]
            if shown is None or shown[1] != ir.Slice() or self.is_growable(view.base):
                break
            array, axis = view.base, shown[0]
        return array, axis

    def is_growable(self, array: ir.Atom) -> bool:
        """True if ``array`` is all of the memory of a growable one."""
        made = self.stmt.get(array) if isinstance(array, ir.Value) else None
        return isinstance(made, ir.Alloc) and made.growable

    def grows(self, array: ir.Atom) -> bool:
        """True if ``array`` is growable, or shows part of one that is."""
        while isinstance(array, ir.Value):
            made = self.stmt.get(array)
            base = None if made is None else ir.shown(made)
            if base is None:
                break
            array = base
        return self.is_growable(array)

    def nonnegative(self, atom: ir.Atom) -> bool:
        """True if the integer ``atom`` is proved to be ≥ 0."""
        least = self.least(atom)
        return least is not None and least >= 0

    def least(self, atom: ir.Atom) -> int | None:
        """A proved lower bound of the integer ``atom``."""
        match atom:
            case ir.Const(value=int(value)):
                return value
            case ir.Value() if atom in self.loop:
                return self._least_index(self.loop[atom])
            case ir.Value():
                return self._least_result(self.stmt.get(atom))
            case _:
                return None

    def _least_index(self, loop: ir.For) -> int | None:
        match loop.step:
            case ir.Const(value=int(step)) if step > 0:
                return self.least(loop.lo)
            case ir.Const(value=int(step)) if step < 0:
                stop = self.least(loop.hi)
                return None if stop is None else stop + 1
            case _:
                return None

    def _least_result(self, stmt: ir.Stmt | None) -> int | None:
        match stmt:
            case ir.Dim():
                return 0
            case ir.Compute(op="add", args=(a, b)):
                x, y = self.least(a), self.least(b)
                return None if x is None or y is None else x + y
            case ir.Compute(op="sub", args=(a, ir.Const(value=int(by)))):
                x = self.least(a)
                return None if x is None else x - by
            case ir.Compute(op="mul", args=(a, b)):
                x, y = self.least(a), self.least(b)
                return None if x is None or y is None or x < 0 or y < 0 else x * y
            case _:
                return None


@lru_cache(maxsize=2)
def definitions_of(func: ir.Func) -> Definitions:
    """The definitions of ``func``, kept for the next pass: most leave a function as it is."""
    return Definitions(func)


def view_axes(view: ir.View) -> tuple[tuple[int, ir.Slice] | None, ...]:
    """For each axis of a view the axis of the base that it shows, and how; None: a new axis."""
    assert isinstance(view.base.type, Array)
    found: list[tuple[int, ir.Slice] | None] = []
    taken = 0
    for item in view.index:
        if isinstance(item, ir.NewAxis):
            found.append(None)
            continue
        if isinstance(item, ir.Slice):
            found.append((taken, item))
        taken += 1
    found += [(axis, ir.Slice()) for axis in range(taken, view.base.type.ndim)]
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


def same(a: Position, b: Position) -> bool:
    """True if two positions are certainly the same index."""
    if isinstance(a, ir.Const) and isinstance(b, ir.Const):
        return a.value == b.value
    return a is b and not isinstance(a, WholeAxis)


# ---- what a loop does with a memory -------------------------------------------------------------


def accesses(
    block: ir.Block, memories: Memories, definitions: Definitions
) -> Iterator[tuple[Memory, ir.Touch, Access | None]]:
    """All accesses to memory in ``block`` (None: anything, by a call that is run again)."""
    for stmt in ir.walk(block):
        again = isinstance(stmt, ir.Call) and not memories.is_ruled(stmt)
        element = stmt.index if isinstance(stmt, ir.Load | ir.Store | ir.Accum) else None
        for array, touch in ir.touched(stmt, memories.changed):
            access = definitions.access(array, element) if element else definitions.whole(array)
            yield memories.of(array), touch, None if again else access


def disjoint_iterations(
    loop: ir.For, memory: Memory, touched: list[Access | None], definitions: Definitions
) -> bool:
    """True if no two iterations of ``loop`` touch the same element: some axis is the index."""
    found = [a for a in touched if a is not None and a.root in memory.roots]
    if len(found) != len(touched) or len({a.root for a in found}) != 1:
        return False
    return definitions.nonnegative(loop.index) and any(
        all(a.index[axis] is loop.index for a in found) for axis in range(len(found[0].index))
    )
