"""The derivative functions of compositions of modes, such as ``reverse-over-forward``.

    forward-over-reverse-over-reverse        f_grad_vjp_jvp

The last mode is applied to the function first, and makes another one, and so on. What the first
mode makes is emitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.derive import Derived, derive
from mooncake_transpiler.ad.forward.derive import derive_forward
from mooncake_transpiler.ad.orders.rules import Rules
from mooncake_transpiler.ad.orders.subject import Subject, differentiated, reversible


def derive_composition(
    modes: Sequence[str],
    func: ir.Func,
    wrt: Sequence[str],
    program: ir.Program,
    rules: Rules,
    *,
    checks: bool = False,
) -> Derived:
    """The derivative functions of ``func`` by ``modes``, the outermost first.

    ``func`` and ``program`` are inlined and simplified; ``checks`` as for ``derive``. Raises
    ``Refused`` where something can't be differentiated, or not so often.
    """
    first, *inner = modes
    subject = Subject(func, tuple(wrt), program)
    for k, mode in enumerate(reversed(inner)):
        if mode == "reverse" and k > 0:
            subject = reversible(subject, rules)
        subject = differentiated(subject, mode, rules)
    if first == "reverse":
        subject = reversible(subject, rules)
        made = derive(subject.func, subject.wrt, subject.program, rules.simplify, rules.prune,
                      checks=checks)  # fmt: skip
    else:
        made = derive_forward(subject.func, subject.wrt, subject.program, rules.stated,
                              rules.simplify, rules.prune)  # fmt: skip
    return replace(made, structs=(*subject.structs, *made.structs))
