"""``f_hvp``: forward mode applied to what reverse mode returns.

    f_grad(x)                     f_hvp(x, x_dot)
    x_bar = 2.0 * x               x_bar = 2.0 * x
                                  x_bar_dot = 2.0 * x_dot
    return x_bar                  return x_bar, x_bar_dot

All that reverse mode emits is in normal form: saved values, stacks, shadows and what is wound back
have tangents like anything else, so those of arguments that are written are restored, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.derive import Derived
from mooncake_transpiler.ad.forward.derive import pushed_along
from mooncake_transpiler.ad.forward.signature import JvpSignature, tangent_leaves
from mooncake_transpiler.ad.orders.rules import Rules
from mooncake_transpiler.ad.second.subject import Subject
from mooncake_transpiler.ad.signatures import Signatures


def derive_hvp(func: ir.Func, wrt: Sequence[str], program: ir.Program, rules: Rules) -> Derived:
    """``f_hvp`` with respect to the parameters ``wrt``, and the functions that it calls.

    ``func`` and ``program`` are inlined and simplified. Raises ``Refused`` where something can't be
    differentiated, twice.
    """
    subject = Subject.gradient(func, wrt, program, rules)
    pushes = subject.pushes(1)
    signature = JvpSignature.of(subject.primal, wrt, subject.callees.changes)
    gradient = subject.func
    body = pushed_along(gradient, signature, list(tangent_leaves(gradient.result)), pushes)
    structs = Signatures(func, tuple(wrt), subject.callees.changes).structs
    hvp = signature.hvp(body, gradient.result)
    return subject.finished(hvp, (), pushes, (*structs, *signature.structs))
