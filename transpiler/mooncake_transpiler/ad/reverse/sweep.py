"""The two sweeps: forward statements with their saves, reverse statements with their restores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Facts, Loop, Write
from mooncake_transpiler.ad.fact.legality import muted
from mooncake_transpiler.ad.fact.linear import is_cheap
from mooncake_transpiler.ad.reverse import counting
from mooncake_transpiler.ad.reverse.adjoint import Adjoint
from mooncake_transpiler.ad.reverse.primal import Primal
from mooncake_transpiler.ad.reverse.scope import Bars, Scope
from mooncake_transpiler.ad.reverse.slots import Slots
from mooncake_transpiler.ad.saving.plan import Plan, Step
from mooncake_transpiler.analysis.memory import Memory
from mooncake_transpiler.interface.saved_names import saved_name
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.types import Array

PlanOf = Callable[[ir.Block], Plan]


class Sweep:
    """Generates the code of regions; ``plan_of`` says how a nested region is reversed."""

    def __init__(self, facts: Facts, primal: Primal, plan_of: PlanOf) -> None:
        self.facts = facts
        self.primal = primal
        self.plan_of = plan_of
        self.plan = Plan()
        self.mute: frozenset[Memory] = frozenset()
        self.is_rerun = False  # what is computed has been computed before: nothing is printed
        self.slots = Slots(facts, primal)
        self.adjoint = Adjoint(facts, primal)
        self._made: dict[ir.Block, dict[Memory, list[tuple[int, ir.Value | ir.Reshape]]]] = {}

    # ---- regions --------------------------------------------------------------------------------

    def region(
        self,
        block: ir.Block,
        s: Scope,
        bars: Bars,
        plan: Plan,
        mute: frozenset[Memory] = frozenset(),
    ) -> None:
        """Both sweeps of ``block``; ``bars`` holds the cotangents of its yields.

        ``mute`` is not written, nor what a region around is not to write.
        """
        outer = self.plan, self.mute
        self.plan, self.mute = plan, self.mute | mute
        for step in plan.order:
            self._step(step, block, s, bars)
        self.plan, self.mute = outer

    def split(self, block: ir.Block, s: Scope, plan: Plan) -> None:
        """The forward sweep of ``block`` alone."""
        self.plan = plan
        for step in plan.order:
            if step.kind == "forward":
                self._step(step, block, s, Bars())

    def split_reverse(self, block: ir.Block, s: Scope, bars: Bars) -> None:
        """The reverse sweep to a ``split`` forward sweep."""
        for step in self.plan.order:
            if step.kind == "reverse":
                self._step(step, block, s, bars)

    def _step(self, step: Step, block: ir.Block, s: Scope, bars: Bars) -> None:
        stmt = block.stmts[step.k]
        if step.kind == "forward":
            self.slots.make(stmt, self.plan, s)
            self.forward(stmt, s)
            return
        self.make_shadows(block, stmt, s)
        if step.kind == "fused":
            self.fused(stmt, s, bars)
        else:
            self.reverse(stmt, s, bars)

    def make_shadows(self, block: ir.Block, stmt: ir.Stmt, s: Scope) -> None:
        """Zero shadows for what ``block`` allocates and the reverse of ``stmt`` touches."""
        made, touched = self._made_in(block), self.facts.active_memories(stmt)
        found = {k: one for memory in touched for k, one in made.get(memory, ())}
        for k in sorted(found):
            one = found[k]
            if isinstance(one, ir.Reshape):
                self.primal.reshape_shadow_now(one, s)
            elif s.find_shadow(one) is None and (self._is_chosen(one) or s.find(one) is not None):
                self._make_shadow(one, s)

    def _made_in(self, block: ir.Block) -> dict[Memory, list[tuple[int, ir.Value | ir.Reshape]]]:
        """The arrays that ``block`` allocates and then its reshapes, numbered, by memory."""
        if block not in self._made:
            self._made[block] = {}
            reshapes = [stmt for stmt in block.stmts if isinstance(stmt, ir.Reshape)]
            listed: list[ir.Value | ir.Reshape] = [*_allocated(block), *reshapes]
            for k, one in enumerate(listed):
                memory = self.facts.memories.of(one.out if isinstance(one, ir.Reshape) else one)
                self._made[block].setdefault(memory, []).append((k, one))
        return self._made[block]

    def _is_chosen(self, root: ir.Value) -> bool:
        """True if a branch has made ``root``, whose shadow its parts share."""
        return isinstance(self.facts.defs.stmt[root], ir.If)

    def _make_shadow(self, root: ir.Value, s: Scope) -> None:
        if self._is_chosen(root):
            self.primal.shadow(root, s)
        else:
            self.primal.zero_shadow(root, s)

    # ---- forward --------------------------------------------------------------------------------

    def forward(self, stmt: ir.Stmt, s: Scope) -> None:
        s.b.origin = stmt.origin
        match stmt:
            case ir.If():
                self._forward_if(stmt, s)
            case ir.For() | ir.While():
                self._forward_loop(stmt, s)
            case ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo():
                if self.mute.isdisjoint(self.facts.memories.writes(stmt)):
                    self._keep_old(stmt, s)
                    s.b.add(cloning.simple(stmt, lambda a: self.primal.use(a, s)))
            case ir.Reserve(array=array) if self.facts.memories.of(array) in self.mute:
                return
            case ir.Print() if self.is_rerun:
                return
            case ir.Copy(out=out, src=src) if out in self.plan.saved and s.find_slot(out):
                self.slots.save(out, s, self.primal.use(src, s))
            case ir.Copy(out=out) if self.facts.is_kept(stmt) and out not in self.plan.saved:
                return
            case ir.Compute(out=out) if not is_cheap(stmt) and self.slots.has_equal(out, s):
                self._take_equal(out, s)
            case _:
                copy = cloning.simple(stmt, lambda a: self.primal.use(a, s))
                s.b.add(copy)
                self._bind(ir.outs(stmt), ir.outs(copy), s)

    def _take_equal(self, value: ir.Value, s: Scope) -> None:
        """Bind ``value`` to an equal one that is at hand, or was saved."""
        equal = self.plan.equals.get(value)
        known = None if equal is None else s.find(equal)
        if known is not None:
            s.atoms[value] = known
        else:
            self.slots.restore([value], s)

    def _keep_old(self, stmt: Write, s: Scope) -> None:
        """Load what ``stmt`` overwrites, if its memory is wound back and nothing has it yet."""
        old = self.facts.old[stmt]
        if stmt not in self.plan.wound or old in self.facts.defs.stmt:
            return
        if isinstance(stmt, ir.Store | ir.Accum):
            index = [self.primal.use(a, s) for a in stmt.index]
            loaded = s.b.load(self.primal.use(stmt.base, s), index)
            self._bind((old,), (loaded,), s)
        elif s.find_slot(old):
            self.slots.save(old, s, self.primal.use(stmt.dst, s))
        else:
            copy = ir.Value(saved_name(old, stmt), old.type)
            s.b.add(ir.Copy(copy, self.primal.use(stmt.dst, s), s.b.origin))
            s.atoms[old] = copy

    def _bind(self, values: Iterable[ir.Value], atoms: Iterable[ir.Atom], s: Scope) -> None:
        for value, atom in zip(values, atoms, strict=True):
            s.atoms[value] = atom
            if value in self.plan.saved:
                self.slots.save(value, s)

    def _forward_block(self, block: ir.Block, s: Scope) -> None:
        for stmt in block.stmts:
            self.forward(stmt, s)
        self.slots.close(self.plan.saved_in.get(block, ()), s)

    def _forward_if(self, stmt: ir.If, s: Scope) -> None:
        exports = self.plan.exports.get(stmt, [])
        cond = self.primal.use(stmt.cond, s)
        arms = []
        for block in (stmt.then, stmt.orelse):
            c = s.child()
            self._forward_block(block, c)
            yields = [self.primal.use(a, c) for a in block.yields]
            yields += [c.atoms.get(v) or ir.Undef(v.type) for v in exports]
            arms.append(c.b.block(yields))
        outs = tuple(map(ir.fresh, (*stmt.outs, *exports)))
        s.b.add(replace(stmt, outs=outs, cond=cond, then=arms[0], orelse=arms[1]))
        self._bind(stmt.outs, outs[: len(stmt.outs)], s)
        for value, out in zip(exports, outs[len(stmt.outs) :], strict=True):
            s.atoms[value] = out

    def _forward_loop(self, stmt: Loop, s: Scope) -> None:
        c, loop = self.primal.open_loop(stmt, s)
        for value in ir.binders(stmt):
            if value in self.plan.saved:
                self.slots.save(value, c)
        self._forward_block(stmt.body, c)
        yields = [self.primal.use(a, c) for a in stmt.body.yields]
        outs = tuple(map(ir.fresh, stmt.outs))
        s.b.add(replace(loop, outs=outs, body=c.b.block(yields)))
        self._bind(stmt.outs, outs, s)

    # ---- fused ----------------------------------------------------------------------------------

    def fused(self, stmt: ir.Stmt, s: Scope, bars: Bars) -> None:
        """Emit the forward and the reverse sweep of ``stmt`` in one statement."""
        s.b.origin = stmt.origin
        match stmt:
            case ir.If():
                self._fused_if(stmt, s, bars)
            case ir.For() | ir.While():
                self._fused_loop(stmt, s, bars)
            case _:
                raise AssertionError("only branches and loops are fused")

    def _fused_if(self, stmt: ir.If, s: Scope, bars: Bars) -> None:
        cond = self.primal.use(stmt.cond, s)
        seeds = [bars.pop(out) for out in stmt.outs]
        arms = []
        for block in (stmt.then, stmt.orelse):
            c, inner = s.child(), bars.copy()
            self.adjoint.seed(block.yields, seeds, inner, c)
            self.region(block, c, inner, self.plan_of(block))
            arms.append((c, [self.primal.use(a, c) for a in block.yields], inner))
        self._close_arms(stmt, cond, arms, s, bars)

    def _close_arms(
        self,
        stmt: ir.If,
        cond: ir.Atom,
        arms: list[tuple[Scope, list[ir.Atom], Bars]],
        s: Scope,
        bars: Bars,
    ) -> None:
        """The ``If`` whose arms yield values and, where they change, cotangents."""
        touched = self.facts.touched(stmt)
        changed = [v for v in touched if any(inner.get(v) != bars.get(v) for *_, inner in arms)]
        values = stmt.outs if arms[0][1] else ()
        outs = tuple(map(ir.fresh, values))
        bar_outs = tuple(map(ir.cotangent, changed))
        blocks = [c.b.block([*ys, *(inner.get(v) for v in changed)]) for c, ys, inner in arms]
        s.b.add(ir.If((*outs, *bar_outs), cond, blocks[0], blocks[1], s.b.origin))
        self._bind(values, outs, s)
        for value, bar in zip(changed, bar_outs, strict=True):
            bars.set(value, bar)

    def _fused_loop(self, stmt: Loop, s: Scope, bars: Bars) -> None:
        """A loop whose iterations run their reverse sweep at once.

        The cotangents of its accumulators are those of its results, in each iteration.
        """
        seeds = [bars.pop(out) for out in stmt.outs]
        touched = self.facts.touched(stmt)
        sums = list(map(ir.cotangent, touched))
        inits = [bars.get(v) for v in touched]
        c, loop = self.primal.open_loop(stmt, s, sums, inits)
        inner = Bars()
        for value, total in zip(touched, sums, strict=True):
            inner.set(value, total)
        self.adjoint.seed(stmt.body.yields, seeds, inner, c)
        self.region(stmt.body, c, inner, self.plan_of(stmt.body))
        yields = [self.primal.use(a, c) for a in stmt.body.yields]
        yields += [inner.get(v) for v in touched]
        outs = tuple(map(ir.fresh, (*stmt.outs, *sums)))
        s.b.add(replace(loop, outs=outs, body=c.b.block(yields)))
        self._bind(stmt.outs, outs[: len(stmt.outs)], s)
        for value, total in zip(touched, outs[len(stmt.outs) :], strict=True):
            bars.set(value, total)
        self.adjoint.seed(stmt.inits, seeds, bars, s)

    # ---- reverse --------------------------------------------------------------------------------

    def reverse(self, stmt: ir.Stmt, s: Scope, bars: Bars) -> None:
        self.primal.at(stmt)
        s.b.origin = stmt.origin and replace(stmt.origin, adjoint=True)
        match stmt:
            case ir.If():
                if self._is_relevant(stmt):
                    self._reverse_if(stmt, s, bars)
            case ir.For() | ir.While():
                if self._is_relevant(stmt):
                    self._reverse_loop(stmt, s, bars)
            case ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo():
                self.adjoint.simple(stmt, s, bars)
                if stmt in self.plan.wound:
                    self._wind_back(stmt, s)
            case _:
                self.adjoint.simple(stmt, s, bars)

    def _is_relevant(self, stmt: ir.Stmt) -> bool:
        return self.facts.is_active(stmt) or any(
            inner in self.plan.wound for inner in ir.nested(stmt)
        )

    def _wind_back(self, stmt: Write, s: Scope) -> None:
        old = self.primal.use(self.facts.old[stmt], s)
        if isinstance(stmt, ir.Store | ir.Accum):
            index = [self.primal.use(a, s) for a in stmt.index]
            s.b.store(self.primal.use(stmt.base, s), index, old)
        else:
            s.b.assign(self.primal.use(stmt.dst, s), old)

    def _reverse_block(self, block: ir.Block, s: Scope, bars: Bars) -> None:
        """The reverse sweep of an arm or of the body of a taped loop."""
        for root in _allocated(block):
            if self.facts.activity.active(root) and s.find_shadow(root) is None:
                self._make_shadow(root, s)
        for stmt in block.stmts:
            if isinstance(stmt, ir.Reshape):
                self.primal.reshape_now(stmt, s)
                if self.facts.activity.active(stmt.out):
                    self.primal.reshape_shadow_now(stmt, s)
        for stmt in reversed(block.stmts):
            self.reverse(stmt, s, bars)

    def _reverse_if(self, stmt: ir.If, s: Scope, bars: Bars) -> None:
        cond = self.primal.use(stmt.cond, s)
        seeds = [bars.pop(out) for out in stmt.outs]
        arms: list[tuple[Scope, list[ir.Atom], Bars]] = []
        for block in (stmt.then, stmt.orelse):
            c, inner = s.child(), bars.copy()
            self.slots.restore(self.plan.saved_in.get(block, ()), c)
            c.b.origin = s.b.origin
            self._name_made_arrays(stmt, block, c)
            self.adjoint.seed(block.yields, seeds, inner, c)
            self._reverse_block(block, c, inner)
            arms.append((c, [], inner))
        s.b.origin = stmt.origin and replace(stmt.origin, adjoint=True)
        self._close_arms(stmt, cond, arms, s, bars)

    def _name_made_arrays(self, stmt: ir.If, arm: ir.Block, c: Scope) -> None:
        """Bind arrays that ``arm`` makes and yields, and their shadows, to those of ``stmt``."""
        made = set(_allocated(arm))
        for atom, out in zip(arm.yields, stmt.outs, strict=True):
            if isinstance(atom, ir.Value) and atom in made and atom not in c.atoms:
                if self.primal.is_at_hand(out, c):
                    c.atoms[atom] = self.primal.use(out, c)
                if self.facts.activity.active(atom):
                    c.shadows[atom] = self.primal.shadow(out, c)

    def _reverse_loop(self, stmt: Loop, s: Scope, bars: Bars) -> None:
        """A loop over the iterations in reverse order.

        It carries the cotangents of the carried values, and sums those of values from outside.
        """
        carried = self.facts.carried(stmt)
        touched = self.facts.touched(stmt)
        params = [ir.cotangent(stmt.params[k]) for k in carried]
        sums = list(map(ir.cotangent, touched))
        inits = [bars.take(stmt.outs[k]) for k in carried] + [bars.get(v) for v in touched]
        c = s.child()
        loop = counting.reversed_loop(stmt, self.facts, self.primal, s, c)
        inner = Bars()
        for value, total in zip(touched, sums, strict=True):
            inner.set(value, total)
        self.slots.restore(self.plan.saved_in.get(stmt.body, ()), c)
        c.b.origin = s.b.origin
        self.adjoint.seed([stmt.body.yields[k] for k in carried], params, inner, c)
        if stmt in self.plan.rerun:
            body_plan, was_rerun = self.plan_of(stmt.body), self.is_rerun
            self.is_rerun = True
            self.region(stmt.body, c, inner, body_plan, muted(stmt, self.facts))
            self.is_rerun = was_rerun
        else:
            self._reverse_block(stmt.body, c, inner)
        yields = [inner.get(stmt.params[k]) for k in carried] + [inner.get(v) for v in touched]
        outs = tuple(map(ir.fresh, (*params, *sums)))
        s.b.origin = stmt.origin and replace(stmt.origin, adjoint=True)
        s.b.add(
            replace(
                loop, outs=outs, params=(*params, *sums), inits=tuple(inits), body=c.b.block(yields)
            )
        )
        for value, total in zip(touched, outs[len(carried) :], strict=True):
            bars.set(value, total)
        for j, k in enumerate(carried):
            self.adjoint.seed([stmt.inits[k]], [outs[j]], bars, s)


def _allocated(block: ir.Block) -> Iterable[ir.Value]:
    """The arrays that ``block`` makes, or whose making a branch in it decides."""
    for stmt in block.stmts:
        yield from ir.produced(stmt)
        if _makes(stmt):
            yield from (v for v in ir.outs(stmt) if isinstance(v.type, Array))


def _makes(stmt: ir.Stmt) -> bool:
    """True if an arm of the branch ``stmt`` makes an array that it yields."""
    if not isinstance(stmt, ir.If) or not any(isinstance(v.type, Array) for v in stmt.outs):
        return False
    return any(not set(_allocated(arm)).isdisjoint(arm.yields) for arm in (stmt.then, stmt.orelse))
