"""The adjoint of each statement without blocks."""

from __future__ import annotations

from collections.abc import Container, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.ruled_functions import Rule
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.reverse.primal import Primal
from mooncake_transpiler.ad.reverse.scope import Bars, Scope
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.function_names import reverse_name, short
from mooncake_transpiler.types import Array, Scalar, is_differentiable


class Adjoint:
    """Appends adjoint statements to a scope."""

    def __init__(self, facts: Facts, primal: Primal) -> None:
        self._facts = facts
        self._primal = primal

    def seed(
        self, atoms: Sequence[ir.Atom], seeds: Sequence[ir.Atom | None], bars: Bars, s: Scope
    ) -> None:
        """Add the cotangents ``seeds`` to those of ``atoms``."""
        for atom, bar in zip(atoms, seeds, strict=True):
            if bar is not None and isinstance(atom, ir.Value) and self._active_scalar(atom):
                bars.add(atom, bar, s.b)

    def simple(self, stmt: ir.Simple, s: Scope, bars: Bars) -> None:
        """Move cotangents backwards through ``stmt``."""
        match stmt:
            case ir.Compute(out=out):
                self._compute(out, s, bars)
            case ir.Load(out=out, base=base, index=index):
                bar = bars.pop(out)
                if bar is not None and self._active(base):
                    s.b.accum(self._primal.shadow(base, s), self._indices(index, s), bar)
            case ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo():
                self._write(stmt, s, bars)
            case ir.Copy(out=out, src=src):
                if self._active(src) and self._active(out):
                    bar = self._primal.shadow(out, s)
                    s.b.add_to(self._primal.shadow(src, s), bar)
            case ir.Sum(out=out, array=array):
                bar = bars.pop(out)
                if bar is not None and self._active(array):
                    s.b.add_to(self._primal.shadow(array, s), bar)
            case ir.Call():
                self._any_call(stmt, s, bars)
            case ir.View() | ir.Reshape() | ir.Grow():
                pass  # the shadow of what is shown is a view of the shadow
            case ir.Alloc() | ir.Reserve() | ir.Shadows() | ir.Global() | ir.Dim():
                pass  # made with constants, or no real number
            case ir.Raise() | ir.Print():
                pass
            case ir.NewStack() | ir.Push() | ir.Pop():
                raise AssertionError("stacks are made by the sweeps")

    def _write(
        self, stmt: ir.Store | ir.Accum | ir.Assign | ir.AddTo, s: Scope, bars: Bars
    ) -> None:
        (written,) = ir.written(stmt)
        if not self._active(written):
            return
        match stmt:
            case ir.Store(base=base, index=index, value=value):
                self._store(base, index, value, s, bars, clear=stmt not in self._facts.once)
            case ir.Accum(base=base, index=index, value=value):
                if self._active_scalar(value):
                    bar = s.b.load(self._primal.shadow(base, s), self._indices(index, s))
                    self.seed([value], [bar], bars, s)
            case ir.Assign(dst=dst, src=src):
                self._assign(dst, src, s, bars)
            case ir.AddTo(dst=dst, src=src):
                self._bulk(self._primal.shadow(dst, s), dst, src, s, bars)

    def _any_call(self, stmt: ir.Call, s: Scope, bars: Bars) -> None:
        if stmt in self._facts.contents.rules:
            self._pull_back(stmt, self._facts.contents.rules[stmt], s, bars)
        elif stmt.func in self._facts.memories.ruled:
            pass  # no cotangents flow through it
        elif ir.is_primitive(stmt):
            self._primitive(stmt)
        else:
            self._call(stmt, s, bars)

    def _active(self, array: ir.Atom) -> bool:
        return self._facts.activity.active(array)

    def _active_scalar(self, atom: ir.Atom) -> bool:
        return isinstance(atom.type, Scalar) and self._facts.activity.active(atom)

    def _indices(self, index: tuple[ir.Atom, ...], s: Scope) -> list[ir.Atom]:
        return [self._primal.use(a, s) for a in index]

    def _compute(self, out: ir.Value, s: Scope, bars: Bars) -> None:
        bar = bars.pop(out)
        if bar is None or (isinstance(bar, ir.Const) and bar.value == 0):
            return
        for c in self._facts.linear.get(out, ()):
            if isinstance(bar.type, Scalar):
                bars.add(c.arg, c.emit(bar, lambda a: self._primal.use(a, s), s.b), s.b)

    def _store(
        self,
        base: ir.Atom,
        index: tuple[ir.Atom, ...],
        value: ir.Atom,
        s: Scope,
        bars: Bars,
        clear: bool,
    ) -> None:
        """``value_bar += base_bar[index]; base_bar[index] = 0``."""
        shadow = self._primal.shadow(base, s)
        at = self._indices(index, s)
        bar = s.b.load(shadow, at, _bar_hint(value))
        if clear:
            s.b.store(shadow, at, ir.zero(_element(base)))
        self.seed([value], [bar], bars, s)

    def _call(self, stmt: ir.Call, s: Scope, bars: Bars) -> None:
        """Put back what the call mutated, and run it again fused with its reverse."""
        if not any(self._facts.activity.active(a) for a in (*stmt.args, *stmt.outs)):
            return
        given = list(stmt.args)
        for k, copy in self._facts.snapshots.get(stmt, ()):
            if self._is_gone(stmt, k, s):
                given[k] = copy
            else:
                entry = self._primal.use(copy, s)
                s.b.assign(self._primal.use(stmt.args[k], s), entry)
        args = [self._primal.use(a, s) for a in given]
        shadows = [
            self._primal.shadow(a, s) if self._active(a) else self._primal.scratch(a, s)
            for a in stmt.args
            if isinstance(a.type, Array) and a.type.dtype.is_differentiable
        ]
        seeds = [
            self._primal.shadow(out, s) if isinstance(out.type, Array) else bars.take(out)
            for out in stmt.outs
            if is_differentiable(out.type)
        ]
        floats = [a for a in stmt.args if isinstance(a.type, Scalar) and is_differentiable(a.type)]
        outs = tuple(ir.Value("", a.type) for a in floats)
        s.b.add(ir.Call(outs, reverse_name(stmt.func), (*args, *shadows, *seeds), s.b.origin))
        self.seed(floats, outs, bars, s)

    def _is_gone(self, call: ir.Call, k: int, s: Scope) -> bool:
        """True if argument ``k`` is no more, and a copy will do: the call only reads it."""
        if self._facts.memories.changed(call) or self._primal.is_at_hand(call.args[k], s):
            return False
        arrays = [a for a in call.args if isinstance(a.type, Array)]
        memories = [self._facts.memories.of(a) for a in arrays]
        return memories.count(self._facts.memories.of(call.args[k])) == 1

    def _primitive(self, stmt: ir.Call) -> None:
        """Primitives have no adjoint; functions that have one stand where there are cotangents."""
        results = (*stmt.outs, *ir.written(stmt))
        if any(map(self._active, stmt.args)) and any(map(self._active, results)):
            raise self._primal.refused(
                "MK405",
                f"no rule gives the derivative of {short(stmt.func)}",
                stmt.origin,
                "keep its arguments constant",
            )

    def _pull_back(self, stmt: ir.Call, rule: Rule, s: Scope, bars: Bars) -> None:
        """Emit the pullback of the called function, on the cotangents of its results."""
        if any(True for _ in self._facts.memories.writes(stmt)):
            raise self._primal.refused(
                "MK403",
                f"'{short(stmt.func)}' writes into an argument that has a gradient",
                stmt.origin,
                "use its result",
            )
        primal, read = self._primal, self._facts.contents.read[stmt]
        seeds = {
            k: primal.shadow(out, s) if isinstance(out.type, Array) else bars.take(out)
            for k, out in enumerate(stmt.outs)
            if k in rule.seeds
        }
        given: dict[ir.Value, ir.Atom] = {rule.seeds[k]: bar for k, bar in seeds.items()}
        given |= {bar: primal.shadow(stmt.args[k], s) for k, bar in rule.shadows.items()}
        shapes: dict[ir.Value, ir.Atom] = {}
        for formal, atom in zip((*rule.args, *rule.outs), (*stmt.args, *stmt.outs), strict=True):
            if formal in read:
                given[formal] = primal.content(read[formal], s)
            elif formal in rule.used:
                given[formal] = primal.use(atom, s)
            elif isinstance(formal.type, Array):
                shapes[formal] = atom
        for dim in [d for d in ir.walk(rule.body) if isinstance(d, ir.Dim)]:
            if dim.array in shapes:
                given[dim.out] = primal.extents(shapes[dim.array], s)[dim.axis]
        body = cloning.block(_without_dims(rule.body, shapes), given, origin=s.b.origin, free=True)
        s.b.stmts += body.stmts
        self.seed([stmt.args[k] for k in rule.bars], body.yields, bars, s)

    def _assign(self, dst: ir.Atom, src: ir.Atom, s: Scope, bars: Bars) -> None:
        shadow = self._primal.shadow(dst, s)
        zero = ir.Assign(shadow, ir.zero(_element(dst)), s.b.origin, free=True)
        if isinstance(src.type, Array) and self._facts.dataflow.may_meet(src, dst):
            taken = ir.Value("", shadow.type)
            s.b.add(ir.Copy(taken, shadow, s.b.origin))
            s.b.add(zero)
            self._bulk(taken, dst, src, s, bars)
        else:
            self._bulk(shadow, dst, src, s, bars)
            s.b.add(zero)

    def _bulk(self, bar: ir.Atom, dst: ir.Atom, src: ir.Atom, s: Scope, bars: Bars) -> None:
        """``src_bar += bar``, elementwise or (for a scalar) summed."""
        if isinstance(src.type, Array):
            if self._active(src):
                s.b.add_to(self._primal.shadow(src, s), bar)
        elif self._active_scalar(src):
            total = ir.Value("", _element(dst))
            s.b.add(ir.Sum(total, bar, s.b.origin))
            self.seed([src], [total], bars, s)


def _without_dims(block: ir.Block, arrays: Container[ir.Atom]) -> ir.Block:
    """``block`` without the statements that ask for extents of ``arrays``."""
    stmts = (s for s in block.stmts if not (isinstance(s, ir.Dim) and s.array in arrays))
    kept = (ir.with_blocks(s, tuple(_without_dims(b, arrays) for b in ir.blocks(s))) for s in stmts)
    return ir.Block(tuple(kept), block.yields)


def _bar_hint(atom: ir.Atom) -> str:
    return f"{atom.hint}_bar" if isinstance(atom, ir.Value) and atom.hint else ""


def _element(array: ir.Atom) -> Scalar:
    assert isinstance(array.type, Array)
    return Scalar(array.type.dtype)
