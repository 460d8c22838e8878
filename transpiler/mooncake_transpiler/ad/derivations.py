"""The reverse-mode derivation of one function: its facts, its plan, and the sweeps by that."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.call_snapshots import snapshot_calls
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.call.quiet_calls import with_quiet_calls
from mooncake_transpiler.ad.call.ruled_functions import Library
from mooncake_transpiler.ad.carried.arenas import carries_arrays, store_in_arenas
from mooncake_transpiler.ad.carried.array_tags import tag_arrays
from mooncake_transpiler.ad.carried.carried_views import carry_indices
from mooncake_transpiler.ad.carried.reshapes import settle_reshapes
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.fact.linear import linearize
from mooncake_transpiler.ad.fact.saved_contents import keep_contents
from mooncake_transpiler.ad.reverse.counting import count_iterations
from mooncake_transpiler.ad.reverse.crossing import bound_in, free_in
from mooncake_transpiler.ad.reverse.planner import Planner, is_copied
from mooncake_transpiler.ad.reverse.primal import Pairs, Primal
from mooncake_transpiler.ad.reverse.result_places import Results
from mooncake_transpiler.ad.reverse.scope import Bars, Scope
from mooncake_transpiler.ad.reverse.seed import zero_for
from mooncake_transpiler.ad.reverse.sweep import Sweep
from mooncake_transpiler.ad.tape.growable_tapes import tape_stacks
from mooncake_transpiler.ad.tape.plain import plain
from mooncake_transpiler.ad.tape.stacks import lower_stacks
from mooncake_transpiler.analysis.memory import Memories, Memory, Mutated
from mooncake_transpiler.analysis.partials import is_float_number
from mooncake_transpiler.analysis.shapes import CallExtents, resolve_sizes
from mooncake_transpiler.interface.last_values import has_gradient, user_results
from mooncake_transpiler.interface.reverse_mode import ReverseInterface
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar, is_differentiable

# For places where values are saved, what is in the way of computing these again.
Barriers = Mapping[ir.Value, tuple[ir.Overwritten, ...]]


@dataclass(frozen=True, slots=True)
class Derivations:
    """The state that derivations of one run share. ``again``: what they give is differentiated."""

    callees: Callees
    again: bool = False
    on_device: bool = False
    pairs: Pairs = field(default_factory=dict)

    @property
    def library(self) -> Library:
        return self.callees.library

    @property
    def changes(self) -> Mutated:
        return self.callees.changes

    @property
    def extents(self) -> CallExtents:
        return self.callees.extents

    def lower(self, blocks: Sequence[ir.Block]) -> list[ir.Block]:
        """``blocks``, which run one after the other, without stacks."""
        if self.again:
            return tape_stacks(blocks)
        return lower_stacks(blocks, chunked=not self.on_device)

    def inner(self) -> Iterator[ir.Func]:
        """The functions that are called rather than inlined, and their reverses."""
        yield from self.callees.helpers
        for callee in self.callees.funcs:
            yield callee
            if any(is_differentiable(v.type) for v in callee.inputs):
                yield self.of(callee, callee.inputs, None).reverse()

    def of(
        self, func: ir.Func, active: Sequence[ir.Value], wrt: Sequence[str] | None
    ) -> Derivation:
        """The derivation of a public function, or (``wrt`` None) of one that others call."""
        facts, names, relies = self.facts(func, active, wrt)
        return Derivation(facts, names, self, asks_for_seed=relies)

    def facts(
        self, func: ir.Func, active: Sequence[ir.Value], wrt: Sequence[str] | None
    ) -> tuple[Facts, ReverseInterface, bool]:
        """The analyses and the outside for that, and if a cotangent of 0 is a case of its own.

        What a function writes into its arguments that others call is a result of it.
        """
        rules = self.library.names
        func = with_quiet_calls(func, self.callees.quiet)
        tagged = tag_arrays(carry_indices(resolve_sizes(func, self.extents)), self.extents)
        written = () if wrt is not None else tuple(func.inputs[k] for k in self.changes[func.name])
        stored = self._stored(tagged, active, written)
        settled = settle_reshapes(stored, Memories(stored, self.changes, rules), wrt is not None)
        counted = count_iterations(settled)
        counted, snapshots = snapshot_calls(counted, self.changes, rules)
        memories = Memories(counted, self.changes, rules)
        activity = Activity(counted, memories, active, written)
        kept, contents = keep_contents(counted, memories, activity, self.library, self.extents)
        if kept is not counted:
            memories = Memories(kept, self.changes, rules)
            activity = Activity(kept, memories, active, written)
        asks = not self.on_device and wrt is not None and has_gradient(func)
        results = user_results(kept) if asks else ()
        linear_func, linear, relies = linearize(kept, memories, activity, results, again=self.again)
        facts = Facts(linear_func, memories, activity, linear, snapshots, contents)
        names = ReverseInterface.of(func, tuple(wrt or ()), self.changes)
        return facts, names, relies

    def _stored(
        self, func: ir.Func, active: Sequence[ir.Value], written: Sequence[ir.Value]
    ) -> ir.Func:
        """``func`` with arenas for the active arrays of any shape that loops carry."""
        if not carries_arrays(func):
            return func
        memories = Memories(func, self.changes, self.library.names)
        activity = Activity(func, memories, active, written)
        stored = store_in_arenas(func, memories, activity.active)
        return resolve_sizes(stored, self.extents) if stored is not func else func


class Derivation:
    def __init__(
        self,
        facts: Facts,
        names: ReverseInterface,
        shared: Derivations,
        *,
        asks_for_seed: bool = False,
    ) -> None:
        """``asks_for_seed``: a cotangent of 0 is a case of its own where the result is infinite."""
        self._facts = facts
        self._asks_for_seed = asks_for_seed
        self._names = names
        self._shared = shared
        self._primal = Primal(facts, shared.pairs)
        self._planner = Planner(facts, self._primal)
        self._body = facts.func.body
        self._results = user_results(facts.func)
        self._user = Results(facts, self._primal, names)

    def _start(self) -> tuple[Sweep, Scope]:
        s = Scope(Builder(self._facts.func.origin, free=True))
        s.atoms.update((v, v) for v in self._facts.func.inputs)
        return Sweep(self._facts, self._primal, self._planner.plan_of), s

    # ---- one function ---------------------------------------------------------------------------

    def vjp(self) -> ir.Func:
        """``f_vjp`` of a function that returns one number, whose cotangent is a parameter."""
        (y_bar,) = y_bars = self._names.result_bars()
        assert y_bar is not None
        return self._names.vjp(y_bars, self._both_sweeps(y_bar))

    def gradient(self) -> ir.Func:
        """``f_grad`` of such a function, to be differentiated again: the cotangent is 1."""
        result = self._body.yields[0]
        assert isinstance(result.type, Scalar)
        both = self._both_sweeps(ir.Const(1.0, result.type))
        return self._names.unfused_grad(ir.Block(both.stmts, both.yields[1:]))

    def _both_sweeps(self, seed: ir.Atom) -> ir.Block:
        """The value and the gradient for a cotangent ``seed`` of the result."""
        plan = self._planner.plan(self._body, split=False)
        sweep, s = self._start()
        snapshots = list(self._snapshots(plan.wound_memories, s))
        self._input_shadows(s)
        bars = Bars()
        (result,) = self._body.yields
        sweep.adjoint.seed([result], [seed], bars, s)
        sweep.region(self._body, s, bars, plan)
        self._restore(snapshots, s)
        value = self._primal.use(result, s)
        gradients = self._gradients(s, bars)
        if self._asks_for_seed and isinstance(seed, ir.Value):
            gradients = zero_for(seed, gradients, s.b)
        body = s.b.block([value, *gradients])
        return self._shared.lower([body])[0]

    def reverse(self) -> ir.Func:
        """``f_reverse``: adds to given shadows and returns the cotangents of the float inputs."""
        shadows, y_bars = self._names.reverse_inputs()
        # The cotangent of an array is added to what is there before the reverse sweep begins.
        in_parts = any(bar is not None and isinstance(bar.type, Array) for bar in y_bars)
        plan = self._planner.plan(self._body, split=in_parts)
        sweep, s = self._start()
        snapshots = list(self._snapshots(plan.wound_memories, s))
        bars = Bars()
        if in_parts:
            sweep.split(self._body, s, plan)
            r = self._reverse_scope(s, plan.saved)
            r.shadows.update(shadows)
            self._seed(y_bars, sweep, r, bars)
            sweep.split_reverse(self._body, r, bars)
        else:
            s.shadows.update(shadows)
            floats = [(a, bar) for a, bar in zip(self._body.yields, y_bars, strict=True) if bar]
            sweep.adjoint.seed([a for a, _ in floats], [bar for _, bar in floats], bars, s)
            sweep.region(self._body, s, bars, plan)
            r = s
        self._restore(snapshots, r)
        scalars = [v for v in self._facts.func.inputs if is_float_number(v.type)]
        last = r.b.block([bars.get(v) for v in scalars])
        stmts = last.stmts if r is s else (*s.b.stmts, *last.stmts)
        (body,) = self._shared.lower([ir.Block(tuple(stmts), last.yields)])
        return self._names.reverse(shadows.values(), y_bars, body)

    # ---- two functions --------------------------------------------------------------------------

    def split(self) -> tuple[ir.Func, ir.Func]:
        """``f_fwd`` and ``f_pullback``; what crosses from one to the other are the residuals."""
        forward, body, y_bars, barriers = self._sweeps()
        forward, body = self._shared.lower([forward, body])
        fwd, pullback = self._cut(forward, body, y_bars)
        kept = fwd.body.yields[-len(pullback.params[0].leaves) or len(fwd.body.yields) :]
        known = (barriers.get(v, ()) if isinstance(v, ir.Value) else () for v in kept)
        return replace(fwd, barriers=tuple(known)), pullback

    def joined(self) -> ir.Func:
        """``f_vjp``: the forward and the reverse sweep, one after the other."""
        forward, body, y_bars, _ = self._sweeps(copies=False)
        stmts, yields = (*forward.stmts, *body.stmts), (*forward.yields, *body.yields)
        (whole,) = self._shared.lower([ir.Block(stmts, yields)])
        return self._names.vjp(y_bars, whole)

    def _sweeps(
        self, *, copies: bool = True
    ) -> tuple[ir.Block, ir.Block, list[ir.Value | None], Barriers]:
        """The forward and the reverse sweep (with ``copies`` to be run again), and ``y_bars``.

        Then, for each place where a value is saved, what is in the way of computing it again.
        """
        plan = self._planner.plan(self._body, split=True)
        sweep, s = self._start()
        snapshots = list(self._snapshots(plan.wound_memories, s))
        sweep.split(self._body, s, plan)
        results = [self._result(a, s) for a in self._results]
        results += [self._primal.use(a, s) for a in self._body.yields[len(self._results) :]]
        r = self._reverse_scope(s, plan.saved)
        if copies:
            self._copy_wound(plan.wound_memories, r)
        kept = list(self._keep_locals(r))
        bars, y_bars = Bars(), self._names.result_bars()
        self._input_shadows(r)
        self._seed_results(y_bars, sweep, r, bars)
        sweep.split_reverse(self._body, r, bars)
        self._restore([*snapshots, *kept], r)
        gradients = self._gradients(r, bars)
        if self._asks_for_seed and y_bars[0] is not None:
            gradients = zero_for(y_bars[0], gradients, r.b)
        stores = {v: s.slots[v].store if v in s.slots else s.atoms.get(v) for v in plan.saved}
        barriers = {at: plan.barriers[v] for v, at in stores.items() if isinstance(at, ir.Value)}
        return s.b.block(results), r.b.block(gradients), y_bars, barriers

    def _result(self, atom: ir.Atom, s: Scope) -> ir.Atom:
        """A result of the primal; a copy where it is memory of an argument to be wound back."""
        result = self._primal.use(atom, s)
        if isinstance(atom, ir.Value) and isinstance(atom.type, Array):  # else it only raises
            memory = self._facts.memories.of(atom)
            if memory.is_param and memory.written:
                copy = ir.Value("", atom.type)
                s.b.add(ir.Copy(copy, result, s.b.origin))
                return copy
        return result

    def _reverse_scope(self, s: Scope, saved: set[ir.Value]) -> Scope:
        """The scope of the pullback: it sees inputs, saved values and direct arrays."""
        r = Scope(Builder(self._facts.func.origin, free=True))
        seen = {*self._facts.func.inputs, *saved}
        for value in self._user.places():
            if value not in s.atoms:
                raise self._primal.lost(value)
            seen.add(value)
        seen.update(self._user.sizes())
        for value, atom in s.atoms.items():
            if value in seen or isinstance(value.type, Array):
                r.atoms[value] = atom
        r.slots.update(s.slots)
        return r

    def _copy_wound(self, wound: Collection[Memory], r: Scope) -> None:
        """Copy local arrays that the pullback winds back: it leaves residuals as they are."""
        for root in [v for v in ir.values_of(self._facts.defs.stmt) if isinstance(v.type, Array)]:
            memory = self._facts.memories.of(root)
            if memory in wound and is_copied(memory, self._facts):
                copy = ir.Value(root.hint, root.type)
                r.b.add(ir.Copy(copy, r.atoms[root], r.b.origin))
                r.atoms[root] = copy

    def _keep_locals(self, r: Scope) -> Iterator[tuple[ir.Atom, ir.Value]]:
        """Copies of local arrays that the pullback puts back before a call: it may run again."""
        put_back = self._facts.put_back()
        for value, atom in list(r.atoms.items()):
            if isinstance(value.type, Array):
                memory = self._facts.memories.of(value)
                if memory in put_back and value in memory.roots:
                    copy = ir.Value(f"{value.hint}_final" if value.hint else "", value.type)
                    r.b.add(ir.Copy(copy, atom, r.b.origin))
                    yield atom, copy

    def _seed_results(
        self, y_bars: Sequence[ir.Value | None], sweep: Sweep, r: Scope, bars: Bars
    ) -> None:
        self._user.check_shapes(y_bars, r)
        self._seed(y_bars, sweep, r, bars)

    def _seed(self, y_bars: Sequence[ir.Value | None], sweep: Sweep, r: Scope, bars: Bars) -> None:
        for atom, bar in zip(self._results, y_bars, strict=True):
            if bar is None or not self._facts.activity.active(atom):
                continue
            if isinstance(bar.type, Array):
                self._seed_array(atom, bar, r)
            else:
                sweep.adjoint.seed([atom], [bar], bars, r)

    def _seed_array(self, atom: ir.Atom, bar: ir.Value, r: Scope) -> None:
        assert isinstance(atom, ir.Value)
        root = self._facts.memories.of(atom).roots
        if root == [atom] and r.find_shadow(atom) is None:
            shadow = ir.cotangent(atom)
            r.b.add(ir.Copy(shadow, bar, r.b.origin, free=True))
            r.shadows[atom] = shadow
            return
        for value in root:
            if r.find_shadow(value) is None and r.find(value) is not None:
                self._primal.zero_shadow(value, r)
        r.b.add_to(self._primal.shadow(atom, r), bar)

    def _cut(
        self, forward: ir.Block, body: ir.Block, y_bars: Sequence[ir.Value | None]
    ) -> tuple[ir.Func, ir.Func]:
        """``f_fwd`` and ``f_pullback``; values of the first that the second uses are residuals."""
        bound = {bar for bar in y_bars if bar is not None}
        crossing = [v for v in free_in(body) if v not in bound]
        whole = self._names.pullback(crossing, y_bars, body)
        pullback = self._shared.library.prune(plain(whole, self._shared.library))
        used = set(free_in(pullback.body))
        bound_at = {v: k for k, v in enumerate(bound_in(forward))}
        kept = sorted((v for v in crossing if v in used), key=lambda v: bound_at.get(v, -1))
        pullback = self._names.pullback(kept, y_bars, pullback.body)
        fwd = self._names.fwd(kept, ir.Block(forward.stmts, (*forward.yields, *kept)))
        return fwd, pullback

    # ---- arguments ------------------------------------------------------------------------------

    def _snapshots(self, wound: frozenset[Memory], s: Scope) -> Iterator[tuple[ir.Value, ir.Value]]:
        """Copies of the arguments that are written but not wound back step by step."""
        for value in self._facts.func.inputs:
            if isinstance(value.type, Array):
                memory = self._facts.memories.of(value)
                if value in self._facts.memories.written_params and memory not in wound:
                    copy = ir.Value(f"{value.hint}_entry", value.type)
                    s.b.add(ir.Copy(copy, value, s.b.origin))
                    yield value, copy

    def _restore(self, snapshots: Sequence[tuple[ir.Atom, ir.Value]], s: Scope) -> None:
        s.b.origin = None  # for its own sake, not as the adjoint of a statement
        for value, copy in snapshots:
            s.b.add(ir.Assign(value, copy, s.b.origin))

    def _input_shadows(self, s: Scope) -> None:
        """Zeros for the array arguments; they overlap where arguments that are written may."""
        wanted = [
            v
            for v in self._facts.func.inputs
            if isinstance(v.type, Array) and self._wants_shadow(v) and is_differentiable(v.type)
        ]
        shared: dict[Memory, list[ir.Value]] = {}
        for value in wanted:
            memory = self._facts.memories.of(value)
            if memory.written and len(memory.roots) > 1:
                shared.setdefault(memory, []).append(value)
            else:
                self._primal.zero_shadow(value, s)
        for arrays in shared.values():
            if len(arrays) == 1:
                self._primal.zero_shadow(arrays[0], s)
                continue
            outs = tuple(ir.Value(f"{v.hint}_bar", v.type) for v in arrays)
            s.b.add(ir.Shadows(outs, tuple(arrays), s.b.origin))
            s.shadows.update(zip(arrays, outs, strict=True))

    def _wants_shadow(self, value: ir.Value) -> bool:
        return self._facts.activity.active(value) or value in self._names.wrt_leaves

    def _gradients(self, s: Scope, bars: Bars) -> list[ir.Atom]:
        found: list[ir.Atom] = []
        for value in self._names.wrt_leaves:
            if not is_differentiable(value.type):  # which alternative there is; shapes in lists
                found.append(self._primal.use(value, s))
            elif isinstance(value.type, Array):
                found.append(self._primal.shadow(value, s))
            else:
                found.append(bars.get(value))
        return found
