"""Helpers that are called from several places: each has a forward and a reverse sweep of its own.

    y = call g(x)                 y, *kept = call g.fwd(x)
                                  ...
                                  x_bar = call g.pullback(*kept, x, y_bar)

While its callers are differentiated such a helper is like a function of the library: one with a
pullback, whose last results are there for that alone. What stands for its body in the end is the
one call of ``g.fwd``, and for its pullback that of ``g.pullback``. So callers save what it keeps
where they save other values: in residuals, on tapes of loops, or not at all.

A helper that can't be split so is put in line: one whose pullback needs memory that is not its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.derivations import Derivations
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.forward.along_units import along_units, is_of_numbers, masks
from mooncake_transpiler.ad.forward.call_tangents import Pushforwards
from mooncake_transpiler.ad.helper_sweeps import HelperDerivation, Parts, has_partials, underived
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.shapes import CallExtents
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar, is_differentiable

Active = frozenset[int]  # positions of the inputs that a helper is differentiated with respect to


def with_helpers(
    subject: Subject, *, again: bool = False, forward: bool = False
) -> tuple[Subject, Callees]:
    """``subject``, the helpers of which have a pullback, and its callees.

    ``again``: what is made of it is differentiated. Where it is differentiated ``forward``, that
    goes for helpers whose pullback is a product with their partials.
    """
    callees = subject.callees()
    names = _helpers(callees)
    if not names:
        return subject, callees
    splitter = _Splitter(subject, callees, again)
    active = _activities(subject, callees, names)
    for name in names:
        splitter.split(name, active.get(name, frozenset()))
    if forward:
        splitter.join()
    return splitter.subject(), splitter.callees()


def _helpers(callees: Callees) -> list[str]:
    """The functions among ``callees`` that may have a pullback, callees first."""
    graph = {func.name: _called(func) for func in callees.funcs}
    found: dict[str, bool] = {}  # in this order; False for others

    def visit(name: str, around: tuple[str, ...]) -> bool:
        if name in around:
            return False
        if name not in found:
            inner = [visit(one, (*around, name)) for one in graph[name] if one in graph]
            found[name] = all(inner) and not callees.changes[name]
        return found[name]

    for func in callees.funcs:
        visit(func.name, ())
    by_name = {func.name: func for func in callees.funcs}
    return [name for name, fits in found.items() if fits and _is_of_numbers(by_name[name])]


def _called(func: ir.Func) -> list[str]:
    return [stmt.func for stmt in ir.walk(func.body) if isinstance(stmt, ir.Call)]


def _is_of_numbers(func: ir.Func) -> bool:
    atoms = (*func.inputs, *func.body.yields)
    return all(isinstance(atom.type, Scalar | Array) for atom in atoms)


def _activities(subject: Subject, callees: Callees, names: Sequence[str]) -> Mapping[str, Active]:
    """The inputs of the helpers ``names`` that have a cotangent in some call."""
    found: dict[str, Active] = {}
    by_name = {func.name: func for func in callees.funcs}

    def note(func: ir.Func, active: Sequence[ir.Value], written: Sequence[ir.Value]) -> None:
        memories = Memories(func, callees.changes, callees.library.names)
        activity = Activity(func, memories, active, written)
        for stmt in ir.walk(func.body):
            if not isinstance(stmt, ir.Call) or stmt.func not in names:
                continue
            if any(map(activity.active, stmt.outs)):
                given = {k for k, arg in enumerate(stmt.args) if activity.active(arg)}
                found[stmt.func] = found.get(stmt.func, frozenset()) | given

    note(subject.func, subject.active, ())
    for func in callees.funcs:
        if func.name not in names:
            note(func, func.inputs, [func.inputs[k] for k in sorted(callees.changes[func.name])])
    for name in reversed(names):
        func = by_name[name]
        note(func, [func.inputs[k] for k in sorted(found.get(name, ()))], ())
    return found


class _Splitter:
    """The functions of a subject while its helpers get their pullbacks, one after another."""

    def __init__(self, subject: Subject, callees: Callees, again: bool) -> None:
        self._subject = subject
        self._callees = callees
        self._again = again
        self._own = {f.name: f for f in (*callees.funcs, subject.func)}
        self._changes: dict[str, frozenset[int]] = dict(callees.changes)
        self._parts: dict[str, Parts] = {}
        self._idle: set[str] = set()  # helpers without a derivative here

    def split(self, name: str, active: Active) -> None:
        """Give the helper ``name`` a pullback, or put it in line."""
        func = self._own.pop(name)
        if not active:
            self._idle.add(name)
        parts = self._parts_of(func, active)
        self._own = {key: self._without(caller, func, parts) for key, caller in self._own.items()}
        if parts is not None:
            self._parts[name] = parts
            self._changes |= parts.changes
            sweeps = (sweep.name for sweep in parts.sweeps)
            self._callees.library.add_helper(parts.func, parts.pullback, sweeps)

    def join(self) -> None:
        """Leave those helpers as they were whose pullback is more than a product."""
        products = {name: parts for name, parts in self._parts.items() if parts.is_product}
        funcs = (*self._callees.funcs, self._subject.func)
        self._own = {f.name: f for f in funcs if f.name not in products}
        for name, parts in products.items():
            self._own = {
                key: func if key in self._idle else _keeping(func, name, parts)
                for key, func in self._own.items()
            }

    def _parts_of(self, func: ir.Func, active: Active) -> Parts | None:
        """The parts of ``func``; None where its sweeps can't be split.

        One function serves all calls: partials are all made at once, if that can be.
        """
        if not active:
            return underived(self._subject.program.funcs[func.name])
        every = [v for v in func.inputs if is_differentiable(v.type)]
        wanted = [func.inputs[k] for k in sorted(active)]
        for inputs in (every, wanted) if has_partials(func, every) else (wanted,):
            with suppress(Refused):  # in line more is known, and what is not is refused there
                return self._derived(func, inputs)
        return None

    def _derived(self, func: ir.Func, wanted: Sequence[ir.Value]) -> Parts:
        on_device = self._subject.services.on_device
        shared = Derivations(self.callees(), again=self._again, on_device=on_device)
        facts, names, _ = shared.facts(func, wanted, None)
        forward = self._along_units(func, wanted) if has_partials(func, wanted) else None
        return HelperDerivation(facts, names, shared).parts(wanted, forward)

    def _along_units(self, func: ir.Func, wanted: Sequence[ir.Value]) -> ir.Block | None:
        """The value and the derivative of ``func`` by forward mode: each branch stands once.

        None where there are several derivatives, calls, or cases that reverse mode masks.
        """
        if len(wanted) > 1 or self._again or not is_of_numbers(func):
            return None
        push = Pushforwards(self.callees(), self.subject()).push(func, wanted, of_caller=False)
        if masks(func, push):
            return None
        return along_units(func, wanted, push, Builder(func.origin, free=True))

    def _without(self, caller: ir.Func, func: ir.Func, parts: Parts | None) -> ir.Func:
        """``caller`` for the new results of ``func``; or with its body, if it has no ``parts``."""
        if func.name not in _called(caller):
            return caller
        if parts is not None:
            return _keeping(caller, func.name, parts)
        program = ir.Program({**self._subject.program.funcs, **self._own})
        return self._subject.services.prepared(_in_line(caller, func), program)

    def subject(self) -> Subject:
        subject, parts = self._subject, self._parts.values()
        rules = {func.name: func for one in parts for func in (one.func, one.pullback)}
        program = ir.Program({**subject.program.funcs, **self._own, **rules})
        return replace(subject, func=self._own[subject.func.name], program=program)

    def callees(self) -> Callees:
        """The callees of what there is by now."""
        old = self._callees
        made = [part for parts in self._parts.values() for part in parts.all]
        sweeps = {one.name: one for parts in self._parts.values() for one in parts.sweeps}
        plain = {f.name: f for f in old.funcs if f.name not in self._own}  # what is not derived
        return replace(
            old,
            funcs=tuple(self._own[f.name] for f in old.funcs if f.name in self._own),
            changes=dict(self._changes),
            extents=CallExtents((*old.ruled, *made)),
            helpers=tuple({**plain, **sweeps}.values()),
        )


def _keeping(caller: ir.Func, name: str, parts: Parts) -> ir.Func:
    """``caller``, whose calls of ``name`` have the results that ``parts`` keep, too."""

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not isinstance(stmt, ir.Call) or stmt.func != name:
            return None
        outs = (*stmt.outs, *(ir.Value("", v.type) for v in parts.kept))
        return [replace(stmt, outs=outs, func=parts.func.name)]

    return replace(caller, body=ir.rewritten(caller.body, change))


def _in_line(caller: ir.Func, func: ir.Func) -> ir.Func:
    """``caller`` with the body of ``func`` in place of its calls."""
    names: dict[ir.Value, ir.Atom] = {}

    def change(stmt: ir.Stmt) -> Sequence[ir.Stmt] | None:
        if not isinstance(stmt, ir.Call) or stmt.func != func.name:
            return None
        given = dict(zip(func.inputs, stmt.args, strict=True))
        body = cloning.block(func.body, given, origin=stmt.origin)
        names.update(zip(stmt.outs, body.yields, strict=True))
        return body.stmts

    return replace(caller, body=ir.rewritten(caller.body, change, ir.substitution(names)))
