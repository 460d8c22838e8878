"""Detached views, those of ``stop_gradient``: reads and writes through them have no derivative.

before                               after
y: float64[:] = view x.detached      y: float64[:] = view x[:]
v: float64 = load y[i]               t: float64 = load y[i]
                                     v: float64 = stop_gradient t
y[i] = w                             s: float64 = stop_gradient w
                                     y[i] = s

The view is ``stop_gradient(x)``: the same memory under a name without derivative. Statements on
whole arrays become loops over elements; where an array of this kind leaves for a place that does
not know about it (a primitive, the result of the function), a detached copy goes there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.types import Array, Scalar

Item = Callable[[Builder, Sequence[ir.Atom]], ir.Atom]


def detached(func: ir.Func) -> ir.Func:
    """``func`` without detached views."""
    names = _names(func)
    return _Detach(names).run(func) if names else func


def _names(func: ir.Func) -> set[ir.Atom]:
    """The detached views, what shows them, and what chooses between or carries them."""
    stmts = list(ir.walk(func.body))
    views = [s.out for s in stmts if isinstance(s, ir.View) and s.part == ir.DETACHED]
    found = ir.reached(views, (pair for s in stmts for pair in ir.aliases(s))) if views else set()
    _check(func, found)
    return found


def _check(func: ir.Func, found: set[ir.Atom]) -> None:
    """Refuse arrays that are detached on some paths only."""
    for stmt in ir.walk(func.body):
        for array, out in ir.chosen(stmt) if isinstance(stmt, ir.If | ir.For | ir.While) else ():
            if out in found and not (array in found or isinstance(array, ir.Undef)):
                message = f"the array {out.hint!r} is detached on one path and not on another"
                raise refused("MK406", message, stmt.origin, "detach it on all paths, or copy it")


class _Detach(Rewriter):
    def __init__(self, names: set[ir.Atom]) -> None:
        super().__init__()
        self._names = names

    def run(self, func: ir.Func) -> ir.Func:
        body = self.block(func.body)
        b = Builder(func.origin)
        yields = tuple(self._copied(a, b) if a in self._names else a for a in body.yields)
        return replace(func, body=ir.Block((*body.stmts, *b.stmts), yields))

    def statement(self, stmt: ir.Stmt) -> None:
        b = Builder(stmt.origin)
        if self._replaced(stmt, b):
            self.stmts += b.stmts
        else:
            super().statement(stmt)

    def _replaced(self, stmt: ir.Stmt, b: Builder) -> bool:
        """True if the statements that replace ``stmt`` have been added to ``b``."""
        names = self._names
        match stmt:
            case ir.View(part=part) if part == ir.DETACHED:
                assert isinstance(stmt.out.type, Array)
                b.add(replace(stmt, part="", index=(ir.Slice(),) * stmt.out.type.ndim))
            case ir.Load(out=out, base=base) if base in names:
                loaded = ir.Value("", out.type)
                b.add(replace(stmt, out=loaded))
                b.add(ir.Compute(out, "stop_gradient", (loaded,), stmt.origin))
            case ir.Store(base=base, value=value) if base in names:
                b.add(replace(stmt, value=_without(value, b)))
            case ir.Accum(base=base, index=index, value=value) if base in names:
                b.store(base, index, _sum(b.load(base, index), value, b))
            case ir.Assign(dst=dst, src=src) if dst in names or src in names:
                b.each(dst, lambda b, i: b.store(dst, i, _without(_item(src, i, b), b)))
            case ir.AddTo(dst=dst, src=src) if dst in names:
                b.each(dst, lambda b, i: b.store(
                    dst, i, _sum(b.load(dst, i), _item(src, i, b), b)))  # fmt: skip
            case ir.AddTo(dst=dst, src=src) if src in names:
                b.each(dst, lambda b, i: b.accum(dst, i, _without(_item(src, i, b), b)))
            case ir.Copy(out=out, src=src) if src in names:
                self._copied(src, b, out)
            case ir.Sum(array=array) if array in names:
                b.add(replace(stmt, array=self._copied(array, b)))
            case ir.Call(args=args) if any(a in names for a in args):
                b.add(self._call(stmt, b))
            case _:
                tells = isinstance(stmt, ir.Print | ir.Raise)  # which has no derivative
                assert tells or names.isdisjoint((*ir.read(stmt), *ir.written(stmt)))
                return False
        return True

    def _call(self, call: ir.Call, b: Builder) -> ir.Call:
        """``call`` with detached copies as arguments."""
        known = PRIMITIVES.get(call.func)
        writes: Iterable[int] = () if known is None else known.writes
        program = known is None and not is_of_library(call.func)
        if program or any(call.args[k] in self._names for k in writes):
            message = "a function that is not lowered in line gets a detached array"
            raise refused("MK406", message, call.origin, "detach it inside of that function")
        args = tuple(self._copied(a, b) if a in self._names else a for a in call.args)
        return replace(call, args=args)

    def _copied(self, array: ir.Atom, b: Builder, out: ir.Value | None = None) -> ir.Value:
        """New memory with what ``array`` holds, without derivative."""
        assert isinstance(array.type, Array)
        made = out or ir.Value("", array.type)
        shape = tuple(b.shape(array))
        b.add(ir.Alloc(made, shape, None, b.origin))
        b.each(made, lambda b, i: b.store(made, i, _without(b.load(array, i), b)))
        return made


def _item(source: ir.Atom, index: Sequence[ir.Atom], b: Builder) -> ir.Atom:
    """The element of an array, or a scalar as it is."""
    return b.load(source, index) if isinstance(source.type, Array) else source


def _sum(old: ir.Atom, change: ir.Atom, b: Builder) -> ir.Atom:
    assert isinstance(old.type, Scalar)
    return _without(b.compute("add", (old, change), old.type), b)


def _without(value: ir.Atom, b: Builder) -> ir.Atom:
    """``value`` without its derivative."""
    if not isinstance(value, ir.Value) or not isinstance(value.type, Scalar):
        return value
    return (
        b.compute("stop_gradient", (value,), value.type)
        if value.type.dtype.is_differentiable
        else value
    )
