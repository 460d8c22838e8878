"""The two sweeps of a helper as functions of their own, and it as a function with a pullback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mooncake_rules.expr import SEED, Apply, Term

from mooncake_transpiler import ir
from mooncake_transpiler.ad.derivations import Derivation
from mooncake_transpiler.ad.fact.linear import asks_for_seed
from mooncake_transpiler.ad.reverse.crossing import free_in
from mooncake_transpiler.ad.reverse.scope import Bars
from mooncake_transpiler.ad.tape.plain import plain
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.partials import is_float_array, is_float_number
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.interface import docstrings
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.function_names import part_name, short
from mooncake_transpiler.naming import free
from mooncake_transpiler.types import NONE, Array, DType, Scalar, Tuple, Type, is_differentiable

Bar = ir.Value | None


@dataclass(frozen=True, slots=True)
class Parts:
    """A helper ``func`` with its ``pullback``, and the sweeps that these two call.

    ``kept`` are its last results, for the pullback alone. ``changes``: the inputs that each writes.
    """

    func: ir.Func
    pullback: ir.Func
    sweeps: tuple[ir.Func, ...]
    kept: tuple[ir.Value, ...]
    changes: Mapping[str, frozenset[int]]
    is_product: bool = False  # the pullback: of a cotangent and what is kept

    @property
    def all(self) -> tuple[ir.Func, ...]:
        return self.func, self.pullback, *self.sweeps


class HelperDerivation(Derivation):
    """The derivation of a function that leaves its arguments alone."""

    def parts(self, wanted: Sequence[ir.Value], forward: ir.Block | None) -> Parts:
        """The helper with cotangents of the inputs ``wanted``: by its partials, if it has some.

        These are computed with its value by ``forward``, if that is given.
        """
        if has_partials(self._facts.func, wanted):
            body = self._partials(wanted) if forward is None else forward
            names = _Names(self._facts.func, wanted, self._shared.again)
            return names.by_partials(body, "strong" if self._asks() else "mul")
        return self._by_sweeps(wanted)

    def _partials(self, wanted: Sequence[ir.Value]) -> ir.Block:
        """Both sweeps for the cotangent 1, in one function.

        y, dx = call g.partials(x)        x_bar = y_bar * dx
        """
        (result,) = self._body.yields
        assert isinstance(result.type, Scalar)
        plan = self._planner.plan(self._body, split=False)
        sweep, s = self._start()
        bars = Bars()
        sweep.adjoint.seed([result], [ir.Const(1.0, result.type)], bars, s)
        sweep.region(self._body, s, bars, plan)
        block = s.b.block([self._primal.use(result, s), *map(bars.get, wanted)])
        return self._shared.lower([block])[0]

    def _asks(self) -> bool:
        """True if some partial may be infinite: a cotangent of 0 gives 0 then."""
        terms = [c.term for found in self._facts.linear.values() for c in found]
        return bool(self._facts.contents.rules) or any(map(_asks, terms))

    def _by_sweeps(self, wanted: Sequence[ir.Value]) -> Parts:
        """The sweeps as two functions.

        Raises ``Refused`` where the reverse one needs memory that the forward one does not make.
        """
        func, again = self._facts.func, self._shared.again
        forward, body, shadows, y_bars = self._both(wanted)
        bars = [bar for bar in y_bars if bar is not None]
        given = dict.fromkeys((*shadows.values(), *bars))
        crossing = [v for v in free_in(body) if v not in given]
        whole = ir.Func("", _params((*crossing, *given), set()), NONE, body)
        whole = whole if again else plain(whole, self._shared.library)
        body = self._shared.library.prune(whole).body
        used = [v for v in free_in(body) if v not in given]
        found = {s.out: s for s in forward.stmts if isinstance(s, ir.Global)}
        body = ir.Block((*(found[v] for v in used if v in found), *body.stmts), body.yields)
        outside = {*func.inputs, *forward.yields, *found}
        kept = tuple(v for v in used if v not in outside)
        self._check(ir.Block(forward.stmts, (*forward.yields, *kept)))
        names = _Names(func, wanted, again)
        return names.parts(forward, body, kept, used, shadows, y_bars)

    def _both(
        self, wanted: Sequence[ir.Value]
    ) -> tuple[ir.Block, ir.Block, dict[ir.Value, ir.Value], list[Bar]]:
        """The two sweeps, the shadows of arrays ``wanted``, and the cotangents of the results."""
        shadows, y_bars = self._names.reverse_inputs()
        shadows = {v: shadow for v, shadow in shadows.items() if v in wanted}
        plan = self._planner.plan(self._body, split=True)
        sweep, s = self._start()
        sweep.split(self._body, s, plan)
        results = [self._primal.use(atom, s) for atom in self._body.yields]
        r = self._reverse_scope(s, plan.saved)
        self._copy_wound(plan.wound_memories, r)
        kept = list(self._keep_locals(r))
        r.shadows.update(shadows)
        bars = Bars()
        self._seed(y_bars, sweep, r, bars)
        sweep.split_reverse(self._body, r, bars)
        self._restore(kept, r)
        numbers = [v for v in self._facts.func.inputs if v in wanted and v not in shadows]
        blocks = [s.b.block(results), r.b.block([bars.get(v) for v in numbers])]
        forward, body = self._shared.lower(blocks)
        return forward, body, shadows, y_bars

    def _check(self, forward: ir.Block) -> None:
        """Refuse what ``forward`` gives unless each array of it is new, and for itself."""
        func = replace(self._facts.func, body=forward)
        memories = Memories(func, self._shared.changes)
        arrays = {atom for atom in forward.yields if isinstance(atom.type, Array)}
        found = {memories.of(array) for array in arrays}
        stmts = list(ir.walk(forward))
        grows = any(isinstance(s, ir.Alloc) and s.growable for s in stmts)
        shown = {memories.of(s.out) for s in stmts if isinstance(s, ir.Global)}
        if grows or len(found) < len(arrays) or any(m.is_param or m in shown for m in found):
            message = f"{short(func.name)} needs memory that it does not make"
            raise refused("MK401", message, func.origin, "return a copy")


class _Names:
    """The functions around the sweeps of ``func``, with respect to the inputs ``wanted``."""

    def __init__(self, func: ir.Func, wanted: Sequence[ir.Value], again: bool) -> None:
        self.func = func
        self.wanted = [v for v in func.inputs if v in wanted]
        floats = [v for v in func.inputs if is_differentiable(v.type)]
        labels = [] if self.wanted == floats else [v.hint or "t" for v in self.wanted]
        self._label = "_".join((*labels, *(("again",) if again else ())))

    def _name(self, part: str) -> str:
        return part_name(self.func.name, f"{part}_{self._label}" if self._label else part)

    def parts(
        self,
        forward: ir.Block,
        body: ir.Block,
        kept: tuple[ir.Value, ...],
        used: Sequence[ir.Value],
        shadows: Mapping[ir.Value, ir.Value],
        y_bars: Sequence[Bar],
    ) -> Parts:
        doc = docstrings.helper_fwd(short(self.func.name), keeps=bool(kept))
        whole = ir.Block(forward.stmts, (*forward.yields, *kept))
        fwd = self._function("fwd", whole, kept, doc)
        known: dict[ir.Atom, None] = dict.fromkeys((*self.func.inputs, *forward.yields))
        given = [v for v in known if isinstance(v, ir.Value) and v in used]
        bars = [bar for bar in y_bars if bar is not None]
        reverse = self._reverse(body, kept, (*given, *shadows.values(), *bars))
        helper = self._helper(fwd, kept)
        pullback, written = self._pullback(reverse, helper, forward, given, shadows, y_bars)
        first = len(kept) + len(given)
        changes = {
            helper.name: frozenset[int](),
            fwd.name: frozenset[int](),
            reverse.name: frozenset(range(first, first + len(shadows))),
            pullback.name: written,
        }
        return Parts(helper, pullback, (fwd, reverse), kept, changes)

    def by_partials(self, body: ir.Block, op: str) -> Parts:
        """The helper for ``body``, its value and partials; ``op`` multiplies with a cotangent."""
        kept = tuple(ir.Value("", atom.type) for atom in body.yields[1:])
        doc = docstrings.helper_partials(short(self.func.name))
        made = self._simple(self._function("partials", body, kept, doc), kept, op)
        return replace(made, is_product=True)

    def without(self) -> Parts:
        """The helper as it is."""
        return self._simple(self.func, (), "mul")

    def _simple(self, fwd: ir.Func, kept: tuple[ir.Value, ...], op: str) -> Parts:
        """The helper by ``fwd``, whose results behind the public ones are partials."""
        helper = self._helper(fwd, kept)
        args = tuple(map(ir.fresh, self.func.inputs))
        outs = tuple(ir.Value("", atom.type) for atom in helper.body.yields)
        public, partials = outs[: len(outs) - len(kept)], outs[len(outs) - len(kept) :]
        shadows = tuple(ir.fresh(v) for v in args if is_float_array(v.type))
        seeds = tuple(ir.fresh(v) for v in public if is_differentiable(v.type))
        b = Builder(self.func.origin, free=True)
        bars: dict[ir.Value, ir.Atom] = {
            v: b.compute(op, (seeds[0], partial), v.type)
            for v, partial in zip(self.wanted, partials, strict=True)
            if isinstance(v.type, Scalar)
        }
        floats = [v for v in self.func.inputs if is_float_number(v.type)]
        block = b.block([bars.get(v) or _zero(v) for v in floats])
        pullback = _rule(helper, (*args, *outs, *shadows, *seeds), block)
        none = frozenset[int]()
        changes = {func.name: none for func in (helper, fwd, pullback)}
        return Parts(helper, pullback, (fwd,), kept, changes)

    def _result(self, kept: Sequence[ir.Value]) -> Type:
        return Tuple((self.func.result, _packed(kept))) if kept else self.func.result

    def _function(self, part: str, body: ir.Block, kept: Sequence[ir.Value], doc: str) -> ir.Func:
        """The function of the helper's inputs that returns what ``body`` yields."""
        func = self.func
        params = tuple(replace(p, default=None, kwonly=False) for p in func.params)
        return ir.Func(self._name(part), params, self._result(kept), body, doc, func.origin)

    def _reverse(
        self, body: ir.Block, kept: tuple[ir.Value, ...], others: Sequence[ir.Value]
    ) -> ir.Func:
        """The reverse sweep: the cotangents of numbers; it adds to those of arrays."""
        packed = [ir.Param("residuals", _packed(kept), kept)] if kept else []
        types = tuple(a.type for a in body.yields)
        result = types[0] if len(types) == 1 else Tuple(types) if types else NONE
        doc = docstrings.helper_pullback(short(self.func.name))
        params = (*packed, *_params(others, {p.name for p in packed}))
        return ir.Func(self._name("pullback"), params, result, body, doc, self.func.origin)

    def _helper(self, fwd: ir.Func, kept: Sequence[ir.Value]) -> ir.Func:
        """The helper as its callers see it: a call of the forward sweep."""
        name, rule = (part_name(self.func.name, part) for part in ("rule", "rule_pullback"))
        made = ir.calling_only(fwd, fwd.name)
        return replace(made, name=name, doc="", pullback=rule, kept=len(kept))

    def _pullback(
        self,
        reverse: ir.Func,
        helper: ir.Func,
        forward: ir.Block,
        given: Sequence[ir.Value],
        shadows: Mapping[ir.Value, ir.Value],
        y_bars: Sequence[Bar],
    ) -> tuple[ir.Func, frozenset[int]]:
        """The pullback as `ir.Func` says what it takes; and the inputs that it writes."""
        args = tuple(map(ir.fresh, self.func.inputs))
        outs = tuple(ir.Value("", atom.type) for atom in helper.body.yields)
        public = helper.public(outs)
        of: dict[ir.Atom, ir.Value] = dict(zip(forward.yields, public, strict=True))
        of |= dict(zip(self.func.inputs, args, strict=True))
        bars_of = {v: ir.fresh(v) for v in self.func.inputs if is_float_array(v.type)}
        seeds = {bar: ir.fresh(bar) for bar in y_bars if bar is not None}
        numbers = [v for v in self.wanted if not is_float_array(v.type)]
        bars = {v: ir.Value("", v.type) for v in numbers}
        passed = (
            *outs[len(public) :], *(of[v] for v in given),
            *(bars_of[v] for v in shadows), *seeds.values(),
        )  # fmt: skip
        call = ir.Call(tuple(bars.values()), reverse.name, passed, self.func.origin)
        inputs = (*args, *outs, *bars_of.values(), *seeds.values())
        floats = [v for v in self.func.inputs if is_float_number(v.type)]
        yields = tuple(bars.get(v) or _zero(v) for v in floats)
        made = _rule(helper, inputs, ir.Block((call,), yields))
        written = {bars_of[v] for v in shadows}
        return made, frozenset(k for k, v in enumerate(inputs) if v in written)


