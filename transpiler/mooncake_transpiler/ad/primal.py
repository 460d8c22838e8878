"""Primal values and shadows in generated code: bound in scope, computed again, or recorded.

While a plan is made the reverse sweep is generated once on paper: a ``Recorder`` notes what it
asks for, and the code is thrown away. So planning and generating can't disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad import clone
from mooncake_transpiler.ad.facts import Facts, Loop
from mooncake_transpiler.ad.plan import Layout, Needs
from mooncake_transpiler.ad.scope import Scope
from mooncake_transpiler.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.types import Array, Scalar


def _makes(block: ir.Block, atom: ir.Atom) -> bool:
    """Whether ``block`` itself makes the array ``atom``."""
    return any(
        atom in ir.outs(stmt)
        for stmt in block.stmts
        if isinstance(stmt, ir.Alloc | ir.Copy | ir.Call)
    )


class Recorder:
    """Notes what the reverse sweep of one statement of a region asks for."""

    def __init__(self, layout: Layout, split: bool, rerun: frozenset[ir.Stmt]) -> None:
        self.layout = layout
        self.split = split
        self.rerun = rerun
        self.needs = Needs()
        self.position = 0

    def covers(self, value: ir.Value) -> bool:
        """Whether ``value`` is bound in the region, not in a nested region of a rerun loop."""
        if value not in self.layout.home:
            return False
        path = self.layout.home[value][1]
        around = next((p for p in path if p in self.rerun), None)
        return around is None or (around is path[-1] and value in ir.binders(around))

    def ask(self, value: ir.Value) -> None:
        layout = self.layout
        if value in layout.direct:
            self.needs.captured.add(value)
            if not self.split or isinstance(value.type, Array):
                return
        last = self.needs.values.get(value, -1)
        self.needs.values[value] = max(last, self.position)


class Primal:
    """Finds primal values and shadows for a scope."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.recorder: Recorder | None = None

    def at(self, stmt: ir.Stmt) -> None:
        """The reverse sweep has come to ``stmt``: nothing inside it has been reversed yet."""
        if self.recorder is not None and stmt in self.recorder.layout.end:
            self.recorder.position = self.recorder.layout.end[stmt]

    def use(self, atom: ir.Atom, s: Scope) -> ir.Atom:
        """What ``atom`` is in ``s``, computed again there if need be."""
        if not isinstance(atom, ir.Value):
            return atom
        found = s.find(atom)
        if found is None:
            found = self._make(atom, s)
            s.atoms[atom] = found
        return found

    def is_bound(self, value: ir.Value, s: Scope) -> bool:
        """Whether ``value`` is at hand in ``s`` without computing anything."""
        outside = self.recorder is not None and value not in self.recorder.layout.home
        return outside or s.find(value) is not None

    def _make(self, value: ir.Value, s: Scope) -> ir.Atom:
        stmt = self._facts.defs.stmt.get(value)
        outside = self.recorder is not None and value not in self.recorder.layout.home
        if isinstance(value.type, Array) and not outside:
            match stmt:
                case ir.View() | ir.Global():
                    return self._again(stmt, value, s)
                case ir.If(outs=outs):
                    k = outs.index(value)
                    return self._choose(stmt, k, value, s, shadow=False)
                case _:
                    pass
        if outside:
            return value
        if self.recorder is not None and self.recorder.covers(value):
            self.recorder.ask(value)
            return value
        if isinstance(stmt, ir.Compute | ir.Dim | ir.Load):
            return self._again(stmt, value, s)
        raise self.lost(value)

    def _again(self, stmt: ir.Stmt, value: ir.Value, s: Scope) -> ir.Value:
        copy = clone.simple(stmt, lambda a: self.use(a, s))
        s.b.add(replace(copy, origin=s.b.origin))
        return ir.outs(copy)[0]

    def _choose(
        self, stmt: ir.If, k: int, value: ir.Value, s: Scope, *, shadow: bool, hint: str = ""
    ) -> ir.Value:
        """An array that a branch has chosen, or its shadow (zeros if the branch made it)."""
        cond = self.use(stmt.cond, s)
        arms = []
        for block in (stmt.then, stmt.orelse):
            c = s.child()
            if shadow and _makes(block, block.yields[k]):
                chosen: ir.Atom = self.scratch(value, c)
            else:
                chosen = self.shadow(block.yields[k], c) if shadow else self.use(block.yields[k], c)
            arms.append(c.b.block([chosen]))
        out = ir.Value(hint or value.hint, value.type)
        s.b.add(ir.If((out,), cond, arms[0], arms[1], s.b.origin))
        return out

    def lost(self, value: ir.Value) -> Refused:
        """An array that the reverse sweep needs but can't find again."""
        stmt = self._facts.defs.stmt.get(value)
        what = f"'{value.hint}'" if value.hint else "an array"
        return self.refused(
            "MK401",
            f"the reverse sweep needs {what} of each iteration, but only the last one is there",
            stmt.origin if stmt is not None else None,
            "allocate the array before the loop, or give it one size and index it",
        )

    def refused(self, code: str, message: str, origin: ir.Origin | None, help_: str) -> Refused:
        """A diagnostic at ``origin``, or at the function."""
        origin = origin or self._facts.func.origin
        place = Place("", 1, 1, 1)
        if origin is not None:
            place = Place(origin.path, origin.line, origin.col, origin.col + len(origin.text))
        return Refused(Diagnostic(code, message, place, help_))

    # ---- shadows --------------------------------------------------------------------------------

    def shadow(self, array: ir.Atom, s: Scope) -> ir.Atom:
        """The cotangent storage of ``array``: the same view of its base's shadow."""
        if isinstance(array, ir.Undef):
            return array
        assert isinstance(array, ir.Value)
        found = s.find_shadow(array)
        if found is None:
            found = self._make_shadow(array, s)
            s.shadows[array] = found
        return found

    def _make_shadow(self, array: ir.Value, s: Scope) -> ir.Atom:
        stmt = self._facts.defs.stmt.get(array)
        outside = self.recorder is not None and array not in self.recorder.layout.home
        hint = f"{array.hint}_bar" if array.hint else ""
        if not outside:
            match stmt:
                case ir.View(base=base, index=index):
                    at = ir.view_index(index, lambda a: self.use(a, s))
                    out = ir.Value(hint, array.type)
                    s.b.add(ir.View(out, self.shadow(base, s), at, s.b.origin))
                    return out
                case ir.If(outs=outs):
                    k = outs.index(array)
                    return self._choose(stmt, k, array, s, shadow=True, hint=hint)
                case ir.Global():
                    return self.scratch(array, s)  # a constant: nobody looks at its cotangent
                case _:
                    pass
        if outside:
            return array
        if self.recorder is not None and self.recorder.covers(array):
            self.recorder.ask(array)
            return array
        raise self.lost(array)

    def zero_shadow(self, root: ir.Value, s: Scope) -> None:
        """Create the shadow of ``root``, of its shape and dtype, filled with zeros."""
        s.shadows[root] = self.scratch(root, s, f"{root.hint}_bar" if root.hint else "")

    def scratch(self, array: ir.Atom, s: Scope, hint: str = "") -> ir.Value:
        """New zeros of the shape and dtype of ``array``."""
        assert isinstance(array.type, Array)
        found = self.use(array, s)
        shape = [s.b.dim(found, axis) for axis in range(array.type.ndim)]
        return s.b.alloc(array.type, shape, ir.zero(Scalar(array.type.dtype)), hint)

    # ---- loops ----------------------------------------------------------------------------------

    def open_loop(
        self, stmt: Loop, s: Scope, sums: Sequence[ir.Value] = (), sum_inits: Sequence[ir.Atom] = ()
    ) -> tuple[Scope, Loop]:
        """A copy of ``stmt`` with fresh binders and ``sums`` carried too, its body still open."""
        c = s.child()
        params = tuple(map(clone.fresh, stmt.params))
        c.atoms.update(zip(stmt.params, params, strict=True))
        inits = (*(self.use(a, s) for a in stmt.inits), *sum_inits)
        if isinstance(stmt, ir.For):
            index = clone.fresh(stmt.index)
            c.atoms[stmt.index] = index
            lo, hi, step = (self.use(a, s) for a in (stmt.lo, stmt.hi, stmt.step))
            return c, replace(
                stmt, index=index, lo=lo, hi=hi, step=step, params=(*params, *sums), inits=inits
            )
        cond = Scope(s.b.child(), s)
        cond.atoms.update(zip(stmt.params, params, strict=True))
        for inner in stmt.cond.stmts:
            self._copy(inner, cond)
        yields = [self.use(a, cond) for a in stmt.cond.yields]
        return c, replace(stmt, params=(*params, *sums), inits=inits, cond=cond.b.block(yields))

    def _copy(self, stmt: ir.Stmt, s: Scope) -> None:
        """A copy of a statement of a loop's condition, branches included."""
        if isinstance(stmt, ir.If):
            cond = self.use(stmt.cond, s)
            arms = []
            for block in (stmt.then, stmt.orelse):
                c = s.child()
                for inner in block.stmts:
                    self._copy(inner, c)
                arms.append(c.b.block([self.use(a, c) for a in block.yields]))
            copy: ir.Stmt = replace(
                stmt,
                outs=tuple(map(clone.fresh, stmt.outs)),
                cond=cond,
                then=arms[0],
                orelse=arms[1],
            )
        else:
            copy = clone.simple(stmt, lambda a: self.use(a, s))
        s.b.add(copy)
        s.atoms.update(zip(ir.outs(stmt), ir.outs(copy), strict=True))
