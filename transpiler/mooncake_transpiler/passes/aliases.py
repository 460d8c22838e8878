"""Alias classes of the memory that is the function's own: made in it, and never seen outside.

Values that may be the same memory are in one class (views join their base, branches and loops join
what they choose between). Everything that callers or callees can see is one class, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.types import NONE, Array


class Aliases:
    """The classes of the arrays of one function."""

    def __init__(self, func: ir.Func) -> None:
        self._parent: dict[ir.Value, ir.Value] = {}
        self._outside = ir.Value("", NONE)
        self._expose(func.inputs)
        self._expose(func.body.yields)
        for stmt in ir.walk(func.body):
            self._scan(stmt)

    def own(self, memory: ir.Atom) -> ir.Value | None:
        """The class of ``memory``, or None if it is not the function's own."""
        if not isinstance(memory, ir.Value):
            return None
        leader = self._find(memory)
        return None if leader is self._find(self._outside) else leader

    def written(self, stmt: ir.Stmt) -> tuple[ir.Atom, ...]:
        """The memory that ``stmt`` itself writes and does nothing else to (not of a function)."""
        match stmt:
            case ir.Store(base=array) | ir.Accum(base=array):
                return (array,)
            case ir.Assign(dst=array) | ir.AddTo(dst=array):
                return (array,)
            case ir.Reserve(array=array):
                return (array,)
            case ir.Call(func=func, args=args) if func in PRIMITIVES:
                return tuple(args[k] for k in PRIMITIVES[func].writes)
            case _:
                return ()

    def read(self, stmt: ir.Stmt) -> tuple[ir.Atom, ...]:
        """The memory whose content reaches a result of ``stmt``, or other memory."""
        match stmt:
            case ir.Load(base=array) | ir.Sum(array=array) | ir.Copy(src=array):
                return (array,)
            case ir.Assign(src=array) | ir.AddTo(src=array) if isinstance(array.type, Array):
                return (array,)
            case ir.Grow(array=array) | ir.Reshape(base=array):
                return (array,)
            case ir.Call(func=func, args=args) if func in PRIMITIVES:
                return tuple(a for a in args if isinstance(a.type, Array))
            case _:
                return ()

    # ---- unification ----------------------------------------------------------------------------

    def _find(self, value: ir.Value) -> ir.Value:
        parent = self._parent
        while (up := parent.get(value, value)) is not value:
            parent[value] = parent.get(up, up)
            value = up
        return value

    def _join(self, a: ir.Atom, b: ir.Atom) -> None:
        if isinstance(a, ir.Value) and isinstance(b, ir.Value):
            first, second = self._find(a), self._find(b)
            if first is not second:
                self._parent[second] = first

    def _expose(self, atoms: Iterable[ir.Atom]) -> None:
        for atom in atoms:
            if isinstance(atom.type, Array):
                self._join(self._outside, atom)

    def _scan(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.View(out=out, base=base) | ir.Grow(out=out, array=base):
                self._join(base, out)
            case ir.Reshape(out=out, base=base):
                self._join(base, out)
            case ir.Global(out=out):
                self._expose((out,))
            case ir.Shadows(outs=outs):
                for out in outs[1:]:
                    self._join(outs[0], out)
            case ir.Call(func=func, outs=outs, args=args):
                if func not in PRIMITIVES:
                    self._expose((*outs, *args))
            case ir.Print(args=printed):
                self._expose(a for a in printed if not isinstance(a, str))
            case ir.If(outs=outs, then=then, orelse=orelse):
                self._choose(outs, then.yields)
                self._choose(outs, orelse.yields)
            case ir.For() | ir.While():
                self._choose(stmt.params, stmt.inits)
                self._choose(stmt.params, stmt.body.yields)
                self._choose(stmt.params, stmt.outs)
            case _:
                pass

    def _choose(self, values: tuple[ir.Value, ...], atoms: tuple[ir.Atom, ...]) -> None:
        for value, atom in zip(values, atoms, strict=True):
            if isinstance(value.type, Array):
                self._join(value, atom)


@lru_cache(maxsize=2)
def aliases_of(func: ir.Func) -> Aliases:
    """The classes of ``func``, kept for the next pass: most leave a function as it is."""
    return Aliases(func)
