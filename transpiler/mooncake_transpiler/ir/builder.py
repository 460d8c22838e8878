"""A block under construction: append statements, get the values they bind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.types import BOOL, INT, Array, Scalar, Type

_INDEX_NAMES = "ijkp"  # l looks like 1


def index_of(axis: int) -> ir.Value:
    """The index of a loop over ``axis`` of an array."""
    return ir.Value(_INDEX_NAMES[axis] if axis < len(_INDEX_NAMES) else "", INT)


class Builder:
    """Collects the statements of one block; ``origin`` is stamped on each, and ``free``.

    ``outer`` is the builder of the block around it, of which it is a ``child``.
    """

    __slots__ = ("free", "origin", "outer", "stmts")

    def __init__(
        self, origin: ir.Origin | None = None, *, free: bool = False, outer: Builder | None = None
    ) -> None:
        self.stmts: list[ir.Stmt] = []
        self.outer = outer
        self.origin = origin
        self.free = free

    def child(self) -> Builder:
        return Builder(self.origin, free=self.free, outer=self)

    def since(self, place: Builder, count: int) -> list[ir.Stmt] | None:
        """The statements behind the first ``count`` of ``place``, a block around this one or it.

        None if it is no such block.
        """
        found: list[ir.Stmt] = []
        at: Builder | None = self
        while at is not None and at is not place:
            found[:0], at = at.stmts, at.outer
        return None if at is None else at.stmts[count:] + found

    def block(self, yields: Sequence[ir.Atom] = ()) -> ir.Block:
        return ir.Block(tuple(self.stmts), tuple(yields))

    def add(self, stmt: ir.Stmt) -> None:
        self.stmts.append(stmt)

    def compute(self, op: str, args: Sequence[ir.Atom], type_: Scalar, hint: str = "") -> ir.Value:
        out = ir.Value(hint, type_)
        self.add(ir.Compute(out, op, tuple(args), self.origin, self.free))
        return out

    def load(self, base: ir.Atom, index: Sequence[ir.Atom], hint: str = "") -> ir.Value:
        assert isinstance(base.type, Array)
        out = ir.Value(hint, Scalar(base.type.dtype))
        self.add(ir.Load(out, base, tuple(index), self.origin))
        return out

    def store(self, base: ir.Atom, index: Sequence[ir.Atom], value: ir.Atom) -> None:
        self.add(ir.Store(base, tuple(index), value, self.origin, self.free))

    def accum(self, base: ir.Atom, index: Sequence[ir.Atom], value: ir.Atom) -> None:
        self.add(ir.Accum(base, tuple(index), value, self.origin, self.free))

    def assign(self, dst: ir.Atom, src: ir.Atom) -> None:
        self.add(ir.Assign(dst, src, self.origin, self.free))

    def add_to(self, dst: ir.Atom, src: ir.Atom) -> None:
        self.add(ir.AddTo(dst, src, self.origin, self.free))

    def dim(self, array: ir.Atom, axis: int, hint: str = "") -> ir.Value:
        out = ir.Value(hint, INT)
        self.add(ir.Dim(out, array, axis, self.origin))
        return out

    def shape(self, array: ir.Atom) -> list[ir.Value]:
        """The extents of ``array``, in the order of its axes."""
        assert isinstance(array.type, Array)
        return [self.dim(array, axis) for axis in range(array.type.ndim)]

    def alloc(
        self, type_: Array, shape: Sequence[ir.Atom], fill: ir.Const | None = None, hint: str = ""
    ) -> ir.Value:
        out = ir.Value(hint, type_)
        self.add(ir.Alloc(out, tuple(shape), fill, self.origin))
        return out

    def each(self, array: ir.Atom, body: Callable[[Builder, Sequence[ir.Value]], None]) -> None:
        """A loop nest over the elements of ``array``; ``body`` is given the indices."""
        sizes = self.shape(array)
        index = list(map(index_of, range(len(sizes))))
        inner = self.child()
        body(inner, index)
        for at, size in zip(reversed(index), reversed(sizes), strict=True):
            loop = ir.For((), at, ir.ZERO, size, ir.ONE, (), (), inner.block(), origin=self.origin)
            inner = self.child()
            inner.add(loop)
        self.stmts += inner.stmts

    def product(self, sizes: Iterable[ir.Atom]) -> ir.Atom:
        """The number of elements of an array of the shape ``sizes``."""
        total: ir.Atom = ir.ONE
        for k, size in enumerate(sizes):
            total = self.compute("mul", (total, size), INT) if k else size
        return total

    def not_(self, cond: ir.Atom) -> ir.Atom:
        if isinstance(cond, ir.Const):
            return ir.Const(not cond.value, BOOL)
        return self.compute("not", (cond,), BOOL)

    def value(self, type_: Type, hint: str = "") -> ir.Value:
        return ir.Value(hint, type_)
