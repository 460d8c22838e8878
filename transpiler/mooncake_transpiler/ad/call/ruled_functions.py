"""Functions that have a pullback of their own, and the replacement of calls of them.

A call stays one statement while its caller is differentiated. Afterwards the bodies are put in
place of all calls, so that the passes see through them. Who differentiates the outcome again sees
them, too: what users have declared about a derivative is marked there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.partials import is_float_array, is_float_number
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.types import Array, Scalar, Tuple, is_differentiable

Prune = Callable[[ir.Func], ir.Func]


@dataclass(frozen=True, slots=True)
class Rule:
    """The pullback of one call, reduced to what the activity of its arguments leaves of it.

    ``args`` and ``outs`` stand for all arguments and results of the call, ``shadows`` and ``seeds``
    for those of the active ones, by position. ``body`` yields the cotangents of the arguments
    ``bars``. ``used`` are those of ``args`` and ``outs`` of which more than the shape is used.
    """

    args: tuple[ir.Value, ...]
    outs: tuple[ir.Value, ...]
    shadows: dict[int, ir.Value]
    seeds: dict[int, ir.Value]
    bars: tuple[int, ...]
    body: ir.Block
    used: frozenset[ir.Value]


class Library:
    """The functions of a program that have a pullback."""

    def __init__(self, program: ir.Program, prune: Prune) -> None:
        """``prune`` removes what is dead from a function."""
        self._funcs = dict(program.funcs)
        self.prune = prune
        self._complete: dict[tuple[str, bool, frozenset[str]], ir.Func] = {}
        self._open: set[str] = set()
        self._constant: dict[str, bool] = {}
        self.names = frozenset(f.name for f in program.funcs.values() if f.pullback is not None)
        self._spliced = set(self.names)
        self._helpers: set[str] = set()
        self._called: set[str] = set()  # the functions that do their work

    def add_helper(self, func: ir.Func, pullback: ir.Func, called: Iterable[str]) -> None:
        """Add a helper with its pullback, in place of which calls of ``called`` stand."""
        self._funcs |= {func.name: func, pullback.name: pullback}
        self._called.update(called)
        self._helpers.add(func.name)
        self._spliced.add(func.name)
        self.names |= {func.name}

    def is_helper(self, name: str) -> bool:
        return name in self._helpers

    def funcs(self) -> Iterator[ir.Func]:
        """The functions, without calls of others that have derivatives."""
        return map(self.complete, sorted(self.names))

    def complete(
        self, name: str, *, marked: bool = False, kept: frozenset[str] = frozenset()
    ) -> ir.Func:
        """The function ``name`` with the bodies of all that it calls in place of the calls.

        Calls of functions without derivative stay: bodies would have one. So do those ``kept``.
        """
        key = (name, marked, kept)
        if key not in self._complete:
            assert name not in self._open, f"{name} is recursive"
            self._open.add(name)
            called = frozenset(k for k in self._funcs if not self._is_constant(k)) - self._called
            self._complete[key] = self._expanded(self._funcs[name], called - kept, marked, kept)
            self._open.remove(name)
        return self._complete[key]

    def _is_constant(self, name: str) -> bool:
        """True if the pullback of ``name`` says that it has no derivative."""
        if name not in self._constant:
            func = self._funcs[name]
            body = None if func.pullback is None else self._funcs[func.pullback].body
            self._constant[name] = (
                body is not None and not body.stmts and all(map(ir.is_zero, body.yields))
            )
        return self._constant[name]

    def splice(self, func: ir.Func) -> None:
        """Add ``func``, whose body is put in place of its calls, too."""
        self._funcs[func.name] = func
        self._spliced.add(func.name)

    def expand(self, func: ir.Func) -> ir.Func:
        """``func`` with bodies in place of the calls of functions that have a pullback."""
        spliced = frozenset(self._spliced)
        while (found := self._expanded(func, spliced, True)) is not func:
            func = found
        return func

    def _mark(self, name: str) -> str | None:
        """The op that states of a result of ``name`` what its body does not show."""
        if name not in self.names or name in self._helpers or is_of_library(name):
            return None
        floats = {k for k, v in enumerate(self._funcs[name].inputs) if is_differentiable(v.type)}
        return "stop_gradient" if floats <= self.ignored(name) else "ruled"

    def opened(self, func: ir.Func) -> ir.Func:
        """``expand``, but calls stay whose pullback reads no floats but arguments and results."""
        closed = frozenset(filter(self._is_closed, self.names))
        return self._expanded(func, self._spliced - closed, False, closed)

    def _is_closed(self, name: str) -> bool:
        if name in self._helpers:
            return False
        func = self._funcs[name]
        kept = func.body.yields[len(func.body.yields) - func.kept :]
        return not any(is_differentiable(atom.type) for atom in kept)

    def ignored(self, name: str) -> frozenset[int]:
        """The inputs of ``name`` that its pullback gives no cotangent: their derivative is zero."""
        func = self._funcs[name]
        assert func.pullback is not None
        pullback = self.prune(self.complete(func.pullback))
        shadows = pullback.inputs[len(func.inputs) + len(func.body.yields) :]
        used = set(_used(pullback.body))
        found, arrays, bars = set[int](), iter(shadows), iter(pullback.body.yields)
        for k, value in enumerate(func.inputs):
            if not is_differentiable(value.type):
                found.add(k)
            elif is_float_array(value.type):
                found.update((k,) if next(arrays) not in used else ())
            elif ir.is_zero(next(bars)):
                found.add(k)
        return frozenset(found)

    def _expanded(
        self, func: ir.Func, inlined: Set[str], marked: bool, kept: frozenset[str] = frozenset()
    ) -> ir.Func:
        if not any(isinstance(s, ir.Call) and s.func in inlined for s in ir.walk(func.body)):
            return func
        names: dict[ir.Value, ir.Atom] = {}

        def change(stmt: ir.Stmt) -> Sequence[ir.Stmt] | None:
            if not isinstance(stmt, ir.Call) or stmt.func not in inlined:
                return None
            mark = self._mark(stmt.func) if marked else None
            plain = stmt if mark is None else replace(stmt, outs=_renamed(stmt.outs))
            body = _body(self.complete(stmt.func, marked=marked, kept=kept), plain)
            stmts = body.stmts
            if mark is not None:
                public = len(stmt.outs) - self._funcs[stmt.func].kept
                body = _marked(body, stmt, mark, public)
                stmts += body.stmts
            names.update(zip(stmt.outs, body.yields, strict=True))
            return stmts

        return replace(func, body=ir.rewritten(func.body, change, ir.substitution(names)))

    def rule(self, call: ir.Call, active: Callable[[ir.Atom], bool]) -> Rule:
        """The pullback for ``call`` where only ``active`` atoms have cotangents."""
        callee = self._funcs[call.func]
        assert callee.pullback is not None
        pullback = self.complete(callee.pullback)
        rest = iter(pullback.inputs)
        args = tuple(next(rest) for _ in callee.inputs)
        outs = tuple(next(rest) for _ in call.outs)
        shadows = {k: next(rest) for k, v in enumerate(args) if is_float_array(v.type)}
        public = callee.public(outs)
        seeds = {k: next(rest) for k, v in enumerate(public) if is_differentiable(v.type)}
        assert next(rest, None) is None, f"{pullback.name} takes too much"
        before: list[ir.Stmt] = []
        zeros: dict[ir.Value, ir.Atom] = {}
        for mine, formals, actuals in ((shadows, args, call.args), (seeds, outs, call.outs)):
            for k in [k for k in mine if not active(actuals[k])]:
                _set_to_zero(mine.pop(k), formals[k], before, zeros)
        scalars = [k for k, v in enumerate(args) if is_float_number(v.type)]
        bars = tuple(k for k in scalars if active(call.args[k]))
        copy = cloning.block(pullback.body, zeros)
        yields = tuple(copy.yields[scalars.index(k)] for k in bars)
        inputs = (*args, *outs, *shadows.values(), *seeds.values())
        reduced = self.prune(
            replace(
                pullback,
                params=tuple(ir.Param(f"p{k}", v.type, (v,)) for k, v in enumerate(inputs)),
                result=Tuple(tuple(a.type for a in yields)),
                body=ir.Block((*before, *copy.stmts), yields),
            )
        )
        atoms = set(_used(reduced.body))
        used = frozenset(v for v in (*args, *outs) if v in atoms)
        return Rule(args, outs, shadows, seeds, bars, reduced.body, used)


def _body(callee: ir.Func, call: ir.Call) -> ir.Block:
    """The body of ``callee`` for ``call``, whose results it binds by their own names."""
    made = {v for stmt in callee.body.stmts for v in ir.outs(stmt)}
    results: dict[ir.Value, ir.Value] = {}
    for atom, out in zip(callee.body.yields, call.outs, strict=True):
        if isinstance(atom, ir.Value) and atom in made:
            results.setdefault(atom, out)
    given = dict(zip(callee.inputs, call.args, strict=True))
    return cloning.block(callee.body, given, results, call.origin, free=call.free)


def _renamed(values: Sequence[ir.Value]) -> tuple[ir.Value, ...]:
    return tuple(ir.Value("", v.type) for v in values)


def _marked(body: ir.Block, call: ir.Call, op: str, public: int) -> ir.Block:
    """The ``public`` results of ``call``, whose ``body`` stands in its place, under ``op``."""
    b = Builder(call.origin)
    yields = list(body.yields)
    for k, out in enumerate(call.outs[:public]):
        if is_float_array(out.type):
            _each_marked(yields[k], b, op)
        elif isinstance(out.type, Scalar) and out.type.dtype.is_differentiable:
            yields[k] = b.compute(op, (yields[k],), out.type, out.hint)
    return b.block(yields)


def _each_marked(array: ir.Atom, b: Builder, op: str) -> None:
    """``op`` of all elements of ``array``, in place."""
    assert isinstance(array.type, Array)
    type_ = Scalar(array.type.dtype)

    def mark(inner: Builder, index: Sequence[ir.Value]) -> None:
        inner.store(array, index, inner.compute(op, (inner.load(array, index),), type_))

    b.each(array, mark)


def _set_to_zero(
    bar: ir.Value, like: ir.Value, before: list[ir.Stmt], zeros: dict[ir.Value, ir.Atom]
) -> None:
    """Replace a cotangent that nobody reads, or that is zero, by zeros of the shape of ``like``."""
    if isinstance(bar.type, Scalar):
        zeros[bar] = ir.zero(bar.type)
        return
    assert isinstance(bar.type, Array)
    shape = tuple(ir.Value("", ir.ZERO.type) for _ in range(bar.type.ndim))
    before += [ir.Dim(size, like, axis) for axis, size in enumerate(shape)]
    before.append(ir.Alloc(bar, shape, ir.zero(Scalar(bar.type.dtype))))


def _used(block: ir.Block) -> Iterator[ir.Atom]:
    """The atoms that are used otherwise than for their shape."""
    yield from block.yields
    for stmt in block.stmts:
        if not isinstance(stmt, ir.Dim):
            yield from ir.operands(stmt)
        for inner in ir.blocks(stmt):
            yield from _used(inner)
