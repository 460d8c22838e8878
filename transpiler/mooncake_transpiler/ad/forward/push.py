"""The forward transform: each statement is followed by the one that moves its tangents.

    y = x * x                     y = x * x
                                  y_dot = x_dot * x + x_dot * x
    a[i] = y                      a[i] = y
                                  a_dot[i] = y_dot
    for i in 0..n (s = 0.0):      for i in 0..n (s = 0.0, s_dot = 0.0):

The primal statements stay as they are. A value has a tangent if it depends on an input that has
one and influences a result (*active*); arrays are active by the memory that they show, so that
what aliases has tangents that alias. Where an element is written, so is its tangent, with zero if
the value has none: what is unset in an array is unset in its tangent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.forward.scalar import tangent_of
from mooncake_transpiler.ad.forward.tangents import Dots, Tangents
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.spans import Spans
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar, is_differentiable


class Calls(Protocol):
    """Gives the functions that move tangents through calls."""

    again: bool  # the tangents are differentiated again

    def takes(self, call: ir.Call) -> tuple[int, ...]:
        """The arguments whose tangents matter to ``call``."""

    def function(self, call: ir.Call, active: frozenset[int]) -> str:
        """The function that computes ``call`` and its tangents: of all public results with floats.

        It takes the arguments, then the tangents of those that are ``active``.
        """

    def is_stated(self, call: ir.Call) -> bool:
        """True if a rule states how ``call`` moves tangents, as for all primitives."""

    def statement(self, call: ir.Call, active: frozenset[int]) -> str:
        """The function that computes the tangents for ``call`` by its rule."""

    def public(self, call: ir.Call) -> tuple[ir.Value, ...]:
        """The results of ``call`` for its user, without those that are kept for a pullback."""


@dataclass(frozen=True, slots=True)
class TangentWriter:
    """Writes the statements of one function with those of its tangents."""

    memories: Memories
    activity: Activity
    spans: Spans
    calls: Calls
    tangents: Tangents

    def block(self, block: ir.Block, carried: Sequence[int], b: Builder) -> ir.Block:
        """``block`` behind the statements of ``b``; the tangents of ``carried`` yields follow."""
        for stmt in block.stmts:
            b.origin = stmt.origin
            self._statement(stmt, b)
        dots = self.tangents.all((block.yields[k] for k in carried), b)
        return b.block((*block.yields, *dots))

    def _statement(self, stmt: ir.Stmt, b: Builder) -> None:
        match stmt:
            case ir.If():
                self._if(stmt, b)
            case ir.For() | ir.While():
                self._loop(stmt, b)
            case ir.Call() if self.calls.is_stated(stmt):
                self._stated(stmt, b)
            case ir.Call():
                self._call(stmt, b)
            case _:
                b.add(stmt)
                self._simple(stmt, b)

    # ---- statements without blocks --------------------------------------------------------------

    def _simple(self, stmt: ir.Simple, b: Builder) -> None:
        """Append the statements that move the tangents of the arrays that ``stmt`` moves."""
        active, get = self.activity.active, self.tangents.get
        match stmt:
            case ir.Compute(out=out):
                if active(out):
                    self._compute(stmt, b)
            case ir.Load(out=out):
                if active(out):
                    self._load(stmt, b)
            case ir.Sum(out=out, array=array):
                if active(out):
                    self._bind(stmt, out, array, get(array), b)
            case ir.View(out=out, base=base) | ir.Reshape(out=out, base=base):
                self._bind(stmt, out, base, get(base), b)
            case ir.Grow(out=out, array=array):
                self._bind(stmt, out, array, get(array), b)
            case ir.Copy(out=out):
                if active(out):
                    self._copy(stmt, b)
            case ir.Alloc(out=out):
                if active(out):
                    self._alloc(stmt, b)
            case ir.Reserve(array=array):
                b.stmts += [replace(stmt, array=lane) for lane in get(array) or ()]
            case ir.Shadows(outs=outs, arrays=arrays):
                if any(map(active, outs)):
                    for dots in zip(*map(self.tangents.new, outs), strict=True):
                        b.add(ir.Shadows(dots, arrays, b.origin))
            case ir.Store(base=base) | ir.Accum(base=base):
                self._write(stmt, base, b)
            case ir.Assign(dst=dst) | ir.AddTo(dst=dst):
                self._write(stmt, dst, b)
            case ir.Dim() | ir.Global() | ir.Raise() | ir.Print():
                pass
            case ir.NewStack() | ir.Push() | ir.Pop():
                raise AssertionError("stacks are arrays by now")
            case ir.Call():
                raise AssertionError("a call")

    def _load(self, stmt: ir.Load, b: Builder) -> None:
        known = self.tangents.element(stmt)
        if known is not None:
            self.tangents.set(stmt.out, known)
        else:
            self._bind(stmt, stmt.out, stmt.base, self.tangents.get(stmt.base), b)

    def _alloc(self, stmt: ir.Alloc, b: Builder) -> None:
        assert isinstance(stmt.out.type, Array)
        zero = None if stmt.fill is None else ir.zero(Scalar(stmt.out.type.dtype))
        for dot in self.tangents.new(stmt.out):
            b.add(replace(stmt, out=dot, fill=zero))

    def _compute(self, stmt: ir.Compute, b: Builder) -> None:
        given = [self.tangents.get(arg) for arg in stmt.args]
        found: list[ir.Atom | None] = []
        for lane in range(self.tangents.lanes):
            dots = [None if dot is None or ir.is_zero(dot[lane]) else dot[lane] for dot in given]
            hint = self.tangents.hint(stmt.out, lane)
            found.append(tangent_of(stmt, dots, self.spans, b, hint, again=self.calls.again))
        if any(dot is not None for dot in found):
            assert isinstance(stmt.out.type, Scalar)
            zero = ir.zero(stmt.out.type)
            self.tangents.set(stmt.out, tuple(zero if dot is None else dot for dot in found))

    def _copy(self, stmt: ir.Copy, b: Builder) -> None:
        dots = self.tangents.get(stmt.src)
        if dots is not None:
            self._bind(stmt, stmt.out, stmt.src, dots, b)
        else:
            self.tangents.set(stmt.out, self.tangents.zeros(stmt.out, b))

    def _bind(
        self, stmt: ir.Stmt, out: ir.Value, source: ir.Atom, dots: Dots | None, b: Builder
    ) -> None:
        """Apply ``stmt``, which makes ``out`` of ``source``, to the tangents."""
        if dots is None:
            return
        for dot, new in zip(dots, self.tangents.new(out), strict=True):
            self._again(stmt, {source: dot, out: new}, b)

    def _again(self, stmt: ir.Stmt, names: dict[ir.Atom, ir.Atom], b: Builder) -> None:
        """``stmt`` on other values: those of a lane of tangents."""

        def bind(value: ir.Value) -> ir.Value:
            new = names[value]
            assert isinstance(new, ir.Value)
            return new

        b.add(ir.with_results(ir.with_operands(stmt, lambda a: names.get(a, a)), bind))

    def _write(
        self, stmt: ir.Store | ir.Accum | ir.Assign | ir.AddTo, base: ir.Atom, b: Builder
    ) -> None:
        """Do to the tangent of ``base`` what ``stmt`` does to ``base``."""
        bases = self.tangents.get(base)
        written = stmt.src if isinstance(stmt, ir.Assign | ir.AddTo) else stmt.value
        dots = self.tangents.get(written)
        if bases is None:
            assert dots is None or not self.activity.active(base), "a tangent is lost"
            return
        adds = isinstance(stmt, ir.Accum | ir.AddTo)
        assert isinstance(base.type, Array)
        zero = ir.zero(Scalar(base.type.dtype))
        for lane, base_dot in enumerate(bases):
            if dots is not None:
                b.add(_written(stmt, base_dot, dots[lane]))
            elif not adds:
                b.add(_written(stmt, base_dot, zero))

    # ---- calls ----------------------------------------------------------------------------------

    def _given(self, stmt: ir.Call) -> dict[int, Dots]:
        """The tangents of the arguments of a call."""
        found = {}
        for k in self.calls.takes(stmt):
            if (dots := self.tangents.get(stmt.args[k])) is not None:
                found[k] = dots
        return found

    def _call(self, stmt: ir.Call, b: Builder) -> None:
        given = self._given(stmt)
        if not given or not self._matters(stmt):
            b.add(stmt)
            return
        name = self.calls.function(stmt, frozenset(given))
        floats = [out for out in self.calls.public(stmt) if is_differentiable(out.type)]
        outs = [dot for out in floats for dot in self.tangents.new(out)]
        dots = [dot for k in sorted(given) for dot in given[k]]
        args = (*stmt.args, *dots)
        b.add(replace(stmt, outs=(*stmt.outs, *outs), func=name, args=args))

    def _stated(self, stmt: ir.Call, b: Builder) -> None:
        b.add(stmt)
        given = self._given(stmt)
        if not given or not self._matters(stmt):
            return
        name = self.calls.statement(stmt, frozenset(given))
        floats = [out for out in self.calls.public(stmt) if is_differentiable(out.type)]
        lanes = list(zip(*map(self.tangents.new, floats), strict=True))
        for lane in range(self.tangents.lanes):
            outs = lanes[lane] if floats else ()
            dots = [given[k][lane] for k in sorted(given)]
            args = (*stmt.args, *stmt.outs, *dots)
            b.add(replace(stmt, outs=outs, func=name, args=args))

    def _matters(self, stmt: ir.Call) -> bool:
        """True if a result of the call, or memory that it writes, is active."""
        written = self.memories.writes(stmt)
        return any(map(self.activity.active, stmt.outs)) or any(
            map(self.activity.active_memory, written)
        )

    # ---- control --------------------------------------------------------------------------------

    def _if(self, stmt: ir.If, b: Builder) -> None:
        carried = [k for k, out in enumerate(stmt.outs) if self.activity.active(out)]
        arms = [self.block(arm, carried, b.child()) for arm in (stmt.then, stmt.orelse)]
        dots = [dot for k in carried for dot in self.tangents.new(stmt.outs[k])]
        b.add(replace(stmt, outs=(*stmt.outs, *dots), then=arms[0], orelse=arms[1]))

    def _loop(self, stmt: ir.For | ir.While, b: Builder) -> None:
        pairs = enumerate(zip(stmt.params, stmt.outs, strict=True))
        carried = [k for k, pair in pairs if any(map(self.activity.active, pair))]
        inits = self.tangents.all((stmt.inits[k] for k in carried), b)
        params = [dot for k in carried for dot in self.tangents.new(stmt.params[k])]
        if isinstance(stmt, ir.While):
            stmt = replace(stmt, cond=self.block(stmt.cond, (), b.child()))
        body = self.block(stmt.body, carried, b.child())
        outs = [dot for k in carried for dot in self.tangents.new(stmt.outs[k])]
        b.add(ir.with_carried(stmt, outs, params, inits, body))


def _written(
    stmt: ir.Store | ir.Accum | ir.Assign | ir.AddTo, base: ir.Atom, value: ir.Atom
) -> ir.Stmt:
    """``stmt`` with another target, and another value to write."""
    if isinstance(stmt, ir.Assign | ir.AddTo):
        return replace(stmt, dst=base, src=value)
    return replace(stmt, base=base, value=value)


def written_inputs(memories: Memories, inputs: Sequence[ir.Value]) -> Iterator[ir.Value]:
    """The float arrays among ``inputs`` that the function writes."""
    for value in inputs:
        if value in memories.written_params and is_differentiable(value.type):
            yield value
