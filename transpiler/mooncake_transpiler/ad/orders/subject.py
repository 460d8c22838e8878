"""The subject of the next mode in a composition: a derivative that is differentiated again.

    reverse       f_grad, if f returns one real number; else f_vjp, whose y_bar is a parameter
    forward       f_jvp, whose tangents are parameters

It is a function in normal form like one of the user's: with names, parameters and a result, and
with stacks as growable arrays (`ad/growable_tapes.py`). Calls of functions with a pullback stand in
it as they are, so that rules of users and ``@nondiff`` hold; but not those that keep floats for
their pullback, which has been applied by now: what these are the derivative of, only the body
tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import has_gradient, without_last_values
from mooncake_transpiler.ad.callees import Callees
from mooncake_transpiler.ad.calls import callees
from mooncake_transpiler.ad.derive import Derivations
from mooncake_transpiler.ad.forward.calls import Pushforwards
from mooncake_transpiler.ad.forward.derive import reached, unfinished_jvp
from mooncake_transpiler.ad.forward.signature import JvpSignature
from mooncake_transpiler.ad.orders.primitives import with_pullbacks
from mooncake_transpiler.ad.orders.rules import Rules
from mooncake_transpiler.ad.signatures import Signatures
from mooncake_transpiler.types import Tuple, is_differentiable


@dataclass(frozen=True, slots=True)
class Subject:
    """A function, the parameters that it is differentiated with respect to, and what it calls.

    ``structs`` are the NamedTuples of its signature that no user has defined.
    """

    func: ir.Func
    wrt: tuple[str, ...]
    program: ir.Program
    structs: tuple[Tuple, ...] = ()


def differentiated(subject: Subject, mode: str, rules: Rules) -> Subject:
    """The subject of the next mode once ``mode`` has been applied to ``subject``."""
    made = _reversed(subject, rules) if mode == "reverse" else _pushed(subject, rules)
    return replace(made, structs=(*subject.structs, *made.structs))


def reversible(subject: Subject, rules: Rules) -> Subject:
    """``subject`` with functions that have a pullback in place of primitives, for reverse mode."""
    own = [subject.func, *callees(subject.func, subject.program)]
    changed = [with_pullbacks(func, rules.ruled) for func in own]
    return _prepared(subject, changed, {**subject.program.funcs, **rules.ruled.funcs}, rules)


def _prepared(
    subject: Subject, own: Sequence[ir.Func], others: dict[str, ir.Func], rules: Rules
) -> Subject:
    """``subject`` for the functions ``own``, its own first, ready to be differentiated."""
    program = ir.Program({**others, **{func.name: func for func in own}})
    ready = [rules.prepare(func, program) for func in own]
    known = {**others, **{func.name: func for func in ready}}
    called = reached(ready[:1], list(known.values()))
    program = ir.Program({func.name: func for func in (*called, ready[0])})
    return replace(subject, func=ready[0], program=program)


def _reversed(subject: Subject, rules: Rules) -> Subject:
    func = rules.prune(without_last_values(subject.func))
    program, wrt = subject.program, subject.wrt
    callees = Callees.of(func, program, rules.prune)
    derivations = Derivations.of_callees(callees, rules.prune, again=True)
    active = [v for p in func.params if p.name in wrt for v in p.leaves]
    names = Signatures(func, wrt, callees.changes)
    derivation = derivations.of(func, active, wrt)
    if has_gradient(func):
        made = derivation.gradient()
    else:
        made = derivation.joined()
        wrt = (*wrt, *((names.y_bar_name,) if is_differentiable(func.result) else ()))
    own = [callees.library.opened(one) for one in (made, *derivations.inner(callees.funcs))]
    next_ = Subject(made, wrt, program, names.structs)
    return _prepared(next_, own, dict(program.funcs), rules)


def _pushed(subject: Subject, rules: Rules) -> Subject:
    func = rules.prune(without_last_values(subject.func))
    program = subject.program
    callees = Callees.of(func, program, rules.prune)
    pushes = Pushforwards.of_callees(callees, program, rules.stated, again=True)
    signature = JvpSignature.of(func, subject.wrt, callees.changes)
    made = unfinished_jvp(func, signature, pushes)
    others = (*callees.funcs, *pushes.called.values())
    own = [callees.library.opened(one) for one in (made, *others)]
    wrt = (*subject.wrt, *signature.dot_names)
    next_ = Subject(made, wrt, program, signature.structs)
    return _prepared(next_, own, dict(program.funcs), rules)
