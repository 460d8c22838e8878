"""The derivative functions of one user function, in normal form."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler.ad.derivations import Derivations
from mooncake_transpiler.ad.helper_pullbacks import with_helpers
from mooncake_transpiler.ad.reverse.debug_checks import checked, placeholders, reverses
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.interface.last_values import has_gradient
from mooncake_transpiler.interface.reverse_mode import ReverseInterface


def derive(subject: Subject, *, checks: bool = False) -> Derived:
    """The reverse-mode derivatives of ``subject``, which is inlined and simplified.

    With ``checks`` what is made compares shadows with their primals. Raises ``Refused`` where
    something can't be differentiated.
    """
    subject, callees = (subject, subject.callees()) if checks else with_helpers(subject)
    func, wrt = subject.func, subject.wrt
    derivations = Derivations(callees, on_device=subject.services.on_device)
    inner = list(derivations.inner())
    made = derivations.of(func, subject.active, wrt)
    fwd, pullback = made.split()
    names = ReverseInterface.of(func, wrt, callees.changes)
    funcs = [fwd, pullback]
    alone = subject.alone()
    if alone.func.body is not func.body:
        made = derivations.of(alone.func, alone.active, wrt)
    if has_gradient(func):
        vjp = made.vjp()
        funcs += [vjp, names.value_and_grad(vjp), names.grad(vjp)]
    else:
        funcs.append(made.joined())
    derived = subject.derived(funcs, inner, callees, names.structs)
    return _checked(derived, derivations) if checks else derived


def _checked(derived: Derived, derivations: Derivations) -> Derived:
    """``derived``, where shadows are compared with their primals."""
    callees, pairs = derivations.callees, derivations.pairs
    known = reverses(callees.funcs, callees.changes)
    unsure = frozenset(placeholders(*derived.funcs[:2]))
    inner = tuple(checked(f, pairs, known) for f in derived.inner)
    funcs = tuple(checked(f, pairs, known, unsure) for f in derived.funcs)
    return replace(derived, inner=inner, funcs=funcs)
