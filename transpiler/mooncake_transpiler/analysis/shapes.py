"""Shapes of arrays: where sizes come from, and sizes as symbols, of which equal ones are equal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mooncake_rules.primitives import PRIMITIVES, Sizes

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, view_axes
from mooncake_transpiler.types import INT, Array


@dataclass(frozen=True, slots=True)
class Extent:
    """A size: ``axis`` of the array ``atom``, or the integer ``atom`` itself (``axis`` None)."""

    atom: ir.Atom
    axis: int | None


class Shapes:
    """The places that sizes come from; ``made`` holds the statements that bind the arrays."""

    def __init__(self, made: Mapping[ir.Atom, ir.Stmt]) -> None:
        self._made = made

    def source(self, array: ir.Atom, axis: int) -> Extent | None:
        """The size that ``axis`` of ``array`` is made with; None if that is nothing else's."""
        made = self._made.get(array)
        match made:
            case ir.Alloc(shape=shape, growable=False) | ir.Reshape(shape=shape):
                return Extent(shape[axis], None) if shape[axis].type == INT else None
            case ir.Copy(src=src):
                return self._like(src, axis)
            case ir.Shadows(outs=outs, arrays=arrays):
                shadowed = dict[ir.Atom, ir.Atom](zip(outs, arrays, strict=True))
                return self._like(shadowed[array], axis)
            case ir.View(base=base):
                shown = view_axes(made)[axis]
                if shown is None:
                    return Extent(ir.ONE, None)
                if self._grows(base) and shown[1].lo is None and shown[1].step is None:
                    return None if shown[1].hi is None else Extent(shown[1].hi, None)
                return self._like(base, shown[0]) if shown[1] == ir.Slice() else None
            case ir.Call(args=args, func=func) if (known := PRIMITIVES.get(func)) and known.sizes:
                ranks = [a.type.ndim if isinstance(a.type, Array) else 0 for a in args]
                shapes = dict[ir.Atom, Sizes](zip(made.outs, known.sizes(ranks), strict=True))
                k, place = shapes[array][axis]
                return self._like(args[k], place)
            case _:
                return None

    def _like(self, array: ir.Atom, axis: int) -> Extent | None:
        """The extent of ``array``, unless that may change."""
        return None if self._grows(array) else Extent(array, axis)

    def _grows(self, array: ir.Atom) -> bool:
        """True for an array with room for more than its items: views show these."""
        made = self._made.get(array)
        return isinstance(made, ir.Alloc) and made.growable

    def sources(self, array: ir.Atom, axis: int) -> Iterator[Extent]:
        """The extents that ``axis`` of ``array`` is as long as: itself, and on to its origin."""
        found: Extent | None = Extent(array, axis)
        while found is not None:
            yield found
            found = None if found.axis is None else self.source(found.atom, found.axis)

    def origin(self, array: ir.Atom, axis: int) -> Extent:
        """The last of these."""
        *_, last = self.sources(array, axis)
        return last


# The extent of an axis of a result of a call, as far as it is known: (call, result, axis).
CallExtent = Callable[[ir.Call, int, int], Extent | None]


def unknown(call: ir.Call, k: int, axis: int) -> None:
    """A ``CallExtents`` that knows nothing about the results of calls."""
    return None


