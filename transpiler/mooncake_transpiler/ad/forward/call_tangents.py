"""Functions that move tangents through calls, one for each set of arguments that have one.

    y = call g(x, a)        y, y_dot = call g_push_x(x, a, x_dot)

A function of the program that is called rather than inlined gets pushforwards that are called, too:
recursive ones call themselves. Those of functions with a pullback, and of primitives, are spliced
in: forward mode differentiates their bodies, which consist of primitives in the end. Those of
primitives, and of functions that have a better one than that, are stated in
``mooncake_rules.pushforwards``; they are lowered outside and given to the transform.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mooncake_rules.primitives import PRIMITIVES, pushforward

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.call.ruled_functions import Library
from mooncake_transpiler.ad.carried.reshapes import settle_reshapes
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.forward.push import TangentWriter, written_inputs
from mooncake_transpiler.ad.forward.ruled import by_pullback, goes_by_pullback
from mooncake_transpiler.ad.forward.tangents import Tangents
from mooncake_transpiler.ad.services import Static
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.analysis.memory import Memories, Mutated
from mooncake_transpiler.analysis.spans import Spans
from mooncake_transpiler.interface import docstrings
from mooncake_transpiler.interface.last_values import has_gradient, user_results
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.types import Tuple, is_differentiable, leaves


@dataclass(slots=True)
class Pushforwards:
    """The pushforwards that a subject with these callees asks for, made when first asked for."""

    callees: Callees
    subject: Subject
    lanes: int = 1
    again: bool = False  # what they give is differentiated again
    called: dict[str, ir.Func] = field(default_factory=dict)  # by name, in order of first use
    _names: dict[object, str] = field(default_factory=dict)
    _ignored: dict[str, frozenset[int]] = field(default_factory=dict)

    @property
    def program(self) -> ir.Program:
        return self.subject.program

    @property
    def library(self) -> Library:
        return self.callees.library

    @property
    def changes(self) -> Mutated:
        return self.callees.changes

    def inner(self) -> tuple[ir.Func, ...]:
        """The functions that are called rather than inlined, and their pushforwards."""
        return (*self.callees.helpers, *self.callees.funcs, *self.called.values())

    # ---- what Push asks -------------------------------------------------------------------------

    def sources(self, call: ir.Call) -> tuple[ir.Atom, ...]:
        """The arguments that ``call`` has a derivative with respect to."""
        ignored = self._ignored_by(call.func)
        return tuple(arg for k, arg in enumerate(call.args) if k not in ignored)

    def takes(self, call: ir.Call) -> tuple[int, ...]:
        ignored = self._ignored_by(call.func)
        written = self._written(call.func)
        return tuple(k for k in range(len(call.args)) if k not in ignored or k in written)

    def function(self, call: ir.Call, active: frozenset[int]) -> str:
        key = (call.func, active)
        if key not in self._names:
            func = self.program.funcs[call.func]
            name = self._names[key] = self._name(func, active)
            if func.pullback is None:
                self.called[name] = func  # so that it comes before those that it calls
                self.called[name] = self._pushed(func, name, active)
            elif self.library.is_helper(func.name) or goes_by_pullback(func):
                given = sorted(active)
                self.library.splice(by_pullback(func, name, given, self.library, self.lanes))
            else:
                self.library.splice(self._pushed(self._plain(func), name, active))
        return self._names[key]

    def is_stated(self, call: ir.Call) -> bool:
        return pushforward(_rule(call.func)) is not None

    def statement(self, call: ir.Call, active: frozenset[int]) -> str:
        args: tuple[Static, ...] = tuple(
            a if isinstance(a, ir.Const) else a.type for a in call.args
        )
        outs = tuple(out.type for out in call.outs)
        key = (call.func, args, outs, active)
        if key not in self._names:
            rule = _rule(call.func)
            func = self.subject.services.pushforward(rule, args, outs, active)
            self._names[key] = name = f"pushforwards:{short(rule)}__{len(self._names)}"
            self.library.splice(self.library.prune(replace(func, name=name)))
        return self._names[key]

    def public(self, call: ir.Call) -> tuple[ir.Value, ...]:
        if call.func in PRIMITIVES:
            return call.outs
        return self.program.funcs[call.func].public(call.outs)

    # ---- functions ------------------------------------------------------------------------------

    def _ignored_by(self, name: str) -> frozenset[int]:
        if name not in self.library.names:
            return frozenset()
        if name not in self._ignored:
            self._ignored[name] = self.library.ignored(name)
        return self._ignored[name]

    def _written(self, name: str) -> frozenset[int]:
        known = PRIMITIVES.get(name)
        return self.changes[name] if known is None else frozenset(known.writes)

    def _plain(self, func: ir.Func) -> ir.Func:
        """A function with a pullback, as one without calls, but of those with a pushforward."""
        stated = (name for name in self.program.funcs if pushforward(_rule(name)) is not None)
        return self.library.prune(self.library.complete(func.name, kept=frozenset(stated)))

    def _name(self, func: ir.Func, active: frozenset[int]) -> str:
        """``g_push``, with the arguments that have tangents if these are not all that could."""
        floats = [k for k, v in enumerate(func.inputs) if is_differentiable(v.type)]
        labels = [func.inputs[k].hint or str(k) for k in sorted(active)]
        push = "push" if self.lanes == 1 else f"push{self.lanes}"
        name = (
            f"{func.name}_{push}"
            if len(active) == len(floats)
            else ("_".join((f"{func.name}_{push}", *labels)))
        )
        taken = {*self._names.values(), *self.program.funcs}
        while name in taken:
            name += "_"
        return name

    def _pushed(self, func: ir.Func, name: str, active: frozenset[int]) -> ir.Func:
        """``func`` with a tangent for each input at ``active`` and for each float result."""
        push = self.push(func, [func.inputs[k] for k in sorted(active)], of_caller=True)
        b = Builder(func.origin, free=True)
        dots = [push.tangents.new(func.inputs[k]) for k in sorted(active)]
        for value in written_inputs(push.memories, func.inputs):
            if push.tangents.get(value) is None and push.activity.active(value):
                push.tangents.set(value, push.tangents.zeros(value, b))
        types = tuple(leaves(func.result))
        public = func.public(types)
        floats = [k for k, type_ in enumerate(public) if is_differentiable(type_)]
        body = push.block(func.body, floats, b)
        params = [replace(param, default=None, kwonly=False) for param in func.params]
        given = [dot for lanes in dots for dot in lanes]
        extra = [ir.Param(_free(dot.hint or "t_dot", params), dot.type, (dot,)) for dot in given]
        for param in extra:
            params.append(replace(param, name=_free(param.name, params)))
        tangents = [types[k] for k in floats for _ in range(self.lanes)]
        doc = docstrings.pushforward(short(func.name))
        return ir.Func(name, tuple(params), Tuple((*types, *tangents)), body, doc, func.origin)

    def push(self, func: ir.Func, active: Sequence[ir.Value], *, of_caller: bool) -> TangentWriter:
        """The transform of ``func`` where the inputs ``active`` have tangents.

        ``of_caller``: all that it writes to its arguments is a result.
        """
        memories = Memories(func, self.changes, self.library.names)
        settle_reshapes(func, memories, public=False)  # for its refusals: the rest is no matter
        outputs = [v for v in written_inputs(memories, func.inputs) if of_caller or v in active]
        last = func.body.yields[len(user_results(func)) :]
        outputs += [atom for atom in last if isinstance(atom, ir.Value)]
        activity = Activity(func, memories, active, outputs, self.sources)
        results = user_results(func) if not of_caller and has_gradient(func) else ()
        spans = Spans(func, memories, activity.active, results)
        return TangentWriter(memories, activity, spans, self, Tangents(self.lanes))


def _free(name: str, params: Sequence[ir.Param]) -> str:
    taken = {param.name for param in params}
    while name in taken:
        name += "_"
    return name


def _rule(name: str) -> str:
    """The name of a function in the rules, without the number of its lowered version."""
    return name.partition("__")[0]
