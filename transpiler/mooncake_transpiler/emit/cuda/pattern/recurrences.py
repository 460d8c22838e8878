"""Linear recurrences: each iteration is a linear function of what the one before has made.

for i in 0..n step 1 (s = s0):       factors[i] = a[i], terms[i] = b[i], for all i
  t = mul a[i], s                    states = those of the recurrence, from s0 on
  u = add t, b[i]                    y[i] = states[i] * a[i] + b[i], for all i
  y[i] = u
  yield u

Linear functions can be composed in any order, so parts of a long loop are made at a time. What a
carried number is computed by may depend on others, which are found before it, as a product is found
before its tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.host_functions import RECURRENCE
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop.early_writes import read_first
from mooncake_transpiler.emit.cuda.loop.lifting import needed
from mooncake_transpiler.emit.cuda.loop.nests import independent, is_reversed, trip
from mooncake_transpiler.types import BOOL, INT, Array, Scalar


@dataclass(frozen=True, slots=True)
class LinearState:
    """A state: ``states`` has ``init``, and what becomes of it by ``factors`` and ``terms``."""

    out: ir.Value
    init: ir.Atom
    factors: ir.Value
    terms: ir.Value
    states: ir.Value


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Each of ``rounds`` is a loop that stores factors and terms, and the states that these make.

    ``then`` is what is left, once all states are there.
    """

    count: ir.Atom
    rounds: tuple[tuple[ir.For, tuple[LinearState, ...]], ...]
    is_reversed: bool
    then: ir.For


@dataclass(frozen=True, slots=True)
class _Form:
    """A linear function ``factor * param + term``; without a param one that is not known."""

    param: ir.Value | None
    factor: ir.Atom
    term: ir.Atom


def run_rounds(
    host: Host,
    parts: Recurrence,
    loop: ir.For,
    count: ir.Atom,
    settled: Callable[[Sequence[ir.Atom]], Sequence[ir.Atom]],
) -> None:
    """For each round a kernel that stores factors and terms, and the states that CuPy makes."""
    loops = [*(first for first, _ in parts.rounds), parts.then]
    new = (s for one in loops for s in ir.walk(one.body))
    host.defs.stmt.update(ir.binding(new))
    for first, states in parts.rounds:
        nests = independent(first, host.integers)
        if len(nests) != 1:
            raise host.refuse(loop, "MK603", "a loop over elements that need one another")
        for array in (array for state in states for array in (state.factors, state.terms)):
            host.alloc(array, [count])
        host.check(ir.walk(first.body))
        Launch(host, nests[0], first).run()
        for state in states:
            (init,) = settled((state.init,))
            way = ir.Const(parts.is_reversed, BOOL)
            args = (state.factors, state.terms, init, way)
            host.emit(RECURRENCE.call((state.states,), args))


def recurrence(loop: ir.For, defs: Definitions) -> Recurrence | None:
    """``loop`` taken apart, if all that it carries is a sum of all, or linear in what it was."""
    count = trip(loop, defs)
    if count is None or loop.exit:
        return None
    pending = [k for k in range(len(loop.params)) if not _is_sum(loop, k)]
    if not pending or not all(_is_float(loop.params[k]) for k in pending):
        return None
    kept = [k for k in range(len(loop.params)) if k not in pending]
    loads: list[ir.Stmt] = []  # what earlier iterations have made
    rounds = []
    while pending:
        forms = _Forms([loop.params[k] for k in (*pending, *kept)])
        forms.visit(loop.body.stmts)
        found = {k: form for k in pending if (form := forms.of_own(loop, k)) is not None}
        if not found:
            return None
        states = tuple(_state(loop, k) for k in found)
        stores: list[ir.Stmt] = []
        for state, form in zip(states, found.values(), strict=True):
            stores.append(ir.Store(state.factors, (loop.index,), form.factor, loop.origin))
            stores.append(ir.Store(state.terms, (loop.index,), form.term, loop.origin))
        pure = [s for s in loop.body.stmts if not any(map(_writes, ir.within(s)))]
        body = needed(ir.Block((*loads, *pure, *forms.made, *stores)))
        rounds.append((replace(loop, params=(), inits=(), outs=(), body=body), states))
        loads += (s for k, st in zip(found, states, strict=True) for s in _before(loop, k, st))
        pending = [k for k in pending if k not in found]
    written = defs.written([loop]) - read_first(loop, defs)
    if not written.isdisjoint(defs.loaded(first for first, _ in rounds)):
        return None
    then = ir.only_carried(loop, [k in kept for k in range(len(loop.params))])
    then = replace(then, body=ir.with_stmts(then.body, (*loads, *then.body.stmts)))
    return Recurrence(count, tuple(rounds), is_reversed(loop), then)


def _is_float(value: ir.Value) -> bool:
    return isinstance(value.type, Scalar) and value.type.dtype.is_differentiable


def _is_sum(loop: ir.For, k: int) -> bool:
    """True if all that is done with a carried number is to add to it."""
    param, total = loop.params[k], loop.body.yields[k]
    inside = [atom for stmt in loop.body.stmts for atom in ir.used_by(stmt)]
    if total in inside or inside.count(param) != 1:
        return False
    made = next((s for s in loop.body.stmts if total in ir.outs(s)), None)
    return isinstance(made, ir.Compute) and made.op in ("add", "radd") and param in made.args


