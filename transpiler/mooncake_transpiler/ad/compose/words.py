"""The derivatives that can be asked for, each as a word of letters.

    forward-over-reverse-over-reverse        f_grad_vjp_jvp

The last letter is applied to the function first, and makes another one, and so on; what the first
one makes is emitted. So is what it makes of other directions than the user's, of dense derivatives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.compose.dense import hessian, jacobian
from mooncake_transpiler.ad.compose.existence import obstacle
from mooncake_transpiler.ad.compose.few_numbers import few_numbers
from mooncake_transpiler.ad.compose.letters import applied
from mooncake_transpiler.ad.compose.reversible import reversible
from mooncake_transpiler.ad.derive import derive
from mooncake_transpiler.ad.forward.jvp import along, derive_forward
from mooncake_transpiler.ad.helper_pullbacks import with_helpers
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.interface.cotangents import tangent_leaves
from mooncake_transpiler.interface.forward_mode import ForwardInterface


def derivatives(
    subject: Subject, modes: Sequence[str], *, checks: bool = False
) -> Iterator[Derived]:
    """The functions that ``modes`` make of ``subject``, which is inlined and simplified.

    With ``checks`` reverse sweeps compare shadows with their primals. Raises ``Refused`` where
    something can't be differentiated, or not so often.
    """
    reverse = None
    if "reverse" in modes:
        reverse = derive(subject, checks=checks)
        if not checks:
            reverse = few_numbers(subject, reverse)
        yield reverse
    if "forward" in modes:
        yield derive_forward(*with_helpers(subject, forward=True), reverse)
    if "hvp" in modes:
        yield hvp(subject)
    if "hessian" in modes:
        yield hessian(subject, _gradient("hessian", subject))
    if "jacobian" in modes:
        yield jacobian(subject, reverse)
    for mode in modes:
        first, *inner = mode.split("-over-")
        if inner:
            yield _word(first, inner, subject, checks=checks)


def _word(first: str, inner: Sequence[str], subject: Subject, *, checks: bool) -> Derived:
    for mode in reversed(inner):
        subject = applied(mode, subject)
    if first == "reverse":
        return derive(reversible(subject), checks=checks)
    return derive_forward(*with_helpers(subject, forward=True))


def hvp(subject: Subject) -> Derived:
    """``f_hvp``: forward over reverse, along directions of the parameters of ``f`` alone.

    f_grad(x)                     f_hvp(x, x_dot)
    x_bar = 2.0 * x               x_bar = 2.0 * x
                                  x_bar_dot = 2.0 * x_dot
    return x_bar                  return x_bar, x_bar_dot

    Saved values, stacks, shadows and what is wound back have tangents like anything else, so those
    of arguments that are written are restored, too.
    """
    gradient = _gradient("hvp", subject)
    primal = subject.alone()
    names = ForwardInterface.of(primal.func, primal.wrt, primal.callees().changes)
    result = gradient.func.result

    def public(body: ir.Block) -> ir.Func:
        return names.hvp(body, result)

    return along(gradient, gradient.callees(), names, list(tangent_leaves(result)), public)


def _gradient(mode: str, subject: Subject) -> Subject:
    """The gradient of ``subject``, which ``mode`` is the derivative of."""
    if refused := obstacle(mode, subject.func, subject.wrt):
        raise refused
    return applied("reverse", subject)