def underived(func: ir.Func) -> Parts:
    """The helper ``func`` as it is, of which nobody wants a derivative."""
    return _Names(func, (), False).without()


def has_partials(func: ir.Func, wanted: Sequence[ir.Value]) -> bool:
    """True if ``func`` is one float64 and is differentiated with respect to such alone."""
    types = [atom.type for atom in (*func.body.yields, *wanted)]
    alone = len(func.body.yields) == 1 and bool(wanted)
    return alone and all(type_ == Scalar(DType.FLOAT64) for type_ in types)


def _asks(term: Term) -> bool:
    """True if ``term`` asks for its cotangent, now or when it has been differentiated again."""
    match term:
        case Apply("strong", (seed, *_)):
            return seed == SEED
        case _:
            return asks_for_seed(term)


def _rule(helper: ir.Func, inputs: Sequence[ir.Value], body: ir.Block) -> ir.Func:
    """The pullback of ``helper``, which takes ``inputs`` as `ir.Func` says."""
    assert helper.pullback is not None
    params = tuple(ir.Param(f"p{k}", v.type, (v,)) for k, v in enumerate(inputs))
    result = Tuple(tuple(a.type for a in body.yields))
    return ir.Func(helper.pullback, params, result, body, "", helper.origin)


def _zero(value: ir.Value) -> ir.Const:
    assert isinstance(value.type, Scalar)
    return ir.zero(value.type)


def _packed(values: Sequence[ir.Value]) -> Tuple:
    return Tuple(tuple(v.type for v in values))


def _params(values: Sequence[ir.Value], taken: set[str]) -> tuple[ir.Param, ...]:
    return tuple(ir.Param(free(v.hint or "t", taken), v.type, (v,)) for v in values)