def _state(loop: ir.For, k: int) -> LinearState:
    type_ = loop.params[k].type
    assert isinstance(type_, Scalar)
    arrays = [ir.Value(name, Array(type_.dtype, 1)) for name in ("factors", "terms", "states")]
    return LinearState(loop.outs[k], loop.inits[k], *arrays)


def _before(loop: ir.For, k: int, state: LinearState) -> Iterator[ir.Stmt]:
    """The numbers that an iteration is given by those before it."""
    at: ir.Value = loop.index
    if is_reversed(loop):
        at = ir.Value("", INT)
        yield ir.Compute(at, "add", (loop.index, ir.ONE))
    yield ir.Load(loop.params[k], state.states, (at,), loop.origin)


def _writes(stmt: ir.Stmt) -> bool:
    return bool(list(ir.written(stmt)))


# ---- what is linear -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Forms:
    """The values of an iteration that depend on ``params``, as linear functions of one of them.

    ``made``: what their factors and terms are computed by.
    """

    params: Sequence[ir.Value]
    made: list[ir.Stmt] = field(default_factory=list)
    found: dict[ir.Atom, _Form] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for param in self.params:
            type_ = param.type
            assert isinstance(type_, Scalar)
            self.found[param] = _Form(param, ir.Const(1.0, type_), ir.zero(type_))

    def of_own(self, loop: ir.For, k: int) -> _Form | None:
        """The new value of the carried number, if that is linear in it and in no other one."""
        total = loop.body.yields[k]
        form = self.form(total)
        return form if form.param is loop.params[k] or total not in self.found else None

    def form(self, atom: ir.Atom) -> _Form:
        if atom in self.found:
            return self.found[atom]
        assert isinstance(atom.type, Scalar)
        return _Form(None, ir.zero(atom.type), atom)

    def visit(self, stmts: Sequence[ir.Stmt]) -> None:
        for stmt in stmts:
            if self.found.keys().isdisjoint(ir.used_by(stmt)):
                continue
            if isinstance(stmt, ir.If) and self.chosen(stmt):
                continue
            form = self.linear(stmt) if isinstance(stmt, ir.Compute) else None
            for out in ir.outs(stmt):
                self.found[out] = form or _Form(None, out, out)

    def chosen(self, stmt: ir.If) -> bool:
        """True if both arms of ``stmt`` are linear in one number, and may both be computed."""
        inner = [s for block in ir.blocks(stmt) for s in block.stmts]
        if stmt.cond in self.found or not all(isinstance(s, ir.Compute) for s in inner):
            return False
        self.visit(inner)
        self.made += (s for s in inner if self.found.keys().isdisjoint(ir.outs(s)))
        for out, *arms in zip(stmt.outs, stmt.then.yields, stmt.orelse.yields, strict=True):
            forms = [self.form(a) for a in arms]
            late = {form.param for form, a in zip(forms, arms, strict=True) if a in self.found}
            param = late.pop() if len(late) == 1 else None
            if param is None and any(a in self.found for a in arms):
                self.found[out] = _Form(None, out, out)
            elif param is not None:
                self.found[out] = self.select(param, stmt.cond, *forms)
        return True

    def select(self, param: ir.Value, cond: ir.Atom, a: _Form, b: _Form) -> _Form:
        pairs = (a.factor, b.factor), (a.term, b.term)
        return _Form(param, *(self.compute("select", cond, *pair) for pair in pairs))

    def linear(self, stmt: ir.Compute) -> _Form | None:
        if not isinstance(stmt.out.type, Scalar) or any(
            a.type != stmt.out.type for a in stmt.args if a.type != BOOL
        ):
            return None
        args = [self.form(a) if a.type != BOOL else None for a in stmt.args]
        late = [k for k, a in enumerate(stmt.args) if a in self.found]
        params = {self.found[stmt.args[k]].param for k in late}
        if len(params) != 1 or (param := params.pop()) is None:
            return None
        match stmt.op, args:
            case ("add" | "radd" | "sub" as op, [_Form() as a, _Form() as b]):
                name = "sub" if op == "sub" else "add"
                pairs = (a.factor, b.factor), (a.term, b.term)
                return _Form(param, *(self.compute(name, *pair) for pair in pairs))
            case ("neg", [_Form() as a]):
                return _Form(param, self.compute("neg", a.factor), self.compute("neg", a.term))
            case ("mul" | "rmul" | "div", [_Form() as a, _Form() as b]) if len(late) == 1:
                if late == [1] and stmt.op == "div":
                    return None
                own, other = (a, b.term) if late == [0] else (b, a.term)
                name = "div" if stmt.op == "div" else "mul"
                parts = (self.compute(name, part, other) for part in (own.factor, own.term))
                return _Form(param, *parts)
            case ("select" | "where", [None, _Form() as a, _Form() as b]) if 0 not in late:
                return self.select(param, stmt.args[0], a, b)
            case _:
                return None

    def compute(self, op: str, *args: ir.Atom) -> ir.Atom:
        """``op`` of ``args``, without what is known of 0 and 1."""
        match op, args:
            case ("add" | "sub", (a, b)) if ir.is_zero(b):
                return a
            case ("add", (a, b)) if ir.is_zero(a):
                return b
            case (_, (a, *_)) if op in ("neg", "mul", "div") and ir.is_zero(a):
                return a
            case ("mul", (ir.Const(value=1.0), b)):
                return b
            case _:
                out = ir.Value("", args[-1].type)
                self.made.append(ir.Compute(out, op, args))
                return out
