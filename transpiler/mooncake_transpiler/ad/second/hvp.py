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
from mooncake_transpiler.ad.forward.arguments import Argument, check_shapes, check_spans
from mooncake_transpiler.ad.forward.derive import pushed, with_choices
from mooncake_transpiler.ad.forward.signature import JvpSignature
from mooncake_transpiler.ad.orders.rules import Rules
from mooncake_transpiler.ad.second.subject import Subject
from mooncake_transpiler.ad.signatures import Signatures
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import is_differentiable


def derive_hvp(func: ir.Func, wrt: Sequence[str], program: ir.Program, rules: Rules) -> Derived:
    """``f_hvp`` with respect to the parameters ``wrt``, and the functions that it calls.

    ``func`` and ``program`` are inlined and simplified. Raises ``Refused`` where something can't be
    differentiated, twice.
    """
    subject = Subject.gradient(func, wrt, program, rules)
    pushes = subject.pushes(1)
    signature = JvpSignature.of(subject.primal, wrt, subject.changes)
    gradient = subject.func
    b = Builder(func.origin)
    given = [Argument(v, (dot,)) for v, dot in signature.tangents]
    check_shapes(given, b)
    check_spans(signature.shapes, b)
    carried = [k for k, v in enumerate(gradient.body.yields) if is_differentiable(v.type)]
    body = pushed(gradient, given, carried, pushes, b)
    count = len(gradient.body.yields)
    product = with_choices(gradient.result, body.yields, iter(body.yields[count:]))
    body = ir.Block(body.stmts, (*body.yields[:count], *product))
    structs = Signatures(func, tuple(wrt), subject.changes).structs
    hvp = signature.hvp(body, gradient.result)
    return subject.finished(hvp, (), pushes, (*structs, *signature.structs))
