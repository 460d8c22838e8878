"""The letters, modes that are applied to a subject: its derivative can be differentiated again.

    reverse       f_grad, if f returns one real number; else f_vjp, whose y_bar is a parameter
    forward       f_jvp, whose tangents are parameters

What is made is a function like one of the user's: with names, parameters and a result, and with
stacks as growable arrays (`ad/tape/growable_tapes.py`).
"""

from __future__ import annotations

from mooncake_transpiler.ad.compose.reversible import reversible
from mooncake_transpiler.ad.derivations import Derivations
from mooncake_transpiler.ad.forward.call_tangents import Pushforwards
from mooncake_transpiler.ad.forward.jvp import pushed_along
from mooncake_transpiler.ad.helper_pullbacks import with_helpers
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.interface.forward_mode import ForwardInterface
from mooncake_transpiler.interface.last_values import has_gradient
from mooncake_transpiler.interface.reverse_mode import ReverseInterface
from mooncake_transpiler.types import is_differentiable


def applied(mode: str, subject: Subject) -> Subject:
    """The subject that ``mode`` makes of ``subject``."""
    return _reverse(reversible(subject)) if mode == "reverse" else _forward(subject)


def _reverse(subject: Subject) -> Subject:
    alone, callees = with_helpers(subject.alone(), again=True)
    func, wrt = alone.func, alone.wrt
    derivations = Derivations(callees, again=True, on_device=subject.services.on_device)
    names = ReverseInterface.of(func, wrt, callees.changes)
    derivation = derivations.of(func, alone.active, wrt)
    if has_gradient(func):
        made = derivation.gradient()
    else:
        made = derivation.joined()
        wrt = (*wrt, *((names.y_bar_name,) if is_differentiable(func.result) else ()))
    return alone.next(made, derivations.inner(), callees, wrt, names.structs)


def _forward(subject: Subject) -> Subject:
    alone = subject.alone()
    callees = alone.callees()
    pushes = Pushforwards(callees, alone, again=True)
    names = ForwardInterface.of(alone.func, alone.wrt, callees.changes)
    made = names.jvp(pushed_along(alone.func, names, list(names.carried()), pushes))
    return alone.next(made, pushes.inner(), callees, (*alone.wrt, *names.dot_names), names.structs)