class Extents(Shapes):
    """Shapes, where carried arrays are taken to have the shapes of their ``inits``."""

    def __init__(
        self, defs: Definitions, inits: Mapping[ir.Value, ir.Atom], calls: CallExtent = unknown
    ) -> None:
        super().__init__(defs.stmt)
        self._inits = inits
        self._calls = calls
        self._equal: dict[Extent, Extent] = {}
        self.learn(defs.equal)

    def learn(
        self, equal: Iterable[tuple[ir.Atom, ir.Atom]], late: Collection[ir.Atom] = ()
    ) -> None:
        """Take pairs of integers to be ``equal``; one that is ``late`` stands for no other."""
        for one, other in equal:
            a, b = self.size(one), self.size(other)
            if a is not None and b is not None:
                self.equate(*((b, a) if b.atom in late else (a, b)))

    def equate(self, a: Extent, b: Extent) -> None:
        """Let ``a`` and ``b`` be equal."""
        a, b = self._leader(a), self._leader(b)
        if a != b:
            self._equal[a] = b

    def shape(self, array: ir.Atom) -> tuple[Extent, ...] | None:
        """The shape of ``array``, or None if it is not known."""
        assert isinstance(array.type, Array)
        found = [self._extent(array, axis) for axis in range(array.type.ndim)]
        known = tuple(extent for extent in found if extent is not None)
        return known if len(known) == len(found) else None

    def _extent(self, array: ir.Atom, axis: int) -> Extent | None:
        found = self._symbol(array, axis)
        return None if found is None else self._leader(found)

    def _leader(self, extent: Extent) -> Extent:
        """The one among equal extents that stands for all."""
        while extent in self._equal:
            extent = self._equal[extent]
        return extent

    def _symbol(self, array: ir.Atom, axis: int) -> Extent | None:
        if not isinstance(array, ir.Value):
            return None
        if array in self._inits:
            return self._extent(self._inits[array], axis)
        if (source := self.source(array, axis)) is not None:
            return self.size(source.atom) if source.axis is None else self._of(source)
        match self._made.get(array):
            case ir.Alloc() | ir.Copy() | ir.View():
                return None  # of what grows, or is a part
            case ir.If() as branch:
                return self._of_arms(*ir.arms(branch, array), axis)
            case ir.Call(outs=outs) as call:
                extent = self._calls(call, outs.index(array), axis)
                return Extent(array, axis) if extent is None else self._of(extent)
            case ir.For() | ir.While() as loop:
                param = loop.params[loop.outs.index(array)]
                return self._extent(self._inits[param], axis) if param in self._inits else None
            case _:
                return Extent(array, axis)

    def _of_arms(self, then: ir.Atom, orelse: ir.Atom, axis: int) -> Extent | None:
        """The extent of what a branch chooses; nobody looks at what an arm leaves unset."""
        if isinstance(then, ir.Undef) or isinstance(orelse, ir.Undef):
            found = self._extent(orelse if isinstance(then, ir.Undef) else then, axis)
            return found if found is not None and self._is_everywhere(found) else None
        a, b = self._extent(then, axis), self._extent(orelse, axis)
        return a if a == b else None

    def _is_everywhere(self, extent: Extent) -> bool:
        """True for numbers, and for extents of what no statement binds, such as parameters."""
        return isinstance(extent.atom, ir.Const) or (
            extent.axis is not None and extent.atom not in self._made
        )

    def _of(self, extent: Extent) -> Extent | None:
        return extent if extent.axis is None else self._extent(extent.atom, extent.axis)

    def size(self, atom: ir.Atom) -> Extent | None:
        """The symbol of the integer ``atom``."""
        made = self._made.get(atom)
        if isinstance(made, ir.Dim):
            return self._extent(made.array, made.axis)
        return self._leader(Extent(atom, None))


def carried_shapes(
    func: ir.Func, defs: Definitions, calls: CallExtent = unknown
) -> dict[ir.Value, ir.Atom]:
    """The carried arrays that keep their shape in a loop, each with its initial array.

    All are taken to do so until an iteration is found to yield another shape.
    """
    loops = [s for s in ir.walk(func.body) if isinstance(s, ir.For | ir.While)]
    carried = [
        (param, init, new)
        for loop in loops
        for param, init, new in zip(loop.params, loop.inits, loop.body.yields, strict=True)
        if isinstance(param.type, Array)
    ]
    inits: dict[ir.Value, ir.Atom] = {param: init for param, init, _ in carried}
    while True:
        extents = Extents(defs, inits, calls)
        others = [
            param
            for param, init, new in carried
            if param in inits
            and (extents.shape(init) is None or extents.shape(init) != extents.shape(new))
        ]
        if not others:
            return inits
        for param in others:
            del inits[param]


class CallExtents:
    """The shapes of results of functions that have a pullback."""

    def __init__(self, funcs: Iterable[ir.Func]) -> None:
        self._funcs = {func.name: func for func in funcs}

    def __call__(self, call: ir.Call, k: int, axis: int) -> Extent | None:
        func = self._funcs.get(call.func)
        if func is None:
            return None
        shape = Extents(Definitions(func), {}, self).shape(func.body.yields[k])
        if shape is None:
            return None
        extent = shape[axis]
        if isinstance(extent.atom, ir.Const):
            return extent
        inputs = func.inputs
        if extent.atom not in inputs:
            return None
        return Extent(call.args[inputs.index(extent.atom)], extent.axis)


def resolve_sizes(func: ir.Func, calls: CallExtent) -> ir.Func:
    """``func`` with sizes of results of calls taken from the arguments that they come from.

    u = call mv(w, h); n = dim u, 0        u = call mv(w, h); n = dim w, 0
    """
    defs = Definitions(func)
    extents = Extents(defs, {}, calls)
    numbers: dict[ir.Value, ir.Atom] = {}

    def resolved(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        match stmt:
            case ir.Dim(array=ir.Value() as array) if isinstance(defs.stmt.get(array), ir.Call):
                shape = extents.shape(array)
                extent = None if shape is None else shape[stmt.axis]
                if extent is not None and isinstance(extent.atom, ir.Const):
                    numbers[stmt.out] = extent.atom
                    return []
                if extent is None or extent.axis is None:
                    return None
                return [replace(stmt, array=extent.atom, axis=extent.axis)]
            case _:
                return None

    if not any(isinstance(stmt, ir.Call) for stmt in defs.stmt.values()):
        return func
    return replace(func, body=ir.rewritten(func.body, resolved, ir.substitution(numbers)))
